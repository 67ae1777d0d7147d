"""Distances: from the nearest base of one unit to the nearest of another; anybody may measure them at any time."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Distance, MayMeasure, Range, Within
from models.unit import Unit
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.arrays import Floats
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import garrisoned_building, leading_miniature, members_of
from referee.geometry.distance import Gap, gap
from referee.geometry.shapes import Area, RoundedShape, polygon_area
from referee.rules.exact_table import ExactTable, shift_area
from referee.rules.explanations import format_length, format_margin, name_of, with_effect
from referee.rules.licence import measure_freely
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met

MEASURING = because(
    "Measuring Distances", 9, "Distances run from the closest base to the closest base; trays do not count."
)
_RANGE = because(
    "Check the Target is in Range of the Weapon",
    35,
    "The target must be within the range of the weapon, measured to its closest base.",
)
MEASURED_BY = frozenset({"garrison-edge", "special-geometry"})
_NEAR_TIES_MM = 3.0  # a pair that much farther apart may turn out the closest once bases are perturbed
Part = tuple[str | Point, RoundedShape]
_FREE = because("Measuring Distances", 9, "Anybody may measure anything at any time.")


@dataclass(frozen=True)
class ClosestBases:
    """Closest bases of two places; `pairs` are those that may come to be the closest."""

    gap: Gap
    a: str | Point
    b: str | Point
    pairs: tuple[tuple[str | Point, str | Point], ...]

    @property
    def mm(self) -> float:
        return self.gap.mm

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Everything whose place the distance may hang on."""
        return tuple(dict.fromkeys(id_ for pair in self.pairs for id_ in pair if isinstance(id_, str)))


def who_is_nearer(closest: ClosestBases, other: ClosestBases) -> tuple[str, ...]:
    """What it hangs on which of two places is nearer to a third, those of the two first."""
    first = [end for end in (closest.b, other.b) if isinstance(end, str)]
    return tuple(dict.fromkeys((*first, *closest.depends_on, *other.depends_on)))


def measured_parts(table: ExactTable, place: str | Point) -> list[tuple[str | Point, Area]]:
    """What is measured of a place: each base of a unit, a garrison's building, a machine's outline.

    Source: Measuring Distances, p. 9; War Machines, p. 86; Garrisoning a Building, p. 98.
    """
    if not isinstance(place, str):
        return [(place, table.area(place))]
    thing = table.state.by_id.get(place)
    if not isinstance(thing, Miniature | Unit):
        return [(place, table.area(place))]
    inside = garrisoned_building(table, place)
    if inside is not None and table.reading("garrison-edge") == "building":
        return [(inside, table.area(inside))]
    return [(m, _miniature_area(table, m)) for m in _measured_members(table, place)]


def _measured_members(table: ExactTable, place: str) -> tuple[str, ...]:
    """Those of a unit who are measured: all, or where the table agreed so, not who hides in it."""
    ids = members_of(table, place)
    if table.reading("special-geometry") == "normal":
        return ids
    return tuple(m for m in ids if "hidden" not in table.miniature(m).status) or ids


def _miniature_area(table: ExactTable, id_: str) -> Area:
    outline = table.miniature(id_).outline_mm
    if outline is None:
        return Area((table.base(id_),))
    return (
        shift_area(polygon_area(outline), table.perturbations[id_])
        if id_ in table.perturbations
        else polygon_area(outline)
    )


def closest_bases(table: ExactTable, a: str | Point, b: str | Point) -> ClosestBases:
    """Closest bases of two places. Source: Measuring Distances, p. 9."""
    if table.facings_rad or table.places_mm:
        return closest_parts(_parts_of(table, a), _parts_of(table, b))
    resting = table.without_readings(frozenset(table.readings) - MEASURED_BY)
    rest = resting.memoize_unperturbed(
        ("apart", a, b), lambda still: closest_parts(_parts_of(still, a), _parts_of(still, b))
    )
    if table.perturbations.keys().isdisjoint(rest.depends_on):
        return rest
    parts_by_id = {id_: tuple(part for _, part in _single_parts(table, id_)) for pair in rest.pairs for id_ in pair}
    gaps = [(gap(p, q), *pair) for pair in rest.pairs for p in parts_by_id[pair[0]] for q in parts_by_id[pair[1]]]
    least, id_, other = min(gaps, key=lambda each: each[0].mm)
    return ClosestBases(least, id_, other, rest.pairs)


