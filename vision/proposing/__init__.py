"""Pieces of terrain, templates and tokens that a picture shows, for the player to confirm: proposals, never state.

May import what vision may.
"""
