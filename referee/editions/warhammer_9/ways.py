"""Ways of a charge: straight on, one wheel, straight on, touching the target first and nothing else."""

import math
from dataclasses import dataclass

from models.turn import Step
from referee.editions.warhammer_9.engaged import edge_of
from referee.editions.warhammer_9.footing import Footing, on_the_way
from referee.editions.warhammer_9.looking import Body, bodies
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    garrisoned,
    leading,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.spacing import is_closed
from referee.gaps import gap
from referee.motion import first_contact
from referee.shapes import Rounded
from referee.situation import Situation

_TURNS = tuple(sorted((math.radians(5.0 * k) for k in range(-18, 19)), key=abs))
_STEP_MM = 25.4
_TOUCH_MM = 0.01


@dataclass(frozen=True)
class Way:
    """A charge's way: straight on, one wheel, straight on until it touches."""

    ahead_mm: float
    turn_rad: float
    then_mm: float
    there: Footing


def path_to(table: Situation, attacker: str, target: str, side: str | None) -> Way | None:
    """Some way that touches the target first, and nothing else; None when none was found. Source: p. 19.

    Tried are wheels of every 5 degrees after every inch, the straightest first.
    """
    start = Footing.of(regiment(table, attacker))
    goal = [(target, one.shape) for one in _goal(table, target)]
    reach = max(math.dist(start.centre, shape.centre) + shape.reach_mm for _, shape in goal) + start.width_mm
    near = Rounded((start.centre,), reach + start.width_mm + start.depth_mm)
    closed = [thing for thing in _in_the_way(table, attacker, target) if gap(near, thing[1]).mm < 0]
    free = _free_ahead_mm(start, [shape for _, shape in (*closed, *goal)], reach)
    for turn in _TURNS:
        for k in range(int(free / _STEP_MM) + 1 if turn else 1):
            found = _tried(start, k * _STEP_MM, turn, goal, closed, reach)
            if (
                found is not None
                and _meets_side(table, found.there, target, side)
                and _is_free(start, found, closed, goal)
            ):
                return found
    return None


def _free_ahead_mm(start: Footing, shapes: list[Rounded], reach: float) -> float:
    """How far it goes straight on before it touches anything."""
    way = (math.cos(start.facing_rad), math.sin(start.facing_rad))
    hits = first_contact(start.shape, way, reach, [("", shape) for shape in shapes])
    return min((max(0.0, hit.after_mm) for hit in hits), default=reach)


def _goal(table: Situation, target: str) -> list[Body]:
    building = garrisoned(table, target)
    if building is not None:
        return [Body(building, (), part) for part in table.area(building).parts]
    return list(bodies(table, target))


def _in_the_way(table: Situation, attacker: str, target: str) -> list[tuple[str, Rounded]]:
    """What it may not touch: but friends who charge themselves, or flee, may be gone by then. Source: p. 17."""
    turn = table.state.turn
    leaving = {deed.by for deed in turn.log if deed.what == "charge"} if turn is not None else set()
    inside = garrisoned(table, target)
    found = [
        (id_, one.shape)
        for id_ in all_regiments(table)
        if id_ not in (regiment_of(table, attacker), regiment_of(table, target), *leaving)
        and garrisoned(table, id_) is None
        and not (are_friends(table, attacker, id_) and "fleeing" in leading(table, id_).status)
        for one in bodies(table, id_)
    ]
    for terrain in table.state.terrain:
        if is_closed(terrain) and terrain.id != inside:
            found += [(terrain.id, part) for part in table.area(terrain.id).parts]
    return found


Things = list[tuple[str, Rounded]]


def _tried(start: Footing, ahead: float, turn: float, goal: Things, closed: Things, reach: float) -> Way | None:
    """What comes of going so far, wheeling so much, and then straight on to what is touched first."""
    there = start.moved(ahead)
    if turn:
        there = there.wheeled("left" if turn > 0 else "right", abs(turn))
    way = (math.cos(there.facing_rad), math.sin(there.facing_rad))
    hits = first_contact(there.shape, way, reach, [*goal, *closed])
    first = [hit for hit in hits if hit.after_mm <= hits[0].after_mm + _TOUCH_MM]
    if not first or any(hit.id != goal[0][0] for hit in first):
        return None
    return Way(ahead, turn, hits[0].after_mm, there.moved(hits[0].after_mm))


def _is_free(start: Footing, way: Way, closed: Things, goal: Things) -> bool:
    """Whether nothing is touched as it wheels."""
    if not way.turn_rad:
        return True
    step = Step(do="wheel-left" if way.turn_rad > 0 else "wheel-right", by_deg=math.degrees(abs(way.turn_rad)))
    swept = list(on_the_way(start.moved(way.ahead_mm), step))
    return all(gap(part, shape).mm >= -_TOUCH_MM for _, shape in (*closed, *goal) for part in swept)


def _meets_side(table: Situation, there: Footing, target: str, side: str | None) -> bool:
    """Whether it touches the side that was charged."""
    if side is None or garrisoned(table, target) is not None:
        return True
    return gap(there.shape, edge_of(regiment(table, target), side)).mm <= 0.5
