"""Witnesses: the geometry a verdict draws."""
