"""Rulebooks: a folder each, or a package where the books of one game share rules."""
