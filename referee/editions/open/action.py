"""Straight way of the open edition: how far a miniature has to go to one or to several, and what bars it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.queries import Action
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.open.measuring import Place, measured_area
from referee.editions.open.move import limits_of_move
from referee.editions.open.settings import because, explain_setting
from referee.editions.warmachine.movement.move import check_on_table, check_unobstructed, draw_path
from referee.editions.warmachine.movement.path import Path, speed_mm
from referee.geometry.distance import Gap, area_gap
from referee.geometry.shapes import Area
from referee.motion.sweep import slide_shape
from referee.motion.travel_budget import TravelLimits, TravelResult, travel
from referee.rules.conditions import Clauses, all_of_as_told
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult

SECTION = "how an action goes"
NOWHERE_MM = 1e5  # as far as a way that leads to no place at all
_RULE = because(SECTION, "It goes straight at the other by the shortest way, and passes nothing that bars it.")
_READINGS = ("open-pass", "open-rough")
_MOST_ROUNDS, _STILL_MM, _MISSED_MM = 500, 1e-9, 0.01


@dataclass(frozen=True)
class StraightWay:
    """A way of a miniature, what bars it, and what it costs; `leads` is not so where no place is near enough to all."""

    path: Path
    limits: TravelLimits
    walked: TravelResult
    leads: bool

    @property
    def needed_mm(self) -> float:
        return self.walked.needed_mm if self.leads else NOWHERE_MM

    @property
    def ground_ids(self) -> tuple[str, ...]:
        return tuple(stretch.id for stretch in self.walked.ground)


def straight_way(table: ExactTable, mover: str, targets: Sequence[Place], near_mm: float | None = None) -> StraightWay:
    """The shortest straight way until it touches them all, or is so near to each, as the settings measure."""
    measured = table.area if near_mm is None else lambda place: measured_area(table, place)
    end = nearest_end(measured(mover), [measured(target) for target in targets], near_mm or 0.0)
    (x, y), (dx, dy) = table.centre(mover), end or (0.0, 0.0)
    path = ((x, y), (x + dx, y + dy))
    limits = limits_of_move(table, mover)
    limits = replace(limits, stops=tuple(stop for stop in limits.stops if stop[0] not in targets))
    return StraightWay(path, limits, travel(table.base(mover), path, limits), end is not None)


def nearest_end(base: Area, targets: Sequence[Area], near_mm: float) -> tuple[float, float] | None:
    """The shortest shift of a base after which it is so near to every target; None where there is none.

    The shifts that bring it near one convex target are a convex set: of one the nearest is told by the gap, of several
    it is Dykstra's projection on their intersection.
    """
    if len(targets) == 1:
        return _shift_to(area_gap(base, targets[0]), near_mm)
    shift = (0.0, 0.0)
    owed = [(0.0, 0.0)] * len(targets)
    for _ in range(_MOST_ROUNDS):
        before = shift
        for k, target in enumerate(targets):
            start = (shift[0] + owed[k][0], shift[1] + owed[k][1])
            dx, dy = _shift_to(area_gap(_slide(base, start), target), near_mm)
            shift = (start[0] + dx, start[1] + dy)
            owed[k] = (-dx, -dy)
        if math.dist(before, shift) < _STILL_MM:
            break
    moved = _slide(base, shift)
    return shift if all(area_gap(moved, target).mm <= near_mm + _MISSED_MM for target in targets) else None


def _slide(base: Area, by: tuple[float, float]) -> Area:
    return Area(tuple(slide_shape(part, by, 1.0) for part in base.parts))


def _shift_to(between: Gap, near_mm: float) -> tuple[float, float]:
    left = between.mm - near_mm
    if left <= 0.0:
        return (0.0, 0.0)
    (ax, ay), (bx, by) = between.at_a, between.at_b
    return ((bx - ax) * left / between.mm, (by - ay) * left / between.mm)


def check_free(table: ExactTable, mover: str, route: StraightWay) -> RuleResult:
    """Whether nothing bars the way, and it stays on the table."""
    return all_of_as_told(_free_clauses(table, mover, route))


def _free_clauses(table: ExactTable, mover: str, route: StraightWay) -> Clauses:
    if not route.leads:
        return (("way", RuleResult(margin_mm=-CAPPED_MM, because=(_RULE,), depends_on_place=(mover,))),)
    return (
        ("way", check_unobstructed(table, mover, route.path, route.limits)),
        ("table", check_on_table(table, mover, route.path)),
    )


def action(table: ExactTable, query: Action) -> RuleResult:
    """Action: whether the straight way to the target is short enough and free."""
    length = speed_mm(table, query.attacker) if query.length_in is None else inches(query.length_in)
    if length is None:
        needs = (f"profile.spd_in of {query.attacker}",)
        return RuleResult(status="unknown", needs=needs, because=(_RULE,), depends_on_place=(query.attacker,))
    route = straight_way(table, query.attacker, (query.target,))
    short = _check_length(table, query, length, route)
    result = all_of_as_told((("distance", short), *_free_clauses(table, query.attacker, route)))
    return replace(
        result,
        value={**result.value, "way_mm": route.needed_mm, "length_mm": length},
        lengths_mm={"way": route.needed_mm},
        witness=tuple(dict.fromkeys((*short.witness, *result.witness))),
        because=tuple(dict.fromkeys((*short.because, *result.because))),
        readings=tuple(dict.fromkeys((*_READINGS, *result.readings))),
    )


def _check_length(table: ExactTable, query: Action, length_mm: float, route: StraightWay) -> RuleResult:
    a, b = name_of(table, query.attacker), name_of(table, query.target)
    said = f"{a} has {format_length(route.needed_mm)} to go to {b}, and goes {format_length(length_mm)} at most."
    rough = (explain_setting(table, "open-rough"),) if route.ground_ids else ()
    return RuleResult(
        margin_mm=length_mm - route.needed_mm,
        because=(with_effect(table, _RULE, said), *rough),
        witness=(draw_path(query.attacker, route.path, route.walked),),
        depends_on_place=(query.attacker, query.target, *route.ground_ids),
    )
