"""Impact hits: made in the turn of a charge, by what the ledger of the turn holds."""

from typing import Any

import pytest

from tests.referee.editions.warhammer_9.tables import block, table
from tests.referee.tables import asked


@pytest.mark.parametrize(
    ("turn", "status"),
    [({}, "measured"), ({"moved": ["charge"]}, "measured"), ({"charged": "E"}, "measured"),
     ({"moved": ["random"]}, "measured"), ({"moved": ["advance"]}, "refused"),
     ({"moved": ["charge"], "charge_failed": True}, "refused")],
)  # fmt: skip
def test_who_moved_without_a_charge_makes_no_impact_hits(turn: dict[str, Any], status: str) -> None:
    units = [block("A", "red", (600, 300), 90, 5, 10) | {"this_turn": turn}, block("E", "blue", (600, 300), 270, 5, 10)]

    assert asked(table(units), "impact-attacks", attacker="A", attack="impact").status == status
    assert asked(table(units), "impact-attacks", attacker="A", attack="stomp").status == "measured"