def _parts_of(table: ExactTable, place: str | Point) -> list[Part]:
    return [(id_, part) for id_, area in measured_parts(table, place) for part in area.parts]


def _single_parts(table: ExactTable, place: str | Point) -> list[Part]:
    """One base, or one thing, of those a place is made of."""
    if isinstance(place, str) and place in table.miniatures:
        return [(place, part) for part in _miniature_area(table, place).parts]
    return [(place, part) for part in table.area(place).parts]


def closest_parts(first: list[Part], second: list[Part]) -> ClosestBases:
    """Closest parts of two lists."""
    least = _least_gaps(first, second)
    order = np.argsort(least, axis=None, kind="stable")
    best: tuple[Gap, int, int] | None = None
    close: list[tuple[float, int, int]] = []
    for k in order:
        i, j = divmod(int(k), len(second))
        if best is not None and least[i, j] > best[0].mm + _NEAR_TIES_MM:
            break
        measured_gap = gap(first[i][1], second[j][1])
        close.append((measured_gap.mm, i, j))
        if best is None or measured_gap.mm < best[0].mm:
            best = (measured_gap, i, j)
    assert best is not None
    pairs = dict.fromkeys((first[i][0], second[j][0]) for mm, i, j in close if mm <= best[0].mm + _NEAR_TIES_MM)
    return ClosestBases(best[0], first[best[1]][0], second[best[2]][0], tuple(pairs))


def _least_gaps(a: list[Part], b: list[Part]) -> Floats:
    """A lower bound for the gap of every pair: that of the discs around them."""
    (at, reach), (to, far) = (
        (np.array([complex(*p.centre) for _, p in side]), np.array([p.reach_mm for _, p in side])) for side in (a, b)
    )
    least: Floats = np.abs(at[:, None] - to[None, :]) - reach[:, None] - far[None, :]
    return least


def distance_as_agreed(table: ExactTable, a: str | Point, b: str) -> ClosestBases:
    """Distance by how much of the unit the table has agreed must be in range: its closest, its leader, all."""
    how = table.reading("unit-in-range")
    if how == "leader":
        return closest_bases(table, a, leading_miniature(table, b).id)
    if how == "all" and garrisoned_building(table, b) is None:
        return max((closest_bases(table, a, m) for m in members_of(table, b)), key=lambda closest: closest.mm)
    return closest_bases(table, a, b)


def radius_doubts(table: ExactTable, source: str | Point, *ids: str) -> Iterator[str]:
    """House rules on which it may depend who is within a radius."""
    if any(len(members_of(table, id_)) > 1 for id_ in ids):
        yield "unit-in-range"
    yield from place_doubts(table, source, *ids)


def ruler(table: ExactTable, between: ClosestBases, role: str) -> Witness:
    """The line between the closest points, as it is drawn."""
    ids = [id_ for id_ in (between.a, between.b) if isinstance(id_, str)]
    points = (between.gap.at_a, between.gap.at_b)
    return Witness.model_validate({"type": "segment", "role": role, "points_mm": points, "of": ids})


def _explain_distance(table: ExactTable, a: str | Point, b: str | Point, mm: float) -> str:
    return f"{name_of(table, a)} and {name_of(table, b)} are {format_length(max(0.0, mm))} apart"


def distance(table: ExactTable, query: Distance) -> RuleResult:
    """Distance: how far apart two places are; overlap reads 0. Source: Measuring Distances, p. 9."""
    between = closest_bases(table, query.a, query.b)
    mm = max(0.0, between.mm)
    return RuleResult(
        status="measured",
        value={
            "distance_mm": mm,
            "pair": [list(between.gap.at_a), list(between.gap.at_b)],
            "bases": [id_ for id_ in (between.a, between.b) if isinstance(id_, str)],
        },
        lengths_mm={"distance": mm},
        witness=(ruler(table, between, "limit"),),
        because=(with_effect(table, MEASURING, f"{_explain_distance(table, query.a, query.b, mm)}."),),
        readings=("garrison-edge",),
        doubtful=place_doubts(table, query.a, query.b),
        depends_on_place=between.depends_on,
    )


