"""The widest lane: the line that stays clear of everything by the most, and by how much."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from models.words import Point
from referee.shapes import Area
from referee.sight.boundary import Piece, pieces_of
from referee.sight.clearance import Complexes, Floats
from referee.sight.compiled import KERNEL, Found, widest
from referee.sight.critical import closest_and_central, critical_segments
from referee.sight.nested import area_gaps
from referee.sight.scene import End, Obstacle, Wood
from referee.sight.woods import growth_mm, length_mm

_STEP_MM = 1e-5  # how much wider a lane must be to be looked for again
_ROUNDS = 24
_HOLDS_MM = 1e-4  # what is no farther than this beyond the margin holds the lane
_FINEST_MM = 1e-8
_MORE = 3  # how many more things are taken into account at a time


@dataclass(frozen=True)
class Lane:
    """The best line. `margin_mm`: what everything could grow (must shrink) before the answer flips; inf if nothing can.

    `slack_mm` holds the same for each thing by id; `held_by` names those that decide.
    """

    margin_mm: float
    start: Point
    stop: Point
    slack_mm: dict[str, float]
    held_by: tuple[str, ...]


def widest_lane(start: End, stop: End, obstacles: tuple[Obstacle, ...] = (), woods: tuple[Wood, ...] = ()) -> Lane:
    """The line between two ends with the largest margin. Both ends must have something left of them."""
    if KERNEL is not None:
        return _from_kernel(widest(start, stop, obstacles, woods), obstacles, woods)
    return plain_lane(start, stop, obstacles, woods)


def plain_lane(start: End, stop: End, obstacles: tuple[Obstacle, ...] = (), woods: tuple[Wood, ...] = ()) -> Lane:
    """The same lane without the compiled kernel."""
    terms = [(o.id, o.area, partial(_obstacle_slack, obstacle=o)) for o in obstacles]
    terms += [(w.id, w.area, partial(growth_mm, wood=w)) for w in woods]
    return Search(start, stop, tuple(terms), smooth=bool(woods)).run()


def least_length_mm(start: End, stop: End, wood: Wood) -> float:
    """The least length of a line between the ends that lies in the wood."""
    if KERNEL is not None:
        return -widest(start, stop, (), (wood,), least_length=True).margin_mm
    return (
        -Search(start, stop, ((wood.id, wood.area, partial(_outside_mm, area=wood.area)),), smooth=True).run().margin_mm
    )


def _from_kernel(found: Found, obstacles: tuple[Obstacle, ...], woods: tuple[Wood, ...]) -> Lane:
    slack: dict[str, float] = {}
    ids = [*(o.id for o in obstacles), *(w.id for w in woods)]
    for id_, value in zip(ids, found.slacks_mm, strict=True):
        slack[id_] = min(value, slack.get(id_, math.inf))
    held = tuple(id_ for id_, value in slack.items() if value <= found.margin_mm + _HOLDS_MM)
    return Lane(found.margin_mm, found.start, found.stop, slack, held)


Term = tuple[str, Area, Callable[[Complexes, Complexes, Floats], Floats]]


class Search:
    """One question: critical lines propose, climbing widens, critical lines at a larger growth confirm."""

    def __init__(self, start: End, stop: End, terms: tuple[Term, ...], *, smooth: bool) -> None:
        self.start, self.stop, self.terms, self.smooth = start, stop, terms, smooth
        self.areas = [area for _, area, _ in terms]
        self.ids = [id_ for id_, _, _ in terms]
        self.rims = pieces_of(start), pieces_of(stop)
        self.level = 0.0  # the growth from which the next flip is sought

    def run(self) -> Lane:
        """The widest lane, found among the few things that hold it.

        A lane that is widest among some things and comes no nearer to any other is widest among all.
        """
        p, q = closest_and_central(self.start, self.stop)
        if not self.ids:
            return self._lane(math.inf, p[0], q[0])
        rows = self.slacks(p, q)
        holding = {int(rows[rows.min(axis=1).argmax()].argmin())}
        while True:
            some = Search(self.start, self.stop, tuple(self.terms[k] for k in sorted(holding)), smooth=self.smooth)
            best = some._search()
            row = self.slacks(np.array([best[1]]), np.array([best[2]]))[0]
            nearer = [int(k) for k in np.argsort(row) if row[k] < best[0] - _STEP_MM and int(k) not in holding]
            if not nearer:
                return self._lane(*best)
            holding.update(nearer[:_MORE])

    def _search(self) -> tuple[float, complex, complex]:
        p, q = self._proposals(0.0)
        best = self._widest(p, q)
        for _ in range(4 if self.smooth else _ROUNDS):
            at = best[0] + _STEP_MM
            self.level = max(0.0, at) if best[0] >= 0 else 0.0
            p, q = self._proposals(at)
            reached = self.slacks(p, q).min(axis=1)
            if reached.max() < at - 1e-9:
                break
            best = max(best, self._climbed(p[reached.argmax()], q[reached.argmax()]), key=lambda b: b[0])
        return best

    def slacks(self, p: Complexes, q: Complexes) -> Floats:
        """What each thing leaves to each segment: (N, K).

        A line that is closed at the level is as good as the nearest growth below at which all let it pass.
        """
        level = np.full(len(p), self.level)
        for _ in range(8 if self.smooth else 1):
            found = np.stack([slack(p, q, level) for _, _, slack in self.terms], axis=1)
            lower = np.minimum(level, found.min(axis=1))
            if np.array_equal(lower, level):
                break
            level = lower
        return found

    def _proposals(self, growth: float) -> tuple[Complexes, Complexes]:
        plain, critical = (
            closest_and_central(self.start, self.stop),
            critical_segments(self.start, self.stop, self.areas, growth),
        )
        return np.concatenate([plain[0], critical[0]]), np.concatenate([plain[1], critical[1]])

    def _widest(self, p: Complexes, q: Complexes) -> tuple[float, complex, complex]:
        clear = self.slacks(p, q).min(axis=1)
        order = np.argsort(-clear, kind="stable")
        starts: list[int] = []
        for i in order:
            if len(starts) < 3 and all(abs(p[i] - p[j]) + abs(q[i] - q[j]) > 1.0 for j in starts):
                starts.append(int(i))
        return max((self._climbed(p[i], q[i]) for i in starts), key=lambda b: b[0])

    def _climbed(self, p: complex, q: complex) -> tuple[float, complex, complex]:
        """The local best from here, both points sliding along the rims."""
        best = (float(self.slacks(np.array([p]), np.array([q])).min()), p, q)
        for _ in range(3):
            before = best[0]
            for a in _pieces_near(self.rims[0], best[1]):
                for b in _pieces_near(self.rims[1], best[2]):
                    best = max(best, self._slid(a, b, best), key=lambda found: found[0])
            if best[0] - before < 1e-9:
                break
        return best

    def _slid(self, a: Piece, b: Piece, found: tuple[float, complex, complex]) -> tuple[float, complex, complex]:
        s, t = a.nearest_mm(found[1]), b.nearest_mm(found[2])
        here = self._rows(a, b, [(s, t)])[0]
        trust, h = max(1.0, 0.25 * (a.length_mm + b.length_mm)), 1e-6
        for _ in range(80):
            if trust < (1e-3 if self.smooth else _FINEST_MM):
                break
            rows = self._rows(a, b, [(s + h, t), (s - h, t), (s, t + h), (s, t - h)])
            slopes = (rows[0] - rows[1]) / (2 * h), (rows[2] - rows[3]) / (2 * h)
            box = _box(a, s, trust), _box(b, t, trust)
            ds, dt = _uphill(here, slopes[0], slopes[1], box)
            new = self._rows(a, b, [(s + ds, t + dt)])[0]
            if new.min() > here.min():
                gain = new.min() - here.min()
                s, t, here = s + ds, t + dt, new
                trust = trust * 2 if gain > 1e-10 else trust / 4
            else:
                trust = min(trust, math.hypot(ds, dt)) / 4
        return float(here.min()), a.at(s), b.at(t)

    def _rows(self, a: Piece, b: Piece, at: list[tuple[float, float]]) -> Floats:
        return self.slacks(np.array([a.at(s) for s, _ in at]), np.array([b.at(t) for _, t in at]))

    def _lane(self, margin: float, p: complex, q: complex) -> Lane:
        slack: dict[str, float] = {}
        if self.ids:
            row = self.slacks(np.array([p]), np.array([q]))[0]
            for id_, value in zip(self.ids, row, strict=True):
                slack[id_] = min(float(value), slack.get(id_, math.inf))
        held = tuple(id_ for id_, value in slack.items() if value <= margin + _HOLDS_MM)
        return Lane(float(margin), (float(p.real), float(p.imag)), (float(q.real), float(q.imag)), slack, held)


def _obstacle_slack(p: Complexes, q: Complexes, _: Floats, obstacle: Obstacle) -> Floats:
    a = p + obstacle.from_share * (q - p)
    b = p + obstacle.to_share * (q - p)
    return area_gaps(a, b, obstacle.area)


def _outside_mm(p: Complexes, q: Complexes, _: Floats, area: Area) -> Floats:
    return -length_mm(p, q, area, np.zeros(len(p)))


def _pieces_near(pieces: tuple[Piece, ...], p: complex) -> list[Piece]:
    near = [piece for piece in pieces if abs(piece.at(piece.nearest_mm(p)) - p) < 1e-6]
    return near or [min(pieces, key=lambda piece: abs(piece.at(piece.nearest_mm(p)) - p))]


def _box(piece: Piece, s: float, trust: float) -> tuple[float, float]:
    whole_circle = piece.radius_mm > 0 and math.isclose(piece.length_mm, math.tau * piece.radius_mm)
    if whole_circle:
        return -trust, trust
    return max(-trust, -s), min(trust, piece.length_mm - s)


def _uphill(
    here: Floats, by_s: Floats, by_t: Floats, box: tuple[tuple[float, float], tuple[float, float]]
) -> tuple[float, float]:
    """The step in the box that raises the least of the linearised slacks the most: the best vertex of a small LP."""
    (s0, s1), (t0, t1) = box
    reach = np.abs(by_s) * max(-s0, s1) + np.abs(by_t) * max(-t0, t1)
    near = np.flatnonzero(here - reach <= here.min() + reach.max())
    near = near[np.argsort(here[near])][:7]
    f, gs, gt = here[near], by_s[near], by_t[near]
    steps = [(s0, t0), (s0, t1), (s1, t0), (s1, t1), (0.0, 0.0)]
    for i, j in combinations(range(len(near)), 2):
        steps += _level(f[i] - f[j], gs[i] - gs[j], gt[i] - gt[j], box)
    for i, j, k in combinations(range(len(near)), 3):
        steps += _meeting(f, gs, gt, i, j, k, box)
    grid = np.array(steps)
    values = (f[None, :] + grid[:, :1] * gs[None, :] + grid[:, 1:] * gt[None, :]).min(axis=1)
    ds, dt = grid[values.argmax()]
    return float(ds), float(dt)


def _level(
    df: float, ds: float, dt: float, box: tuple[tuple[float, float], tuple[float, float]]
) -> list[tuple[float, float]]:
    """Where two slacks are level on the sides of the box."""
    (s0, s1), (t0, t1) = box
    found = []
    if abs(dt) > 1e-15:
        found += [(s, -(df + ds * s) / dt) for s in (s0, s1)]
    if abs(ds) > 1e-15:
        found += [(-(df + dt * t) / ds, t) for t in (t0, t1)]
    return [(s, t) for s, t in found if s0 <= s <= s1 and t0 <= t <= t1]


def _meeting(
    f: Floats, gs: Floats, gt: Floats, i: int, j: int, k: int, box: tuple[tuple[float, float], tuple[float, float]]
) -> list[tuple[float, float]]:
    """Where three slacks are level."""
    a, b, c = gs[i] - gs[j], gt[i] - gt[j], f[j] - f[i]
    d, e, g = gs[i] - gs[k], gt[i] - gt[k], f[k] - f[i]
    det = a * e - b * d
    if abs(det) < 1e-18:
        return []
    s, t = (c * e - b * g) / det, (a * g - c * d) / det
    (s0, s1), (t0, t1) = box
    return [(float(s), float(t))] if s0 <= s <= s1 and t0 <= t <= t1 else []
