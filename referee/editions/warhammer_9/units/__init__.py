"""Units: regiments, ranks, arcs, distances, engagement."""
