"""Line of sight: whether nothing closes some line between two bases, and by how much all could grow before it flips.

Pure geometry in the plane, heights included as the stretch of a line that a blocker can close. Knows no rulebook.
"""

from referee.line_of_sight.scene import End, Obstacle, Wood
from referee.line_of_sight.widest_lane import (
    Lane,
    height_to_spare_mm,
    lane_between,
    least_length_mm,
    low_stretch,
    widest_lane,
)

__all__ = [
    "End",
    "Lane",
    "Obstacle",
    "Wood",
    "height_to_spare_mm",
    "lane_between",
    "least_length_mm",
    "low_stretch",
    "widest_lane",
]
