"""Look out, sir: who takes a blow for a character. Source: Characters, p. 82-83."""

from pydantic import JsonValue

from models.queries import LookOutSir
from models.verdict import CAPPED_MM, Reason
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import ClosestBases, closest_bases, ruler
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    garrisoned_building,
    kind_of,
    leading_miniature,
    members_of,
)
from referee.editions.warhammer_9.units.unit_strength import strength_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_LOOK = because("Look Out Sir", 83, "Five others of its kind protect a character: in their unit always, near by on 4+.")
_PICKED = because("Shooting", 82, "One of a stronger kind may be picked out; on 4+ its unit takes the hit.")
_FOUR: dict[str, JsonValue] = {"needs": 4, "dice": "1d6", "exact": "1/2", "p": 0.5}
_ALWAYS: dict[str, JsonValue] = {"needs": None, "exact": "1", "p": 1.0}


def look_out_sir(table: ExactTable, query: LookOutSir) -> RuleResult:
    """Look out, sir: whether others take the blow for a character.

    Source: "Look Out Sir!", p. 83; Shooting, p. 82.
    """
    own = leading_miniature(table, query.who)
    if own.unit is not None:
        return _protection_in_unit(table, query, own.unit)
    near = [
        (closest_bases(table, query.who, id_), id_)
        for id_ in all_regiments(table)
        if id_ != query.who
        and are_friends(table, query.who, id_)
        and _has_enough_rank_and_file(table, id_, kind_of(own))
    ]
    if not near or query.cause == "charge":
        return _protection_result(table, -CAPPED_MM, "roll", None, None)
    between, by = min(near, key=lambda closest: closest[0].mm)
    return _protection_result(table, parameters.LOOK_OUT_MM - max(0.0, between.mm), "roll", by, between)


def _protection_in_unit(table: ExactTable, query: LookOutSir, unit: str) -> RuleResult:
    """In a unit: always, by 4+ as it charges out of it; who is of a stronger kind may be picked out by shots."""
    own = leading_miniature(table, query.who)
    if _has_enough_rank_and_file(table, unit, kind_of(own)):
        return _protection_result(table, CAPPED_MM, "roll" if query.cause == "charge" else "automatic", unit, None)
    if query.cause != "shot" or own.has("towering") or not _is_stronger(table, own.id, unit):
        return _protection_result(table, -CAPPED_MM, "roll", None, None)
    return _protection_result(table, CAPPED_MM, "roll", unit, None, rule=_PICKED)


def _is_stronger(table: ExactTable, protector: str, unit: str) -> bool:
    """Whether it counts for more than each of those it stands with, of whom there are some."""
    plain = [m for m in members_of(table, unit) if "character" not in table.miniature(m).role]
    return bool(plain) and (strength_of(table, protector) or 0.0) > max(strength_of(table, m) or 0.0 for m in plain)


def _has_enough_rank_and_file(table: ExactTable, unit: str, kind: str) -> bool:
    minis = [table.miniature(m) for m in members_of(table, unit)]
    like = [m for m in minis if kind_of(m) == kind and "character" not in m.role]
    return len(like) >= parameters.LOOK_OUT_RANK_AND_FILE


def _protection_result(
    table: ExactTable, margin: float, how: str, by: str | None, between: ClosestBases | None, rule: Reason = _LOOK
) -> RuleResult:
    on = () if between is None else between.depends_on
    holds = is_at_least(margin, 0.0, "is protected by", on)
    value: dict[str, JsonValue] = {"how": how if holds else "none", "by": by}
    if holds:
        value["chance"] = _FOUR if how == "roll" else _ALWAYS
    text = "Nobody is near enough." if by is None else f"{name_of(table, by)} protects it."
    role = "clear" if holds else "blocked"
    inside = between is not None and by is not None and garrisoned_building(table, by) is not None
    return RuleResult(
        margin_mm=margin,
        value=value,
        lengths_mm={} if between is None else {"distance": max(0.0, between.mm)},
        witness=() if table.margins_only or between is None else (ruler(table, between, role),),
        because=(with_effect(table, rule, text),),
        readings=("garrison-edge",),
        doubtful=("garrison-edge",) if inside else (),
        depends_on_place=on,
    )
