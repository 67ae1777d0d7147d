"""Protection: who takes a blow for a character. Source: Characters, p. 82-83."""

from pydantic import JsonValue

from models.queries import LookOutSir
from models.verdict import CAPPED_MM, Reason
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.formations import strength_of
from referee.editions.warhammer_9.measuring import Apart, apart, ruler
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import all_regiments, are_friends, garrisoned, kind_of, leading, members_of
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, name_of

_LOOK = because("Look Out Sir", 83, "Five others of its kind protect a character: in their unit always, near by on 4+.")
_PICKED = because(
    "Characters and Shooting", 82, "One of a stronger kind may be picked out; on 4+ its unit takes the hit."
)
_FOUR: dict[str, JsonValue] = {"needs": 4, "dice": "1d6", "exact": "1/2", "p": 0.5}
_ALWAYS: dict[str, JsonValue] = {"needs": None, "exact": "1", "p": 1.0}


def look_out_sir(table: Situation, query: LookOutSir) -> Ruling:
    """Whether others take the blow for a character. Source: Look Out Sir, p. 83; Shooting at Characters, p. 82."""
    own = leading(table, query.who)
    if own.unit is not None:
        return _in_unit(table, query, own.unit)
    near = [
        (apart(table, query.who, one), one)
        for one in all_regiments(table)
        if one != query.who and are_friends(table, query.who, one) and _is_enough(table, one, kind_of(own))
    ]
    if not near or query.cause == "charge":
        return _protected(table, -CAPPED_MM, "roll", None, None)
    between, by = min(near, key=lambda found: found[0].mm)
    return _protected(table, parameters.LOOK_OUT_MM - max(0.0, between.mm), "roll", by, between)


def _in_unit(table: Situation, query: LookOutSir, unit: str) -> Ruling:
    """In a unit: always, by 4+ as it charges out of it; who is of a stronger kind may be picked out by shots."""
    own = leading(table, query.who)
    if _is_enough(table, unit, kind_of(own)):
        return _protected(table, CAPPED_MM, "roll" if query.cause == "charge" else "automatic", unit, None)
    if query.cause != "shot" or own.has("towering") or not _is_stronger(table, query.who, unit):
        return _protected(table, -CAPPED_MM, "roll", None, None)
    return _protected(table, CAPPED_MM, "roll", unit, None, rule=_PICKED)


def _is_stronger(table: Situation, who: str, unit: str) -> bool:
    """Whether it counts for more than each of those it stands with, of whom there are some."""
    plain = [m for m in members_of(table, unit) if "character" not in table.miniature(m).role]
    return bool(plain) and (strength_of(table, who) or 0.0) > max(strength_of(table, m) or 0.0 for m in plain)


def _is_enough(table: Situation, unit: str, kind: str) -> bool:
    minis = [table.miniature(m) for m in members_of(table, unit)]
    like = [m for m in minis if kind_of(m) == kind and "character" not in m.role]
    return len(like) >= parameters.LOOK_OUT_RANK_AND_FILE


def _protected(
    table: Situation, margin: float, how: str, by: str | None, between: Apart | None, rule: Reason = _LOOK
) -> Ruling:
    value: dict[str, JsonValue] = {"how": how if margin >= 0 else "none", "by": by}
    if margin >= 0:
        value["chance"] = _FOUR if how == "roll" else _ALWAYS
    told = "Nobody is near enough." if by is None else f"{name_of(table, by)} protects it."
    role = "clear" if margin >= 0 else "blocked"
    inside = between is not None and by is not None and garrisoned(table, by) is not None
    return Ruling(
        margin_mm=margin,
        value=value,
        lengths_mm={} if between is None else {"distance": max(0.0, between.mm)},
        witness=() if table.lean or between is None else (ruler(table, between, role),),
        because=(applied(table, rule, told),),
        readings=("garrison-edge",),
        doubtful=("garrison-edge",) if inside else (),
        touches=() if between is None else between.touches,
    )
