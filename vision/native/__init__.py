"""Native kernel: in C what takes longest."""
