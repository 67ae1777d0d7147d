"""Rulings: what a judge decided about a verdict, with everything the verdict stood on, kept for good.

A ruling names the verdict as it was given, the moment of the table, a tape reading where one replaced the measured
length, and what stands now. A record of it can be printed.
"""
