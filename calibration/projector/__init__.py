"""Projector: coded patterns that a camera sees -> where the light falls."""
