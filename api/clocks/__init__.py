"""Death clocks: how long each player has left, stopped while a judge rules, with what was given back and why.

The journal's lines are the clocks: at the start they are gone through again, and a clock that ran runs on.
"""
