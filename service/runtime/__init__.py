"""The Referee and those who work for him: the way of a command, the House's clock, bots, disputes."""
