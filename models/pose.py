"""Pose: where something stands and which way it faces, and how surely."""

from models.frozen import Frozen
from models.vocabulary import AngleDeg, Coordinate, NotNegative, Point, Share


class Pose(Frozen):
    at_mm: Point
    facing_deg: AngleDeg | None = None
    elevation_mm: Coordinate | None = None


class Sigma(Frozen):
    """Standard deviations; `at_mm` is per axis. Zero means exact."""

    at_mm: NotNegative = 0.0
    facing_deg: NotNegative = 0.0
    elevation_mm: NotNegative = 0.0


class FacingAlternative(Frozen):
    """Another way it may face, and how likely that is."""

    facing_deg: float
    probability: Share
