"""Camera model: projection, distortion, their inverses and derivatives."""
