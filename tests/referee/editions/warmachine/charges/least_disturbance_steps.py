"""Least disturbance by small steps: bases pushed about bit by bit, from many starts, as long as less is moved in all.

It shares nothing with the referee. Places are complex numbers.
"""

import math
import random
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np
import shapely

from referee.arrays import Booleans, Complexes
from tests.referee.editions.warmachine.charges.shove_steps import Surroundings

_SLIVER_MM = 1e-6
_UNDER_MM = 0.5  # what overlaps by less than this merely touches
_STEPS_MM = (3.0, 0.8, 0.2, 0.05, 0.012, 0.003)
_WAYS = np.exp(1j * np.linspace(0, math.tau, 36, endpoint=False))
_ROUND = np.exp(1j * np.linspace(0, math.tau, 145))


@dataclass(frozen=True)
class Room:
    """A base that came to lie on others, and all that must not be overlapped."""

    around: Surroundings
    mover: str

    @cached_property
    def under(self) -> tuple[str, ...]:
        """Who has to go: the fewest that can make room are those that it lies on."""
        return tuple(id_ for id_ in self.around.bases if id_ != self.mover and self._lap(id_) > _UNDER_MM)

    def _lap(self, id_: str) -> float:
        (ax, ay, ar), (bx, by, br) = self.around.bases[self.mover], self.around.bases[id_]
        return ar + br - math.dist((ax, ay), (bx, by))

    def is_free(self, id_: str, spots: Complexes, placed: dict[str, complex]) -> Booleans:
        """Whether the base could stand there, beside all that stay and those already put somewhere."""
        radius = self.around.bases[id_][2]
        free = (spots.real >= radius - _SLIVER_MM) & (spots.real <= self.around.width_mm - radius + _SLIVER_MM)
        free &= (spots.imag >= radius - _SLIVER_MM) & (spots.imag <= self.around.depth_mm - radius + _SLIVER_MM)
        for other, (x, y, r) in self.around.bases.items():
            if other != id_ and (other in placed or other not in self.under):
                free &= np.abs(spots - placed.get(other, complex(x, y))) >= r + radius - _SLIVER_MM
        for outline in self.around.solid.values():
            free &= shapely.distance(outline, shapely.points(spots.real, spots.imag)) >= radius - _SLIVER_MM
        return np.asarray(free)

    def home(self, id_: str) -> complex:
        x, y, _ = self.around.bases[id_]
        return complex(x, y)

    def nearest(self, id_: str, wanted: complex, placed: dict[str, complex]) -> complex | None:
        """The free place nearest to where it is wanted, on a grid that is made finer about the best of it."""
        best, reach = wanted, 160.0
        for fine in (80, 24, 24, 24, 24):
            spots = best + (reach * np.linspace(0, 1, fine)[:, None] * _ROUND).ravel()
            free = spots[self.is_free(id_, spots, placed)]
            if not len(free):
                return None
            best = complex(free[np.argmin(np.abs(free - wanted))])
            reach *= 4 / fine
        return best

    def apart_mm(self, a: str, b: str, placed: dict[str, complex]) -> float:
        return abs(placed[a] - placed[b]) - self.around.bases[a][2] - self.around.bases[b][2]

    def moved_mm(self, placed: dict[str, complex]) -> float:
        return sum(abs(at - self.home(id_)) for id_, at in placed.items())

    def laps(self, placed: dict[str, complex]) -> float:
        """How deep anything overlaps once all are placed there."""
        deepest = 0.0
        for id_, at in placed.items():
            for grown in (0.0, 1e-4, 1e-3, 1e-2, 0.1, 1.0):
                smaller = Room(_shrunk(self.around, id_, grown), self.mover)
                if smaller.is_free(id_, np.array([at]), placed)[0]:
                    deepest = max(deepest, grown)
                    break
            else:
                return math.inf
        return deepest


def _shrunk(around: Surroundings, id_: str, by_mm: float) -> Surroundings:
    x, y, r = around.bases[id_]
    return Surroundings({**around.bases, id_: (x, y, r - by_mm)}, around.solid, (), around.width_mm, around.depth_mm)


def least(room: Room, *, seed: int = 0, starts: int = 8) -> dict[str, complex]:
    """Where those it lies on go, so that all of them together move the least that small steps find."""
    rng = random.Random(seed)
    found: list[dict[str, complex]] = []
    orders = list(permutations(room.under))
    for k in range(starts if len(room.under) > 1 else 1):
        order = orders[k % len(orders)]
        aside = 0.0 if k < len(orders) else rng.uniform(0, 60)
        first = room.home(order[0]) + aside * np.exp(1j * rng.uniform(0, math.tau))
        placed: dict[str, complex] = {}
        for id_ in order:
            spot = room.nearest(id_, complex(first) if id_ == order[0] else room.home(id_), placed)
            if spot is None:
                break
            placed[id_] = spot
        if len(placed) == len(order):
            found.append(_settled(room, placed))
    return min(found, key=room.moved_mm)


def _settled(room: Room, placed: dict[str, complex]) -> dict[str, complex]:
    """Moved on in small steps, one base or two at a time, while that makes the total less."""
    for step in _STEPS_MM:
        for _ in range(60):
            better = _stepped(room, placed, step)
            if better is None:
                break
            placed = better
    return placed


def _stepped(room: Room, placed: dict[str, complex], step: float) -> dict[str, complex] | None:
    total = room.moved_mm(placed)
    for id_ in placed:
        others = {other: at for other, at in placed.items() if other != id_}
        spots = placed[id_] + step * _WAYS
        spots = spots[room.is_free(id_, spots, others)]
        if len(spots):
            best = complex(spots[np.argmin(np.abs(spots - room.home(id_)))])
            if room.moved_mm(moved := {**others, id_: best}) < total - 1e-9:
                return moved
        near = [other for other in others if room.apart_mm(id_, other, placed) <= 3 * step]
        for way in _WAYS[::2]:  # it gives way, and another follows
            aside = placed[id_] + step * complex(way)
            for other in near:
                rest = {third: at for third, at in others.items() if third != other}
                if not room.is_free(id_, np.array([aside]), rest)[0]:
                    continue
                spots = placed[other] + step * np.concatenate([_WAYS, 0.5 * _WAYS, 0.2 * _WAYS])
                spots = spots[room.is_free(other, spots, {**rest, id_: aside})]
                if len(spots):
                    best = complex(spots[np.argmin(np.abs(spots - room.home(other)))])
                    if room.moved_mm(moved := {**rest, id_: aside, other: best}) < total - 1e-9:
                        return moved
    return None
