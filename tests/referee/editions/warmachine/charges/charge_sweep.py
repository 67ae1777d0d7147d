"""Charges by brute force: every direction, every length, by distances alone. It shares nothing with the referee."""

import math
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from models.state import TableState
from referee.arrays import Booleans, Floats
from tests.referee.tables import box, mini, table

INCH = 25.4


@dataclass(frozen=True)
class Tried:
    """A charge told in plain numbers: discs as (x, y, radius), ground as polygons."""

    start: tuple[float, float, float]
    target: tuple[float, float, float]
    reach_mm: float
    budget_mm: float
    bases: tuple[tuple[float, float, float], ...]
    rough: tuple[shapely.Polygon, ...]
    solid: tuple[shapely.Polygon, ...]


def random_charge(seed: int) -> tuple[TableState, Tried]:
    """A charger, its target some way off, a crowd of bases and some ground about them."""
    rng = random.Random(seed)
    speed, reach, size = rng.choice([4, 5, 6, 7]), rng.choice([0.5, 1, 2]), rng.choice([30, 40, 50])
    angle, away = rng.uniform(-1, 1), rng.uniform(90, 330)
    minis = [mini("a", 400, 400, 0, mm=size, side="red", reach=reach, profile={"spd_in": speed})]
    spot = 400 + away * math.cos(angle), 400 + away * math.sin(angle)
    minis.append(mini("t", *spot, 180, mm=rng.choice([30, 40, 50]), side="blue"))
    for k in range(rng.randint(1, 12)):
        _add_base(rng, minis, f"b{k}")
    terrain = [piece for k in range(rng.randint(0, 3)) if (piece := _ground(rng, minis, f"g{k}"))]
    return table(*minis, terrain=terrain), _plain(minis, terrain, reach * INCH, (speed + 3) * INCH)


def _add_base(rng: random.Random, minis: list[dict[str, Any]], id_: str) -> None:
    for _ in range(20):
        x, y, size = rng.uniform(380, 760), rng.uniform(180, 640), rng.choice([30, 40, 50])
        if all(math.dist((x, y), m["at_mm"]) > size / 2 + m["base"]["diameter_mm"] / 2 for m in minis):
            minis.append(mini(id_, x, y, 0, mm=size, side="blue"))
            return


def _ground(rng: random.Random, minis: list[dict[str, Any]], id_: str) -> dict[str, Any] | None:
    x, y = rng.uniform(430, 700), rng.uniform(250, 600)
    kind = rng.choice(["rough", "rough", "obstacle", "obstruction"])
    piece = box(id_, kind, x, y, x + rng.uniform(10, 80), y + rng.uniform(10, 120), height_mm=20)
    outline = shapely.Polygon(piece["polygon_mm"])
    clear = all(outline.distance(shapely.Point(m["at_mm"])) > m["base"]["diameter_mm"] / 2 for m in minis[:2])
    return piece if clear or kind == "rough" else None


def _plain(minis: list[dict[str, Any]], terrain: list[dict[str, Any]], reach: float, budget: float) -> Tried:
    discs = [(m["at_mm"][0], m["at_mm"][1], m["base"]["diameter_mm"] / 2) for m in minis]
    grounds = [(t["kind"], shapely.Polygon(t["polygon_mm"])) for t in terrain]
    rough = tuple(p for kind, p in grounds if kind == "rough")
    solid = tuple(p for kind, p in grounds if kind != "rough")
    return Tried(discs[0], discs[1], reach, budget, tuple(discs[2:]), rough, solid)


def most_left(tried: Tried, *, headings: int = 240, step: float = 1.0) -> float:
    """The most movement left when the target comes into reach, over all directions; -inf when it never does."""
    x, y, r = tried.start
    toward = math.atan2(tried.target[1] - y, tried.target[0] - x)
    ways = toward + np.linspace(-math.pi / 2, math.pi / 2, headings + 1)[:, None]
    travel = np.arange(0.0, tried.budget_mm, step)[None, :]
    px, py = x + travel * np.cos(ways), y + travel * np.sin(ways)
    cost = np.cumsum(np.where(_in_rough(tried, px, py, r), 2 * step, step), axis=1) - step
    stopped = np.cumsum(_is_blocked(tried, px, py, r), axis=1) > 0
    reached = _reaches(tried, px, py, ways) & ~stopped & (cost <= tried.budget_mm)
    return float(np.max(np.where(reached, tried.budget_mm - cost, -np.inf)))


def _reaches(tried: Tried, px: Floats, py: Floats, ways: Floats) -> Booleans:
    dx, dy = tried.target[0] - px, tried.target[1] - py
    near = np.hypot(dx, dy) <= tried.start[2] + tried.target[2] + tried.reach_mm
    return near & (dx * np.cos(ways) + dy * np.sin(ways) >= 0)


def _is_blocked(tried: Tried, px: Floats, py: Floats, r: float) -> Booleans:
    blocked = np.zeros(px.shape, dtype=bool)
    for bx, by, br in (tried.target, *tried.bases):
        blocked |= np.hypot(bx - px, by - py) < r + br
    for outline in tried.solid:
        blocked |= _off(outline, px, py) < r
    return blocked


def _in_rough(tried: Tried, px: Floats, py: Floats, r: float) -> Booleans:
    inside = np.zeros(px.shape, dtype=bool)
    for outline in tried.rough:
        inside |= _off(outline, px, py) <= r
    return inside


def _off(outline: shapely.Polygon, px: Floats, py: Floats) -> Floats:
    away: Floats = shapely.distance(outline, shapely.points(px, py))
    return away


def faults(tried: Tried, heading_rad: float, travelled_mm: float, *, step: float = 0.1) -> list[str]:
    """What is wrong with a charge that claims to get there: walked in small steps by somebody who only measures."""
    x, y, r = tried.start
    travel = np.append(np.arange(0.0, travelled_mm, step), travelled_mm)[None, :]
    px, py = x + travel * math.cos(heading_rad), y + travel * math.sin(heading_rad)
    found = []
    if np.any(_is_blocked(tried, px, py, r - 0.05)):
        found.append("it passes through something solid")
    paid = travelled_mm + step * float(np.sum(_in_rough(tried, px, py, r - 0.05)))
    if paid > tried.budget_mm + 2 * step:
        found.append(f"it costs {paid:.1f} of {tried.budget_mm:.1f} mm")
    apart = math.dist((px[0, -1], py[0, -1]), tried.target[:2]) - r - tried.target[2]
    if apart > tried.reach_mm + 0.01:
        found.append(f"it ends {apart:.2f} mm from its target")
    return found
