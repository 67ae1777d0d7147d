"""Sight: is there a line between two bases that nothing closes, and how much could everything grow before it flips.

Pure geometry in the plane, heights included as the stretch of a line that a blocker can close. Knows no rulebook.
"""

from referee.sight.heights import height_to_spare_mm, low_stretch
from referee.sight.lane import Lane, least_length_mm, widest_lane
from referee.sight.scene import End, Obstacle, Wood

__all__ = [
    "End",
    "Lane",
    "Obstacle",
    "Wood",
    "height_to_spare_mm",
    "least_length_mm",
    "low_stretch",
    "widest_lane",
]
