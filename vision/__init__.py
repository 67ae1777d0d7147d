"""Frames -> which bases lie where, facing where, how surely -> TableState.

May import models and calibration.
"""
