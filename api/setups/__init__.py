"""Setups: what a table is played with, kept from game to game, and who is expected to stand on it.

A setup holds any of these: the terrain with zones and objectives, the rules it is played by, the expected bases. Laying
one out is one step, which can be undone like any correction.

    GET    /api/v1/setups              what is kept
    GET    /api/v1/setups/{name}       all of one
    PUT    /api/v1/setups/{name}       {"parts": ["terrain", "rules", "expected"]}: keep these of the table as it is now
    POST   /api/v1/setups              a whole setup, as the GET above gives it
    POST   /api/v1/setups/{name}/lay   lay it out; its terrain takes the place of what lies there
    DELETE /api/v1/setups/{name}
    GET, PUT /api/v1/expected          who is expected; the answer tells which measured bases may be each of them

Setups lie in `--data`, one JSON file each, or in memory where nothing is kept.
"""
