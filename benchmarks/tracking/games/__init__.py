"""Recordings that really move, drawn frame by frame from a seed, each with what truly happened in it."""
