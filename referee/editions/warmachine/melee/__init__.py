"""Melee: reach, engagement, free strikes, back strikes."""
