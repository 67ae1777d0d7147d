from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table


def gap_of(width: float, **fields: Any) -> Verdict:
    state = table(mini("m", 100, 100), mini("a", 500, 500), mini("b", 500, 530 + width), **fields.pop("state", {}))
    return asked(state, "fits-between", mover="m", a="a", b="b", **fields)


def test_a_gap_as_wide_as_the_base_lets_an_advance_through_and_stops_a_charge() -> None:
    assert (gap_of(30).answer, gap_of(30).margin_mm) == ("yes", 0)
    assert gap_of(29.9).answer == "no"
    assert gap_of(30, manner="charge").answer == "no"
    assert gap_of(30, manner="charge", state={"house_rules": {"graze": "passes"}}).answer == "yes"
