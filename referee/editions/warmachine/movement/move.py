"""Move: whether a path may be gone, and what comes of it; and standing up."""

import math
from collections.abc import Mapping
from dataclasses import replace

from pydantic import JsonValue

from models.pose import Pose
from models.queries import FreeStrike, Move, StandUp
from models.turn import UnitPose
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.melee.free_strike import free_strike
from referee.editions.warmachine.melee.in_melee import check_link, enemies
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.miniatures.turn_ledger import check_turn, ledger_of
from referee.editions.warmachine.movement.cross_obstacle import deepest_return
from referee.editions.warmachine.movement.path import Path, passability_of_advance, path_of, speed_mm
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import gap
from referee.motion.travel_budget import (
    TravelLimits,
    TravelResult,
    heading_after,
    length_mm,
    meetings,
    place_after,
    place_shape,
    sort_by_distance,
    swept_gap,
    travel,
)
from referee.rules.candidates import in_play, is_zero_or_more
from referee.rules.conditions import Clauses, all_of_as_told, list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import FacingMissing, RuleResult, Value, ask_for

_ADVANCE = because("Full Advance", 30, "A full advance goes up to the current speed, measured along the path.")
_RUN = because("Run", 30, "A run goes up to twice the current speed.")
_GRANTED = because("End of Activation Movement", 33, "It goes as far as the rule that grants it says, and only once.")
_ROUGH = because("Rough Terrain", 78, "While any part of the base is in rough terrain it moves at half rate.")
_BASES = because("Normal Movement & Advancing", 30, "No base passes over another while advancing.")
_SOLID = because(
    "Obstructions", 81, "Only Flight and Incorporeal lead through obstructions; nothing enters impassable."
)
_ACROSS = because("Obstacles", 80, "What is crossed has to be left wholly behind; else one stops short of it.")
_TABLE = because("Normal Movement & Advancing", 30, "One moves on the table.")
_GRANTED_BY_RULE = frozenset({"end-of-activation", "vanguard", "light-cavalry", "ride-by"})
_COLOSSAL = because("Colossal Movement", 67, "A colossal or gargantuan advances only in its Normal Movement.")
_RISE = because("Knockdown", 61, "It gives up movement or action, in its own activation.")
_NOT_YET = because("Knockdown", 61, "Not in the turn of its own player in which it fell.")
_ALL_ROUND_DEG = 360


def move(table: ExactTable, query: Move) -> RuleResult:
    """Move: whether a path may be gone, and what it costs, meets and provokes. Source: p. 30; Terrain, p. 78-81."""
    allowance = allowance_mm(table, query)
    path = path_of(
        table,
        query.mover,
        query.path_mm,
        heading_deg=query.heading_deg,
        distance_mm=allowance if query.distance_in is None else inches(query.distance_in),
        to=query.to if isinstance(query.to, Pose) else None,
    )
    if query.steps is not None or isinstance(query.to, UnitPose):
        return RuleResult(status="refused", because=(_ADVANCE,), advice="Steps are for ranked units; tell a path.")
    if path is None:
        return ask_for("path_mm", because=(_ADVANCE,), on=(query.mover,))
    going = passability_of_advance(table, query.mover, unhindered=query.manner in ("fly", "incorporeal"))
    walked = travel(table.base(query.mover), path, going, math.inf if allowance is None else allowance)
    more, extras = terms_of(table).move_extras(table, query, walked, allowance)
    clauses = (*_clauses(table, query, path, walked, going, allowance), *more)
    result = all_of_as_told(clauses)
    witness = (draw_path(query.mover, path, walked), *result.witness)
    if result.status == "unknown":
        return replace(result, value=_value(table, query, path, walked, allowance), witness=witness)
    return replace(
        result,
        value={
            **result.value,
            **_value(table, query, path, walked, allowance),
            **extras,
            **first_violation(result, clauses, walked),
        },
        lengths_mm={"travelled": walked.travelled_mm, "spent": walked.spent_mm},
        witness=witness,
    )


def allowance_mm(table: ExactTable, query: Move) -> float | None:
    """How far it may go. Source: Full Advance and Run, p. 30; End of Activation Movement, p. 33."""
    if query.allowance_in is not None:
        return inches(query.allowance_in)
    speed = speed_mm(table, query.mover)
    if query.manner in _GRANTED_BY_RULE:
        return terms_of(table).granted_move_mm.get(query.manner)
    if speed is None:
        return None
    return 2 * speed if query.manner == "run" else speed


def _clauses(
    table: ExactTable, query: Move, path: Path, walked: TravelResult, going: TravelLimits, allowance: float | None
) -> Clauses:
    mover = query.mover
    return (
        ("able", _check_may_move(table, query)),
        ("allowance", _check_allowance(query, walked, allowance)),
        ("free", check_unobstructed(table, mover, path, going)),
        ("crossed", _check_wholly_past(table, mover, path, going)),
        ("table", check_on_table(table, mover, path)),
    )


