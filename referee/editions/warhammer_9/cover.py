"""Cover: what hides the target from a shooter, and what it shelters behind."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from models.queries import Cover
from models.terrain import Terrain
from models.verdict import CAPPED_MM, Reason, Witness
from models.words import Point
from referee.areas import polygon_of
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.looking import Hidden, between, leans_on
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import garrisoned, members_of, regiment
from referee.editions.warhammer_9.sight import lookers
from referee.gaps import gap
from referee.motion import hull
from referee.ruling import Ruling
from referee.shapes import Area, Rounded
from referee.situation import Situation
from referee.telling import applied

_COVER = because("Cover", 36, "More than half of the unit must be hidden; the worst that hides it counts.")
_BEHIND = because("Obstacles", 95, "Who is behind an obstacle and touches it has its cover, however much shows.")
_FOREST = because("Mysterious Forests", 92, "Soft cover inside it and through it; none for shots out.")
_GARRISON = because("Buildings", 99, "Who holds a building has hard cover.")
_BONUS = {"none": 0, "soft": -1, "hard": -2}
_HALF = 0.5
_FAR_MM = 4000.0


@dataclass(frozen=True)
class Shelter:
    """The cover a target has from one shooter: its kind, how many are obscured, and by how much.

    `excess_mm` is by how much of a base's width more than half is hidden of the one that makes the majority.
    """

    kind: str
    obscured: int
    excess_mm: float
    by: tuple[str, ...]
    hangs_on: tuple[str, ...]


def cover(table: Situation, query: Cover) -> Ruling:
    """Whether the target has cover from most of the shooters. Source: Cover, p. 36; Obstacles, p. 95; p. 92, 99."""
    asked = ("cover", query.attacker, query.target)
    return table.recalled(asked, lambda nudged: _cover(nudged, query))


def _cover(table: Situation, query: Cover) -> Ruling:
    shooters = lookers(table, query.attacker)
    found = {one: shelter_from(table, one, query.target) for one in shooters}
    groups = _groups(found)
    kind = max(groups, key=lambda one: (len(groups[one]), -_BONUS[one]))
    like = [found[one] for one in groups[kind]]
    closest = min(like, key=lambda one: abs(one.excess_mm))
    by = tuple(dict.fromkeys(id_ for one in like for id_ in one.by))
    value: dict[str, JsonValue] = {
        "kind": kind,
        "bonus": _BONUS[kind],
        "bonus_to": "to-hit",
        "features": [{"id": id_} for id_ in by],
        "obscured": closest.obscured,
        "groups": [{"kind": one, "shooters": [*ids]} for one, ids in groups.items()],
    }
    return Ruling(
        margin_mm=closest.excess_mm if kind != "none" else min(closest.excess_mm, 0.0),
        zero_is_met=False,
        value=value,
        witness=() if table.lean else _outlines(table, by),
        because=(_reason(table, query, kind, closest),),
        readings=("obscured", "majority-inside"),
        touches=tuple(dict.fromkeys((groups[kind][0], *closest.hangs_on))),
        faces=(groups[kind][0],),
    )


def _groups(found: dict[str, Shelter]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for one, shelter in found.items():
        groups.setdefault(shelter.kind, []).append(one)
    return groups


def _reason(table: Situation, query: Cover, kind: str, closest: Shelter) -> Reason:
    if garrisoned(table, query.target) is not None:
        return _GARRISON
    count = len(members_of(table, query.target))
    return applied(table, _COVER, f"{closest.obscured} of {count} are hidden or sheltered: {kind} cover.")


def _outlines(table: Situation, ids: Iterable[str]) -> tuple[Witness, ...]:
    areas = ((id_, table.area(id_)) for id_ in ids)
    return tuple(
        Witness(type="polygon", role="blocker", points_mm=points, of=(id_,))
        for id_, area in areas
        for points in [area.outline or hull([p for part in area.parts for p in part.points])]
        if len(points) > 2
    )


def shelter_from(table: Situation, shooter: str, target: str) -> Shelter:
    """The cover of a unit from one shooter. Source: Cover, p. 36; Obstacles, p. 95; Mysterious Forests, p. 92."""
    building = garrisoned(table, target)
    if building is not None:
        return Shelter("hard", len(members_of(table, target)), CAPPED_MM, (building,), ())
    things = between(table, shooter, target, ())
    found = [_of_one(table, shooter, m, things) for m in members_of(table, target)]
    need = len(found) // 2  # more than half are at least so many and one more
    hard = _majority(found, "hard", need)
    soft = _majority(found, "any", need)
    kind = "hard" if hard[0] > 0 else "soft" if soft[0] > 0 else "none"
    excess, count = hard if kind == "hard" else soft
    by = tuple(dict.fromkeys(id_ for one in found if one.excess_mm > 0 for id_ in one.by)) if kind != "none" else ()
    nearest = sorted(found, key=lambda one: abs(one.excess_mm - excess))[:1]
    return Shelter(kind, count, excess, by, tuple(m for one in nearest for m in one.hangs_on))


@dataclass(frozen=True)
class _One:
    """One target: by how much of its width more than half of it is hidden, by what, and whether that is hard."""

    excess_mm: float
    hard_mm: float
    by: tuple[str, ...]
    hangs_on: tuple[str, ...]


def _majority(found: list[_One], which: str, need: int) -> tuple[float, int]:
    """The excess of the one that makes the majority, and how many are hidden."""
    excesses = sorted((one.hard_mm if which == "hard" else one.excess_mm for one in found), reverse=True)
    return excesses[need], sum(mm > 0 for mm in excesses)


def _of_one(table: Situation, shooter: str, target: str, things: tuple[Hidden, ...]) -> _One:
    width = regiment(table, target).base_mm[0]
    shares = _hidden_shares(table, shooter, target, things)
    whole = _excess(shares["all"], width)
    hard = _excess(shares["hard"], width)
    sheltered = _sheltered(table, shooter, target)
    inside = _inside_forest_mm(table, shooter, target)
    if sheltered is not None:
        whole, hard = CAPPED_MM, CAPPED_MM if sheltered.kind not in parameters.SOFT_KINDS else hard
    whole = max(whole, inside[0])
    by = tuple(dict.fromkeys((*shares["by"], *((sheltered.id,) if sheltered else ()), *inside[1])))
    return _One(whole, hard, by, (target, *shares["members"]))


def _excess(share: float, width_mm: float) -> float:
    return (share - _HALF) * width_mm


def _hidden_shares(table: Situation, shooter: str, target: str, things: tuple[Hidden, ...]) -> dict[str, Any]:
    """How much of a base lies in the shadow of what stands before it, seen from the middle of the shooter's front."""
    eye = regiment(table, shooter).front
    base = table.base(target)
    casting = [(one, part) for one in things for part in one.area.parts if _may_hide(eye, base, part)]
    casting = [(one, part) for one, part in casting if not _is_looked_out_of(table, shooter, one)]
    if not casting:
        return {"all": 0.0, "hard": 0.0, "by": (), "members": ()}
    import shapely  # only overlays need it

    whole = polygon_of(Area((base,)))
    hides = [(one, polygon_of(Area((_shadow(eye, part),))).intersection(whole)) for one, part in casting]
    hides = [(one, shape) for one, shape in hides if shape.area > 1e-9]
    every = shapely.union_all([shape for _, shape in hides]).area if hides else 0.0
    hard = [shape for one, shape in hides if not _is_soft(table, one)]
    return {
        "all": every / whole.area,
        "hard": shapely.union_all(hard).area / whole.area if hard else 0.0,
        "by": tuple(dict.fromkeys(one.id for one, _ in hides)),
        "members": tuple(dict.fromkeys(m for one, _ in hides for m in (one.members or (one.id,)))),
    }


