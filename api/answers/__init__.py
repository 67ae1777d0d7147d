"""Answers: pair and miniature sheets, rings, threats, what-ifs, precomputation."""
