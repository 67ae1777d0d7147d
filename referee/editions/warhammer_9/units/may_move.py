"""May still move: which of its moves a unit may make after what it did this turn."""

from typing import Literal

from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import leading_miniature
from referee.editions.warhammer_9.units.this_turn import has_charged, this_turn_of
from referee.rules.exact_table import ExactTable

Act = Literal["move", "march", "reform", "free-reform"]

# What of `moved` bars each act. Source: Reform, p. 16; Marching, p. 23; Swift Reform, p. 80; Skirmishers, p. 64-65.
_WHOLE_MOVES = frozenset({"march", "reform", "flee"})
_BARRED_BY_MOVES: dict[Act, frozenset[str]] = {
    "move": _WHOLE_MOVES,
    "march": _WHOLE_MOVES | {"swift-reform", "reinforced"},
    "reform": _WHOLE_MOVES | {"swift-reform", "advance"},
    "free-reform": frozenset({"flee"}),
}


def is_placement_final(table: ExactTable) -> bool:
    """Whether units that came on may not move after they are placed. Source: Reinforcements, p. 24."""
    return table.reading("reserve-depth") == "placement"


def why_may_not(table: ExactTable, id_: str, act: Act) -> list[str]:
    """What the unit did or is that bars the act; empty where it may.

    Source: Declare Charges and Failed Charge, p. 16, 21; Reform, p. 16; Fleeing and Rallying, p. 23-24; p. 80.
    """
    deeds = this_turn_of(table, id_)
    found = ["fleeing"] * ("fleeing" in leading_miniature(table, id_).status)
    found += ["engaged"] * (act in ("move", "march") and bool(engaged_with(table, id_)))
    found += ["charge-failed"] * deeds.charge_failed
    found += ["charged"] * (has_charged(deeds) and not deeds.charge_failed)
    found += ["rallied"] * (deeds.rallied and act in ("move", "march"))
    came = "reinforced" in deeds.moved and act in ("move", "reform", "free-reform")
    found += ["reinforced"] * (came and is_placement_final(table))
    return found + [one for one in deeds.moved if one in _BARRED_BY_MOVES[act]]
