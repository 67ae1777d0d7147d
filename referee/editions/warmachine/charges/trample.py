"""Trample: whom the sweep of a base runs over, where it may end, and the heading that runs over most."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import FreeStrike, Trample
from models.unit_conversion import MM_PER_INCH, inches, radians
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.charges.charge import EXTRA_MM
from referee.editions.warmachine.melee.attack_eligibility import may_attack
from referee.editions.warmachine.melee.free_strike import free_strike
from referee.editions.warmachine.miniatures.arcs import arc_depth_mm, lies_in_front
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.miniatures.turn_ledger import check_turn
from referee.editions.warmachine.movement.least_disturbance import clearance_of_bases
from referee.editions.warmachine.movement.path import passability_of_charge, speed_mm, trace_stops
from referee.editions.warmachine.parameters import MEDIUM_MM, because
from referee.editions.warmachine.terms import terms_of
from referee.motion.travel_budget import Things, TravelResult, meetings, place_after, straight_path, swept_gap, travel
from referee.rules.candidates import evaluate_each, in_play, is_met, is_zero_or_more
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import explain_short_way
from referee.rules.rule_result import FacingUnknown, RuleResult, Value, ask_for
from referee.rules.sides import are_enemies
from referee.rules.switches import EXACT_MM, is_at_least, is_more_than

_WAY = because("Trample", 48, "Straight on for SPD + 3 in, over small bases, to the first larger base or solid thing.")
_ROOM = because("Trample", 48, "There has to be room for the base where it ends.")
_OVER = because("Trample", 48, "Every small base it moved through is attacked.")
_STRIKES = because("Trample", 48, "Free strikes come after the attacks, though not from small bases it ran over.")
Walk = Callable[[ExactTable, Trample], TravelResult]


def trample(table: ExactTable, query: Trample) -> RuleResult:
    """Trample: whether the trample may end where it ends, and whom it runs over; without a heading along the best.

    Source: Trample, p. 48.
    """
    budget = _budget_mm(table, query)
    if budget is None:
        return ask_for(f"profile.spd_in of {query.attacker}", because=(_WAY,), on=(query.attacker,))
    if query.heading_deg is not None:
        return _answer_heading(table, query, query.heading_deg, budget)
    best = find_best_trample(table, query, budget, lambda still, along: _walk(still, along, along.heading_deg, budget))
    along = query.model_copy(update={"heading_deg": best.heading_deg, "distance_in": best.distance_in})
    result = _answer_heading(table, along, best.heading_deg, min(budget, inches(best.distance_in)))
    return replace(result, value={**result.value, "best": best.value()})


def _answer_heading(table: ExactTable, query: Trample, heading_deg: float, budget: float) -> RuleResult:
    """The trample along one heading."""
    walked = _walk(table, query, heading_deg, budget)
    ended = table.with_end(query.attacker, walked.end)
    path = (table.centre(query.attacker), walked.end)

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_run_over(perturbed, query, id_, heading_deg, budget)

    ids = _order_by_contact(table, query, path)
    result = all_of(_clauses(table, ended, query))
    met = () if walked.stopped_by is None else (walked.stopped_by,)
    return replace(
        result,
        value={**result.value, **_value(table, query, walked, path)},
        lengths_mm={"travelled": walked.travelled_mm},
        witness=(Witness(type="segment", role="path", points_mm=path, of=(query.attacker,)),),
        because=(_explain_way(table, query, walked, budget), *result.because, _OVER, _STRIKES),
        depends_on_place=tuple(dict.fromkeys((*result.depends_on_place, *met))),
        readings=(*result.readings, "trample-touched"),
        deciding_house_rules=("trample-touched",) * _has_touched_one(table, query, path),
        members=evaluate_each(table, ids, about),
    )


def _explain_way(table: ExactTable, query: Trample, walked: TravelResult, budget: float) -> Reason:
    """The rule, and where it ends that was to go farther."""
    wanted = budget if query.distance_in is None else inches(query.distance_in)
    stopper = walked.stopped_by if walked.travelled_mm < budget else None
    went = walked.travelled_mm
    return explain_short_way(table, _WAY, query.attacker, wanted_mm=wanted, went_mm=went, stopped_by=stopper)


def _budget_mm(table: ExactTable, query: Trample) -> float | None:
    """Source: Trample, p. 48: the current speed and 3 in at most."""
    speed = speed_mm(table, query.attacker) if query.speed_in is None else inches(query.speed_in)
    if query.distance_in is not None:
        wanted = inches(query.distance_in)
        return wanted if speed is None else min(wanted, speed + EXTRA_MM)
    return None if speed is None else speed + EXTRA_MM


def _walk(table: ExactTable, query: Trample, heading_deg: float | None, budget: float) -> TravelResult:
    going = passability_of_charge(table, query.attacker, running_over=True)
    ground = tuple(thing for thing in going.crossed if thing[0] not in table.miniatures)
    going = replace(going, crossed=ground)  # ending on a small base makes the trample illegal
    path = straight_path(table.centre(query.attacker), radians(heading_deg or 0.0), budget)
    walked = travel(table.base(query.attacker), path, going, budget)
    trace_stops(table, query.attacker, walked, going)
    return walked


def _clauses(table: ExactTable, ended: ExactTable, query: Trample) -> Clauses:
    me = table.miniature(query.attacker)
    return (
        ("able", may_attack(table, me.id)),
        ("turn", check_turn(table, me.id, "trample")),
        *terms_of(table).rush_clauses(table, me.id),
        ("room", replace(clearance_of_bases(ended, query.attacker), because=(_ROOM,))),
    )


def _order_by_contact(table: ExactTable, query: Trample, path: tuple[Point, Point]) -> tuple[str, ...]:
    """Everybody else: first those it meets, in order, then the nearest."""
    others = in_play(table, query.attacker)
    order = {s.id: s.after_mm for s in meetings(table.base(query.attacker), path, _areas_of(table, others))}
    base = table.base(query.attacker)
    return tuple(
        sorted(others, key=lambda id_: (id_ not in order, order.get(id_, swept_gap(base, path, table.base(id_)))))
    )


def _areas_of(table: ExactTable, ids: Iterable[str]) -> Things:
    return tuple((id_, table.area(id_)) for id_ in ids)


def _check_run_over(table: ExactTable, query: Trample, id_: str, heading_deg: float, budget: float) -> RuleResult:
    """Whether it is a small base that the sweep meets. Source: Trample, p. 48."""
    walked = _walk(table, query, heading_deg, budget)
    depth = -swept_gap(table.base(query.attacker), (walked.path[0], walked.end), table.base(id_))
    small = size_mm(table.miniature(id_)) < MEDIUM_MM
    return RuleResult(
        margin_mm=depth if small else -CAPPED_MM,
        zero_is_met=_counts_touching(table),
        because=(_OVER,),
        readings=("trample-touched",),
        doubtful=("trample-touched",) if small and abs(depth) < EXACT_MM else (),
        depends_on_place=(query.attacker, id_),
    )


def _counts_touching(table: ExactTable) -> bool:
    """Whether a base that is only touched is trampled. Source: Trample, p. 48: those that it moved through."""
    return table.reading("trample-touched") == "touched" and table.reading("graze") != "passes"


def _value(table: ExactTable, query: Trample, walked: TravelResult, path: tuple[Point, Point]) -> Value:
    by_id: Value = {}
    if not table.margins_only:
        others = tuple(i for i in in_play(table, query.attacker) if size_mm(table.miniature(i)) < MEDIUM_MM)
        over = _list_run_over(table, query, path)
        for stop in meetings(table.base(query.attacker), path, _areas_of(table, [i for i in others if i in over])):
            at = place_after(path, stop.after_mm)
            by_id[stop.id] = {"at_mm": list(at), "back_strike": _is_from_behind(table, query.attacker, stop.id, at)}
    return {
        "by_id": by_id,
        "travelled_mm": walked.travelled_mm,
        "stopped_by": walked.stopped_by,
        "poses": {query.attacker: {"at_mm": list(walked.end), "facing_deg": (query.heading_deg or 0.0) % 360.0}},
        "free_strikes": [] if table.margins_only else _list_strikers(table, query, path),
    }


def _is_from_behind(table: ExactTable, attacker: str, victim: str, at: Point) -> bool | None:
    """Whether the base lay wholly in the victim's back arc at first contact; None when its facing is not told."""
    touching = table.with_end(attacker, at)
    try:
        return not lies_in_front(touching, victim, attacker, arc_depth_mm(touching, victim, attacker))
    except FacingUnknown:
        return None


