"""Terrain: its classes, cover, trenches."""
