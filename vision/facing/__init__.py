"""Facing: the rim of a round base unwrapped, its paint classified, and the marking posterior that gives its facing."""
