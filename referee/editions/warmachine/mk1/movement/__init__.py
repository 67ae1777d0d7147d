"""Movement: paths, obstacles, falls and flight."""
