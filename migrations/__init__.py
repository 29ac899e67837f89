"""How the tables came about, step by step; run by ``service.store.migrate``."""
