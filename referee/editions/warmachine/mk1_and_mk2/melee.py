"""Melee: back strikes, locks, and shots that missed into a melee."""

import math
from dataclasses import replace
from itertools import accumulate, pairwise
from math import dist

from models.pose import Pose
from models.queries import BackStrike, Lock, Range
from models.verdict import CAPPED_MM, Reason
from models.vocabulary import Point
from referee.editions.warmachine.attacks.sprays import check_line_past
from referee.editions.warmachine.charges.involuntary_movement import GHOST
from referee.editions.warmachine.melee.attack_eligibility import check_behind
from referee.editions.warmachine.miniatures.arcs import arc_depth_mm
from referee.editions.warmachine.miniatures.base_state import is_incorporeal
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.movement.path import path_of
from referee.rules.candidates import is_met, is_zero_or_more
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult, Value, ask_for, plain_condition

_SINCE = because("Back Strikes", "It has to be in the back arc from the start of its activation to the attack.")
_OWN = because("Back Strikes", "Only attacks made in its own activation are back strikes.")
_FROM = because("Point of Origin", "An attack comes from the model it starts at, a channeler where there is one.")
_HOLDS = because("Maintaining Locks and Being Locked", "Neither advances or is pushed while the lock lasts.")
_BROKEN = because(
    "Maintaining Locks and Being Locked", "Moving or placing either, or knocking either down, breaks the lock."
)
_NONE = because("Maintaining Locks and Being Locked", "These two hold no lock.")
_DOWN = because("Knockdown", "A knocked down model is not moved by a slam.")
_DRAWN = because(
    "Targeting a Model in Melee", "Not those to whom terrain closes every line; models in the way hide nobody."
)


def back_strike(table: ExactTable, query: BackStrike) -> RuleResult:
    """Back strike: whether the origin has been wholly behind the target all its activation; touching the arc line is
    not behind.

    Source: Back Strikes; Point of Origin.
    """
    if not _is_own_turn(table, query.attacker):
        none: Value = {"bonus": 0, "bonus_to": "attack", "first_break_mm": None}
        return RuleResult(
            margin_mm=-CAPPED_MM, value=none, because=(_OWN,), depends_on_place=(query.attacker, query.target)
        )
    source: str | Point = query.attacker if query.origin is None else query.origin
    path = _path_of_origin(table, query, source)
    if path is None:
        return _answer_untracked(table, query, source)
    depths = [_depth_mm(table, query.target, source, place) for place in path]
    worst = max(range(len(path)), key=lambda k: depths[k])
    at_worst = table.with_end(source, path[worst]) if isinstance(source, str) and source in table.miniatures else table
    result = check_behind(at_worst, query.target, source)
    gone = [0.0, *accumulate(dist(a, b) for a, b in pairwise(path))]
    broken = [k for k, depth in enumerate(depths) if depth >= -1e-9]
    first = _first_break_mm(depths, gone, broken[0]) if broken else None
    value = {"bonus": 2 if is_met(result, "stays behind") else 0, "bonus_to": "attack", "first_break_mm": first}
    return replace(result, value={**value}, because=(_SINCE, *result.because))


def _is_own_turn(table: ExactTable, attacker: str) -> bool:
    """Whether it is its side's turn; untold, it is taken for granted. Source: Back Strikes."""
    turn = table.state.turn
    return turn is None or turn.active in (None, table.miniature(attacker).side)


def _path_of_origin(table: ExactTable, query: BackStrike, source: str | Point) -> tuple[Point, ...] | None:
    """Where the origin has been since the activation began; None where that is not stated. Source: Back Strikes."""
    if not isinstance(source, str) or source not in table.miniatures:
        return ((0.0, 0.0),)
    stated = query.path_mm if source == query.attacker else None
    me = table.miniature(source)
    start = me.this_turn.start
    path = path_of(table, source, stated)
    if path is not None:
        return path
    if isinstance(start, Pose):
        return (start.at_mm, table.centre(source))
    turn = table.state.turn
    still = source != query.attacker and turn is not None and turn.activating not in (source, me.unit)
    return (table.centre(source),) if still else None


def _depth_mm(table: ExactTable, target: str, source: str | Point, place: Point) -> float:
    moved = table.with_end(source, place) if isinstance(source, str) and source in table.miniatures else table
    return arc_depth_mm(moved, target, source)


def _first_break_mm(depths: list[float], gone: list[float], k: int) -> float:
    """The travel at which it first was not behind; along a straight leg the depth changes evenly."""
    if k == 0:
        return 0.0
    share = -depths[k - 1] / (depths[k] - depths[k - 1]) if depths[k] != depths[k - 1] else 0.0
    return gone[k - 1] + share * (gone[k] - gone[k - 1])


