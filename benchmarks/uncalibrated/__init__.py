"""Benchmarks of pictures without a camera file."""
