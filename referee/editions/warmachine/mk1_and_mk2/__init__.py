"""Chapters that WARMACHINE's first edition (Mk I) and HORDES Mk II share, where Prime has them otherwise.

They are written in the words of HORDES Mk II; Mk I cites its own entries for them where it has some.
"""
