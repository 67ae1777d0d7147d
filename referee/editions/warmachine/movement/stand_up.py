"""Standing up: in its own activation, for movement or action."""

from collections.abc import Mapping

from models.queries import StandUp
from models.verdict import CAPPED_MM
from referee.editions.warmachine.parameters import because
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_RISE = because("Knockdown", 61, "It gives up movement or action, in its own activation.")
_NOT_YET = because("Knockdown", 61, "Not in the turn of its own player in which it fell.")
_ALL_ROUND_DEG = 360


def check_stand_up(table: ExactTable, query: StandUp, barred: Mapping[str, tuple[str, ...]]) -> RuleResult:
    """Whether it may rise now; `barred` tells what else goes with the half it gives up. Source: Knockdown, p. 61."""
    me, turn = table.miniature(query.who), table.state.turn
    mine = turn is None or turn.active is None or me.side is None or turn.active == me.side
    fell_now = me.this_turn.knocked_down_in is not None and me.this_turn.knocked_down_in == me.side
    holds = {
        "knocked-down": "knocked-down" in me.status,
        "own-turn": mine,
        "not-in-the-turn-it-fell": not fell_now,
        "not-moved": not me.this_turn.moved,
    }
    clauses = {name: CAPPED_MM if held else -CAPPED_MM for name, held in holds.items()}
    failed = [name for name, held in holds.items() if not held]
    return RuleResult(
        margin_mm=min(clauses.values()),
        value={
            "clauses": list_margins(clauses),
            "arc_before": "all-round" if me.front_arc_deg == _ALL_ROUND_DEG else "front",
            "then_barred": [*barred.get(query.gives_up or "", ())],
            "facing_deg": query.facing_deg,
        },
        because=(
            with_effect(table, _RISE, f"Against it: {', '.join(failed)}." if failed else "It may rise."),
            _NOT_YET,
        ),
        depends_on_place=(query.who,),
    )
