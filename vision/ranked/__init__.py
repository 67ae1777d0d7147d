"""Ranked units: rectangular bases, detected as blocks of ranks and files and fitted together."""
