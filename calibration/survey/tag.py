"""Tag: a printed square as it lies, a parallelogram of nearly equal sides whose place is being solved."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from models.layout import Marker, Point3

UNKNOWNS = 9
"""Of a tag: its middle; and its sides to the right and down, as a share of the size it was printed at."""


@dataclass(frozen=True)
class Tag:
    """Its middle, and what a millimetre of the print to the right and down is where it lies; all (3,)."""

    id: int
    middle_mm: Floats
    right: Floats
    down: Floats
    size_mm: float

    @property
    def corners_mm(self) -> Floats:
        """(4, 3), in the print's own order."""
        across = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.size_mm / 2
        return np.asarray(self.middle_mm + across @ np.stack([self.right, self.down]))

    def marker(self) -> Marker:
        """The tag as a marker of a layout."""
        first, second, third, fourth = (_point(corner) for corner in self.corners_mm)
        return Marker(id=self.id, corners_mm=(first, second, third, fourth))

    def print_coordinates(self, points_mm: Floats) -> Floats:
        """How far right and down of the middle these points (N, 3) are, in mm of the print, (N, 2)."""
        sides = np.stack([self.right, self.down], axis=1)
        return np.asarray(np.linalg.lstsq(sides, (points_mm - self.middle_mm).T, rcond=None)[0].T)

    def with_change(self, change: Floats) -> "Tag":
        """After a small change of its unknowns."""
        return Tag(
            self.id, self.middle_mm + change[:3], self.right + change[3:6], self.down + change[6:9], self.size_mm
        )

    def in_frame(self, rotation: Floats, shift_mm: Floats) -> "Tag":
        """The same tag in another frame."""
        return Tag(
            self.id, rotation @ self.middle_mm + shift_mm, rotation @ self.right, rotation @ self.down, self.size_mm
        )


def tag_from_corners(id_: int, corners_mm: Floats, *, size_mm: float) -> Tag:
    """The tag whose corners (4, 3) lie about here."""
    right = (corners_mm[1] - corners_mm[0] + corners_mm[2] - corners_mm[3]) / 2
    down = (corners_mm[3] - corners_mm[0] + corners_mm[2] - corners_mm[1]) / 2
    return Tag(id_, corners_mm.mean(axis=0), right / size_mm, down / size_mm, size_mm)


def corner_jacobian(tags: Sequence[Tag]) -> Floats:
    """d corners / d the tags' unknowns, (12 T, 9 T)."""
    across = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    out = np.zeros((12 * len(tags), UNKNOWNS * len(tags)))
    for i, tag in enumerate(tags):
        shares = np.concatenate([np.ones((4, 1)), across * tag.size_mm], axis=1)
        out[12 * i : 12 * i + 12, 9 * i : 9 * i + 9] = np.kron(shares, np.eye(3))
    return out


def _point(corner: Floats) -> Point3:
    x, y, z = map(float, corner)
    return x, y, z
