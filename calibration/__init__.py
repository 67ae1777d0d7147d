"""Calibration: pictures of a known board -> Camera; fiducials on the table -> CameraPose; both with covariance.

May import models.
"""
