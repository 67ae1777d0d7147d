from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table

INCH = 25.4


def clauses(verdict: Verdict) -> dict[str, str | None]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


LATE = {"turn": {"round": 2, "active": "red"}}
AMBUSH: dict[str, Any] = {"side": "red", "abilities": ["ambush"]}


def come(who: dict[str, Any], edge: str, state: Any = None, **fields: Any) -> Verdict:
    return asked(table(who, **(LATE if state is None else state)), "reinforcements", who="r", edge=edge, **fields)


def test_ambush_comes_on_within_three_inches_of_any_edge_but_the_enemys_own() -> None:
    assert come(mini("r", 3 * INCH - 15, 600, **AMBUSH), "edge:left").margin_mm == 0
    assert come(mini("r", 3 * INCH - 14, 600, **AMBUSH), "edge:left").answer == "no"
    assert clauses(come(mini("r", 600, 1190, **AMBUSH), "edge:far"))["edge"] == "no"


def test_ambush_waits_for_the_second_turn_and_for_those_who_have_it() -> None:
    first = {"turn": {"round": 1, "active": "red"}}

    assert clauses(come(mini("r", 40, 600, **AMBUSH), "edge:left", first))["turn"] == "no"
    assert clauses(come(mini("r", 40, 600, side="red"), "edge:left", manner="ambush"))["ability"] == "no"
    assert come(mini("r", 40, 600, **AMBUSH), "edge:left", {}).needs == ("turn.round",)


def test_outflank_takes_ambush_away() -> None:
    state = LATE | {"scenario": {"name": "outflank"}}

    assert clauses(come(mini("r", 40, 600, **AMBUSH), "edge:left", state))["ability"] == "no"


RESERVES = LATE | {"scenario": {"name": "reinforcements"}}


def test_reinforcements_come_on_within_eight_inches_of_the_own_edge() -> None:
    assert come(mini("r", 600, 8 * INCH - 15, side="red"), "edge:near", RESERVES).margin_mm == 0
    assert clauses(come(mini("r", 600, 1190, side="red"), "edge:far", RESERVES))["edge"] == "no"
    assert clauses(come(mini("r", 600, 100, side="red", type="warcaster"), "edge:near", RESERVES))["kind"] == "no"
    assert clauses(come(mini("r", 600, 100, side="red"), "edge:near"))["scenario"] == "no"
