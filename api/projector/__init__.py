"""Light on the table: what a projector shows there, how it is calibrated, and that the camera is not fooled by it."""
