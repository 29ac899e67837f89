"""What an auditor holds in his hands: the transcript of a match, and what can be proved with it."""