def _list_strikers(table: ExactTable, query: Trample, path: tuple[Point, Point]) -> list[JsonValue]:
    if path[0] == path[1]:
        return []
    by_hits = "hits" in query.model_fields_set and terms_of(table).missed_may_strike
    strikes = free_strike(table, FreeStrike(mover=query.attacker, path_mm=path, cause="advance"))
    out = frozenset(query.hits) if by_hits else _list_run_over(table, query, path)
    return [
        c.id
        for c in strikes.members
        if c.result is not None and is_met(c.result, "strikes as it goes at") and c.id not in out
    ]


def _has_touched_one(table: ExactTable, query: Trample, path: tuple[Point, Point]) -> bool:
    """Whether it only touches a small base, so that the readings part."""
    touched, through = (
        _list_run_over(table.with_reading("trample-touched", reading), query, path)
        for reading in ("touched", "through")
    )
    return (
        not table.margins_only and table.edition.settled_readings.get("trample-touched") is None and touched != through
    )


def _list_run_over(table: ExactTable, query: Trample, path: tuple[Point, Point]) -> frozenset[str]:
    """The small bases that it runs over, which do not strike at it."""
    base, compare = table.base(query.attacker), is_at_least if _counts_touching(table) else is_more_than
    small = (id_ for id_ in in_play(table, query.attacker) if size_mm(table.miniature(id_)) < MEDIUM_MM)
    depths = {id_: -swept_gap(base, path, table.base(id_)) for id_ in small}
    return frozenset(
        id_ for id_, mm in depths.items() if compare(mm, 0.0, "is run over by", (id_, query.attacker), is_noted=True)
    )


