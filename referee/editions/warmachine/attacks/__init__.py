"""Attacks: targets, templates, sprays, modifiers."""
