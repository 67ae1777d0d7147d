"""Rules: what a rule is written in: exact table, result, conditions, explanations, edition."""
