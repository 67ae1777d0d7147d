"""Line of sight: what stands in the way, and what is looked past."""
