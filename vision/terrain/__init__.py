"""Terrain proposals: terrain, templates and tokens that a picture shows, for the player to confirm; never state.

May import what vision may.
"""
