"""What operators see: logs and metrics. Neither names a token, a player, a card or an action's type."""
