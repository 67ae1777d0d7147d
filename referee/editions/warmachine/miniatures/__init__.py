"""Miniatures: bases, arcs, distances, auras."""
