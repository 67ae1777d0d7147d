"""Measuring: from the nearest base of one unit to the nearest of another; trays and crews are never measured."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Aura, Distance, Range, Within
from models.terrain import Terrain
from models.unit import Unit
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import all_regiments, are_friends, garrisoned, leading, members_of
from referee.gaps import Gap, gap
from referee.ruling import Candidate, Ruling
from referee.shapes import Area, Rounded, polygon_area
from referee.situation import Situation, moved
from referee.telling import applied, length, margin, name_of

MEASURING = because(
    "Measuring Distances", 9, "Distances run from the closest base to the closest base; trays do not count."
)
_RANGE = because("Shooting", 35, "The target must be within the range of the weapon, measured to its closest base.")
_RADIUS = because("Measuring Distances", 9, "A unit is within a distance when any of its bases is.")
_MEASURED_BY = frozenset({"garrison-edge", "special-geometry"})
_NEAR_TIES_MM = 3.0  # a pair that much farther apart may turn out the closest once bases are nudged


@dataclass(frozen=True)
class Apart:
    """How far apart two places are, and which of their parts come closest; `pairs` are those that might."""

    gap: Gap
    a: str | Point
    b: str | Point
    pairs: tuple[tuple[str | Point, str | Point], ...]

    @property
    def mm(self) -> float:
        return self.gap.mm

    @property
    def touches(self) -> tuple[str, ...]:
        """Everything whose place the distance may hang on."""
        return tuple(dict.fromkeys(one for pair in self.pairs for one in pair if isinstance(one, str)))


def body(table: Situation, place: str | Point) -> list[tuple[str | Point, Area]]:
    """What is measured of a place: each base of a unit, the building round a garrison, a machine's outline.

    Source: Measuring Distances, p. 9; War Machines, p. 86; Garrisons, p. 99.
    """
    if not isinstance(place, str):
        return [(place, table.area(place))]
    thing = table.state.by_id.get(place)
    if not isinstance(thing, Miniature | Unit):
        return [(place, table.area(place))]
    inside = garrisoned(table, place)
    if inside is not None and table.reading("garrison-edge") == "building":
        return [(inside, table.area(inside))]
    return [(m, _body_of(table, m)) for m in _measured(table, place)]


def _measured(table: Situation, place: str) -> tuple[str, ...]:
    """Those of a unit who are measured: all, or where the table agreed so, not who hides in it."""
    ids = members_of(table, place)
    if table.reading("special-geometry") == "normal":
        return ids
    return tuple(m for m in ids if "hidden" not in table.miniature(m).status) or ids


def _body_of(table: Situation, id_: str) -> Area:
    outline = table.miniature(id_).outline_mm
    if outline is None:
        return Area((table.base(id_),))
    return moved(polygon_area(outline), table.nudges[id_]) if id_ in table.nudges else polygon_area(outline)


Part = tuple[str | Point, Rounded]


def apart(table: Situation, a: str | Point, b: str | Point) -> Apart:
    """The closest bases of two places. Source: Measuring Distances, p. 9."""
    if table.facings_rad or table.placed_mm:
        return closest(_parts(table, a), _parts(table, b))
    resting = table.regardless_of(frozenset(table.readings) - _MEASURED_BY)
    rest = resting.settled(("apart", a, b), lambda still: closest(_parts(still, a), _parts(still, b)))
    if table.nudges.keys().isdisjoint(rest.touches):
        return rest
    found = {one: tuple(part for _, part in _alone(table, one)) for pair in rest.pairs for one in pair}
    gaps = [(gap(p, q), *pair) for pair in rest.pairs for p in found[pair[0]] for q in found[pair[1]]]
    least, one, other = min(gaps, key=lambda each: each[0].mm)
    return Apart(least, one, other, rest.pairs)


def _parts(table: Situation, place: str | Point) -> list[Part]:
    return [(one, part) for one, area in body(table, place) for part in area.parts]


def _alone(table: Situation, place: str | Point) -> list[Part]:
    """One base, or one thing, of those a place is made of."""
    if isinstance(place, str) and place in table.miniatures:
        return [(place, part) for part in _body_of(table, place).parts]
    return [(place, part) for part in table.area(place).parts]


def closest(first: list[Part], second: list[Part]) -> Apart:
    """The closest of these parts and of those."""
    least = _least_gaps(first, second)
    order = np.argsort(least, axis=None, kind="stable")
    best: tuple[Gap, int, int] | None = None
    close: list[tuple[float, int, int]] = []
    for k in order:
        i, j = divmod(int(k), len(second))
        if best is not None and least[i, j] > best[0].mm + _NEAR_TIES_MM:
            break
        found = gap(first[i][1], second[j][1])
        close.append((found.mm, i, j))
        if best is None or found.mm < best[0].mm:
            best = (found, i, j)
    assert best is not None
    pairs = dict.fromkeys((first[i][0], second[j][0]) for mm, i, j in close if mm <= best[0].mm + _NEAR_TIES_MM)
    return Apart(best[0], first[best[1]][0], second[best[2]][0], tuple(pairs))


def _least_gaps(a: list[Part], b: list[Part]) -> NDArray[np.float64]:
    """A lower bound for the gap of every pair: that of the discs around them."""
    (at, reach), (to, far) = (
        (np.array([complex(*p.centre) for _, p in side]), np.array([p.reach_mm for _, p in side])) for side in (a, b)
    )
    least: NDArray[np.float64] = np.abs(at[:, None] - to[None, :]) - reach[:, None] - far[None, :]
    return least


def apart_by(table: Situation, a: str | Point, b: str) -> Apart:
    """How far apart, by how much of the unit the table has agreed must be in range: its closest, its leader, all."""
    how = table.reading("unit-in-range")
    if how == "leader":
        return apart(table, a, leading(table, b).id)
    if how == "all" and garrisoned(table, b) is None:
        return max((apart(table, a, m) for m in members_of(table, b)), key=lambda found: found.mm)
    return apart(table, a, b)


def radius_doubts(table: Situation, source: str | Point, *ids: str) -> Iterator[str]:
    """The house rules on which it may hang who is within a radius."""
    if any(len(members_of(table, one)) > 1 for one in ids):
        yield "unit-in-range"
    yield from place_doubts(table, source, *ids)


def ruler(table: Situation, between: Apart, role: str) -> Witness:
    """The line between the closest points."""
    ids = [one for one in (between.a, between.b) if isinstance(one, str)]
    points = (between.gap.at_a, between.gap.at_b)
    return Witness.model_validate({"type": "segment", "role": role, "points_mm": points, "of": ids})


def _told(table: Situation, a: str | Point, b: str | Point, mm: float) -> str:
    return f"{name_of(table, a)} and {name_of(table, b)} are {length(max(0.0, mm))} apart"


def distance(table: Situation, query: Distance) -> Ruling:
    """How far apart two places are; overlap reads 0. Source: Measuring Distances, p. 9."""
    between = apart(table, query.a, query.b)
    mm = max(0.0, between.mm)
    return Ruling(
        status="measured",
        value={
            "distance_mm": mm,
            "pair": [list(between.gap.at_a), list(between.gap.at_b)],
            "bases": [one for one in (between.a, between.b) if isinstance(one, str)],
        },
        lengths_mm={"distance": mm},
        witness=(ruler(table, between, "limit"),),
        because=(applied(table, MEASURING, f"{_told(table, query.a, query.b, mm)}."),),
        readings=("garrison-edge",),
        doubtful=place_doubts(table, query.a, query.b),
        touches=between.touches,
    )


def near_enough(
    table: Situation, a: str | Point, b: str | Point, limit_mm: float, *, zero_is_met: bool = True
) -> Ruling:
    """Whether b is within this distance of a; margin: limit - gap. Source: Measuring Distances, p. 9."""
    between = apart(table, a, b)
    mm = max(0.0, between.mm)
    return Ruling(
        margin_mm=limit_mm - mm,
        zero_is_met=zero_is_met,
        value={"distance_mm": mm, "limit_mm": limit_mm},
        lengths_mm={"distance": mm},
        witness=(ruler(table, between, "clear" if mm <= limit_mm else "blocked"),),
        because=(applied(table, MEASURING, f"{_told(table, a, b, mm)}, {margin(limit_mm - mm)}."),),
        readings=("garrison-edge",),
        doubtful=place_doubts(table, a, b),
        touches=between.touches,
    )


def within(table: Situation, query: Within) -> Ruling:
    """Whether any base of b is within the limit of a. Source: Measuring Distances, p. 9."""
    return near_enough(table, query.a, query.b, inches(query.range_in))


def aura(table: Situation, query: Aura) -> Ruling:
    """Who is within the radius of this. Source: Measuring Distances, p. 9; p. 96-101 for terrain with a radius."""
    limit = _radius_mm(table, query)
    if limit is None:
        return Ruling(status="unknown", needs=("range_in",), because=(_RADIUS,))
    around = _around(table, query)
    found = sorted((_member(table, query.source, id_, limit) for id_ in around), key=_nearest_first)
    by_id: dict[str, JsonValue] = {m.id: _told_of(table, query.source, m, limit) for m in found}
    return Ruling(
        status="measured",
        value={"by_id": by_id, "limit_mm": limit, "source_counts": _is_unit(table, query.source)},
        members=tuple(found),
        because=(_RADIUS,),
        readings=("unit-in-range", "garrison-edge"),
        doubtful=tuple(radius_doubts(table, query.source, *around)),
    )


def _nearest_first(member: Candidate) -> float:
    return -(0.0 if member.ruling is None else member.ruling.margin_mm or 0.0)


def _told_of(table: Situation, source: str | Point, member: Candidate, limit_mm: float) -> JsonValue:
    """How far away a unit is, and whether all of it is within the radius."""
    ruling = member.ruling
    if ruling is None:
        return {}
    inside = (ruling.margin_mm or 0.0) >= 0 and _is_whole(table, source, member.id, limit_mm)
    return {"distance_mm": ruling.lengths_mm["distance"], "completely": inside}


def _is_whole(table: Situation, source: str | Point, id_: str, limit_mm: float) -> bool:
    resting = table.regardless_of(frozenset(table.readings) - _MEASURED_BY)
    key = ("wholly within", source, id_, limit_mm)
    return resting.settled(key, lambda still: _is_wholly_within(still, source, id_, limit_mm))


def _is_wholly_within(table: Situation, source: str | Point, id_: str, limit_mm: float) -> bool:
    """Whether every corner of every base is; a round base counts by its far rim."""
    start = [part for _, area in body(table, source) for part in area.parts]
    parts = [part for _, area in body(table, id_) for part in area.parts]
    far = ((Rounded((p,)), limit_mm - part.radius_mm) for part in parts for p in part.points)
    return all(any(gap(one, corner).mm <= most for one in start) for corner, most in far)


def _radius_mm(table: Situation, query: Aura) -> float | None:
    if query.range_in is not None:
        return inches(query.range_in)
    thing = table.state.by_id.get(query.source) if isinstance(query.source, str) else None
    if isinstance(thing, Terrain) and thing.radius_in is not None:
        return inches(thing.radius_in)
    told = getattr(thing, "radius_in", None)
    return None if told is None else inches(told)


def _is_unit(table: Situation, place: str | Point) -> bool:
    return isinstance(place, str) and isinstance(table.state.by_id.get(place), Miniature | Unit)


def _around(table: Situation, query: Aura) -> list[str]:
    """The regiments asked about; the source itself always counts as within its own radius."""
    every = all_regiments(table)
    if query.only is None or not isinstance(query.source, str) or not _is_unit(table, query.source):
        return list(every)
    return [one for one in every if are_friends(table, query.source, one) == (query.only == "friends")]


def _member(table: Situation, source: str | Point, id_: str, limit_mm: float) -> Candidate:
    def rule(asked: Situation) -> Ruling:
        between = apart_by(asked, source, id_)
        mm = max(0.0, between.mm)
        return Ruling(margin_mm=limit_mm - mm, lengths_mm={"distance": mm}, touches=between.touches)

    return Candidate(id_, rule(table), rule)


def in_range(table: Situation, query: Range) -> Ruling:
    """Whether the target is in range of a weapon or of a printed length. Source: Shooting, p. 35."""
    limit = _range_mm(table, query)
    if limit is None:
        return Ruling(status="unknown", needs=("range_in",), because=(_RANGE,))
    origin: str | Point = query.attacker if query.origin is None else query.origin
    least, most = limit
    found = near_enough(table, origin, query.target, most)
    mm = found.lengths_mm["distance"]
    short = mm - least if least > 0 else CAPPED_MM
    value: dict[str, JsonValue] = {"distance_mm": mm, "limit_mm": most}
    return Ruling(
        margin_mm=min(most - mm, short),
        value=value | ({"least_mm": least} if least > 0 else {}),
        lengths_mm=found.lengths_mm,
        witness=found.witness,
        because=(_RANGE, *found.because),
        readings=("garrison-edge",),
        doubtful=place_doubts(table, origin, query.target),
        touches=found.touches,
    )


def place_doubts(table: Situation, *places: str | Point) -> tuple[str, ...]:
    asked = [one for one in places if isinstance(one, str) and _is_unit(table, one)]
    inside = any(garrisoned(table, one) is not None for one in asked)
    hidden = any("hidden" in table.miniature(m).status for one in asked for m in members_of(table, one))
    return (*(["garrison-edge"] if inside else []), *(["special-geometry"] if hidden else []))


def _range_mm(table: Situation, query: Range) -> tuple[float, float] | None:
    if query.range_in is not None:
        return (0.0, inches(query.range_in))
    return weapon_range_mm(table, query.attacker, query.weapon)


def weapon_range_mm(table: Situation, attacker: str, weapon: str | None) -> tuple[float, float] | None:
    """Least and greatest range of a weapon that somebody of the unit carries; None when no card tells it."""
    for id_ in members_of(table, attacker):
        for one in table.miniature(id_).profile.ranged:
            if (weapon is None or one.name == weapon) and one.rng_in is not None:
                told = one.rng_in
                return (inches(told[0]), inches(told[1])) if isinstance(told, tuple) else (0.0, inches(told))
    return None


def nearest_first(table: Situation, source: str, among: list[str]) -> list[tuple[float, str]]:
    """These regiments by their distance from the source."""
    return sorted((max(0.0, apart(table, source, one).mm), one) for one in among)
