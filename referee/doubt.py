"""Doubt: from what is not surely known about a table to the probability that a rule's condition is met.

Every source of error is a mode: a unit-normal number that nudges some things. The rule is asked again on nudged tables,
so one mechanism serves every question: first order where the answer moves in proportion, drawn tables where it has a
corner near the threshold. Draws are seeded from the state, so the same question has the same answer.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from models.miniature import Miniature
from models.state import TableState
from models.units import radians
from referee.ruling import Ruling
from referee.situation import STILL, Nudge, Situation

Floats = NDArray[np.float64]
Ask = Callable[[Situation], Ruling]
Mode = Mapping[str, Nudge]

YES_FROM = 0.975  # the one setting: at least this probable is yes, at most its complement is no
_DRAWS = 400
_CORNER = 0.05  # share of sigma by which a margin may bend before tables are drawn


@dataclass(frozen=True)
class Doubt:
    """How sure a ruling is. `sigma_mm` is that of the margin, `lengths_mm` those of the measured lengths."""

    probability: float
    sigma_mm: float
    lengths_mm: dict[str, float]


def doubt_of(ask: Ask, situation: Situation, ruling: Ruling) -> Doubt | None:
    """The doubt of a ruling; None when everything it hangs on is exact."""
    modes = tuple(modes_of(situation.state, ruling.touches))
    facings = _facings(situation.state, ruling.faces)
    if not modes and len(facings) == 1:
        return None
    parts = [(weight, _about(ask, _facing(situation, facing), modes)) for weight, facing in facings]
    first = parts[0][1]
    return Doubt(min(1.0, max(0.0, sum(w * d.probability for w, d in parts))), first.sigma_mm, first.lengths_mm)


def modes_of(state: TableState, touched: tuple[str, ...]) -> Iterator[Mode]:
    """The independent unit-normal errors that move any of these things."""
    shared = [mode for mode in state.common_mm if any(id_ in mode.shift_mm for id_ in touched)]
    for mode in shared:
        yield {id_: Nudge(*mode.shift_mm[id_]) for id_ in touched if id_ in mode.shift_mm}
    for id_ in touched:
        thing = state.by_id.get(id_)
        if isinstance(thing, Miniature):
            yield from _own_modes(thing, state)
        elif thing is not None and getattr(thing, "sigma_mm", 0.0) > 0:
            sigma = thing.sigma_mm  # type: ignore[union-attr]
            yield {id_: Nudge(dx_mm=sigma)}
            yield {id_: Nudge(dy_mm=sigma)}


def _own_modes(miniature: Miniature, state: TableState) -> Iterator[Mode]:
    if miniature.is_exact():
        return
    covariance = np.array(miniature.covariance())
    for mode in state.common_mm:  # sigmas are totals: what is shared must not count twice
        shift = np.array(mode.shift_mm.get(miniature.id, (0.0, 0.0)))
        covariance = covariance - np.outer(shift, shift)
    values, vectors = np.linalg.eigh(covariance)
    for value, vector in zip(values, vectors.T, strict=True):
        if value > 1e-18:
            dx, dy = math.sqrt(value) * vector
            yield {miniature.id: Nudge(dx_mm=float(dx), dy_mm=float(dy))}
    if miniature.sigma.facing_deg > 0:
        yield {miniature.id: Nudge(turn_rad=math.radians(miniature.sigma.facing_deg))}
    if miniature.sigma.elevation_mm > 0:
        yield {miniature.id: Nudge(lift_mm=miniature.sigma.elevation_mm)}


def _facings(state: TableState, ids: tuple[str, ...]) -> list[tuple[float, dict[str, float]]]:
    """Every combination of the facings these miniatures may have, with its probability; the first as told."""
    choices = []
    for id_ in ids:
        miniature = state.by_id[id_]
        if not isinstance(miniature, Miniature) or miniature.facing_rad is None or not miniature.facing_alternatives:
            continue
        others = [(a.probability, (id_, radians(a.facing_deg))) for a in miniature.facing_alternatives]
        told = max(0.0, 1.0 - sum(p for p, _ in others))
        choices.append([(told, (id_, miniature.facing_rad)), *others])
    combined = [(math.prod(p for p, _ in pick), dict(f for _, f in pick)) for pick in product(*choices)]
    total = sum(p for p, _ in combined)
    return [(p / total, f) for p, f in combined] if total > 0 else combined


def _facing(situation: Situation, facings: Mapping[str, float]) -> Situation:
    for id_, facing in facings.items():
        situation = situation.facing(id_, facing)
    return situation


def _about(ask: Ask, situation: Situation, modes: tuple[Mode, ...]) -> Doubt:
    """The doubt about one choice of facings."""
    centre = ask(situation)
    names = tuple(centre.lengths_mm)
    middle = _numbers(centre, names)
    plus = np.array([_numbers(ask(_at(situation, modes, {j: 1.0})), names, middle) for j in range(len(modes))])
    minus = np.array([_numbers(ask(_at(situation, modes, {j: -1.0})), names, middle) for j in range(len(modes))])
    if not len(modes):
        return Doubt(float(_is_met(middle[0], centre)), 0.0, dict.fromkeys(names, 0.0))
    sigmas = np.sqrt((((plus - minus) / 2) ** 2).sum(axis=0))
    bend = np.abs(plus + minus - 2 * middle)[:, 0].sum()
    sigma = float(sigmas[0])
    lengths = dict(zip(names, map(float, sigmas[2:]), strict=True))
    reach = 3 * max(sigma, float(np.abs(plus - middle)[:, 0].max()), float(np.abs(minus - middle)[:, 0].max()))
    if bend > _CORNER * sigma and abs(middle[0]) < reach:
        return _drawn(ask, situation, modes, names, lengths)
    return Doubt(_phi(float(middle[0]), sigma, centre), float(sigmas[1]), lengths)


def _drawn(
    ask: Ask, situation: Situation, modes: tuple[Mode, ...], names: tuple[str, ...], lengths: dict[str, float]
) -> Doubt:
    """The doubt from drawn tables. The lengths keep their first-order sigma."""
    seed = int.from_bytes(hashlib.sha256(situation.state.state_id.encode()).digest()[:8], "big")
    draws = np.random.default_rng(seed).standard_normal((_DRAWS // 2, len(modes)))
    rulings = [ask(_at(situation, modes, dict(enumerate(row)))) for row in np.concatenate([draws, -draws])]
    met = sum(_is_met(ruling.decisive_mm, ruling) for ruling in rulings) / len(rulings)
    margins = [ruling.margin_mm for ruling in rulings if ruling.margin_mm is not None]
    return Doubt(met, float(np.std(margins)) if margins else 0.0, lengths)


def _numbers(ruling: Ruling, names: tuple[str, ...], default: Floats | None = None) -> Floats:
    """What probability is taken of, the margin, and the lengths."""
    margin = 0.0 if ruling.margin_mm is None else ruling.margin_mm
    lengths = [
        ruling.lengths_mm.get(name, 0.0 if default is None else float(default[2 + k])) for k, name in enumerate(names)
    ]
    return np.array([ruling.decisive_mm, margin, *lengths])


def _at(situation: Situation, modes: tuple[Mode, ...], z: Mapping[int, float]) -> Situation:
    nudges: dict[str, Nudge] = {}
    for j, times in z.items():
        for id_, nudge in modes[j].items():
            nudges[id_] = nudges.get(id_, STILL).plus(nudge, float(times))
    return situation.nudged(nudges)


def _phi(margin: float, sigma: float, ruling: Ruling) -> float:
    if sigma == 0:
        return float(_is_met(margin, ruling))
    return 0.5 * math.erfc(-margin / (sigma * math.sqrt(2)))


def _is_met(margin: float, ruling: Ruling) -> bool:
    return margin > 0 or (margin == 0 and ruling.zero_is_met)
