"""Benchmarks of army lists."""
