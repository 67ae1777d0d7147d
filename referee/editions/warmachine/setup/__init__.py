"""Set-up: deployment, placement, scenario objectives."""
