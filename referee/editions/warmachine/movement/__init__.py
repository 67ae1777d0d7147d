"""Movement: costs, paths, obstacles, falls."""
