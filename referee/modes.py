"""Modes: the independent unit-normal errors of a table, each nudging some things."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from models.miniature import Miniature
from models.state import TableState
from referee.form import Mode
from referee.situation import STILL, Nudge, Situation, remember


def modes_of(state: TableState, touched: Sequence[str]) -> Iterator[Mode]:
    """The independent unit-normal errors that move any of these things."""
    shared = [mode for mode in state.common_mm if any(id_ in mode.shift_mm for id_ in touched)]
    for mode in shared:
        yield {id_: Nudge(*mode.shift_mm[id_]) for id_ in touched if id_ in mode.shift_mm}
    for id_ in touched:
        yield from remember(state, ("modes", id_), partial(_all_modes, state, id_))


def _all_modes(state: TableState, id_: str) -> tuple[Mode, ...]:
    return tuple(_modes_of(state, id_))


def _modes_of(state: TableState, id_: str) -> Iterator[Mode]:
    """The errors of one thing alone."""
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


def at_draw(situation: Situation, modes: Sequence[Mode], z: Mapping[int, float]) -> Situation:
    """The table with each of these modes drawn so far."""
    nudges: dict[str, Nudge] = {}
    for j, times in z.items():
        for id_, nudge in modes[j].items():
            nudges[id_] = nudges.get(id_, STILL).plus(nudge, float(times))
    return situation.nudged(nudges, is_drawn=len(z) > 1)


def loosest(state: TableState) -> tuple[float, float]:
    """The largest sigma of a place, in millimetres, and of a facing, in radians."""
    return remember(state, "loosest", lambda: _loosest(state))


def place_sigma_mm(state: TableState, id_: str) -> float:
    """The sigma of a thing's place, along the axis along which it is less sure; nothing where it is exact."""
    thing = state.by_id.get(id_)
    if not isinstance(thing, Miniature):
        return float(getattr(thing, "sigma_mm", 0.0))
    if thing.is_exact():
        return 0.0
    covariance = thing.covariance()
    return math.sqrt(max(covariance[0][0], covariance[1][1]))


def _loosest(state: TableState) -> tuple[float, float]:
    ids = (*(m.id for m in state.miniatures), *(t.id for t in state.terrain), *(e.id for e in state.effects))
    places = [place_sigma_mm(state, id_) for id_ in ids]
    turns = [math.radians(m.sigma.facing_deg) for m in state.miniatures]
    return max(places, default=0.0), max(turns, default=0.0)
