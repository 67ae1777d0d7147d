"""Melee: engagement, free strikes, back strikes and locks."""
