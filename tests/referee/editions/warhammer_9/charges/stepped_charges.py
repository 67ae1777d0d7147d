"""Charges on random tables, searched by small steps and walked in small steps: shapely alone, nothing of the referee's.

A way is straight on by `ahead_mm`, a wheel about a front corner, straight on to the target, and closing up about the
point of contact. `steps_find` tries many of them; `faults` walks one that somebody else found.
"""

import math
import random
from itertools import pairwise
from typing import Any, NamedTuple

import shapely
from shapely import affinity

from models.state import TableState
from tests.referee.editions.warhammer_9.tables import block, table

CLEAR_MM = 0.2  # so much must be free for a stepped way to count, on either side
DEEP_MM = 0.05  # so little may a found way overlap anything, by rounding and by the steps that look
_AHEAD_MM, _TURN_DEG = 6.0, 3.0


class Unit(NamedTuple):
    """A block of miniatures: the middle of its front edge, where it looks, width and depth in millimetres."""

    x: float
    y: float
    deg: float
    wide: float
    deep: float

    @property
    def shape(self) -> Any:
        corners = [(0, self.wide / 2), (-self.deep, self.wide / 2), (-self.deep, -self.wide / 2), (0, -self.wide / 2)]
        return _set_down(shapely.Polygon(corners), self.x, self.y, self.deg)

    def corner(self, hand: int) -> tuple[float, float]:
        turn = math.radians(self.deg + 90 * hand)
        return self.x + self.wide / 2 * math.cos(turn), self.y + self.wide / 2 * math.sin(turn)


def _set_down(shape: Any, x: float, y: float, deg: float) -> Any:
    return affinity.translate(affinity.rotate(shape, deg, origin=(0, 0)), x, y)


class Table(NamedTuple):
    """A charger, its target, and everything else as outlines."""

    state: TableState
    charger: Unit
    target: Unit
    others: Any


def random_table(seed: int, units: int = 20) -> Table:
    """A charge among other units and rocks; the charger sees its target ahead of it and in reach."""
    r = random.Random(seed)
    charger = _unit(r, 914.4, 609.6, r.uniform(0, 360))
    bearing, away = math.radians(charger.deg + r.uniform(-40, 40)), r.uniform(60, 260)
    x, y = charger.x + away * math.cos(bearing), charger.y + away * math.sin(bearing)
    target = _unit(r, x, y, charger.deg + 180 + r.choice((r.uniform(-50, 50), r.uniform(-180, 180))))
    if target.shape.distance(charger.shape) < 20:
        return random_table(seed + 10**6, units)
    taken = [charger.shape, target.shape]
    rest, rocks = list[Unit](), list[Unit]()
    crowd = r.choice((150.0, 250.0, 500.0))
    for _ in range(400):
        if len(rest) + len(rocks) >= units - 2:
            break
        one = _unit(r, r.gauss((charger.x + x) / 2, crowd), r.gauss((charger.y + y) / 2, crowd), r.uniform(0, 360))
        if min(one.shape.distance(other) for other in taken) > r.choice((1.0, 12.0, 25.4)):
            (rocks if r.random() < 0.2 else rest).append(one)
            taken.append(one.shape)
    state = _state(r, charger, target, rest, rocks)
    return Table(state, charger, target, shapely.union_all([one.shape for one in (*rest, *rocks)]))


def _unit(r: random.Random, x: float, y: float, deg: float) -> Unit:
    return Unit(x, y, deg, 20.0 * r.randint(3, 8), 20.0 * r.randint(1, 3))


def _state(r: random.Random, charger: Unit, target: Unit, rest: list[Unit], rocks: list[Unit]) -> TableState:
    told = [
        ("A", charger, "red"),
        ("T", target, "blue"),
        *((f"U{k}", u, r.choice(("red", "blue"))) for k, u in enumerate(rest)),
    ]
    blocks = [
        block(id_, side, (u.x, u.y), u.deg, round(u.wide / 20), round(u.wide / 20) * round(u.deep / 20))
        | ({"this_turn": {"charge_failed": True}} if id_ not in ("A", "T") else {})  # friends will not leave
        for id_, u, side in told
    ]
    ground = [
        {"id": f"rock{k}", "kind": "impassable", "polygon_mm": [list(p) for p in u.shape.exterior.coords[:-1]]}
        for k, u in enumerate(rocks)
    ]
    return table(blocks, terrain=ground)


def side_edge(target: Unit, side: str) -> Any:
    fl, rl, rr, fr = target.shape.exterior.coords[:4]
    return shapely.LineString({"front": (fr, fl), "left": (fl, rl), "rear": (rl, rr), "right": (rr, fr)}[side])


def steps_find(world: Table, side: str) -> tuple[float, float, int] | None:
    """A way that small steps find: ahead in mm, wheel in degrees, hand; None when they find none."""
    edge, goal = side_edge(world.target, side), world.target.shape
    near = world.others.buffer(CLEAR_MM)
    shapely.prepare(near)
    for hand in (1, -1):
        for k in range(200):
            at = _shifted(world.charger, k * _AHEAD_MM)
            if at.shape.intersects(near) or at.shape.intersects(goal):
                break
            for j in range(round(90 / _TURN_DEG) + 1):
                turned = _wheeled(at, hand, j * _TURN_DEG)
                if j and (turned.shape.intersects(near) or turned.shape.intersects(goal)):
                    break
                if _runs_in(turned, edge, goal, near):
                    return k * _AHEAD_MM, j * _TURN_DEG, hand
                if j and _wheeled(at, hand, (j - 0.5) * _TURN_DEG).shape.intersects(near):
                    break
    return None


def _shifted(unit: Unit, mm: float) -> Unit:
    turn = math.radians(unit.deg)
    return unit._replace(x=unit.x + mm * math.cos(turn), y=unit.y + mm * math.sin(turn))


