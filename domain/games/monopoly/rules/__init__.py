"""The steps of a turn, each by its name; ``decider.py`` is their table of contents."""
