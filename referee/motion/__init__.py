"""Motion: sweeps, travel budget, straight charges, shortest path, least disturbance."""
