"""Dots of a board: the middle of a dot's picture is not the picture of its middle."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.board import View
from calibration.bundle import Solution

Floats = NDArray[np.float64]

_RIM = 32  # points of a dot's rim


def centred(views: Sequence[View], found: Solution, *, diameter_mm: float) -> list[View]:
    """The views as if the middles of the dots had been seen: a slant shows a dot's nearer half larger.

    `views` are those that `found` explains, in its order.
    """
    return [
        replace(view, seen_px=view.seen_px - _drawn_aside(view, found, number, diameter_mm / 2))
        for number, view in enumerate(views)
    ]


def _drawn_aside(view: View, found: Solution, number: int, radius_mm: float) -> Floats:
    """From the picture of each dot's middle to the middle of its picture, (N, 2) px."""
    rotation, translation = found.places.rotations[number], found.places.translations_mm[number]
    angle = np.arange(_RIM) * 2 * np.pi / _RIM
    rim = radius_mm * np.stack([np.cos(angle), np.sin(angle), np.zeros(_RIM)], axis=1)
    on_board = view.points_mm[:, None, :] + rim
    seen = found.lens.project(on_board.reshape(-1, 3) @ rotation.T + translation).reshape(-1, _RIM, 2)
    return _middle(seen) - found.lens.project(view.points_mm @ rotation.T + translation)


def _middle(outlines: Floats) -> Floats:
    """The centroids of the areas within outlines (N, K, 2)."""
    start = outlines.mean(axis=1, keepdims=True)
    here = outlines - start
    after = np.roll(here, -1, axis=1)
    twice = here[:, :, 0] * after[:, :, 1] - here[:, :, 1] * after[:, :, 0]
    moment = np.sum((here + after) * twice[:, :, None], axis=1)
    return np.asarray(start[:, 0] + moment / (3 * twice.sum(axis=1, keepdims=True)))
