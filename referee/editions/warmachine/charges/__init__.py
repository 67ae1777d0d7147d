"""Charges, power attacks and involuntary movement."""
