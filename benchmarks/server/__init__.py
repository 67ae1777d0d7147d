"""Benchmarks of the server and its pages."""
