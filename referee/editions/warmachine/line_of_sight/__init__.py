"""Line of sight between volumes, past models and terrain."""
