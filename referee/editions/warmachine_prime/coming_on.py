"""Coming on later: ambush and reinforcements."""

from dataclasses import replace

from models.queries import Reinforcements
from models.units import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.words import Point
from referee.areas import depth_of_base
from referee.clauses import Clauses, all_of
from referee.editions.warmachine_prime.deploying import anywhere, placed, played
from referee.editions.warmachine_prime.parameters import because
from referee.ruling import Ruling
from referee.shapes import polygon_area
from referee.situation import Situation

AMBUSH_MM = inches(3)  # Source: Cephalyx Theme Force, p. 94
RESERVE_MM = inches(8)  # Source: Reinforcements, p. 86

_AMBUSH = because("Cephalyx Theme Force", 94, "Ambush: completely within 3 in of any edge but the back of the enemy's.")
_LATER = because("Cephalyx Theme Force", 94, "Not before the player's second turn.")
_NO_AMBUSH = because("Outflank", 86, "Ambush is lost in this scenario.")
_RESERVE = because("Reinforcements", 86, "Completely within 8 in of the player's own rear edge, from his second turn.")
_CASTER = because("Reinforcements", 86, "A warcaster cannot be a reinforcement.")


def reinforcements(table: Situation, query: Reinforcements) -> Ruling:
    """Whether it may come on along that edge. Source: Cephalyx Theme Force, p. 94; Reinforcements, p. 86."""
    if not query.edge.startswith("edge:"):
        return Ruling(status="refused", because=(_AMBUSH, _RESERVE), advice="Name a table edge, such as edge:left.")
    if query.manner == "pursuit":
        return Ruling(status="refused", because=(_RESERVE,), advice="The book knows no return of pursuers.")
    table = placed(table, query.who, query.to)
    manner = query.manner or ("ambush" if table.miniature(query.who).has("ambush") else "reserve")
    limit = AMBUSH_MM if manner == "ambush" else RESERVE_MM
    special = _ambush(table, query) if manner == "ambush" else _reserve(table, query)
    ruling = all_of((("strip", _strip(table, query, limit)), *special, *anywhere(table, query.who)))
    outline = _outline(table, query.edge, limit)
    return replace(
        ruling,
        value={**ruling.value, "depth_mm": limit, "manner": manner},
        witness=(Witness(type="polygon", role="limit", points_mm=outline),),
    )


def _outline(table: Situation, edge: str, limit: float) -> tuple[Point, ...]:
    width, depth = table.state.table.width_mm, table.state.table.depth_mm
    boxes = {
        "edge:near": (0.0, 0.0, width, limit),
        "edge:far": (0.0, depth - limit, width, depth),
        "edge:left": (0.0, 0.0, limit, depth),
        "edge:right": (width - limit, 0.0, width, depth),
    }
    left, near, right, far = boxes[edge]
    return ((left, near), (right, near), (right, far), (left, far))


def _strip(table: Situation, query: Reinforcements, limit: float) -> Ruling:
    reason = _AMBUSH if limit == AMBUSH_MM else _RESERVE
    depth = depth_of_base(table.base(query.who), (polygon_area(_outline(table, query.edge, limit)),))
    return Ruling(margin_mm=depth, because=(reason,), touches=(query.who,))


def _ambush(table: Situation, query: Reinforcements) -> Clauses:
    """Source: Cephalyx Theme Force, p. 94; Outflank, p. 86."""
    me, scenario = table.miniature(query.who), played(table)
    rears = {f"edge:{s.edge}" for s in table.state.sides if s.id != me.side}
    lost = scenario is not None and (scenario.outflanks or scenario.reserves)
    return (
        ("edge", _plain(query.who, query.edge not in rears, (_AMBUSH,))),
        ("ability", _plain(query.who, me.has("ambush") and not lost, (_NO_AMBUSH,) if lost else (_AMBUSH,))),
        ("turn", _after_first(table, query.who, _LATER)),
    )


def _reserve(table: Situation, query: Reinforcements) -> Clauses:
    """Source: Reinforcements, p. 86."""
    me, scenario = table.miniature(query.who), played(table)
    own = {f"edge:{s.edge}" for s in table.state.sides if s.id == me.side}
    return (
        ("edge", _plain(query.who, query.edge in own, (_RESERVE,))),
        ("scenario", _plain(query.who, scenario is not None and scenario.reserves, (_RESERVE,))),
        ("kind", _plain(query.who, me.type != "warcaster", (_CASTER,))),
        ("turn", _after_first(table, query.who, _RESERVE)),
    )


def _plain(who: str, holds: bool, reasons: tuple[Reason, ...]) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=reasons, touches=(who,))


def _after_first(table: Situation, who: str, reason: Reason) -> Ruling:
    """Whether it is not the player's first turn any more."""
    turn = table.state.turn
    if turn is None or turn.round is None:
        return Ruling(status="unknown", needs=("turn.round",), because=(reason,), touches=(who,))
    return _plain(who, turn.round >= 2, (reason,))
