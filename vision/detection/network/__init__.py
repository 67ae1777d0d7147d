"""Neural detection: a small trained network proposes where bases lie; the fit measures.

May import: models, calibration, vision. `training/` makes the network and is never needed at a table.
"""
