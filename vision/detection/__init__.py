"""Detection: a picture -> candidates for bases."""
