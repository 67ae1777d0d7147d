"""Printed card on the table: how large the camera measures it to be."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Image
from calibration.image import to_gray
from calibration.least_squares import NormalEquations, ResidualBlock
from calibration.pose.fiducial_residuals import FiducialEdges, measure_fiducial
from calibration.pose.marker_detection import detect_dictionary
from calibration.pose.pose_fit import FLOOR_PX, NEIGHBOURS, weigh_edges
from calibration.survey.tag import Tag, tag_from_corners
from calibration.view import View

_LOOKS = 3


@dataclass(frozen=True)
class Card:
    """Card as it lies, and how well each of its sides and its middle are known, in mm."""

    tag: Tag
    sigma_mm: float

    @property
    def sides_mm(self) -> tuple[float, float]:
        """To the right and down of its print."""
        size = self.tag.size_mm
        return float(np.linalg.norm(self.tag.right)) * size, float(np.linalg.norm(self.tag.down)) * size


def measure_cards(image: Image, *, view: View, size_mm: float, without: Sequence[int] = ()) -> tuple[Card, ...]:
    """Measure every card of the layout's dictionary that lies on the table, but those of these ids."""
    seen = detect_dictionary(to_gray(image), name=view.layout.fiducials.dictionary)
    cards = []
    for id_, corners_px in seen:
        if id_ not in without:
            flat = view.intersect_plane(corners_px, z_mm=0.0)
            corners = np.column_stack([flat, np.zeros(4)])
            cards.append(measure_card(image, id_, corners, view=view, size_mm=size_mm))
    return tuple(card for card in cards if card is not None)


def measure_card(image: Image, id_: int, corners_mm: Floats, *, view: View, size_mm: float) -> Card | None:
    """Measure the card whose corners (4, 3) are about here by its edges; None when too few of them are seen."""
    if not np.all(np.isfinite(corners_mm)):
        return None
    tag, sigma_mm = tag_from_corners(id_, corners_mm, size_mm=size_mm), float("inf")
    for k in range(_LOOKS):
        seen = measure_fiducial(
            image, tag.marker(), fiducials=view.layout.fiducials, camera=view.camera, pose=view.pose, roughly=k == 0
        )
        if seen is None:
            return None
        tag, sigma_mm = _refine_tag(tag, seen)
    return Card(tag, sigma_mm)


def _refine_tag(tag: Tag, seen: FiducialEdges) -> tuple[Tag, float]:
    """The tag moved, turned and stretched in its plane onto its edges; the tone curve's shift is solved beside it."""
    arm = seen.points_mm - tag.middle_mm
    flat = seen.slope[:, :2]
    matrix = np.concatenate([np.ones((len(arm), 1)), flat, flat * arm[:, :1], flat * arm[:, 1:2]], axis=1)
    trust, noise_px = weigh_edges(seen)
    equations = NormalEquations.of([ResidualBlock(seen.offset_px, matrix, weights=trust)], matrix.shape[1])
    change = equations.step()
    by_place = change[3:].reshape(2, 2).T  # how far a place moves for each mm that it lies right and up of the middle
    covariance = np.linalg.inv(equations.matrix) * NEIGHBOURS * noise_px**2
    stretch_mm = tag.size_mm * float(np.sqrt(np.diag(covariance)[3:].max()))
    floor_mm = FLOOR_PX / float(np.median(np.linalg.norm(flat, axis=1)))
    shift = np.array([change[1], change[2], 0.0])
    right, down = (side + np.append(by_place @ side[:2], 0.0) for side in (tag.right, tag.down))
    return Tag(tag.id, tag.middle_mm + shift, right, down, tag.size_mm), float(np.hypot(stretch_mm, floor_mm))
