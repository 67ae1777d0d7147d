"""Uncertainty: error modes, sensitivity and sampling -> probability -> answer."""
