"""Benchmarks of rules and verdicts."""
