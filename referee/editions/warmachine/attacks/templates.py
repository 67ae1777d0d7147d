"""Templates: whom an area of effect hits, and where a missed one comes down."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from models.queries import Deviation, TemplateHits, Trench
from models.unit_conversion import inches, radians
from models.verdict import Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.features import trench
from referee.geometry.circle_intersection import bearing
from referee.geometry.containment import covered_mm
from referee.geometry.distance import Gap, area_gap
from referee.geometry.shapes import Area, disc
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import Candidate, RuleResult, Value, ask_for
from referee.rules.switches import is_more_than

_UNDER = because("Area-of-Effect (AOE) Attacks", 52, "Every base that is partly under the template is hit.")
DIRECT = because("Area-of-Effect (AOE) Attacks", 52, "A direct hit centers it on the base; all others take the blast.")
Lands = Callable[[ExactTable], Point]
_DEVIATES = because("Deviation", 52, "A miss in range goes astray from the target's center by a die in inches.")
_FAR = because(
    "Deviation", 52, "Beyond range it misses, and goes astray from the point at its range toward the target."
)
_CAP = because("Deviation", 52, "Never farther than half the distance to the target, or half the range beyond range.")
_EDGE = because("Deviation", 52, "Off the table it stops at the edge.")
_BLAST_ONLY = because("Deviation", 52, "What went astray hits nobody directly.")
_FACES = range(1, 7)


def template_hits(table: ExactTable, query: TemplateHits) -> RuleResult:
    """Round template: whom a round template covers; just touching a base counts.

    Source: Area-of-Effect (AOE) Attacks, p. 52.
    """

    def lands(perturbed: ExactTable) -> Point:
        return middle_of(perturbed, query.at)

    at = lands(table)
    by_id: Value = {
        id_: describe_hit(table, id_, query.direct, at)
        for id_ in list_covered(table, at, query.diameter_in, ids_that_matter(query.at))
    }
    return RuleResult(
        status="measured",
        value={"point_mm": list(at), "by_id": by_id, "units": _units(table, by_id)},
        witness=(draw_rim(at, query.diameter_in),),
        because=(_UNDER,) if query.direct is None else (_UNDER, DIRECT),
        readings=("area-touch",),
        members=members_under(table, lands, query.diameter_in, ids_that_matter(query.at)),
    )


def middle_of(table: ExactTable, place: str | Point) -> Point:
    """The middle of a thing, or the point itself."""
    if isinstance(place, str) and place in table.miniatures:
        return table.centre(place)
    return table.area(place).parts[0].centre


def members_under(table: ExactTable, lands: Lands, diameter_in: float, by: tuple[str, ...]) -> tuple[Candidate, ...]:
    """Everybody in play, each with how deep the template lies over its base."""

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_coverage(perturbed, lands(perturbed), diameter_in, id_, by)

    at = lands(table)
    ids = sorted(in_play(table), key=lambda id_: math.dist(at, table.centre(id_)))
    return evaluate_each(table, ids, about)


def _check_coverage(table: ExactTable, at: Point, diameter_in: float, id_: str, by: tuple[str, ...]) -> RuleResult:
    """Source: Area-of-Effect (AOE) Attacks, p. 52: any part of the base."""
    depth = covered_mm(Area((disc(at, inches(diameter_in) / 2),)), table.base(id_))
    return RuleResult(
        margin_mm=depth,
        zero_is_met=table.reading("area-touch") == "covered",
        because=(_UNDER,),
        depends_on_place=tuple(dict.fromkeys((id_, *by))),
    )


def list_covered(table: ExactTable, at: Point, diameter_in: float, by: tuple[str, ...]) -> tuple[str, ...]:
    """Everybody that is partly under it. Source: Area-of-Effect (AOE) Attacks, p. 52."""
    return tuple(
        id_
        for id_ in in_play(table)
        if is_met(_check_coverage(table, at, diameter_in, id_, by), "lies under the template of")
    )


def describe_hit(table: ExactTable, id_: str, direct: str | None, at: Point) -> Value:
    """How it is hit. Source: Area-of-Effect (AOE) Attacks, p. 52; Trenches, p. 80."""
    if id_ == direct:
        return {"hit": "direct"}
    trenches = any(terrain.kind == "trench" for terrain in table.state.terrain)
    immune = trenches and is_met(trench(table, Trench(target=id_, origin=at)), "lies in a trench off the blast of")
    return {"hit": "blast", **({"blast_immune": True} if immune else {})}


def _units(table: ExactTable, ids: Value) -> Value:
    counts: Value = {}
    for unit in filter(None, (table.miniature(id_).unit for id_ in ids)):
        counts[unit] = int(str(counts.get(unit, 0))) + 1
    return counts


def draw_rim(at: Point, diameter_in: float) -> Witness:
    """The template's rim."""
    return Witness(type="circle", role="limit", centre_mm=at, radius_mm=inches(diameter_in) / 2)


