"""Shooting: eligible shooters, templates, war machines."""
