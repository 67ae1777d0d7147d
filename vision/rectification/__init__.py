"""Rectification: windows of a picture resampled to table millimetres."""
