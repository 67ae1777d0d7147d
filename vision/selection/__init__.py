"""Selection: which fitted candidates are bases, by log odds and non-maximum suppression."""
