"""Magic: spell targets, lines and vortices."""
