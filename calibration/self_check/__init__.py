"""Self-check: known lengths against measured ones, before play."""
