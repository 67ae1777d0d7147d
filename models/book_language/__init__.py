"""Book language: expressions over measures that a written rulebook holds as texts; parsed and typed, never executed."""
