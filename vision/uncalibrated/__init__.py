"""Uncalibrated pictures: without a camera file or a layout, discs of known sizes give the plane they lie on.

Imports models, calibration and the rest of vision.
"""
