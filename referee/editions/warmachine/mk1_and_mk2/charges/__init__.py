"""Charges, slams and other power attacks."""
