"""Attacks: legal targets, sprays, combined attacks and aiming."""
