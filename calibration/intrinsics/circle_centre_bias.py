"""Circle centre bias: the middle of a dot's image is not the image of its middle."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Floats
from calibration.intrinsics.board_detection import BoardView
from calibration.intrinsics.bundle_adjustment import Solution

_RIM = 32  # points of a dot's rim


def correct_centre_bias(views: Sequence[BoardView], solution: Solution, *, diameter_mm: float) -> list[BoardView]:
    """The views as if the dots' middles had been seen: under a slant a dot's nearer half is seen larger.

    `views` are those that `found` explains, in its order.
    """
    return [
        replace(view, seen_px=view.seen_px - _centre_bias_px(view, solution, number, diameter_mm / 2))
        for number, view in enumerate(views)
    ]


def _centre_bias_px(view: BoardView, solution: Solution, number: int, radius_mm: float) -> Floats:
    """From the picture of each dot's middle to the middle of its picture, (N, 2) px."""
    rotation, translation = solution.places.rotations[number], solution.places.translations_mm[number]
    angle = np.arange(_RIM) * 2 * np.pi / _RIM
    rim = radius_mm * np.stack([np.cos(angle), np.sin(angle), np.zeros(_RIM)], axis=1)
    on_board = view.points_mm[:, None, :] + rim
    seen = solution.lens.project(on_board.reshape(-1, 3) @ rotation.T + translation).reshape(-1, _RIM, 2)
    return _centroids(seen) - solution.lens.project(view.points_mm @ rotation.T + translation)


def _centroids(outlines: Floats) -> Floats:
    """The centroids of the areas within outlines (N, K, 2)."""
    start = outlines.mean(axis=1, keepdims=True)
    here = outlines - start
    after = np.roll(here, -1, axis=1)
    twice = here[:, :, 0] * after[:, :, 1] - here[:, :, 1] * after[:, :, 0]
    moment = np.sum((here + after) * twice[:, :, None], axis=1)
    return np.asarray(start[:, 0] + moment / (3 * twice.sum(axis=1, keepdims=True)))
