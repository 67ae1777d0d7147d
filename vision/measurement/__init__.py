"""Measurement: a candidate -> position, size and covariance of a base."""