@dataclass(frozen=True)
class TrampleAim:
    """One way to trample: where it heads, how far it goes, and whom it runs over."""

    heading_deg: float
    fan_deg: tuple[float, float]
    """Between which headings it meets the same bases."""
    distance_in: float
    may_end: bool
    enemies: tuple[str, ...]
    friends: tuple[str, ...]

    @property
    def _worth(self) -> tuple[bool, int, int, float]:
        width = self.fan_deg[1] - self.fan_deg[0]
        return self.may_end and bool(self.enemies), len(self.enemies) - len(self.friends), len(self.enemies), width

    def is_better_than(self, other: "TrampleAim") -> bool:
        return self._worth > other._worth

    def value(self) -> Value:
        return {
            "heading_deg": self.heading_deg,
            "fan_deg": [*self.fan_deg],
            "distance_in": self.distance_in,
            "enemies": [*self.enemies],
            "friends": [*self.friends],
        }


def find_best_trample(table: ExactTable, query: Trample, budget_mm: float, walk: Walk) -> TrampleAim:
    """The best of all headings on the table at rest: most enemies less friends run over, with room to end.

    Source: Trample, p. 48: any direction, and as far along it as it likes, up to SPD + 3 in.
    """

    def find(still: ExactTable) -> TrampleAim:
        best: TrampleAim | None = None
        for heading, fan in _headings(still, query.attacker, budget_mm):
            for aim in _ways_along(still, query, heading, fan, walk):
                if best is None or aim.is_better_than(best):
                    best = aim
        assert best is not None
        return best

    return table.memoize_unperturbed(("best trample", query, budget_mm), find)


def _headings(table: ExactTable, attacker: str, budget_mm: float) -> Iterator[tuple[float, tuple[float, float]]]:
    """The middle of every fan of headings along which it could meet the same bases, in degrees, and the fan."""
    edges = sorted({edge % 360.0 for edge in _tangents(table, attacker, budget_mm)}) or [0.0]
    for first, last in zip(edges, (*edges[1:], edges[0] + 360.0), strict=True):
        yield (first + last) / 2 % 360.0, (first, last)


def _tangents(table: ExactTable, attacker: str, budget_mm: float) -> Iterator[float]:
    """The headings that just graze each base in reach."""
    me, (ax, ay) = table.base(attacker), table.centre(attacker)
    for id_ in in_play(table, attacker):
        (x, y), other = table.centre(id_), table.base(id_)
        apart, both = math.hypot(x - ax, y - ay), me.reach_mm + other.reach_mm
        if 0.0 < apart <= budget_mm + both:
            bearing, half = math.atan2(y - ay, x - ax), math.asin(min(1.0, both / apart))
            yield from (math.degrees(bearing - half), math.degrees(bearing + half))


def _ways_along(
    table: ExactTable, query: Trample, heading: float, fan: tuple[float, float], walk: Walk
) -> Iterator[TrampleAim]:
    """As far as it goes; and, where no length was told and there is no room, back to each base that is in the way."""
    whole = query.model_copy(update={"heading_deg": heading})
    walked = walk(table, whole)
    yield _aim_at(table, whole, walked.path[0], walked.end, fan)
    if query.distance_in is not None or _may_end(table, query.attacker, walked.end):
        return
    path = (walked.path[0], walked.end)
    others = tuple((id_, table.area(id_)) for id_ in in_play(table, query.attacker))
    for stop in meetings(table.base(query.attacker), path, others):
        yield _aim_at(table, whole, path[0], place_after(path, stop.after_mm), fan)


def _aim_at(table: ExactTable, query: Trample, start: Point, end: Point, fan: tuple[float, float]) -> TrampleAim:
    me, base = table.miniature(query.attacker), table.base(query.attacker)
    over = [
        id_
        for id_ in in_play(table, query.attacker)
        if start != end
        and size_mm(table.miniature(id_)) < MEDIUM_MM
        and swept_gap(base, (start, end), table.base(id_)) < 0
    ]
    return TrampleAim(
        heading_deg=query.heading_deg or 0.0,
        fan_deg=fan,
        distance_in=math.dist(start, end) / MM_PER_INCH,
        may_end=_may_end(table, query.attacker, end),
        enemies=tuple(id_ for id_ in over if are_enemies(table.state, me, table.miniature(id_))),
        friends=tuple(id_ for id_ in over if not are_enemies(table.state, me, table.miniature(id_))),
    )


def _may_end(table: ExactTable, attacker: str, end: Point) -> bool:
    return is_zero_or_more(clearance_of_bases(table.with_end(attacker, end), attacker))
