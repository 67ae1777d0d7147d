"""Tracking: frames over time -> who is who, what moved, what is hidden."""
