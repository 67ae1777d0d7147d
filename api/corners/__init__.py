"""Corners: setting the camera up from a phone by tapping the corners of the mat."""
