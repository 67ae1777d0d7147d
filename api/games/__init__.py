"""Kept games: handed on as one file, opened again, and shown by a page that needs no Tableside."""
