"""Locks: two who hold each other, what ends that, and what neither may do meanwhile."""

import math

from models.pose import Pose
from models.queries import Lock
from models.verdict import CAPPED_MM, Reason
from referee.editions.hordes_mk2.parameters import because
from referee.editions.warmachine_prime.ground import is_incorporeal
from referee.editions.warmachine_prime.shoves import GHOST
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_HOLDS = because("Maintaining Locks and Being Locked", "Neither advances or is pushed while the lock lasts.")
_BROKEN = because(
    "Maintaining Locks and Being Locked", "Moving or placing either, or knocking either down, breaks the lock."
)
_NONE = because("Maintaining Locks and Being Locked", "These two hold no lock.")
_DOWN = because("Knockdown", "A knocked down model is not moved by a slam.")


def lock(table: Situation, query: Lock) -> Ruling:
    """Whether the lock still holds: neither has moved, and no state breaks it. Source: Maintaining Locks."""
    pair = (query.attacker, query.target)
    if not is_locked(table, *pair):
        return Ruling(margin_mm=-CAPPED_MM, value={"may_move": True, "broken_by": []}, because=(_NONE,), touches=pair)
    shifts = {id_: _shift_mm(table, id_) for id_ in pair}
    moved = [id_ for id_ in pair if shifts[id_] > _tolerance_mm(table, id_)]
    broken = [*(f"{id_} moved" for id_ in moved), *_states(table, query)]
    slack = min(_tolerance_mm(table, id_) - shifts[id_] for id_ in pair)
    worst = max(pair, key=lambda id_: shifts[id_])
    told = f"{name_of(table, worst)} has moved {length(shifts[worst])}."
    holds = not broken
    return Ruling(
        margin_mm=slack if holds or (moved and not _states(table, query)) else -CAPPED_MM,
        value={"may_move": not holds, "broken_by": [*broken]},
        lengths_mm={id_: mm for id_, mm in shifts.items() if mm > 0},
        because=(applied(table, _HOLDS if holds else _BROKEN, told),),
    )


def is_locked(table: Situation, a: str, b: str) -> bool:
    """Whether the state has a lock between these two. Source: Headlock/Weapon Lock."""
    pairs = ((a, b), (b, a))
    told = ((table.miniature(one).lock, other) for one, other in pairs)
    return any(held is not None and held.partner == other for held, other in told)


def _tolerance_mm(table: Situation, id_: str) -> float:
    (a, _), _ = table.miniature(id_).covariance()
    return max(table.state.still_tolerance_mm, 2 * math.sqrt(a))


def _shift_mm(table: Situation, id_: str) -> float:
    """How far it stands from where it stood before its latest move, or when its activation began."""
    me = table.miniature(id_)
    starts = [me.before, me.this_turn.start if isinstance(me.this_turn.start, Pose) else None]
    return max((math.dist(p.at_mm, table.centre(id_)) for p in starts if p is not None), default=0.0)


def _states(table: Situation, query: Lock) -> list[str]:
    """The states that break it. Source: Maintaining Locks and Being Locked."""
    found = []
    for id_ in (query.attacker, query.target):
        me = table.miniature(id_)
        words = {"knocked-down", "removed"} | ({"stationary"} if id_ == query.attacker else set())
        found += [f"{id_} {word}" for word in sorted(words & set(me.status))]
        found += [f"{id_} incorporeal"] if is_incorporeal(me) else []
        found += [f"{id_} placed"] if "placed" in me.this_turn.moved else []
    return found


def free(table: Situation, who: str) -> Ruling:
    """Whether no lock keeps it where it is. Source: Maintaining Locks and Being Locked."""
    held = table.miniature(who).lock
    holds = held is not None and held.partner in table.miniatures
    return Ruling(margin_mm=-CAPPED_MM if holds else CAPPED_MM, because=(_HOLDS,) if holds else (), touches=(who,))


def why_still(table: Situation, who: str, how: str) -> Reason | None:
    """Why nothing moves it that way. Source: Slam; Advantages; Maintaining Locks and Being Locked."""
    me = table.miniature(who)
    if how == "slammed":
        return GHOST if is_incorporeal(me) else _DOWN if "knocked-down" in me.status else None
    held = me.lock is not None and me.lock.partner in table.miniatures
    return _HOLDS if how == "pushed" and held else None