def _check_may_move(table: ExactTable, query: Move) -> RuleResult:
    """Source: Knockdown and Stationary, p. 61; Inert, p. 59; Run, p. 30; Crippled Movement, p. 58; p. 67."""
    me = table.miniature(query.mover)
    granted, done = query.manner in _GRANTED_BY_RULE, _is_done(table, query)
    act = "run" if query.manner == "run" else "advance"
    left = check_turn(table, me.id, act, judged="granted" if granted else "done" if done else "planned")
    if left.because:
        return left
    if query.manner == "end-of-activation" and is_huge(me) and me.type in (None, "warjack", "warbeast"):
        return RuleResult(margin_mm=-CAPPED_MM, because=(_COLOSSAL,), depends_on_place=(me.id,))
    return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(me.id,))


def _is_done(table: ExactTable, query: Move) -> bool:
    """Whether a move is told that was made: by the tracked path, or by one that began elsewhere than it stands now."""
    if query.path_mm is None:
        return query.heading_deg is None and query.to is None
    off_mm = math.dist(query.path_mm[0], table.miniature(query.mover).at_mm)
    return len(query.path_mm) > 1 and off_mm > table.state.still_tolerance_mm


def _check_allowance(query: Move, walked: TravelResult, allowance: float | None) -> RuleResult:
    """Whether the allowance pays for the whole path. Source: Full Advance, p. 30; Rough Terrain, p. 78."""
    reason = {"run": _RUN, "end-of-activation": _GRANTED}.get(query.manner or "", _ADVANCE)
    reasons = (reason, _ROUGH) if walked.ground else (reason,)
    if allowance is None:
        by_speed = query.manner in (None, "advance", "run", "fly", "incorporeal")
        need = f"profile.spd_in of {query.mover}" if by_speed else "allowance_in"
        return ask_for(need, because=reasons, on=(query.mover,))
    touches = (query.mover, *(stretch.id for stretch in walked.ground))
    return RuleResult(
        margin_mm=allowance - walked.needed_mm, because=reasons, readings=("move-measure",), depends_on_place=touches
    )


def check_unobstructed(table: ExactTable, mover: str, path: Path, going: TravelLimits) -> RuleResult:
    """Whether nothing solid is passed through. Source: Normal Movement & Advancing, p. 30; Obstructions, p. 81."""
    base, tolerance = table.base(mover), table.state.contact_tolerance_mm
    least, nearest = CAPPED_MM, mover
    for bound, id_, part in sort_by_distance(base, path, going.stops):
        if bound >= least:
            break
        apart = min(
            swept_gap(base, path, part) - min(0.0, max(-2.0, gap(place_shape(base, path[0]), part).mm)), CAPPED_MM
        )
        if apart < least:
            least, nearest = apart, id_
    reason = _BASES if nearest in table.miniatures else _SOLID
    return RuleResult(
        margin_mm=_past_tolerance(least, tolerance),
        slack_mm=min(CAPPED_MM, least + tolerance),
        because=(reason,) if least < CAPPED_MM else (),
        depends_on_place=(mover, nearest),
    )


def _past_tolerance(apart_mm: float, tolerance_mm: float) -> float:
    """The margin of a clearance: none is wanting where bases that touch seem to overlap a little."""
    return 0.0 if -tolerance_mm <= apart_mm < 0 else apart_mm


def _check_wholly_past(table: ExactTable, mover: str, path: Path, going: TravelLimits) -> RuleResult:
    """Whether what is crossed is left wholly behind, and not on the side where it came.

    Source: Obstacles, p. 80; Flags, p. 83; Advantages, p. 17.
    """
    end, tolerance = place_shape(table.base(mover), path[-1]), table.state.contact_tolerance_mm
    least, nearest = CAPPED_MM, mover
    for id_, area in going.crossed:
        apart = min((gap(end, part).mm for part in area.parts), default=CAPPED_MM)
        if apart < least:
            least, nearest = apart, id_
    met = nearest != mover and (least < -tolerance or bool(meetings(table.base(mover), path, going.crossed)))
    reasons = (_ACROSS,) if met else ()
    returned = deepest_return(table, mover, path, going.crossed)
    if returned is not None and -returned.depth_mm < least:
        least, nearest = -returned.depth_mm, returned.feature
    short = _past_tolerance(least, tolerance)
    return RuleResult(
        margin_mm=short if short < 0 else CAPPED_MM,
        slack_mm=min(CAPPED_MM, least + tolerance),
        because=reasons,
        depends_on_place=(mover, nearest),
    )


def check_on_table(table: ExactTable, mover: str, path: Path) -> RuleResult:
    size = table.state.table
    inside = [
        min(x, y, size.width_mm - x, size.depth_mm - y) - base.radius_mm
        for point in path
        for base in (place_shape(table.base(mover), point),)
        for x, y in base.points
    ]
    margin = min(inside)
    return RuleResult(
        margin_mm=margin if margin < 0 else CAPPED_MM,
        because=(_TABLE,) if margin < 0 else (),
        depends_on_place=(mover,),
    )


