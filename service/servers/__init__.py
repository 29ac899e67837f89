"""A Postgres and a Valkey of our own, for whoever has configured none: real servers, run as our children."""


class CannotStart(Exception):
    """What was asked for does not run, and nothing is left running. The text is for the person at the terminal."""
