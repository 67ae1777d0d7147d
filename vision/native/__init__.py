"""Native kernel: the C twins of what takes longest; vision works without it, and more slowly."""