def deviation(table: ExactTable, query: Deviation) -> RuleResult:
    """Deviation: where the attack lands, and who is under it. Source: Deviation, p. 52."""
    shot = _Shot(table, query)
    if shot.axis_rad() is None:
        return ask_for("axis_deg", because=(_DEVIATES,))
    if query.hit or (query.dice.direction is not None and query.dice.distance is not None):
        return _answer_rolled(table, query, shot)
    return _answer_unrolled(table, query, shot)


class _Shot:
    """One attack that may go astray: where it starts, along what axis, and how far at most."""

    def __init__(self, table: ExactTable, query: Deviation) -> None:
        self.table, self.query = table, query
        self.goal = middle_of(table, query.target)
        self.between: Gap = area_gap(table.area(query.origin), table.area(query.target))

    def is_far(self) -> bool:
        """Source: Deviation, p. 52: beyond the range of the attack."""
        limit = self.query.range_in
        if limit is None:
            return False
        on = ids_that_matter(self.query.target, self.query.origin)
        return is_more_than(max(0.0, self.between.mm), inches(limit), "lies out of range of", on)

    def axis_rad(self) -> float | None:
        """Where direction 1 points."""
        if self.query.axis_deg is not None:
            return radians(self.query.axis_deg)
        origin = middle_of(self.table, self.query.origin)
        return None if origin == self.goal else bearing(origin, self.goal)

    def start_point(self) -> Point:
        """Source: Deviation, p. 52: the target's center, or the point at the attack's range toward it."""
        if not self.is_far():
            return self.goal
        x, y = middle_of(self.table, self.query.origin)
        heading = math.atan2(self.goal[1] - y, self.goal[0] - x)
        out = inches(self.query.range_in or 0.0)
        if self.table.reading("deviation-far-point") == "edge":
            out += self.table.area(self.query.origin).parts[0].reach_mm
        return (x + out * math.cos(heading), y + out * math.sin(heading))

    def cap_mm(self) -> float | None:
        """Source: Deviation, p. 52: half the distance, or half the range of a shot too far; not rounded."""
        if self.query.cap == "none":
            return None
        if self.is_far():
            return inches(self.query.range_in or 0.0) / 2
        if self.table.reading("deviation-cap") == "centres":
            return math.dist(middle_of(self.table, self.query.origin), self.goal) / 2
        return max(0.0, self.between.mm) / 2

    def point(self, direction: int, distance: int) -> tuple[Point, bool]:
        """Where these dice let it land, and whether the table's edge stopped it."""
        turns = -1.0 if self.table.reading("deviation-sense") == "clockwise" else 1.0
        heading = (self.axis_rad() or 0.0) + turns * math.radians(60.0) * (direction - 1)
        cap = self.cap_mm()
        out = inches(distance) if cap is None else min(inches(distance), cap)
        start = self.start_point()
        room = self._room(start, heading)
        travelled = min(out, room)
        on = ids_that_matter(self.query.target, self.query.origin)
        is_stopped = is_more_than(out, room, "goes astray over the table's edge from", on)
        return (start[0] + travelled * math.cos(heading), start[1] + travelled * math.sin(heading)), is_stopped

    def _room(self, start: Point, heading: float) -> float:
        """How far it is to the table's edge."""
        size = (self.table.state.table.width_mm, self.table.state.table.depth_mm)
        room = math.inf
        for at, step, end in zip(start, (math.cos(heading), math.sin(heading)), size, strict=True):
            if abs(step) > 1e-12:
                room = min(room, ((end if step > 0 else 0.0) - at) / step)
        return max(0.0, room)


