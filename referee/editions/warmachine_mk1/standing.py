"""Standing still, which aims, and standing up: in its own activation, for movement or action, looking any way."""

from dataclasses import replace

from models.queries import Aim, StandUp
from models.verdict import CAPPED_MM
from referee.clauses import listed_margins
from referee.editions.hordes_mk2 import EDITION as LATER
from referee.editions.warmachine_mk1.parameters import because
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied

_RISE = because("Knockdown, Prime p. 49", "It gives up movement or action, in its own activation, and looks any way.")
_LATER = because("Knockdown, Prime p. 49", "Not in the turn of its own player in which it fell.")
_FIXED = because("Movement, Prime p. 34", "Who cannot move gives nothing up by standing still, and does not aim.")
# Source: Knockdown, Prime p. 49: what else goes with the half it gives up.
_BARRED = {"movement": ("slam",), "action": ("run", "charge")}


def aim(table: Situation, query: Aim) -> Ruling:
    """Whether it aims: it could move, and changed neither place nor facing. Source: Aiming, Remix p. 45."""
    me, ruling = table.miniature(query.who), LATER.rules[Aim](table, query)
    fixed = "movement-barred" in me.status or (me.lock is not None and me.lock.partner in table.miniatures)
    if not fixed or ruling.status != "decided":
        return ruling
    return replace(
        ruling, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), value=ruling.value | {"bonus": 0}, because=(_FIXED,)
    )


def stand_up(table: Situation, query: StandUp) -> Ruling:
    """Whether it may rise now. Source: Knockdown, Prime p. 49."""
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
    return Ruling(
        margin_mm=min(clauses.values()),
        value={
            "clauses": listed_margins(clauses),
            "arc_before": "all-round",
            "then_barred": [*_BARRED.get(query.gives_up or "", ())],
            "facing_deg": query.facing_deg,
        },
        because=(applied(table, _RISE, f"Against it: {', '.join(failed)}." if failed else "It may rise."), _LATER),
        touches=(query.who,),
    )
