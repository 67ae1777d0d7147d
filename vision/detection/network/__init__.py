"""Neural detection: a small trained network proposes where bases lie; the fit measures, Hough finders stay beside it.

May import: models, calibration, vision. `training/` makes the network and is never needed at a table.
"""
