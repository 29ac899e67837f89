"""One log, one fold, many eyes: redact and view, the only place where secrecy is decided."""
