"""Geometry: shapes, distance, containment, corridors. Knows no table."""
