"""Margins: how a margin changes as things move, where a rule knows it."""
