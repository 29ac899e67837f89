"""Events as sentences, for people: from events as they were told, so that no sentence knows more than its hearer."""
