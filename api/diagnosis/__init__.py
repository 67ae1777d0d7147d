"""Diagnosis: what of this machine and its data stands in the way of a table, and what to do about it."""
