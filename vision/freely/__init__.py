"""A picture without a camera file or a layout: discs of known sizes tell how the plane they lie on is seen.

Imports models, calibration and the rest of vision.
"""
