"""Playing and watching in the terminal, over the public API. Knows no rules of any game."""
