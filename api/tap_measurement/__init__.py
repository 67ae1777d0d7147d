"""Tap measurement: a player taps on a picture, and a process beside the server measures what stands there."""
