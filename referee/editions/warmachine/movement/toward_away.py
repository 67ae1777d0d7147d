"""Movement restriction: moving toward or away from something, and regrouping with a commander."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from pydantic import JsonValue

from models.queries import RegroupMove, TowardAway
from models.queries.restricted_moves import Restriction
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.attacks.templates import middle_of
from referee.editions.warmachine.miniatures.base_state import commander_of
from referee.editions.warmachine.movement.path import Path, passability_of_advance, path_of, speed_mm
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.motion.travel_budget import length_mm, travel
from referee.rules.conditions import Clauses, all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, ask_for

_TOWARD = because("Movement Restrictions", 33, "Toward: the distance never grows on the way.")
_AWAY = because("Movement Restrictions", 33, "Away: the distance never shrinks on the way.")
_DIRECT = because("Movement Restrictions", 33, "Directly: along the line that joins the two centers.")
_BOTH = because("Movement Restrictions", 33, "All restrictions hold at once; if they cannot, it does not move.")
_REGROUP = because(
    "Out of Formation", 64, "Back to the commander: a full advance toward him without a Combat Action, or a run at him."
)


def toward_away(table: ExactTable, query: TowardAway) -> RuleResult:
    """Movement restriction: whether all restrictions held at every moment of the move.

    Source: Movement Restrictions, p. 33.
    """
    path = _path_of_move(table, query)
    if path is None:
        return ask_for("path_mm", because=(_TOWARD, _AWAY), on=(query.mover,))
    clauses: Clauses = tuple(
        (rule.way, restriction_margins(table, query.mover, path, rule)) for rule in query.restrictions
    )
    result = all_of(clauses)
    first = min(
        (first for rule in query.restrictions if (first := _first_break(table, path, rule)) is not None), default=None
    )
    return replace(
        result,
        value={**result.value, "first_break_mm": first, "poses": {query.mover: {"at_mm": list(path[-1])}}},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)), *result.witness),
        because=(*result.because, *((_BOTH,) if len(clauses) > 1 else ())),
        readings=("toward-from",),
    )


def _path_of_move(table: ExactTable, query: TowardAway) -> Path | None:
    """The path told; of a direct move the length is enough, and it ends short of what stops an advance."""
    direct = [rule for rule in query.restrictions if rule.way.startswith("directly")]
    if query.distance_in is None or not direct:
        return None if query.distance_in is not None else path_of(table, query.mover, query.path_mm)
    here, goal = table.centre(query.mover), middle_of(table, direct[0].of)
    apart = math.dist(here, goal)
    if apart == 0:
        return None
    share = inches(query.distance_in) / apart * (1 if direct[0].way == "directly-toward" else -1)
    whole = here, (here[0] + share * (goal[0] - here[0]), here[1] + share * (goal[1] - here[1]))
    size = table.state.table
    going = replace(passability_of_advance(table, query.mover), slow=(), table_mm=(size.width_mm, size.depth_mm))
    return here, travel(table.base(query.mover), whole, going).end


def restriction_margins(table: ExactTable, mover: str, path: Path, rule: Restriction) -> RuleResult:
    """How much slack a restriction had: travel before the distance would turn, or straightness to spare."""
    touches = (mover, rule.of) if isinstance(rule.of, str) else (mover,)
    slack = min((_leg_slack(leg, rule) for leg in _legs_of(table, path, rule)), default=CAPPED_MM)
    reasons = (_TOWARD if "toward" in rule.way else _AWAY,)
    if rule.way.startswith("directly"):
        straight = table.state.still_tolerance_mm - _off_line_mm(table, path, rule)
        slack, reasons = min(slack, straight), (_DIRECT,)
    lenient = not terms_of(table).is_strict_about_toward or rule.way.startswith("directly")
    return RuleResult(margin_mm=min(CAPPED_MM, slack), zero_is_met=lenient, because=reasons, depends_on_place=touches)


def _legs_of(table: ExactTable, path: Path, rule: Restriction) -> Iterator[tuple[float, float]]:
    """Of each leg its length, and the travel at which it comes nearest to the one in question."""
    goal = middle_of(table, rule.of)
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if length > 0:
            yield length, ((goal[0] - a[0]) * (b[0] - a[0]) + (goal[1] - a[1]) * (b[1] - a[1])) / length


def _leg_slack(leg: tuple[float, float], rule: Restriction) -> float:
    """Source: Movement Restrictions, p. 33."""
    length, nearest = leg
    return nearest - length if "toward" in rule.way else -nearest


def _first_break(table: ExactTable, path: Path, rule: Restriction) -> float | None:
    """After how much travel it first broke the restriction."""
    before = 0.0
    for length, nearest in _legs_of(table, path, rule):
        if "toward" in rule.way and nearest < length - 1e-9:
            return before + max(0.0, nearest)
        if "away" in rule.way and nearest > 1e-9:
            return before
        before += length
    return None


def _off_line_mm(table: ExactTable, path: Path, rule: Restriction) -> float:
    """How far the path strays from the line through both centers."""
    (x, y), goal = path[0], middle_of(table, rule.of)
    apart = math.dist((x, y), goal) or 1.0
    ux, uy = (goal[0] - x) / apart, (goal[1] - y) / apart
    return max(abs((px - x) * uy - (py - y) * ux) for px, py in path)


def regroup_move(table: ExactTable, query: RegroupMove) -> RuleResult:
    """Regrouping: whether a trooper out of formation went back as it must. Source: Out of Formation, p. 64."""
    path = path_of(table, query.mover, query.path_mm)
    unit = next((u for u in table.state.units if u.id == table.miniature(query.mover).unit), None)
    if path is None:
        return ask_for("path_mm", because=(_REGROUP,), on=(query.mover,))
    commander = commander_of(table, unit)
    if commander is None:
        return ask_for(f"commander of the unit of {query.mover}", because=(_REGROUP,), on=(query.mover,))
    speed = speed_mm(table, query.mover)
    if speed is None:
        return ask_for(f"profile.spd_in of {query.mover}", because=(_REGROUP,), on=(query.mover,))
    advance = _check_back(table, query.mover, path, Restriction(way="toward", of=commander), speed)
    run = _check_back(table, query.mover, path, Restriction(way="directly-toward", of=commander), 2 * speed)
    forfeits: list[JsonValue] = ["combat-action"]
    return replace(
        any_of((advance, run)),
        value={"forfeits": forfeits, "ways": {"advance": advance.margin_mm, "run": run.margin_mm}},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_REGROUP,),
    )


def _check_back(table: ExactTable, mover: str, path: Path, rule: Restriction, allowance: float) -> RuleResult:
    spent = RuleResult(margin_mm=allowance - length_mm(path), because=(_REGROUP,), depends_on_place=(mover,))
    return all_of((("way", restriction_margins(table, mover, path, rule)), ("allowance", spent)))
