"""Doubt: from what is not surely known about a table to the probability that a rule's condition is met.

Every source of error is a mode: a unit-normal number that nudges some things. The rule is asked again on nudged tables,
so one mechanism serves every question: first order where the answer moves in proportion, drawn lines where it has a
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
_ONE_WAY = 0.7  # share of the spread that the slopes must explain for the margin to rise one way only
_LINES = 64  # draws where a margin has corners
_CORNER = 0.02  # share of sigma by which a margin may bend before lines are drawn
_SURE = 12.0  # sigmas beyond which the sum of all doubts cannot turn the answer
_CERTAIN = 6.0  # sigmas beyond which corners change nothing
_FAR, _TRIES, _CLOSE = 6.0, 9, 0.03  # how a threshold is sought along a line, in sigmas


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
    if len(facings) == 1:
        return _about(ask, situation, modes, ruling)
    turned = [(weight, _facing(situation, facing)) for weight, facing in facings]
    parts = [(weight, _about(ask, table, modes, ask(table))) for weight, table in turned]
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


def _about(ask: Ask, situation: Situation, modes: tuple[Mode, ...], centre: Ruling) -> Doubt:
    """The doubt about one choice of facings, `centre` being what is ruled there."""
    names = tuple(centre.lengths_mm)
    middle = _numbers(centre, names)
    if not modes:
        return Doubt(float(_is_met(middle[0], centre)), 0.0, dict.fromkeys(names, 0.0))
    plus = _moved(ask, situation, modes, 1.0, names, middle)
    spread = np.sqrt(((plus - middle) ** 2).sum(axis=0))
    if abs(middle[0]) > _SURE * spread[0]:  # so far from the threshold one side tells enough
        lengths = dict(zip(names, map(float, spread[2:]), strict=True))
        return Doubt(_phi(float(middle[0]), float(spread[0]), centre), float(spread[1]), lengths)
    minus = _moved(ask, situation, modes, -1.0, names, middle)
    slopes = (plus - minus) / 2
    sigmas = np.sqrt((slopes**2).sum(axis=0))
    lengths = dict(zip(names, map(float, sigmas[2:]), strict=True))
    steps = np.maximum(np.abs(plus - middle), np.abs(minus - middle))[:, 0]
    bend = float(np.abs(plus + minus - 2 * middle)[:, 0].sum())
    reach = float(np.sqrt((steps**2).sum()))
    if bend > _CORNER * reach and abs(middle[0]) < _CERTAIN * reach:
        turns_back = sigmas[0] < _ONE_WAY * reach
        probability = (
            _counted(ask, situation, modes) if turns_back else _across(ask, situation, modes, slopes[:, 0], centre)
        )
    else:
        probability = _phi(float(middle[0]), float(sigmas[0]), centre)
    return Doubt(probability, float(sigmas[1]), lengths)


def _moved(
    ask: Ask, situation: Situation, modes: tuple[Mode, ...], side: float, names: tuple[str, ...], middle: Floats
) -> Floats:
    """The numbers with one mode at a time moved by its sigma: (modes, numbers)."""
    rulings = [ask(_at(situation, modes, {j: side})) for j in range(len(modes))]
    return np.array([_numbers(ruling, names, middle) for ruling in rulings])


def _counted(ask: Ask, situation: Situation, modes: tuple[Mode, ...]) -> float:
    """The probability where the margin rises both ways, counted on drawn tables; it never claims 99.9 %."""
    draws = _generator(situation.state).standard_normal((_DRAWS // 2, len(modes)))
    rulings = (ask(_at(situation, modes, dict(enumerate(row)))) for row in np.concatenate([draws, -draws]))
    return (sum(_is_met(ruling.decisive_mm, ruling) for ruling in rulings) + 0.5) / (_DRAWS + 1)


def _across(ask: Ask, situation: Situation, modes: tuple[Mode, ...], slope: Floats, centre: Ruling) -> float:
    """The probability where the margin has corners: drawn lines through the doubt, each crossed exactly.

    Every draw is a line along the steepest way; where it crosses the threshold is found by asking, and the normal
    distribution does the rest. So tails as thin as 99.9 % need no thousands of draws.
    """
    sigma = float(np.linalg.norm(slope))
    draws = _generator(situation.state).standard_normal((_LINES // 2, len(modes)))
    draws = np.concatenate([draws, -draws])
    way = slope / sigma
    beside = draws - np.outer(draws @ way, way)
    first = -centre.decisive_mm / sigma
    return float(np.mean([_met_along(ask, situation, modes, way, row, sigma, first) for row in beside]))


def _met_along(
    ask: Ask, situation: Situation, modes: tuple[Mode, ...], way: Floats, beside: Floats, sigma: float, first: float
) -> float:
    """The probability of being met on one line, along which the margin rises."""

    def margin(y: float) -> float:
        return ask(_at(situation, modes, dict(enumerate(beside + y * way)))).decisive_mm

    low, high = -_FAR, _FAR
    y = min(_FAR, max(-_FAR, first))
    slope = sigma
    for _ in range(_TRIES):
        value = margin(y)
        if abs(value) < _CLOSE * sigma:
            return _upper(y - value / slope)
        low, high = (low, y) if value > 0 else (y, high)
        new = y - value / slope
        if not low < new < high:
            new = (low + high) / 2
        if high - low < _CLOSE:
            break
        y = new
    return _upper((low + high) / 2)


def _generator(state: TableState) -> np.random.Generator:
    seed = int.from_bytes(hashlib.sha256(state.state_id.encode()).digest()[:8], "big")
    return np.random.default_rng(seed)


def _upper(y: float) -> float:
    """The share of the normal distribution above y."""
    return 0.5 * math.erfc(y / math.sqrt(2))


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
