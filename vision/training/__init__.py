"""How the network comes to be: drawn pictures with exact truth, training, export, its card.

`training.drawn` is the fast generator the network learns from. The tables it is judged on come from another generator
that shares nothing with it: `training.cycles`.
"""
