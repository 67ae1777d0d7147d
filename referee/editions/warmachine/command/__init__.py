"""Command: formation, battlegroups, channelling."""
