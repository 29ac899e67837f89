"""Transcripts between the store and a file: given out, taken in, looked at on one's own machine."""


class NoKey(Exception):
    """Nothing can be signed. The text is for whoever runs this: it names the file or the folder."""


class CannotExport(Exception):
    """No transcript comes of it. The text is for the person at the terminal."""


class CannotImport(Exception):
    """Not taken in, and nothing was written. The text is for the person at the terminal."""
