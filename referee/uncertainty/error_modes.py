"""Error modes: the independent unit-normal errors of a table, each perturbing some things."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from models.miniature import Miniature
from models.state import CommonMode, TableState
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import Mode
from referee.rules.memo import memoize
from referee.rules.perturbation import NO_PERTURBATION, Perturbation
from referee.rules.sides import is_unit, members_of_unit, ranked_unit_of


def modes_of(state: TableState, touched: Sequence[str]) -> Iterator[Mode]:
    """The independent unit-normal errors that move any of these things.

    A unit among them stands for its heading, the mean of its members': those not named themselves turn by one mode.
    What is shared moves all of a ranked unit: it is one piece, also where only its front rank is asked about.
    """
    touched = tuple(dict.fromkeys(touched))
    units = [id_ for id_ in touched if is_unit(state, id_)]
    pieces = dict.fromkeys((*units, *(unit for id_ in touched if (unit := ranked_unit_of(state, id_)) is not None)))
    moved = tuple(dict.fromkeys((*touched, *(id_ for unit in pieces for id_ in members_of_unit(state, unit)))))
    shared = [mode for mode in state.common_mm if any(id_ in mode.shift_mm for id_ in moved)]
    for mode in shared:
        yield {id_: _common_perturbation(mode, id_) for id_ in moved if id_ in mode.shift_mm}
    for id_ in touched:
        if id_ not in units:
            yield from memoize(state, ("modes", id_), partial(_all_modes, state, id_))
    for unit in units:
        yield from _heading_mode(state, [id_ for id_ in members_of_unit(state, unit) if id_ not in touched])


def heading_sigma_rad(state: TableState, id_: str) -> float:
    """The sigma of a facing; of a unit that of the mean of its members', who err together and each alone."""
    if not is_unit(state, id_):
        return facing_sigma_rad(state, id_)
    return memoize(state, ("heading sigma", id_), lambda: _find_heading_sigma_rad(state, members_of_unit(state, id_)))


def _find_heading_sigma_rad(state: TableState, ids: Sequence[str]) -> float:
    if not ids:
        return 0.0
    shared = [sum(mode.turn_deg.get(id_, 0.0) for id_ in ids) for mode in state.common_mm]
    own = [_own_turn_deg2(state, id_) for id_ in ids]
    return math.radians(math.sqrt(sum(turn**2 for turn in shared) + sum(own))) / len(ids)


def _heading_mode(state: TableState, ids: Iterable[str]) -> Iterator[Mode]:
    """All these turned so that their mean turns by its sigma, each by as much as it is likely to have a share in it."""
    variances = {id_: math.radians(1.0) ** 2 * _own_turn_deg2(state, id_) for id_ in ids}
    total = math.sqrt(sum(variances.values()))
    if total > 1e-9:
        yield {id_: Perturbation(turn_rad=variance / total) for id_, variance in variances.items()}


def _own_turn_deg2(state: TableState, id_: str) -> float:
    """The variance of a facing but for what it shares with others."""
    thing = state.by_id.get(id_)
    if not isinstance(thing, Miniature):
        return 0.0
    return max(0.0, thing.sigma.facing_deg**2 - sum(m.turn_deg.get(id_, 0.0) ** 2 for m in state.common_mm))


def _common_perturbation(mode: CommonMode, id_: str) -> Perturbation:
    dx, dy = mode.shift_mm[id_]
    return Perturbation(dx, dy, turn_rad=math.radians(mode.turn_deg.get(id_, 0.0)))


def _all_modes(state: TableState, id_: str) -> tuple[Mode, ...]:
    return tuple(_modes_of(state, id_))


def _modes_of(state: TableState, id_: str) -> Iterator[Mode]:
    """The errors of one thing alone."""
    thing = state.by_id.get(id_)
    if isinstance(thing, Miniature):
        yield from _own_modes(thing, state)
    elif thing is not None and getattr(thing, "sigma_mm", 0.0) > 0:
        sigma = thing.sigma_mm  # type: ignore[union-attr]
        yield {id_: Perturbation(dx_mm=sigma)}
        yield {id_: Perturbation(dy_mm=sigma)}


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
            yield {miniature.id: Perturbation(dx_mm=float(dx), dy_mm=float(dy))}
    turn_deg2 = _own_turn_deg2(state, miniature.id)
    if turn_deg2 > 1e-18:
        yield {miniature.id: Perturbation(turn_rad=math.radians(math.sqrt(turn_deg2)))}
    if miniature.sigma.elevation_mm > 0:
        yield {miniature.id: Perturbation(lift_mm=miniature.sigma.elevation_mm)}


def perturb_along_modes(
    table: ExactTable, modes: Sequence[Mode], z: Mapping[int, float], *, is_sample: bool | None = None
) -> ExactTable:
    """The table with each of these modes drawn so far; a sample wherever several are, unless it is said."""
    perturbations: dict[str, Perturbation] = {}
    for j, times in z.items():
        for id_, perturbation in modes[j].items():
            perturbations[id_] = perturbations.get(id_, NO_PERTURBATION).add(perturbation, float(times))
    return table.with_perturbations(perturbations, is_drawn=len(z) > 1 if is_sample is None else is_sample)


def largest_sigmas(state: TableState) -> tuple[float, float]:
    """The largest sigma of a place, in millimetres, and of a facing, in radians."""
    return memoize(state, "loosest", lambda: _find_largest_sigmas(state))


def place_sigma_mm(state: TableState, id_: str) -> float:
    """The sigma of a thing's place, along the axis along which it is less sure; nothing where it is exact."""
    thing = state.by_id.get(id_)
    if not isinstance(thing, Miniature):
        return float(getattr(thing, "sigma_mm", 0.0))
    if thing.is_exact():
        return 0.0
    covariance = thing.covariance()
    return math.sqrt(max(covariance[0][0], covariance[1][1]))


def facing_sigma_rad(state: TableState, id_: str) -> float:
    """The sigma of a facing; nothing where it is exact, or the thing has none."""
    thing = state.by_id.get(id_)
    return math.radians(thing.sigma.facing_deg) if isinstance(thing, Miniature) else 0.0


def elevation_sigma_mm(state: TableState, id_: str) -> float:
    """The sigma of a height; nothing where it is exact, or the thing has none of its own."""
    thing = state.by_id.get(id_)
    return thing.sigma.elevation_mm if isinstance(thing, Miniature) else 0.0


def _find_largest_sigmas(state: TableState) -> tuple[float, float]:
    ids = (*(m.id for m in state.miniatures), *(t.id for t in state.terrain), *(e.id for e in state.effects))
    places = [place_sigma_mm(state, id_) for id_ in ids]
    turns = [math.radians(m.sigma.facing_deg) for m in state.miniatures]
    return max(places, default=0.0), max(turns, default=0.0)
