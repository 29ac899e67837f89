"""The log and what stands beside it, in Postgres."""