def _landing_point(table: ExactTable, query: Deviation) -> tuple[Point, bool]:
    shot = _Shot(table, query)
    if query.hit:
        return shot.goal, False
    return shot.point(query.dice.direction or 1, query.dice.distance or 0)


def _answer_rolled(table: ExactTable, query: Deviation, shot: _Shot) -> RuleResult:
    at, clipped = _landing_point(table, query)
    cap = shot.cap_mm()
    value: Value = {"start_mm": list(shot.start_point()), "cap_mm": cap, "point_mm": list(at), "clipped": clipped}
    if query.diameter_in is not None:
        direct = query.target if query.hit and isinstance(query.target, str) else None
        value["by_id"] = {
            id_: describe_hit(table, id_, direct, at)
            for id_ in list_covered(table, at, query.diameter_in, ids_that_matter(query.origin, query.target))
        }
    return RuleResult(
        status="measured",
        value=value,
        lengths_mm={} if cap is None else {"cap": cap},
        witness=_draw_path(shot.start_point(), at, query.diameter_in),
        because=_reasons(shot, query, clipped),
        readings=("deviation-sense", "deviation-cap", "deviation-far-point"),
        depends_on_place=ids_that_matter(query.origin, query.target),
        members=_list_hit(table, query),
    )


def _list_hit(table: ExactTable, query: Deviation) -> tuple[Candidate, ...]:
    if query.diameter_in is None:
        return ()
    by = ids_that_matter(query.origin, query.target)
    return members_under(table, lambda perturbed: _landing_point(perturbed, query)[0], query.diameter_in, by)


def _draw_path(start: Point, at: Point, diameter_in: float | None) -> tuple[Witness, ...]:
    path = (Witness(type="segment", role="path", points_mm=(start, at)),) if start != at else ()
    rim = () if diameter_in is None else (draw_rim(at, diameter_in),)
    return (*path, Witness(type="point", role="hit", points_mm=(at,)), *rim)


def _reasons(shot: _Shot, query: Deviation, clipped: bool) -> tuple[Reason, ...]:
    if query.hit:
        return (DIRECT,)
    capped = (_CAP,) if query.cap == "half" else ()
    return (_FAR if shot.is_far() else _DEVIATES, *capped, *((_EDGE,) if clipped else ()), _BLAST_ONLY)


def _answer_unrolled(table: ExactTable, query: Deviation, shot: _Shot) -> RuleResult:
    """Every face of the dice not yet rolled. Source: Deviation, p. 52."""
    rolls = list(_possible_rolls(query))
    points = [(direction, distance, *shot.point(direction, distance)) for direction, distance in rolls]
    value: Value = {
        "start_mm": list(shot.start_point()),
        "cap_mm": shot.cap_mm(),
        "point_mm": None,
        "points": [{"direction": d, "distance": n, "point_mm": list(at), "clipped": c} for d, n, at, c in points],
    }
    if query.diameter_in is not None:
        by = ids_that_matter(query.origin, query.target)
        value["by_id"] = _hit_chances(table, [at for _, _, at, _ in points], query.diameter_in, by)
    return RuleResult(
        status="measured",
        value=value,
        witness=tuple(Witness(type="point", role="limit", points_mm=(at,)) for _, _, at, _ in points),
        because=_reasons(shot, query, clipped=False),
        readings=("deviation-sense", "deviation-cap", "deviation-far-point"),
        depends_on_place=ids_that_matter(query.origin, query.target),
    )


def _possible_rolls(query: Deviation) -> Iterator[tuple[int, int]]:
    for direction in _FACES if query.dice.direction is None else (query.dice.direction,):
        for distance in _FACES if query.dice.distance is None else (query.dice.distance,):
            yield direction, distance


def _hit_chances(table: ExactTable, points: list[Point], diameter_in: float, by: tuple[str, ...]) -> Value:
    """The chance of each to be under it, where there is one."""
    counts = dict.fromkeys(in_play(table), 0)
    for at in points:
        for id_ in list_covered(table, at, diameter_in, by):
            counts[id_] += 1
    shares = {id_: Fraction(count, len(points)) for id_, count in counts.items() if count}
    return {id_: {"chance": {"exact": str(share), "p": float(share)}} for id_, share in shares.items()}