def _answer_untracked(table: ExactTable, query: BackStrike, source: str | Point) -> RuleResult:
    """Without its way only the place it strikes from is known: enough to say no, not to say yes."""
    now = check_behind(table, query.target, source)
    if not is_met(now, "stands behind"):
        return replace(now, value={"bonus": 0, "bonus_to": "attack", "first_break_mm": None})
    return ask_for(f"this_turn.path_mm of {source}", because=(_SINCE, _FROM), on=(query.attacker, query.target))


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
    effect = f"{name_of(table, worst)} has moved {format_length(shifts[worst])}."
    holds, is_broken = not broken, bool(_breaking_states(table, query))
    return RuleResult(
        margin_mm=-CAPPED_MM if is_broken else slack,
        value={"may_move": not holds, "broken_by": [*broken]},
        lengths_mm={id_: mm for id_, mm in shifts.items() if mm > 0},
        because=(with_effect(table, _HOLDS if holds else _BROKEN, effect),),
        depends_on_place=pair,
        conditions=() if is_broken else tuple(each.values()),
    )


def is_locked(table: ExactTable, a: str, b: str) -> bool:
    """Whether the state has a lock between these two. Source: Headlock/Weapon Lock."""
    pairs = ((a, b), (b, a))
    holds = ((table.miniature(holder).lock, other) for holder, other in pairs)
    return any(held is not None and held.partner == other for held, other in holds)


def _shift_mm(table: ExactTable, id_: str) -> float:
    """How far it stands from where it stood before its latest move, or when its activation began."""
    me = table.miniature(id_)
    starts = [me.before, me.this_turn.start if isinstance(me.this_turn.start, Pose) else None]
    return max((math.dist(p.at_mm, table.centre(id_)) for p in starts if p is not None), default=0.0)


def _breaking_states(table: ExactTable, query: Lock) -> list[str]:
    """The states that break it. Source: Maintaining Locks and Being Locked."""
    states = []
    for id_ in (query.attacker, query.target):
        me = table.miniature(id_)
        breaking = {"knocked-down", "removed"} | ({"stationary"} if id_ == query.attacker else set())
        states += [f"{id_} {word}" for word in sorted(breaking & set(me.status))]
        states += [f"{id_} incorporeal"] if is_incorporeal(me) else []
        states += [f"{id_} placed"] if "placed" in me.this_turn.moved else []
    return states


def check_unlocked(table: ExactTable, miniature: str) -> RuleResult:
    """Whether no lock keeps it where it is. Source: Maintaining Locks and Being Locked."""
    held = table.miniature(miniature).lock
    holds = held is not None and held.partner in table.miniatures
    return plain_condition(miniature, not holds, *((_HOLDS,) if holds else ()))


def why_not_moved(table: ExactTable, target: str, how: str) -> Reason | None:
    """Why nothing moves it that way. Source: Slam; Advantages; Maintaining Locks and Being Locked."""
    me = table.miniature(target)
    if how == "slammed":
        return GHOST if is_incorporeal(me) else _DOWN if "knocked-down" in me.status else None
    held = me.lock is not None and me.lock.partner in table.miniatures
    return _HOLDS if how == "pushed" and held else None


def check_redirected(table: ExactTable, source: str | Point, id_: str) -> RuleResult:
    """Whether terrain leaves the attacker a line to it. Source: Targeting a Model in Melee."""
    if not isinstance(source, str) or source not in table.miniatures:
        return RuleResult(margin_mm=CAPPED_MM, because=(_DRAWN,), depends_on_place=(id_,))
    woods = (t.id for t in table.state.terrain if t.kind == "forest")
    past = tuple(woods) if table.reading("redirect-blockers") == "solids" else ()
    open_line = check_line_past(table, source, id_, (*past, *(e.id for e in table.state.effects)), (_DRAWN,))
    reach = _check_range(table, source, id_)
    return open_line if reach is None else all_of((("open", open_line), ("range", reach)))


def _check_range(table: ExactTable, source: str, id_: str) -> RuleResult | None:
    """Whether it is in the declared range, where players leave out who is not; else that is found by the new roll."""
    turn = table.state.turn
    range_in = None if turn is None or turn.declared is None else turn.declared.range_in
    if range_in is None or table.reading("redirect-range") != "not-drawn":
        return None
    return table.evaluate_query(Range(attacker=source, target=id_, range_in=range_in))
