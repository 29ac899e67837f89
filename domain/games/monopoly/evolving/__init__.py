"""What takes more than a line to copy, by subject; `evolve.py` is the table of contents."""
