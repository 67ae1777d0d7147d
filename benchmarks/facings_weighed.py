"""The weights by which readings of rims are judged: logistic regression on drawn rims whose marks are known."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.marked import Marked
from vision.rims import army, dots, painting, weighing
from vision.rims.changes import Rim
from vision.rims.halves import halved
from vision.rims.ticks import ticked
from vision.rims.weighing import Reading

Floats = NDArray[np.float64]
Example = tuple[tuple[float, ...], bool]

_RIGHT_DEG = 6.5
_RIDGE, _ROUNDS = 2.0, 50


@dataclass(frozen=True)
class Known:
    """A rim, how it may be read, and how it is marked."""

    rim: Rim
    readings: tuple[Reading, ...]
    truth: Marked


def known(rim: Rim, truth: Marked) -> Known:
    return Known(rim, (*ticked(rim), *halved(rim)), truth)


def weighed(tables: Sequence[Sequence[Known]]) -> Mapping[str, object]:
    """The weights of `weighing`, `painting`, `dots` and `army`, in this order; those of the last lean on the first."""
    rims = [one for table in tables for one in table]
    kinds = {kind: _fitted(_examples(rims, kind)) for kind in sorted({one.marking for one in rims[0].readings})}
    own = {"weighing": kinds, "painting": _fitted(_paints(rims), has_constant=False), "dots": _fitted(_dots(rims))}
    weighing.WEIGHTS.update(kinds)
    others: dict[bool, list[Example]] = {False: [], True: []}
    for table in tables:
        for is_half, example in _beside(table):
            others[is_half].append(example)
    return own | {"army": {is_half: _fitted(examples) for is_half, examples in others.items()}}


def off_deg(a_rad: float, b_rad: float) -> float:
    return (math.degrees(a_rad - b_rad) + 180) % 360 - 180


def _is_right(one: Known, reading: Reading) -> bool:
    off, marking = abs(_off_deg(one, reading)), one.truth.marking
    if reading.marking in ("front-half", "ticks"):
        is_so = marking == "front-half" if reading.marking == "front-half" else marking in ("ticks", "ticks+dot")
        return is_so and min(off, 180 - off) < _RIGHT_DEG
    return off < _RIGHT_DEG and marking == ("notch" if reading.marking == "notch" else "ticks+dot")


def _off_deg(one: Known, reading: Reading) -> float:
    return off_deg(reading.front * one.rim.strip.step_rad, one.truth.facing_rad)


def _examples(rims: Sequence[Known], kind: str) -> list[Example]:
    return [(one.traits, _is_right(rim, one)) for rim in rims for one in rim.readings if one.marking == kind]


def _paints(rims: Sequence[Known]) -> list[Example]:
    """Halves seen from the front, and the other way round."""
    examples: list[Example] = []
    for rim in rims:
        for one in rim.readings:
            if one.marking == "front-half" and _is_right(rim, one):
                traits = painting.traits_of_paint(rim.rim, _front(rim, one))
                examples += [(traits, True), (tuple(-trait for trait in traits), False)]
    return examples


def _front(rim: Known, reading: Reading) -> int:
    """The reading's front, or the place opposite to it where that is the true one."""
    is_ahead = abs(_off_deg(rim, reading)) < 90
    return reading.front if is_ahead else (reading.front + rim.rim.count // 2) % rim.rim.count


def _dots(rims: Sequence[Known]) -> list[Example]:
    examples: list[Example] = []
    for rim in rims:
        for one in rim.readings:
            if one.marking == "ticks" and _is_right(rim, one):
                front, half = _front(rim, one), rim.rim.count // 2
                has_dot = rim.truth.marking == "ticks+dot"
                examples.append((dots.traits_of_dot(rim.rim, one.front, front), has_dot))
                examples.append((dots.traits_of_dot(rim.rim, one.front, front + half), False))
    return examples


def _beside(table: Sequence[Known]) -> list[tuple[bool, Example]]:
    """What `army` weighs, and whether it is a painted half."""
    plain = [replace(one, readings=tuple(replace(r, weighed=None) for r in one.readings)) for one in table]
    read = [(one.rim, one.readings) for one in plain]
    found = army.traits_among(read, [one.readings for one in plain])
    return [
        (reading.marking == "front-half", (traits, _is_right(one, reading)))
        for one, rows in zip(plain, found, strict=True)
        for reading, traits in zip(one.readings, rows, strict=True)
    ]


def _fitted(examples: Sequence[Example], *, has_constant: bool = True) -> tuple[float, ...]:
    """Ridge logistic regression: the constant where there is one, then a weight for each trait as it is."""
    traits = np.array([traits for traits, _ in examples])
    is_so = np.array([float(answer) for _, answer in examples])
    middle = traits.mean(axis=0) * has_constant
    spread = traits.std(axis=0) + 1e-6
    rows = (traits - middle) / spread
    rows = np.column_stack([np.ones(len(rows)), rows]) if has_constant else rows
    ridge = _RIDGE * np.eye(rows.shape[1])
    if has_constant:
        ridge[0, 0] = 1e-6
    weights = np.zeros(rows.shape[1])
    for _ in range(_ROUNDS):
        said = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (said - is_so) + ridge @ weights
        weights -= np.linalg.solve((rows * (said * (1 - said))[:, None]).T @ rows + ridge, slope)
    plain = weights[has_constant:] / spread
    constant = [weights[0] - float(plain @ middle)] if has_constant else []
    return tuple(round(float(value), 3) for value in (*constant, *plain))