def within_distance(
    table: ExactTable, a: str | Point, b: str | Point, limit_mm: float, *, zero_is_met: bool = True
) -> RuleResult:
    """Whether b is within this distance of a; margin: limit - gap. Source: Measuring Distances, p. 9."""
    between = closest_bases(table, a, b)
    mm = max(0.0, between.mm)
    return RuleResult(
        margin_mm=limit_mm - mm,
        zero_is_met=zero_is_met,
        value={"distance_mm": mm, "limit_mm": limit_mm},
        lengths_mm={"distance": mm},
        witness=(ruler(table, between, "clear" if is_margin_met(limit_mm - mm) else "blocked"),),
        because=(
            with_effect(table, MEASURING, f"{_explain_distance(table, a, b, mm)}, {format_margin(limit_mm - mm)}."),
        ),
        readings=("garrison-edge",),
        doubtful=place_doubts(table, a, b),
        depends_on_place=between.depends_on,
    )


def within(table: ExactTable, query: Within) -> RuleResult:
    """Within: whether any base of b is within the limit of a. Source: Measuring Distances, p. 9."""
    return within_distance(table, query.a, query.b, inches(query.range_in))


def is_unit_or_miniature(table: ExactTable, place: str | Point) -> bool:
    """Whether a place is a unit or a miniature, not terrain or a point."""
    return isinstance(place, str) and isinstance(table.state.by_id.get(place), Miniature | Unit)


def in_range(table: ExactTable, query: Range) -> RuleResult:
    """Range: whether the target is in range of a weapon or of a printed length. Source: Shooting, p. 35."""
    limit = _range_mm(table, query)
    if limit is None:
        return RuleResult(status="unknown", needs=("range_in",), because=(_RANGE,))
    origin: str | Point = query.attacker if query.origin is None else query.origin
    least, most = limit
    result = within_distance(table, origin, query.target, most)
    mm = result.lengths_mm["distance"]
    short = mm - least if least > 0 else CAPPED_MM
    value: dict[str, JsonValue] = {"distance_mm": mm, "limit_mm": most}
    return RuleResult(
        margin_mm=min(most - mm, short),
        value=value | ({"least_mm": least} if least > 0 else {}),
        lengths_mm=result.lengths_mm,
        witness=result.witness,
        because=(_RANGE, *result.because),
        readings=("garrison-edge",),
        doubtful=place_doubts(table, origin, query.target),
        depends_on_place=result.depends_on_place,
    )


def place_doubts(table: ExactTable, *places: str | Point) -> tuple[str, ...]:
    """House rules on which it depends what is measured of these places."""
    asked = [place for place in places if isinstance(place, str) and is_unit_or_miniature(table, place)]
    inside = any(garrisoned_building(table, place) is not None for place in asked)
    hidden = any("hidden" in table.miniature(m).status for place in asked for m in members_of(table, place))
    return (*(["garrison-edge"] if inside else []), *(["special-geometry"] if hidden else []))


def _range_mm(table: ExactTable, query: Range) -> tuple[float, float] | None:
    if query.range_in is not None:
        return (0.0, inches(query.range_in))
    return weapon_range_mm(table, query.attacker, query.weapon)


def weapon_range_mm(table: ExactTable, attacker: str, weapon: str | None) -> tuple[float, float] | None:
    """Least and greatest range of a weapon that the unit carries; None when no card has it."""
    for id_ in members_of(table, attacker):
        for carried in table.miniature(id_).profile.ranged:
            if (weapon is None or carried.name == weapon) and carried.rng_in is not None:
                range_in = carried.rng_in
                return (
                    (inches(range_in[0]), inches(range_in[1]))
                    if isinstance(range_in, tuple)
                    else (0.0, inches(range_in))
                )
    return None


def sort_by_distance(table: ExactTable, source: str, among: list[str]) -> list[tuple[float, str]]:
    """Regiments by their distance from the source, the nearest first."""
    return sorted((max(0.0, closest_bases(table, source, id_).mm), id_) for id_ in among)


def may_measure(table: ExactTable, query: MayMeasure) -> RuleResult:
    """Measuring policy: anything may be measured. Source: Measuring Distances, p. 9."""
    return measure_freely(table, _FREE)
