"""Charges: paths, arrival, alignment, reactions, odds."""