def draw_path(mover: str, path: Path, walked: TravelResult) -> Witness:
    points = (*(p for k, p in enumerate(path) if k == 0 or _start_of(path, k) < walked.travelled_mm), walked.end)
    return Witness(type="polyline", role="path", points_mm=points, of=(mover,))


def _start_of(path: Path, k: int) -> float:
    return length_mm(path[: k + 1])


def _value(table: ExactTable, query: Move, path: Path, walked: TravelResult, allowance: float | None) -> Value:
    pose: Value = {"at_mm": list(walked.end)}
    heading = heading_after(path, walked.travelled_mm) if query.facing_deg is None else math.radians(query.facing_deg)
    if heading is not None:
        pose["facing_deg"] = round(math.degrees(heading) % 360.0, 9)
    value: Value = {
        "travelled_mm": walked.travelled_mm,
        "spent_mm": walked.spent_mm,
        "left_mm": None if allowance is None else max(0.0, allowance - walked.spent_mm),
        "poses": {query.mover: pose},
        "stopped_by": walked.stopped_by,
        "ground": [
            {"id": s.id, "rate": s.rate, "from_mm": s.from_mm, "to_mm": min(s.to_mm, walked.travelled_mm)}
            for s in walked.ground
            if s.from_mm < walked.travelled_mm
        ],
    }
    return value if table.margins_only else value | _consequences(table, query, path, walked, heading)


def _consequences(table: ExactTable, query: Move, path: Path, walked: TravelResult, heading: float | None) -> Value:
    """Whom it touches and who strikes on its way, and with whom it is in melee where it ends."""
    mover, gone = query.mover, travelled_path(path, walked.travelled_mm)
    ended = table.with_end(mover, walked.end)
    ended = ended if heading is None else ended.with_facing(mover, heading)
    others = tuple((id_, table.area(id_)) for id_ in in_play(table, mover))
    touched = meetings(table.base(mover), gone, others)
    return {
        "contacts": [{"id": stop.id, "after_mm": stop.after_mm} for stop in touched],
        "free_strikes": _list_strikers(table, mover, gone),
        "in_melee_with": [id_ for id_ in enemies(ended, mover) if _is_fighting(ended, mover, id_)],
    }


def travelled_path(path: Path, travel_mm: float) -> Path:
    """The part of the path that was gone."""
    return (*(p for k, p in enumerate(path) if k == 0 or _start_of(path, k) < travel_mm), place_after(path, travel_mm))


def _list_strikers(table: ExactTable, mover: str, path: Path) -> list[JsonValue]:
    if length_mm(path) == 0:
        return []
    try:
        strikes = free_strike(table, FreeStrike(mover=mover, path_mm=path))
    except FacingMissing:
        return []
    return [striker.id for striker in strikes.members if striker.result is not None and is_zero_or_more(striker.result)]


def _is_fighting(table: ExactTable, mover: str, other: str) -> bool:
    try:
        return is_zero_or_more(check_link(table, mover, other))
    except FacingMissing:
        return False


def first_violation(result: RuleResult, clauses: Clauses, walked: TravelResult) -> Value:
    """What is wrong with the move, and where."""
    value: dict[str, JsonValue | list[JsonValue]] = result.value
    failed = [c for c in value.get("clauses", []) if isinstance(c, dict) and c["answer"] == "no"]  # type: ignore[union-attr]
    if not failed:
        return {"violation": None}
    worst = min(failed, key=lambda c: float(str(c["margin_mm"])))
    place: Point = walked.end
    hangs_on = next(clause.depends_on_place for name, clause in clauses if name == worst["clause"])
    thing = walked.stopped_by or next(iter(hangs_on[1:]), None)
    return {"violation": {"what": worst["clause"], "thing": thing, "at_mm": list(place)}}


def check_stand_up(table: ExactTable, query: StandUp, barred: Mapping[str, tuple[str, ...]]) -> RuleResult:
    """Whether it may rise now; `barred` tells what else goes with the half it gives up. Source: Knockdown, p. 61."""
    me, turn = table.miniature(query.who), table.state.turn
    mine = turn is None or turn.active is None or me.side is None or turn.active == me.side
    spent = ledger_of(table, query.who).why_not("stand-up")
    holds = {
        "knocked-down": "knocked-down" in me.status,
        "own-turn": mine,
        "not-in-the-turn-it-fell": "fell-now" not in spent,
        "not-moved": not set(spent) - {"fell-now"},
    }
    clauses = {name: CAPPED_MM if held else -CAPPED_MM for name, held in holds.items()}
    failed = [name for name, held in holds.items() if not held]
    return RuleResult(
        margin_mm=min(clauses.values()),
        value={
            "clauses": list_margins(clauses),
            "arc_before": "all-round" if me.front_arc_deg == _ALL_ROUND_DEG else "front",
            "then_barred": [*barred.get(query.gives_up or "", ())],
            "facing_deg": query.facing_deg,
        },
        because=(
            with_effect(table, _RISE, f"Against it: {', '.join(failed)}." if failed else "It may rise."),
            _NOT_YET,
        ),
        depends_on_place=(query.who,),
    )
