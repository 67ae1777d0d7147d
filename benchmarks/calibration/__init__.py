"""Benchmarks of calibration."""
