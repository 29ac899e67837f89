"""Words that several games speak. The kernel never calls a game."""
