"""Back strike: the attack comes from behind, and has come from behind since the activation began."""

from dataclasses import replace
from itertools import accumulate, pairwise
from math import dist

from pydantic import JsonValue

from models.pose import Pose
from models.queries import BackStrike
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.melee.back_strike import check_behind
from referee.editions.warmachine.miniatures.front_arc import arc_depth_mm
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.movement.path import path_of
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_SINCE = because("Back Strikes", "It has to be in the back arc from the start of its activation to the attack.")
_OWN = because("Back Strikes", "Only attacks made in its own activation are back strikes.")
_FROM = because("Point of Origin", "An attack comes from the model it starts at, a channeler where there is one.")


def back_strike(table: ExactTable, query: BackStrike) -> RuleResult:
    """Back strike: whether the origin has been wholly behind the target all its activation; touching the arc line is
    not behind.

    Source: Back Strikes; Point of Origin.
    """
    if not _is_own_turn(table, query.attacker):
        none: dict[str, JsonValue] = {"bonus": 0, "bonus_to": "attack", "first_break_mm": None}
        return RuleResult(
            margin_mm=-CAPPED_MM, value=none, because=(_OWN,), depends_on_place=(query.attacker, query.target)
        )
    source: str | Point = query.attacker if query.origin is None else query.origin
    path = _path_of_origin(table, query, source)
    if path is None:
        return _answer_untracked(table, query, source)
    depths = [_depth_mm(table, query.target, source, place) for place in path]
    worst = max(range(len(path)), key=lambda k: depths[k])
    there = table.with_end(source, path[worst]) if isinstance(source, str) and source in table.miniatures else table
    result = check_behind(there, query.target, source)
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
    """Where the origin has been since the activation began; None when nobody has told. Source: Back Strikes."""
    if not isinstance(source, str) or source not in table.miniatures:
        return ((0.0, 0.0),)
    told = query.path_mm if source == query.attacker else None
    me = table.miniature(source)
    start = me.this_turn.start
    path = path_of(table, source, told)
    if path is not None:
        return path
    if isinstance(start, Pose):
        return (start.at_mm, table.centre(source))
    turn = table.state.turn
    still = source != query.attacker and turn is not None and turn.activating not in (source, me.unit)
    return (table.centre(source),) if still else None


def _depth_mm(table: ExactTable, target: str, source: str | Point, place: Point) -> float:
    there = table.with_end(source, place) if isinstance(source, str) and source in table.miniatures else table
    return arc_depth_mm(there, target, source)


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
    need = f"this_turn.path_mm of {source}"
    return RuleResult(
        status="unknown", needs=(need,), because=(_SINCE, _FROM), depends_on_place=(query.attacker, query.target)
    )