def _is_soft(table: Situation, one: Hidden) -> bool:
    thing = table.state.by_id[one.id]
    if not isinstance(thing, Terrain):
        return False  # Source: Cover, p. 36: other units are hard cover
    return thing.grants == "soft" if thing.grants is not None else thing.kind in parameters.SOFT_KINDS


def _is_looked_out_of(table: Situation, shooter: str, one: Hidden) -> bool:
    """A forest the shooter stands in hides nothing from it. Source: Mysterious Forests, p. 92."""
    return one.is_wood and any(gap(table.base(shooter), part).mm < 0 for part in one.area.parts)


def _may_hide(eye: Point, base: Rounded, part: Rounded) -> bool:
    return gap(Rounded(hull([eye, *base.points]), base.radius_mm), part).mm < 0


def _shadow(eye: Point, part: Rounded) -> Rounded:
    """What lies behind a convex thing, seen from a point: the thing, and all that goes on beyond it."""
    rim = part.points if not part.radius_mm else _round(part)
    beyond = [_pushed(eye, p) for p in rim]
    return Rounded(hull([*rim, *beyond]))


def _round(part: Rounded, sides: int = 32) -> tuple[Point, ...]:
    turns = [math.tau * k / sides for k in range(sides)]
    r = part.radius_mm
    return hull([(x + r * math.cos(t), y + r * math.sin(t)) for x, y in part.points for t in turns])


def _pushed(eye: Point, p: Point) -> Point:
    away = math.dist(eye, p)
    if away < 1e-9:
        return p
    return (eye[0] + (p[0] - eye[0]) * _FAR_MM / away, eye[1] + (p[1] - eye[1]) * _FAR_MM / away)


def _sheltered(table: Situation, shooter: str, target: str) -> Terrain | None:
    """The obstacle a target touches from behind, unless the shooter touches it too. Source: Obstacles, p. 95."""
    base, eye = table.base(target), regiment(table, shooter).front
    for terrain in table.state.terrain:
        if terrain.kind not in parameters.OBSTACLE_KINDS or leans_on(table, shooter, terrain.id):
            continue
        parts = table.area(terrain.id).parts
        if any(gap(base, part).mm <= parameters.CONTACT_MM and _may_hide(eye, base, part) for part in parts):
            return terrain
    return None


def _inside_forest_mm(table: Situation, shooter: str, target: str) -> tuple[float, tuple[str, ...]]:
    """By how much of its width more than half of a base lies in a forest that the shooter does not stand in."""
    best, by = -CAPPED_MM, tuple[str, ...]()
    for terrain in table.state.terrain:
        if terrain.kind != "forest" or not any(gap(table.base(target), p).mm < 0 for p in table.area(terrain.id).parts):
            continue
        if any(gap(table.base(shooter), part).mm < 0 for part in table.area(terrain.id).parts):
            continue
        excess = inside_excess_mm(table, target, terrain.id)
        if excess > best:
            best, by = excess, (terrain.id,)
    return best, by if best > 0 else ()


def inside_excess_mm(table: Situation, id_: str, place: str) -> float:
    """By how much of its width more of a base lies inside than the table's reading asks for. Source: p. 92."""
    base, width = table.base(id_), regiment(table, id_).base_mm[0]
    whole = polygon_of(Area((base,)))
    share = polygon_of(table.area(place)).intersection(whole).area / whole.area
    needed = {"more-than-half": _HALF, "any-part": 0.0, "wholly": 1.0 - 1e-9}
    how = table.reading("majority-inside")
    if how == "centre":
        return max(-gap(Rounded((base.centre,)), part).mm for part in table.area(place).parts)
    return float((share - needed[how]) * width)
