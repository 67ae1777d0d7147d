"""Ticks at the ends of the front arc, a dot or a notch in front: the readings of a rim that such marks explain."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.rims.changes import Places, Rim, ring_mean
from vision.rims.likelihood import in_place, together
from vision.rims.weighing import Reading, lead, tops

Floats = NDArray[np.float64]

_AWAY_DEG, _ELSEWHERE_DEG = 8.0, 14.0
_COUNT = 4  # readings of each kind
_WORN, _COVERED = 0.03, 0.5  # how often a mark is not seen where the rim is, and where something else is
_RIM_END, _OTHER = 12.0, 20.0  # how unlike itself the rim is where something may cover it, and how soon it surely does
_OWN_MM = 3.0  # to either side of a mark
_PAINT_MM = 0.8  # of a mark, where nothing else blurs into its paint


@dataclass(frozen=True)
class Kind:
    """A way of marking; `seen` are those of its places (degrees from the front) at which a mark is seen."""

    marking: str
    places: tuple[int, ...]
    seen: tuple[int, ...]


TICKED = (
    Kind("ticks+dot", (90, -90, 0), (90, -90, 0)),
    Kind("left tick+dot", (90, -90, 0), (90, 0)),
    Kind("right tick+dot", (90, -90, 0), (-90, 0)),
    Kind("ticks", (90, -90), (90, -90)),
    Kind("notch", (0,), (0,)),
)
KINDS = {kind.marking: kind for kind in TICKED}


def ticked(rim: Rim) -> Iterator[Reading]:
    """The likeliest readings of each kind. Two ticks look alike from behind: their front is in the first half turn."""
    for kind in TICKED:
        likely = _likely(rim, kind)
        half = rim.count // 2 if kind.marking == "ticks" else rim.count
        for front in tops(likely[:half], _COUNT, away=rim.index(_AWAY_DEG)):
            yield Reading(kind.marking, front, _traits(rim, kind, front, likely))


def places_of(rim: Rim, kind: Kind, front: int) -> list[int]:
    """Where the marks that are seen lie, in the order of `kind.seen`."""
    return [int(rim.bumps.near[(front + rim.index(place)) % rim.count]) for place in kind.seen]


def paint_apart(rim: Rim, at: Sequence[int]) -> tuple[float, float]:
    """How far the colours at these places are from their mean: in tint, and in brightness."""
    paint = ring_mean(rim.colours, round(_PAINT_MM / rim.strip.step_mm))[list(at)]
    off = np.abs(paint - paint.mean(axis=0))
    return math.log(float(np.hypot(off[:, 1], off[:, 2]).mean()) + 1), math.log(float(off[:, 0].mean()) + 1)


def _likely(rim: Rim, kind: Kind) -> Floats:
    """The log ratio of this kind to chance for a front at every place."""
    wanted = [_turned(rim, place) for place in kind.seen]
    at = [rim.bumps.near[want] for want in wanted]
    found = together(rim.bumps, at, [1.0] * len(at))
    found = found + in_place(at, wanted, count=rim.count, step_mm=rim.strip.step_mm)
    for place in set(kind.places) - set(kind.seen):
        covered = _covered(rim, _turned(rim, place))
        found = found + np.log(_WORN + (_COVERED - _WORN) * covered)
    return found


def _turned(rim: Rim, deg: float) -> Places:
    return np.asarray((np.arange(rim.count) + rim.index(deg)) % rim.count)


def _covered(rim: Rim, at: Places) -> Floats:
    """How surely something else than the rim is seen there, 0 to 1."""
    return np.asarray(np.clip((rim.unlike[at] - _RIM_END) / _OTHER, 0.0, 1.0))


def _traits(rim: Rim, kind: Kind, front: int, likely: Floats) -> tuple[float, ...]:
    """Of the marks: how large the smallest and the largest are, how clear, how unlike each other, in tint and in
    brightness too, how unlike any other bump of the same colour or of any, how well in place; whether a missing one is
    covered; how likely, and by how much the likeliest."""
    bumps, at = rim.bumps, places_of(rim, kind, front)
    shifts, sizes = bumps.shift[at], bumps.size[at]
    mean = shifts.mean(axis=0)
    length = float(np.linalg.norm(mean)) + 1e-9
    rest = _rest(rim, kind, front)
    others = float((bumps.shift[rest] @ mean).max()) / length**2
    wanted = np.array([(front + rim.index(place)) % rim.count for place in kind.seen])
    off = np.abs((np.array(at) - wanted + rim.count // 2) % rim.count - rim.count // 2)
    missing = [place for place in kind.places if place not in kind.seen]
    covered = float(_covered(rim, _turned(rim, missing[0]))[front]) if missing else 0.0
    return (
        math.log(sizes.min() + 2), math.log(sizes.max() + 2), math.log(sizes.min() / bumps.noise + 0.5),
        min(float(np.linalg.norm(shifts - mean, axis=1).mean()) / length, 2.0),
        *paint_apart(rim, at),
        float(np.clip(others, 0.0, 2.0)),
        math.log(min(float(bumps.size[rest].max()) / (sizes.min() + 1e-9), 8.0) + 0.1),
        float(off.mean()) * rim.strip.step_mm, covered, float(likely[front]), _lead(rim, kind, front, likely),
    )  # fmt: skip


def _rest(rim: Rim, kind: Kind, front: int) -> NDArray[np.bool_]:
    """Everywhere but near this kind's marks, seen or not."""
    rest, own = np.ones(rim.count, np.bool_), round(_OWN_MM / rim.strip.step_mm)
    for place in kind.places:
        at = int(rim.bumps.near[(front + rim.index(place)) % rim.count])
        rest[(np.arange(-own, own + 1) + at) % rim.count] = False
    return rest


def _lead(rim: Rim, kind: Kind, front: int, likely: Floats) -> float:
    """By how much it is the likeliest front; of two ticks, and its opposite."""
    half = rim.count // 2
    both = np.maximum(likely[:half], likely[half : 2 * half]) if kind.marking == "ticks" else likely
    return float(np.clip(lead(both, front % len(both), away=rim.index(_ELSEWHERE_DEG)), -15.0, 15.0))
