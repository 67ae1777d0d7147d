"""The form of a margin near one table: pieces that change in proportion, joined by least and greatest.

A rule that knows the form of its margin spares the doubt the asking again, and its corners are kept: the least of a
lane's critical lines, the greatest of the lanes, the least of several conditions.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from referee.situation import STILL, Nudge

Floats = NDArray[np.float64]
Mode = Mapping[str, Nudge]


@dataclass(frozen=True)
class Piece:
    """A length that changes in proportion: its value, and by how much it changes per unit that each thing moves."""

    mm: float
    slopes: Mapping[str, Nudge] = field(default_factory=dict)

    def along(self, mode: Mode) -> float:
        """By how much it changes along a mode."""
        return sum(_product(self.slopes[id_], nudge) for id_, nudge in mode.items() if id_ in self.slopes)

    def ids(self) -> frozenset[str]:
        return frozenset(self.slopes)

    def sigma(self, modes: Sequence[Mode]) -> float:
        """How unsure it is, these being all that moves it."""
        return math.hypot(*(self.along(mode) for mode in modes))

    def times(self, factor: float) -> "Piece":
        """The same length so many times."""
        slopes = {id_: STILL.plus(slope, factor) for id_, slope in self.slopes.items()}
        return Piece(factor * self.mm, slopes)


@dataclass(frozen=True)
class Least:
    """The least of several: all of them have to hold."""

    of: tuple["Form", ...]

    def ids(self) -> frozenset[str]:
        return frozenset().union(*(one.ids() for one in self.of))


@dataclass(frozen=True)
class Greatest:
    """The greatest of several: one of them is enough."""

    of: tuple["Form", ...]

    def ids(self) -> frozenset[str]:
        return frozenset().union(*(one.ids() for one in self.of))


Form = Piece | Least | Greatest


def pieces_of(form: Form) -> list[Piece]:
    """All that it is joined of."""
    return [form] if isinstance(form, Piece) else [piece for one in form.of for piece in pieces_of(one)]


@dataclass(frozen=True)
class Told:
    """The form of a ruling's decisive margin, and of the lengths it names."""

    margin: Form
    lengths: Mapping[str, Piece] = field(default_factory=dict)


Teller = Callable[[float, float], Told | None]
"""Tells the form, given the largest sigma of a place in millimetres and of a facing in radians."""


def opposite(form: Form) -> Form:
    """The form of the same margin with its sign turned: where one was enough, all have to hold."""
    if isinstance(form, Piece):
        return form.times(-1.0)
    turned = tuple(opposite(one) for one in form.of)
    return Greatest(turned) if isinstance(form, Least) else Least(turned)


def opposed(teller: Teller) -> Teller:
    """Tells the form of the opposite condition; lengths are what they were."""
    return partial(_opposed, teller)


def _opposed(teller: Teller, sigma_mm: float, sigma_rad: float) -> Told | None:
    told = teller(sigma_mm, sigma_rad)
    return None if told is None else Told(opposite(told.margin), told.lengths)


def _product(slope: Nudge, nudge: Nudge) -> float:
    return (
        slope.dx_mm * nudge.dx_mm
        + slope.dy_mm * nudge.dy_mm
        + slope.turn_rad * nudge.turn_rad
        + slope.lift_mm * nudge.lift_mm
    )


@dataclass(frozen=True)
class Bent:
    """A piece over modes whose slope may differ forward (`up`) and back (`down`): (modes,) each."""

    mm: float
    up: Floats
    down: Floats

    def at(self, z: Floats) -> Floats:
        """Its values at draws (N, modes)."""
        if self.is_straight():
            return np.asarray(self.mm + z @ self.up)
        return np.asarray(self.mm + np.maximum(z, 0.0) @ self.up + np.minimum(z, 0.0) @ self.down)

    def is_straight(self) -> bool:
        return self.up is self.down

    def limited_to(self, modes: NDArray[np.intp]) -> "Bent":
        """The same over these modes alone."""
        up = self.up[modes]
        return Bent(self.mm, up, up if self.is_straight() else self.down[modes])

    def sigma(self) -> float:
        return float(np.linalg.norm(np.maximum(np.abs(self.up), np.abs(self.down))))


@dataclass(frozen=True)
class Joined:
    """Several over modes, of which the least or the greatest counts."""

    of: tuple["Surrogate", ...]
    least: bool

    def at(self, z: Floats) -> Floats:
        values = [one.at(z) for one in self.of]
        return np.asarray(np.min(values, axis=0) if self.least else np.max(values, axis=0))

    def limited_to(self, modes: NDArray[np.intp]) -> "Joined":
        """The same over these modes alone."""
        return Joined(tuple(one.limited_to(modes) for one in self.of), self.least)


Surrogate = Bent | Joined


def over(form: Form, modes: Sequence[Mode]) -> Surrogate:
    """The form as a function of how far each mode is drawn."""
    if isinstance(form, Piece):
        slope = np.array([form.along(mode) for mode in modes])
        return Bent(form.mm, slope, slope)
    return Joined(tuple(over(one, modes) for one in form.of), isinstance(form, Least))


def pruned(surrogate: Surrogate, sigmas: float) -> Surrogate | bool:
    """The surrogate without what no draw within so many sigmas turns; True or False where nothing is left to turn."""
    if isinstance(surrogate, Bent):
        sure = abs(surrogate.mm) > sigmas * surrogate.sigma()
        return surrogate.mm > 0 if sure else surrogate
    left = [pruned(one, sigmas) for one in surrogate.of]
    decides = not surrogate.least
    if any(one is decides for one in left):
        return decides
    open_ = tuple(one for one in left if not isinstance(one, bool))
    if not open_:
        return surrogate.least
    return open_[0] if len(open_) == 1 else Joined(open_, surrogate.least)


def leaves(surrogate: Surrogate) -> list[Bent]:
    """All its pieces."""
    if isinstance(surrogate, Bent):
        return [surrogate]
    return [leaf for one in surrogate.of for leaf in leaves(one)]


def spelt(surrogate: Surrogate) -> Hashable:
    """What only a surrogate that is the same to the last digit has too."""
    if isinstance(surrogate, Bent):
        return surrogate.mm, surrogate.up.tobytes(), surrogate.down.tobytes()
    return surrogate.least, tuple(spelt(one) for one in surrogate.of)
