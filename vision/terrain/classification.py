"""Classification: the kinds of terrain that a shape and its tint suggest, and the error of its outline."""

import math
from collections.abc import Sequence
from typing import Literal

import cv2
import numpy as np
import shapely

from calibration.arrays import Image
from models.terrain_proposal import KindGuess
from models.vocabulary import TerrainKind
from vision.terrain.segmentation import Blob

Form = Literal["linear", "box", "lump"]
Tint = Literal["green", "blue", "plain"]
ShapeAndTint = tuple[Form, Tint]

_GREEN, _BLUE = -8.0, -8.0  # CIELAB a and b below which a colour is called so
_CARDS_MM = ((63.0, 88.0), (57.0, 87.0), (44.0, 68.0), (41.0, 63.0), (70.0, 120.0))  # shorter and longer side
_CARD_MM = 3.5  # a rectangle this near to a card's size is one
_LEAST = 0.1  # a kind that is less likely is not named
# How often pieces of each look were of each kind (`python -m benchmarks.detection.terrain_proposals --seed 3000
# --tables 40`).
_COUNTED: dict[ShapeAndTint, dict[TerrainKind, int]] = {
    ("box", "blue"): {"building": 1},
    ("box", "green"): {"building": 3, "trench": 1},
    ("box", "plain"): {"trench": 9, "building": 2},
    ("linear", "blue"): {"wall": 3},
    ("linear", "green"): {"hedge": 18, "wall": 6},
    ("linear", "plain"): {"wall": 21},
    ("lump", "blue"): {"water": 10, "wall": 1},
    ("lump", "green"): {"forest": 14, "hill": 6, "rough": 5, "water": 4, "rubble": 3, "building": 1},
    ("lump", "plain"): {"forest": 15, "rubble": 12, "rough": 12, "hill": 11, "building": 5, "trench": 2},
}
_UNSEEN = 5  # pieces of other kinds, as if they had been seen too: what was counted seldom is not sure
_SEEN_SIGMA_MM = 2.0  # of an outline that lies flat
# How high what looks so may rise: a camera sees its top moved aside, and what hangs over.
_RISE_MM: dict[Form, float] = {"linear": 30.0, "box": 80.0, "lump": 20.0}
_LEAVES_MM = 50.0
_FLAT: frozenset[TerrainKind] = frozenset({"water", "rough", "trench"})
_UPRIGHT: frozenset[TerrainKind] = frozenset({"wall", "hedge", "building"})
_FLAT_MM, _UPRIGHT_MM = 8.0, 10.0  # higher is nothing flat, lower is nothing upright


def shape_and_tint(blob: Blob, small: Image) -> ShapeAndTint:
    """The shape and the tint of it; `small` is the table at the scale of the blob."""
    form: Form = "linear" if blob.is_linear else "box" if blob.is_box else "lump"
    inside = small[blob.place].astype(np.float32).reshape(-1, 1, 3) / 255
    _, a, b = np.median(cv2.cvtColor(inside, cv2.COLOR_BGR2LAB).reshape(-1, 3), axis=0)
    return form, "blue" if b < _BLUE and b < a else "green" if a < _GREEN else "plain"


def kind_guesses(look: ShapeAndTint) -> tuple[KindGuess, ...]:
    """The kinds it may be with their probabilities, the likeliest first."""
    counted = _COUNTED.get(look, {})
    total = sum(counted.values()) + _UNSEEN
    shares = sorted(((n / total, kind) for kind, n in counted.items()), reverse=True)
    return tuple(KindGuess(kind=kind, probability=round(p, 2)) for p, kind in shares if p >= _LEAST)


def weigh_by_height(guesses: Sequence[KindGuess], *, least_mm: float, most_mm: float) -> tuple[KindGuess, ...]:
    """The same without kinds that lie flat where it stands up, and without those that stand up where it lies flat."""
    kept = [
        guess
        for guess in guesses
        if not (guess.kind in _FLAT and least_mm > _FLAT_MM) and not (guess.kind in _UPRIGHT and most_mm < _UPRIGHT_MM)
    ]
    gone = sum(guess.probability for guess in guesses) - sum(guess.probability for guess in kept)
    share = 1 / max(1 - gone, _LEAST)
    return tuple(
        KindGuess(kind=guess.kind, probability=round(min(1.0, guess.probability * share), 2)) for guess in kept
    )


def outline_sigma_mm(look: ShapeAndTint, *, slant: float) -> float:
    """Standard deviation of its outline; `slant` is millimetres aside per millimetre up, as the camera sees it
    there."""
    return round(math.hypot(_SEEN_SIGMA_MM, _rise_mm(look) * slant), 1)


def _rise_mm(look: ShapeAndTint) -> float:
    return _LEAVES_MM if look == ("lump", "green") else _RISE_MM[look[0]]


def is_card(outline: shapely.Polygon) -> bool:
    """Whether it is as large as a playing card, which is no terrain."""
    if len(outline.exterior.coords) != 5:
        return False
    (x0, y0), (x1, y1), (x2, y2) = outline.exterior.coords[:3]
    short, long = sorted((math.hypot(x1 - x0, y1 - y0), math.hypot(x2 - x1, y2 - y1)))
    return any(abs(short - a) < _CARD_MM and abs(long - b) < _CARD_MM for a, b in _CARDS_MM)
