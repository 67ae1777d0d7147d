"""The shared words of the table: states, queries, verdicts, cameras, layouts, units.

Imports nothing of ours. Everything here is a frozen value; every length is millimetres, every JSON angle degrees.
"""
