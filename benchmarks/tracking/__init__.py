"""Benchmarks of tracking."""
