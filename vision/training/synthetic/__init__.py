"""The pictures the network learns from: a virtual camera over a small piece of a table, everything from a seed."""
