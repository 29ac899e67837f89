"""Who calls, and what he may: guest accounts, bearer tokens, scopes."""
