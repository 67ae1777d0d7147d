"""Terrain: what a piece counts as, cover, heights, water and structures."""
