"""Margin form: how a margin changes near one table, as linear pieces joined by minimum and maximum.

A rule that knows the form of its margin is not asked on perturbed tables, and its corners are kept: the least of a
lane's critical lines, the greatest of the lanes, the least of several conditions.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from referee.arrays import Floats
from referee.rules.perturbation import NO_PERTURBATION, Perturbation
from referee.rules.switches import EXACT_MM

Mode = Mapping[str, Perturbation]


@dataclass(frozen=True)
class LinearPiece:
    """A length that changes in proportion: its value, and by how much it changes per unit that each thing moves."""

    mm: float
    slopes: Mapping[str, Perturbation] = field(default_factory=dict)

    def slope_along(self, mode: Mode) -> float:
        """By how much it changes along a mode."""
        return sum(_dot(self.slopes[id_], perturbation) for id_, perturbation in mode.items() if id_ in self.slopes)

    def ids(self) -> frozenset[str]:
        return frozenset(self.slopes)

    def sigma(self, modes: Sequence[Mode]) -> float:
        """How unsure it is, these being all that moves it."""
        return math.hypot(*(self.slope_along(mode) for mode in modes))

    def scale(self, factor: float) -> "LinearPiece":
        """The same length so many times."""
        slopes = {id_: NO_PERTURBATION.add(slope, factor) for id_, slope in self.slopes.items()}
        return LinearPiece(factor * self.mm, slopes)


@dataclass(frozen=True)
class Minimum:
    """The least of several: all of them have to hold."""

    of: tuple["MarginForm", ...]

    def ids(self) -> frozenset[str]:
        return frozenset().union(*(part.ids() for part in self.of))


@dataclass(frozen=True)
class Maximum:
    """The greatest of several: one of them is enough."""

    of: tuple["MarginForm", ...]

    def ids(self) -> frozenset[str]:
        return frozenset().union(*(part.ids() for part in self.of))


MarginForm = LinearPiece | Minimum | Maximum


def pieces_of(form: MarginForm) -> list[LinearPiece]:
    """All that it is joined of."""
    return [form] if isinstance(form, LinearPiece) else [piece for part in form.of for piece in pieces_of(part)]


@dataclass(frozen=True)
class KnownForm:
    """The form of a result's decisive margin, and of the lengths it names."""

    margin: MarginForm
    lengths: Mapping[str, LinearPiece] = field(default_factory=dict)


FormProvider = Callable[[float, float], KnownForm | None]
"""Tells the form, given the largest sigma of a place in millimetres and of a facing in radians."""


def negate_form(form: MarginForm) -> MarginForm:
    """The form of the same margin with its sign turned: where one was enough, all have to hold."""
    if isinstance(form, LinearPiece):
        return form.scale(-1.0)
    turned = tuple(negate_form(part) for part in form.of)
    return Maximum(turned) if isinstance(form, Minimum) else Minimum(turned)


def negate_provider(teller: FormProvider) -> FormProvider:
    """Tells the form of the opposite condition; lengths are what they were."""
    return partial(_provide_negated, teller)


def _provide_negated(teller: FormProvider, sigma_mm: float, sigma_rad: float) -> KnownForm | None:
    known_form = teller(sigma_mm, sigma_rad)
    return None if known_form is None else KnownForm(negate_form(known_form.margin), known_form.lengths)


def _dot(slope: Perturbation, perturbation: Perturbation) -> float:
    return (
        slope.dx_mm * perturbation.dx_mm
        + slope.dy_mm * perturbation.dy_mm
        + slope.turn_rad * perturbation.turn_rad
        + slope.lift_mm * perturbation.lift_mm
    )


@dataclass(frozen=True)
class BentPiece:
    """A piece over modes whose slope may differ forward (`up`) and back (`down`): (modes,) each."""

    mm: float
    up: Floats
    down: Floats

    def evaluate(self, z: Floats) -> Floats:
        """Its values at draws (N, modes)."""
        if self.is_straight():
            return np.asarray(self.mm + z @ self.up)
        return np.asarray(self.mm + np.maximum(z, 0.0) @ self.up + np.minimum(z, 0.0) @ self.down)

    def is_straight(self) -> bool:
        return self.up is self.down

    def sigma(self) -> float:
        return float(np.linalg.norm(np.maximum(np.abs(self.up), np.abs(self.down))))


@dataclass(frozen=True)
class JoinedPieces:
    """Several over modes, of which the least or the greatest counts."""

    of: tuple["Surrogate", ...]
    is_minimum: bool

    def evaluate(self, z: Floats) -> Floats:
        values = [part.evaluate(z) for part in self.of]
        return np.asarray(np.min(values, axis=0) if self.is_minimum else np.max(values, axis=0))


Surrogate = BentPiece | JoinedPieces


def project_onto_modes(form: MarginForm, modes: Sequence[Mode]) -> Surrogate:
    """The form as a function of how far each mode is drawn."""
    if isinstance(form, LinearPiece):
        slope = np.array([form.slope_along(mode) for mode in modes])
        return BentPiece(form.mm, slope, slope)
    return JoinedPieces(tuple(project_onto_modes(part, modes) for part in form.of), isinstance(form, Minimum))


def prune(surrogate: Surrogate, sigmas: float) -> Surrogate | bool:
    """The surrogate without what no draw within so many sigmas turns; True or False where nothing is left to turn."""
    if isinstance(surrogate, BentPiece):
        sure = abs(surrogate.mm) > max(sigmas * surrogate.sigma(), EXACT_MM)
        return surrogate.mm > 0 if sure else surrogate
    left = [prune(part, sigmas) for part in surrogate.of]
    decides = not surrogate.is_minimum
    if any(part is decides for part in left):
        return decides
    open_ = tuple(part for part in left if not isinstance(part, bool))
    if not open_:
        return surrogate.is_minimum
    return open_[0] if len(open_) == 1 else JoinedPieces(open_, surrogate.is_minimum)
