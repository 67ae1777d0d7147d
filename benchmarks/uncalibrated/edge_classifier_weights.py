"""What the traits of an edge weigh (`vision/uncalibrated/ellipse_detection.py`): a logistic fit over drawn boards and
drawn coins.

Each thing counts once, however many ellipses lie on it; an ellipse that is nearly a thing's tells nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass

import numpy as np

from benchmarks.detection.fit_selection_weights import fit_logistic
from benchmarks.uncalibrated.synthetic_coins import draw_coin_shot
from benchmarks.uncalibrated.synthetic_stones import draw_board_shot
from calibration.arrays import Floats, Image
from vision.uncalibrated.ellipse_detection import Disc, detect_ellipses

Scene = tuple[Image, Floats, Floats]  # a picture, where its things are, (N, 2) px, and how wide, (N,) px

_SETS = (((16.25, 18.75, 19.75, 21.25, 22.25, 23.25, 24.25, 25.75), 2.0), ((25.0, 28.5, 30.0, 32.0, 40.0, 50.0), 4.0))
_BOARDS, _SHOTS = 24, 16  # a board gives six times as many ellipses
_WIDTH_PX = 1200
_ON, _ON_SIZE = 0.1, (0.82, 1.2)  # of its width, and times as wide: so near an ellipse is the thing's,
_BESIDE, _BESIDE_SIZE = 0.3, (0.6, 1.45)  # and so near it is nobody's


@dataclass(frozen=True)
class LabelledEllipse:
    """An ellipse's traits, whether it is a thing's, and what it counts."""

    traits: tuple[float, ...]
    is_thing: bool
    counts: float


def fit_weights(seed: int) -> Floats:
    """The weights of the traits and, last, the odds without any."""
    known = [one for scene in _draw_scenes(seed) for one in _label_ellipses(*scene)]
    traits, counts = np.array([one.traits for one in known]), np.array([one.counts for one in known])
    return fit_logistic(traits, np.array([one.is_thing for one in known], np.float64), counts)


def _draw_scenes(seed: int) -> Iterator[Scene]:
    for number in range(_BOARDS):
        board = draw_board_shot(seed, number)
        yield board.image, board.at_px, np.full(len(board.at_px), board.wide_px)
    for sizes_mm, thick_mm in _SETS:
        for number in range(_SHOTS):
            shot = draw_coin_shot(seed, number, sizes_mm, width_px=_WIDTH_PX, thick_mm=thick_mm)
            yield shot.image, shot.at_px, shot.wide_px


def _label_ellipses(image: Image, at_px: Floats, wide_px: Floats) -> Iterable[LabelledEllipse]:
    found = list(detect_ellipses(image))
    things = [_match_thing(disc, at_px, wide_px) for disc, _ in found]
    for (_, traits), (thing, is_on) in zip(found, things, strict=True):
        if is_on:
            yield LabelledEllipse(astuple(traits), True, 1 / things.count((thing, True)))
        elif thing is None:
            yield LabelledEllipse(astuple(traits), False, 1.0)


def _match_thing(disc: Disc, at_px: Floats, wide_px: Floats) -> tuple[int | None, bool]:
    """The thing on or beside which this ellipse lies, and whether on it."""
    off_px = np.hypot(*(at_px - disc.at_px).T)
    nearest = int(off_px.argmin())
    off, size = off_px[nearest] / wide_px[nearest], 2 * disc.radius_px / wide_px[nearest]
    if off < _ON and _ON_SIZE[0] < size < _ON_SIZE[1]:
        return nearest, True
    if off < _BESIDE and _BESIDE_SIZE[0] < size < _BESIDE_SIZE[1]:
        return nearest, False
    return None, False
