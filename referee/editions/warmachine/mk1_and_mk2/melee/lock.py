"""Lock: two who hold each other, what ends that, and what neither may do meanwhile."""

import math

from models.pose import Pose
from models.queries import Lock
from models.verdict import CAPPED_MM, Reason
from referee.editions.warmachine.charges.involuntary_movement import GHOST
from referee.editions.warmachine.miniatures.base_state import is_incorporeal
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.rules.candidates import is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult

_HOLDS = because("Maintaining Locks and Being Locked", "Neither advances or is pushed while the lock lasts.")
_BROKEN = because(
    "Maintaining Locks and Being Locked", "Moving or placing either, or knocking either down, breaks the lock."
)
_NONE = because("Maintaining Locks and Being Locked", "These two hold no lock.")
_DOWN = because("Knockdown", "A knocked down model is not moved by a slam.")


def lock(table: ExactTable, query: Lock) -> RuleResult:
    """Lock: whether the lock still holds: neither has moved, and no state breaks it. Source: Maintaining Locks."""
    pair = (query.attacker, query.target)
    if not is_locked(table, *pair):
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"may_move": True, "broken_by": []}, because=(_NONE,), depends_on_place=pair
        )
    shifts, allowed = {id_: _shift_mm(table, id_) for id_ in pair}, table.state.still_tolerance_mm
    each = {id_: RuleResult(margin_mm=allowed - shifts[id_], depends_on_place=(id_,)) for id_ in pair}
    moved = [id_ for id_ in pair if not is_zero_or_more(each[id_])]
    broken = [*(f"{id_} moved" for id_ in moved), *_breaking_states(table, query)]
    slack = min(allowed - shifts[id_] for id_ in pair)
    worst = max(pair, key=lambda id_: shifts[id_])
    told = f"{name_of(table, worst)} has moved {format_length(shifts[worst])}."
    holds, is_broken = not broken, bool(_breaking_states(table, query))
    return RuleResult(
        margin_mm=-CAPPED_MM if is_broken else slack,
        value={"may_move": not holds, "broken_by": [*broken]},
        lengths_mm={id_: mm for id_, mm in shifts.items() if mm > 0},
        because=(with_effect(table, _HOLDS if holds else _BROKEN, told),),
        depends_on_place=pair,
        conditions=() if is_broken else tuple(each.values()),
    )


def is_locked(table: ExactTable, a: str, b: str) -> bool:
    """Whether the state has a lock between these two. Source: Headlock/Weapon Lock."""
    pairs = ((a, b), (b, a))
    told = ((table.miniature(one).lock, other) for one, other in pairs)
    return any(held is not None and held.partner == other for held, other in told)


def _shift_mm(table: ExactTable, id_: str) -> float:
    """How far it stands from where it stood before its latest move, or when its activation began."""
    me = table.miniature(id_)
    starts = [me.before, me.this_turn.start if isinstance(me.this_turn.start, Pose) else None]
    return max((math.dist(p.at_mm, table.centre(id_)) for p in starts if p is not None), default=0.0)


def _breaking_states(table: ExactTable, query: Lock) -> list[str]:
    """The states that break it. Source: Maintaining Locks and Being Locked."""
    found = []
    for id_ in (query.attacker, query.target):
        me = table.miniature(id_)
        words = {"knocked-down", "removed"} | ({"stationary"} if id_ == query.attacker else set())
        found += [f"{id_} {word}" for word in sorted(words & set(me.status))]
        found += [f"{id_} incorporeal"] if is_incorporeal(me) else []
        found += [f"{id_} placed"] if "placed" in me.this_turn.moved else []
    return found


def check_unlocked(table: ExactTable, who: str) -> RuleResult:
    """Whether no lock keeps it where it is. Source: Maintaining Locks and Being Locked."""
    held = table.miniature(who).lock
    holds = held is not None and held.partner in table.miniatures
    return RuleResult(
        margin_mm=-CAPPED_MM if holds else CAPPED_MM, because=(_HOLDS,) if holds else (), depends_on_place=(who,)
    )


def why_not_moved(table: ExactTable, who: str, how: str) -> Reason | None:
    """Why nothing moves it that way. Source: Slam; Advantages; Maintaining Locks and Being Locked."""
    me = table.miniature(who)
    if how == "slammed":
        return GHOST if is_incorporeal(me) else _DOWN if "knocked-down" in me.status else None
    held = me.lock is not None and me.lock.partner in table.miniatures
    return _HOLDS if how == "pushed" and held else None
