"""Transcripts between the store and a file: given out, taken in, looked at on one's own machine."""
