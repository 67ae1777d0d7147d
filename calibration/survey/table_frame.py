"""Table frame, laid through tags that were surveyed in an arbitrary frame.

Height zero is the plane that fits the tags' middles best, less how high they lie. Where the near-left corner is, either
two places say whose distance from it somebody measured; or the tags themselves do: the table lies in the middle of the
smallest rectangle around them, its near side along the bottom of the print with the lowest id.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.survey.known_lengths import TagPoint, point_mm
from calibration.survey.tag import Tag


@dataclass(frozen=True)
class Anchor:
    """A place on a tag, and where it is on the table."""

    place: TagPoint
    at_mm: tuple[float, float]


@dataclass(frozen=True)
class TableFrame:
    """The transform table_from_survey, and the table's size."""

    rotation: Floats
    shift_mm: Floats
    table_mm: tuple[float, float]

    def transform(self, tags: Sequence[Tag]) -> tuple[Tag, ...]:
        """The tags in the table's frame."""
        return tuple(tag.in_frame(self.rotation, self.shift_mm) for tag in tags)


def fit_frame(
    tags: Sequence[Tag], *, anchors: Sequence[Anchor], table_mm: tuple[float, float] | None, tag_z_mm: float
) -> TableFrame:
    """Fit the table's frame to anchors, or to the rectangle around the tags."""
    level = _level_frame(tags, tag_z_mm=tag_z_mm)
    flat = level.transform(tags)
    turn, shift, size = _align_to_anchors(flat, anchors) if anchors else _align_to_rectangle(flat, table_mm)
    upright = np.eye(3)
    upright[:2, :2] = turn
    rotation, shift_mm = upright @ level.rotation, upright @ level.shift_mm + np.append(shift, 0.0)
    return TableFrame(rotation, shift_mm, table_mm or size)


def _level_frame(tags: Sequence[Tag], *, tag_z_mm: float) -> TableFrame:
    """The frame in which the tags lie level at this height and face up."""
    middles = np.array([tag.middle_mm for tag in tags])
    centre = middles.mean(axis=0)
    up = np.mean([np.cross(tag.down, tag.right) for tag in tags], axis=0)
    if len(tags) > 2:
        normal = np.linalg.svd(middles - centre)[2][2]
        up = normal * np.sign(normal @ up)
    up = up / np.linalg.norm(up)
    across = tags[0].right - (tags[0].right @ up) * up
    across /= np.linalg.norm(across)
    rotation = np.stack([across, np.cross(up, across), up])
    return TableFrame(rotation, -rotation @ centre + np.array([0, 0, tag_z_mm]), (0, 0))


def _align_to_anchors(flat: Sequence[Tag], anchors: Sequence[Anchor]) -> tuple[Floats, Floats, tuple[float, float]]:
    """The turn and shift that lay the anchors where they were measured, as nearly as may be; the table ends at the
    outermost tag."""
    here = np.array([point_mm(anchor.place, flat)[:2] for anchor in anchors])
    places = np.array([anchor.at_mm for anchor in anchors], np.float64)
    a, b = here - here.mean(axis=0), places - places.mean(axis=0)
    angle = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    turn = _rotation(float(angle))
    shift = places.mean(axis=0) - turn @ here.mean(axis=0)
    far = (_corners(flat) @ turn.T + shift).max(axis=0)
    return turn, shift, (float(far[0]), float(far[1]))


def _align_to_rectangle(
    flat: Sequence[Tag], table_mm: tuple[float, float] | None
) -> tuple[Floats, Floats, tuple[float, float]]:
    corners = _corners(flat)
    (_, _), (_, _), angle_deg = cv2.minAreaRect(corners.astype(np.float32))
    first = flat[0].right[:2]
    quarter = np.pi / 2
    wanted = -np.arctan2(first[1], first[0])
    side = -np.radians(angle_deg)
    turn = _rotation(float(side + quarter * np.round((wanted - side) / quarter)))
    seen = corners @ turn.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    size = (float(high[0] - low[0]), float(high[1] - low[1]))
    return turn, np.array(table_mm or size) / 2 - (low + high) / 2, size


def _corners(flat: Sequence[Tag]) -> Floats:
    return np.concatenate([tag.corners_mm[:, :2] for tag in flat])


def _rotation(angle_rad: float) -> Floats:
    return np.array([[np.cos(angle_rad), -np.sin(angle_rad)], [np.sin(angle_rad), np.cos(angle_rad)]])
