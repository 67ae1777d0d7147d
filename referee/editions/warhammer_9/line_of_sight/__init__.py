"""Line of sight, visible shares and cover."""
