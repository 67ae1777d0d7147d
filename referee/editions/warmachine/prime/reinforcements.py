"""Reinforcements and ambush: where a miniature may come on later."""

from dataclasses import replace

from models.queries import Reinforcements
from models.unit_conversion import inches
from models.verdict import Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.plain_condition import plain_condition
from referee.editions.warmachine.prime.parameters import because
from referee.editions.warmachine.setup.deployment import clearance_clauses, place, played_scenario
from referee.geometry.containment import depth_of_base
from referee.geometry.shapes import polygon_area
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

AMBUSH_MM = inches(3)  # Source: Cephalyx Theme Force, p. 94
RESERVE_MM = inches(8)  # Source: Reinforcements, p. 86

_AMBUSH = because("Cephalyx Theme Force", 94, "Ambush: completely within 3 in of any edge but the back of the enemy's.")
_LATER = because("Cephalyx Theme Force", 94, "Not before the player's second turn.")
_NO_AMBUSH = because("Outflank", 86, "Ambush is lost in this scenario.")
_RESERVE = because("Reinforcements", 86, "Completely within 8 in of the player's own rear edge, from his second turn.")
_CASTER = because("Reinforcements", 86, "A warcaster cannot be a reinforcement.")


def reinforcements(table: ExactTable, query: Reinforcements) -> RuleResult:
    """Reinforcements: whether it may come on along that edge.

    Source: Cephalyx Theme Force, p. 94; Reinforcements, p. 86.
    """
    if not query.edge.startswith("edge:"):
        return RuleResult(status="refused", because=(_AMBUSH, _RESERVE), advice="Name a table edge, such as edge:left.")
    if query.manner == "pursuit":
        return RuleResult(status="refused", because=(_RESERVE,), advice="The book knows no return of pursuers.")
    table = place(table, query.who, query.to)
    manner = query.manner or ("ambush" if table.miniature(query.who).has("ambush") else "reserve")
    limit = AMBUSH_MM if manner == "ambush" else RESERVE_MM
    special = _ambush_clauses(table, query) if manner == "ambush" else _reserve_clauses(table, query)
    result = all_of((("strip", _check_strip(table, query, limit)), *special, *clearance_clauses(table, query.who)))
    outline = _outline_of_strip(table, query.edge, limit)
    return replace(
        result,
        value={**result.value, "depth_mm": limit, "manner": manner},
        witness=(Witness(type="polygon", role="limit", points_mm=outline),),
    )


def _outline_of_strip(table: ExactTable, edge: str, limit: float) -> tuple[Point, ...]:
    width, depth = table.state.table.width_mm, table.state.table.depth_mm
    boxes = {
        "edge:near": (0.0, 0.0, width, limit),
        "edge:far": (0.0, depth - limit, width, depth),
        "edge:left": (0.0, 0.0, limit, depth),
        "edge:right": (width - limit, 0.0, width, depth),
    }
    left, near, right, far = boxes[edge]
    return ((left, near), (right, near), (right, far), (left, far))


def _check_strip(table: ExactTable, query: Reinforcements, limit: float) -> RuleResult:
    reason = _AMBUSH if limit == AMBUSH_MM else _RESERVE
    depth = depth_of_base(table.base(query.who), (polygon_area(_outline_of_strip(table, query.edge, limit)),))
    return RuleResult(margin_mm=depth, because=(reason,), depends_on_place=(query.who,))


def _ambush_clauses(table: ExactTable, query: Reinforcements) -> Clauses:
    """Source: Cephalyx Theme Force, p. 94; Outflank, p. 86."""
    me, scenario = table.miniature(query.who), played_scenario(table)
    rears = {f"edge:{s.edge}" for s in table.state.sides if s.id != me.side}
    lost = scenario is not None and (scenario.outflanks or scenario.reserves)
    return (
        ("edge", plain_condition(query.who, query.edge not in rears, _AMBUSH)),
        (
            "ability",
            plain_condition(query.who, me.has("ambush") and not lost, *((_NO_AMBUSH,) if lost else (_AMBUSH,))),
        ),
        ("turn", _check_after_first_turn(table, query.who, _LATER)),
    )


def _reserve_clauses(table: ExactTable, query: Reinforcements) -> Clauses:
    """Source: Reinforcements, p. 86."""
    me, scenario = table.miniature(query.who), played_scenario(table)
    own = {f"edge:{s.edge}" for s in table.state.sides if s.id == me.side}
    return (
        ("edge", plain_condition(query.who, query.edge in own, _RESERVE)),
        ("scenario", plain_condition(query.who, scenario is not None and scenario.reserves, _RESERVE)),
        ("kind", plain_condition(query.who, me.type != "warcaster", _CASTER)),
        ("turn", _check_after_first_turn(table, query.who, _RESERVE)),
    )


def _check_after_first_turn(table: ExactTable, who: str, reason: Reason) -> RuleResult:
    """Whether it is not the player's first turn any more."""
    turn = table.state.turn
    if turn is None or turn.round is None:
        return RuleResult(status="unknown", needs=("turn.round",), because=(reason,), depends_on_place=(who,))
    return plain_condition(who, turn.round >= 2, reason)
