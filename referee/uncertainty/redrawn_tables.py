"""Redrawn tables: exact tables drawn from a state's joint covariance; what a probability is a share of.

A drawn table is a state of its own, on which everything stands a little elsewhere: a rule sees no perturbation there,
takes no short cut, and searches afresh. Draws are a Latin hypercube in pairs of opposites, the same for every question.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

import numpy as np

from models.miniature import Miniature
from models.shape import OutlineFields
from models.state import TableState
from referee.arrays import Floats, Indices
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import Mode
from referee.rules.memo import memoize
from referee.rules.perturbation import NO_PERTURBATION, Perturbation
from referee.uncertainty.error_modes import modes_of

_MOST_KEPT = 6000  # miniatures of all drawn states that are kept
Outlined = TypeVar("Outlined", bound=OutlineFields)


def all_modes(state: TableState) -> tuple[Mode, ...]:
    """Every independent error of a table."""
    ids = (*(m.id for m in state.miniatures), *(t.id for t in state.terrain), *(e.id for e in state.effects))
    return memoize(state, "all modes", lambda: tuple(modes_of(state, ids)))


@lru_cache(maxsize=8)
def draw_latin_hypercube(count: int, modes: int) -> Floats:
    """Unit-normal draws (count, modes) in pairs of opposites, each mode evenly spread over its quantiles.

    Source: McKay, Beckman and Conover, Technometrics 21 (1979).
    """
    half = count // 2
    quantiles = lower_quantiles((np.arange(half) + 0.5) / count)
    generator = np.random.default_rng(modes)
    signs = generator.integers(0, 2, (half, modes)) * 2 - 1
    draws = np.empty((half, 2, modes))
    for j in range(modes):
        draws[:, 0, j] = quantiles[generator.permutation(half)] * signs[:, j]
    draws[:, 1] = -draws[:, 0]
    return draws.reshape(count, modes)


def lower_quantiles(shares: Floats | float) -> Floats:
    """Where the unit normal has these shares below, each at most a half."""
    below = np.linspace(-6.0, 0.0, 6001)
    return np.asarray(np.interp(shares, [0.5 * math.erfc(-x / math.sqrt(2)) for x in below], below))


@dataclass(frozen=True)
class DrawnState:
    """A drawn state, what everything is off by in it, and what was found about it."""

    state: TableState
    perturbations: Mapping[str, Perturbation]
    memo: dict[object, object] = field(default_factory=dict)

    def table_of(self, stated: ExactTable, *, name: Hashable = None) -> ExactTable:
        """The exact table of the same question; a `name` where others will draw the same."""
        turned = {id_: rad + _turn_of(self.perturbations, id_) for id_, rad in stated.facings_rad.items()}
        return stated.on_drawn_state(self.state, turned, name=name)


def draw_state(state: TableState, z: Floats, *, name: Hashable = None) -> DrawnState:
    """The state that these errors lead to, (modes,) times each; a `name` where other questions will draw the same.

    The first of those are kept with what was found about them, as many as a table of so many miniatures leaves room.
    """
    kept: dict[Hashable, DrawnState] = memoize(state, "drawn states", dict)
    if name in kept:
        return kept[name]
    drawn = _draw_state(state, z)
    if name is not None and len(kept) * len(state.miniatures) < _MOST_KEPT:
        kept[name] = drawn
    return drawn


def _draw_state(state: TableState, z: Floats) -> DrawnState:
    perturbations = _add_up(state, z)
    drawn = state.with_displaced(
        miniatures=tuple(_displace(m, perturbations.get(m.id)) for m in state.miniatures),
        terrain=tuple(_shift_outline(t, perturbations.get(t.id)) for t in state.terrain),
        effects=tuple(_shift_outline(e, perturbations.get(e.id)) for e in state.effects),
    )
    return DrawnState(drawn, perturbations)


def _add_up(state: TableState, z: Floats) -> dict[str, Perturbation]:
    """What each thing is off by, where every mode of the table is so many times drawn: (modes,)."""
    ids, things, rows, each = memoize(state, "listed errors", lambda: _list_errors(all_modes(state)))
    total = np.zeros((len(ids), each.shape[1]))
    np.add.at(total, things, z[rows, None] * each)
    return {id_: Perturbation(*row) for id_, row in zip(ids, total.tolist(), strict=True)}


def _list_errors(modes: Sequence[Mode]) -> tuple[tuple[str, ...], Indices, Indices, Floats]:
    """The things that any mode moves; and of each such move the thing, the mode (N,) and by how much (N, 4)."""
    parts = [(row, id_, p) for row, mode in enumerate(modes) for id_, p in mode.items()]
    place = {id_: k for k, id_ in enumerate(dict.fromkeys(id_ for _, id_, _ in parts))}
    each = [(p.dx_mm, p.dy_mm, p.turn_rad, p.lift_mm) for _, _, p in parts]
    things, rows = np.array([(place[id_], row) for row, id_, _ in parts], dtype=np.intp).reshape(-1, 2).T
    return tuple(place), things, rows, np.array(each, dtype=np.float64).reshape(-1, 4)


def _turn_of(perturbations: Mapping[str, Perturbation], id_: str) -> float:
    return perturbations.get(id_, NO_PERTURBATION).turn_rad


def _displace(miniature: Miniature, by: Perturbation | None) -> Miniature:
    if by is None:
        return miniature
    x, y = miniature.at_mm
    facing = None if miniature.facing_deg is None else miniature.facing_deg + math.degrees(by.turn_rad)
    lifted = miniature.elevation_mm if by.lift_mm == 0 else (miniature.elevation_mm or 0.0) + by.lift_mm
    return miniature.displaced((x + by.dx_mm, y + by.dy_mm), facing_deg=facing, elevation_mm=lifted)


def _shift_outline(outlined: Outlined, by: Perturbation | None) -> Outlined:
    return outlined if by is None else outlined.displaced(by.dx_mm, by.dy_mm)


def embed_modes(state: TableState, modes: Sequence[Mode]) -> Floats:
    """How each of these modes is made of those of the whole table: (modes, all modes) weights of norm one.

    A mode that turns several miniatures for their mean is the sum of each one's own turn.
    """
    everything = all_modes(state)
    weights = np.zeros((len(modes), len(everything)))
    for j, mode in enumerate(modes):
        same = next((k for k, whole in enumerate(everything) if all(whole.get(i) == p for i, p in mode.items())), None)
        if same is not None:
            weights[j, same] = 1.0
            continue
        for k, whole in enumerate(everything):
            (id_, own), *others = whole.items()
            if not others and id_ in mode and own == Perturbation(turn_rad=own.turn_rad):
                weights[j, k] = mode[id_].turn_rad / own.turn_rad
    return weights
