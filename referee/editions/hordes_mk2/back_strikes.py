"""Back strikes: the attack comes from behind, and has come from behind since the activation began."""

from dataclasses import replace
from itertools import accumulate, pairwise
from math import dist

from pydantic import JsonValue

from models.pose import Pose
from models.queries import BackStrike
from models.verdict import CAPPED_MM
from models.words import Point
from referee.candidates import is_met
from referee.editions.hordes_mk2.parameters import because
from referee.editions.warmachine_prime.arcs import arc_depth_mm
from referee.editions.warmachine_prime.back_strikes import behind
from referee.editions.warmachine_prime.paths import path_of
from referee.ruling import Ruling
from referee.situation import Situation

_SINCE = because("Back Strikes", "It has to be in the back arc from the start of its activation to the attack.")
_OWN = because("Back Strikes", "Only attacks made in its own activation are back strikes.")
_FROM = because("Point of Origin", "An attack comes from the model it starts at, a channeler where there is one.")


def back_strike(table: Situation, query: BackStrike) -> Ruling:
    """Whether the origin has been wholly behind the target all its activation; touching the arc line is not behind.

    Source: Back Strikes; Point of Origin.
    """
    if not _is_own_turn(table, query.attacker):
        none: dict[str, JsonValue] = {"bonus": 0, "bonus_to": "attack", "first_break_mm": None}
        return Ruling(margin_mm=-CAPPED_MM, value=none, because=(_OWN,), touches=(query.attacker, query.target))
    source: str | Point = query.attacker if query.origin is None else query.origin
    path = _way(table, query, source)
    if path is None:
        return _untracked(table, query, source)
    depths = [_depth(table, query.target, source, place) for place in path]
    worst = max(range(len(path)), key=lambda k: depths[k])
    there = table.placed(source, path[worst]) if isinstance(source, str) and source in table.miniatures else table
    ruling = behind(there, query.target, source)
    gone = [0.0, *accumulate(dist(a, b) for a, b in pairwise(path))]
    broken = [k for k, depth in enumerate(depths) if depth >= -1e-9]
    first = _first(depths, gone, broken[0]) if broken else None
    value = {"bonus": 2 if is_met(ruling) else 0, "bonus_to": "attack", "first_break_mm": first}
    return replace(ruling, value={**value}, because=(_SINCE, *ruling.because))


def _is_own_turn(table: Situation, attacker: str) -> bool:
    """Whether it is its side's turn; untold, it is taken for granted. Source: Back Strikes."""
    turn = table.state.turn
    return turn is None or turn.active in (None, table.miniature(attacker).side)


def _way(table: Situation, query: BackStrike, source: str | Point) -> tuple[Point, ...] | None:
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


def _depth(table: Situation, target: str, source: str | Point, place: Point) -> float:
    there = table.placed(source, place) if isinstance(source, str) and source in table.miniatures else table
    return arc_depth_mm(there, target, source)


def _first(depths: list[float], gone: list[float], k: int) -> float:
    """The travel at which it first was not behind; along a straight leg the depth changes evenly."""
    if k == 0:
        return 0.0
    share = -depths[k - 1] / (depths[k] - depths[k - 1]) if depths[k] != depths[k - 1] else 0.0
    return gone[k - 1] + share * (gone[k] - gone[k - 1])


def _untracked(table: Situation, query: BackStrike, source: str | Point) -> Ruling:
    """Without its way only the place it strikes from is known: enough to say no, not to say yes."""
    now = behind(table, query.target, source)
    if not is_met(now):
        return replace(now, value={"bonus": 0, "bonus_to": "attack", "first_break_mm": None})
    need = f"this_turn.path_mm of {source}"
    return Ruling(status="unknown", needs=(need,), because=(_SINCE, _FROM), touches=(query.attacker, query.target))
