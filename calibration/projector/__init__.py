"""Projector: coded patterns that a camera sees -> where the light falls; and the marks by which a bump is noticed."""
