"""Units and their commanders: formation, command range, control area and command checks."""
