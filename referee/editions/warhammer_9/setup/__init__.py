"""Set-up: deployment, joining, garrisons, objectives."""
