"""A small trained network that proposes where bases lie; the fit measures, and the classical finder stays beside it.

May import: models, calibration, vision. `training/` makes the network and is never needed at a table.
"""
