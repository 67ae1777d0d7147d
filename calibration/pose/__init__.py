"""Camera pose: fiducials in a picture -> pose with covariance, and pose tracking."""
