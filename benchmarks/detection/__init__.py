"""Benchmarks of detection and measurement."""
