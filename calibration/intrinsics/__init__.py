"""Intrinsics: pictures of a known board -> camera by bundle adjustment, with covariance."""
