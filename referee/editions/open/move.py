"""Move of the open edition: how long a way is, what it costs, and whether the base passes."""

import math

from pydantic import JsonValue

from models.pose import Pose
from models.queries import Move
from models.terrain import Terrain
from models.turn import UnitPose
from models.unit_conversion import inches
from referee.editions.open.settings import IMPASSABLE_KINDS, SLOW_KINDS, because, explain_setting
from referee.editions.warmachine.movement.move import (
    check_on_table,
    check_unobstructed,
    draw_path,
    first_violation,
    travelled_path,
)
from referee.editions.warmachine.movement.path import Path, path_of, speed_mm
from referee.motion.travel_budget import TravelLimits, TravelResult, heading_after, meetings, travel
from referee.rules.candidates import in_play
from referee.rules.conditions import all_of_as_told
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.sides import friends_of

_READINGS = ("open-pass", "open-rough")
_LENGTH = because("how a way is measured", "A way is as long as the middle of the base travels, along all its bends.")


def move(table: ExactTable, query: Move) -> RuleResult:
    """Move: whether a way may be gone: as long as allowed, through nothing solid, on the table."""
    if query.steps is not None or isinstance(query.to, UnitPose):
        return RuleResult(status="refused", because=(_LENGTH,), advice="Steps are for ranked units; tell a path.")
    allowance = _allowance_mm(table, query)
    path = path_of(
        table,
        query.mover,
        query.path_mm,
        heading_deg=query.heading_deg,
        distance_mm=allowance if query.distance_in is None else inches(query.distance_in),
        to=query.to if isinstance(query.to, Pose) else None,
    )
    if path is None:
        return RuleResult(status="unknown", needs=("path_mm",), because=(_LENGTH,), depends_on_place=(query.mover,))
    limits = limits_of_move(table, query.mover, is_unhindered=query.manner in ("fly", "incorporeal"))
    walked = travel(table.base(query.mover), path, limits, math.inf if allowance is None else allowance)
    return _tell_move(table, query, path, walked, limits, allowance)


def _tell_move(
    table: ExactTable, query: Move, path: Path, walked: TravelResult, limits: TravelLimits, allowance: float | None
) -> RuleResult:
    clauses = [
        ("free", check_unobstructed(table, query.mover, path, limits)),
        ("table", check_on_table(table, query.mover, path)),
    ]
    if allowance is not None:  # a way of which nobody told how long it may be is measured all the same
        clauses.insert(0, ("allowance", _check_allowance(table, query.mover, walked, allowance)))
    result = all_of_as_told(tuple(clauses))
    value = _value(table, query, path, walked, allowance)
    return RuleResult(
        margin_mm=result.margin_mm,
        slack_mm=result.slack_mm,
        zero_is_met=result.zero_is_met,
        value={**result.value, **value, **first_violation(result, tuple(clauses), walked)},
        lengths_mm={"travelled": walked.travelled_mm, "spent": walked.spent_mm},
        witness=(draw_path(query.mover, path, walked), *result.witness),
        because=tuple(dict.fromkeys((_LENGTH, *result.because))),
        readings=_READINGS,
        depends_on_place=result.depends_on_place,
        conditions=result.conditions,
        joined_by=result.joined_by,
    )


def limits_of_move(table: ExactTable, mover: str, *, is_unhindered: bool = False) -> TravelLimits:
    """What slows and what stops a base, by the settings; one that flies is slowed and stopped by nothing."""
    if is_unhindered:
        return TravelLimits()
    stops = [id_ for id_ in in_play(table, mover) if not _passes(table, mover, id_)]
    stops += [piece.id for piece in table.state.terrain if _is_impassable(piece)]
    is_slow = table.reading("open-rough") == "double"
    slow = [piece.id for piece in table.state.terrain if is_slow and _is_slow(piece)]
    return TravelLimits(tuple((id_, table.area(id_)) for id_ in slow), tuple((id_, table.area(id_)) for id_ in stops))


def _passes(table: ExactTable, mover: str, other: str) -> bool:
    """Whether one may move through the other."""
    how, side = table.reading("open-pass"), table.miniature(mover).side
    is_friend = side is not None and table.miniature(other).side in friends_of(table.state, side)
    return how == "everybody" or (how == "friends" and is_friend)


def _is_impassable(piece: Terrain) -> bool:
    return piece.ground == "impassable" or (piece.ground is None and piece.kind in IMPASSABLE_KINDS)


def _is_slow(piece: Terrain) -> bool:
    return piece.ground in ("rough", "half-rate") or (piece.ground is None and piece.kind in SLOW_KINDS)


def _allowance_mm(table: ExactTable, query: Move) -> float | None:
    """How far it may go: told, else the speed on its card, twice that where it runs."""
    if query.allowance_in is not None:
        return inches(query.allowance_in)
    speed = speed_mm(table, query.mover)
    return 2 * speed if speed is not None and query.manner in ("run", "march") else speed


def _check_allowance(table: ExactTable, mover: str, walked: TravelResult, allowance_mm: float) -> RuleResult:
    reasons = (_LENGTH, explain_setting(table, "open-rough")) if walked.ground else (_LENGTH,)
    touches = (mover, *(stretch.id for stretch in walked.ground))
    return RuleResult(margin_mm=allowance_mm - walked.needed_mm, because=reasons, depends_on_place=touches)


def _value(
    table: ExactTable, query: Move, path: Path, walked: TravelResult, allowance_mm: float | None
) -> dict[str, JsonValue]:
    pose: dict[str, JsonValue] = {"at_mm": list(walked.end)}
    heading = heading_after(path, walked.travelled_mm) if query.facing_deg is None else math.radians(query.facing_deg)
    if heading is not None:
        pose["facing_deg"] = round(math.degrees(heading) % 360.0, 9)
    others = tuple((id_, table.area(id_)) for id_ in in_play(table, query.mover))
    touched = meetings(table.base(query.mover), travelled_path(path, walked.travelled_mm), others)
    ground: list[JsonValue] = [
        {"id": s.id, "rate": s.rate, "from_mm": s.from_mm, "to_mm": min(s.to_mm, walked.travelled_mm)}
        for s in walked.ground
        if s.from_mm < walked.travelled_mm
    ]
    return {
        "travelled_mm": walked.travelled_mm,
        "spent_mm": walked.spent_mm,
        "left_mm": None if allowance_mm is None else max(0.0, allowance_mm - walked.spent_mm),
        "poses": {query.mover: pose},
        "stopped_by": walked.stopped_by,
        "ground": ground,
        "contacts": [{"id": stop.id, "after_mm": stop.after_mm} for stop in touched],
    }
