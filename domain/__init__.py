"""The rules of play: pure, no clock, no luck, no I/O. Standard library and msgspec only."""
