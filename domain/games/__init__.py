"""One folder a game. Games do not know each other."""
