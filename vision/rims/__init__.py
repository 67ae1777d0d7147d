"""What is painted on the rim of a round base: the rim unrolled, where its colours change, and marks that explain it.

Each way of marking is looked for in a few likely places; what speaks for each is weighed by fits on drawn tables.
"""