def _wheeled(unit: Unit, hand: int, deg: float) -> Unit:
    return _about(unit, unit.corner(hand), hand * deg)


def _about(unit: Unit, pivot: tuple[float, float], deg: float) -> Unit:
    c, s = math.cos(math.radians(deg)), math.sin(math.radians(deg))
    dx, dy = unit.x - pivot[0], unit.y - pivot[1]
    return unit._replace(x=pivot[0] + c * dx - s * dy, y=pivot[1] + s * dx + c * dy, deg=unit.deg + deg)


def _runs_in(unit: Unit, edge: Any, goal: Any, near: Any) -> bool:
    """Whether it touches that side first as it goes straight on, with nothing else near, and can close up."""
    far = _first_touch(unit, goal)
    if far is None:
        return False
    there = _shifted(unit, far)
    front = shapely.LineString([there.corner(1), there.corner(-1)])
    if front.distance(edge) > 0.01 or shapely.union(unit.shape, there.shape).convex_hull.intersects(near):
        return False
    return _closes_up(there, edge, goal, near)


def _first_touch(unit: Unit, goal: Any) -> float | None:
    """How far it goes until its front meets the target: at a corner of one of the two."""
    lane = [(0, unit.wide / 2), (900, unit.wide / 2), (900, -unit.wide / 2), (0, -unit.wide / 2)]
    ahead = goal.intersection(_set_down(shapely.Polygon(lane), unit.x, unit.y, unit.deg))
    if ahead.is_empty or ahead.area < 1e-6:
        return None
    turn = math.radians(unit.deg)
    return min((x - unit.x) * math.cos(turn) + (y - unit.y) * math.sin(turn) for x, y in ahead.exterior.coords)


def _closes_up(there: Unit, edge: Any, goal: Any, near: Any) -> bool:
    """Whether it may turn about the point of contact until it is flush."""
    front = shapely.LineString([there.corner(1), there.corner(-1)])
    touch = shapely.Point(shapely.shortest_line(front, edge).coords[0])
    (ax, ay), (bx, by) = edge.coords
    closing = math.remainder(math.degrees(math.atan2(bx - ax, ay - by)) - there.deg, 360)
    parts = max(2, round(abs(closing) / 2))
    return not any(
        _about(there, (touch.x, touch.y), closing * k / parts).shape.intersects(near) for k in range(parts + 1)
    )


def faults(world: Table, value: Any) -> list[str]:
    """What is wrong with the way of a verdict, walked leg by leg in small steps."""
    unit, found, wheels = world.charger, list[str](), 0
    legs = value["paths"]["A"]
    for leg in legs:
        wheels += leg["for"] == "charge" and leg["do"] == "turn"
        if leg["do"] == "turn" and leg["for"] == "charge":
            found += ["wheels too far"] * (abs(leg["by_deg"]) > 90 + 1e-6)
            corners = (unit.corner(1), unit.corner(-1))
            found += ["no wheel about a front corner"] * (min(math.dist(leg["about_mm"], c) for c in corners) > 1e-3)
        for at in walked(unit, leg):
            found += ["runs into something"] * (deep(at.shape, world.others) > DEEP_MM)
            found += ["runs through its target"] * (deep(at.shape, world.target.shape) > DEEP_MM)
        unit = at
    found += ["more than one wheel"] * (wheels > 1)
    return sorted(set(found + _end_faults(world, value, unit)))


def walked(unit: Unit, leg: Any) -> list[Unit]:
    """The unit along one leg, every millimetre or half degree."""
    if leg["do"] == "turn":
        parts = max(2, math.ceil(abs(leg["by_deg"]) * 2))
        return [_about(unit, leg["about_mm"], leg["by_deg"] * k / parts) for k in range(parts + 1)]
    parts = max(2, math.ceil(leg["length_mm"] / 2))
    return [_shifted(unit, leg["length_mm"] * k / parts) for k in range(parts + 1)]


def deep(shape: Any, others: Any) -> float:
    """How deep two things overlap, roughly: as wide as the overlap is across."""
    both = shape.intersection(others)
    if both.is_empty or both.area == 0:
        return 0.0
    return float(2 * both.area / both.length) if both.length else 0.0


def _end_faults(world: Table, value: Any, unit: Unit) -> list[str]:
    told = value["poses"]["A"]
    off = math.dist((unit.x, unit.y), told["front_mm"]) + abs(math.remainder(unit.deg - told["facing_deg"], 360))
    found = ["ends elsewhere than told"] * (off > 1e-3)
    if value["aligned_by"] != "A":
        return found
    edge = side_edge(world.target, value["side"])
    front = shapely.LineString([unit.corner(1), unit.corner(-1)])
    line = shapely.intersection(front.buffer(0.02), edge)
    (ax, ay), (bx, by) = edge.coords
    askew = math.remainder(math.degrees(math.atan2(bx - ax, ay - by)) - unit.deg, 360)
    found += ["is not flush"] * (abs(askew) > 1e-4 or front.distance(edge) > 0.02 or line.is_empty)
    mine = in_contact(unit, edge)
    return found + ["counts wrongly"] * (abs(mine - value["in_contact"]["A"]) > 0)


def in_contact(unit: Unit, edge: Any) -> int:
    """How many files touch the side, corners as well."""
    left, right = unit.corner(1), unit.corner(-1)
    count = round(unit.wide / 20)
    ends = [
        (left[0] + (right[0] - left[0]) * k / count, left[1] + (right[1] - left[1]) * k / count)
        for k in range(count + 1)
    ]
    return sum(shapely.LineString(pair).distance(edge) <= 0.012 for pair in pairwise(ends))
