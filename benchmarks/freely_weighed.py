"""What the traits of an edge weigh (`vision/freely/parted.py`): a logistic fit over drawn boards and drawn coins.

Each thing counts once, however many ellipses lie on it; an ellipse that is nearly a thing's tells nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.choosing import fitted
from benchmarks.drawn_coins import drawn_shot
from benchmarks.drawn_stones import drawn_board
from vision.freely.discs import Disc, looked_at

Floats = NDArray[np.float64]
Scene = tuple[NDArray[np.uint8], Floats, Floats]  # a picture, where its things are, (N, 2) px, and how wide, (N,) px

_SETS = (((16.25, 18.75, 19.75, 21.25, 22.25, 23.25, 24.25, 25.75), 2.0), ((25.0, 28.5, 30.0, 32.0, 40.0, 50.0), 4.0))
_BOARDS, _SHOTS = 24, 16  # a board gives six times as many ellipses
_WIDTH_PX = 1200
_ON, _ON_SIZE = 0.1, (0.82, 1.2)  # of its width, and times as wide: so near an ellipse is the thing's,
_BESIDE, _BESIDE_SIZE = 0.3, (0.6, 1.45)  # and so near it is nobody's


@dataclass(frozen=True)
class Known:
    """An ellipse's traits, whether it is a thing's, and what it counts."""

    traits: tuple[float, ...]
    is_thing: bool
    counts: float


def fitted_weights(seed: int) -> Floats:
    """The weights of the traits and, last, the odds without any."""
    known = [one for scene in _scenes(seed) for one in _known(*scene)]
    traits, counts = np.array([one.traits for one in known]), np.array([one.counts for one in known])
    return fitted(traits, np.array([one.is_thing for one in known], np.float64), counts)


def _scenes(seed: int) -> Iterator[Scene]:
    for number in range(_BOARDS):
        board = drawn_board(seed, number)
        yield board.image, board.at_px, np.full(len(board.at_px), board.wide_px)
    for sizes_mm, thick_mm in _SETS:
        for number in range(_SHOTS):
            shot = drawn_shot(seed, number, sizes_mm, width_px=_WIDTH_PX, thick_mm=thick_mm)
            yield shot.image, shot.at_px, shot.wide_px


def _known(image: NDArray[np.uint8], at_px: Floats, wide_px: Floats) -> Iterable[Known]:
    found = list(looked_at(image))
    things = [_thing(disc, at_px, wide_px) for disc, _ in found]
    for (_, traits), (thing, is_on) in zip(found, things, strict=True):
        if is_on:
            yield Known(astuple(traits), True, 1 / things.count((thing, True)))
        elif thing is None:
            yield Known(astuple(traits), False, 1.0)


def _thing(disc: Disc, at_px: Floats, wide_px: Floats) -> tuple[int | None, bool]:
    """The thing on or beside which this ellipse lies, and whether on it."""
    off_px = np.hypot(*(at_px - disc.at_px).T)
    nearest = int(off_px.argmin())
    off, size = off_px[nearest] / wide_px[nearest], 2 * disc.radius_px / wide_px[nearest]
    if off < _ON and _ON_SIZE[0] < size < _ON_SIZE[1]:
        return nearest, True
    if off < _BESIDE and _BESIDE_SIZE[0] < size < _BESIDE_SIZE[1]:
        return nearest, False
    return None, False
