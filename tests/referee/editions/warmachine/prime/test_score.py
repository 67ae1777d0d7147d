from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table

INCH = 25.4
FLAG = {"id": "f", "kind": "flag", "at_mm": [600, 600]}


def by_flag(id_: str, gap_in: float, side: str, **more: Any) -> dict[str, Any]:
    """A miniature so many inches from the edge of the flag's marker, along +x for red and -x for blue."""
    away = 20 + 15 + gap_in * INCH
    return mini(id_, 600 + (away if side == "red" else -away), 600, side=side, **more)


def score(round_: int, active: str, *minis: dict[str, Any], name: str = "close-quarters", **scenario: Any) -> Verdict:
    state = table(
        *minis,
        objectives=[FLAG],
        scenario={"name": name, **scenario},
        turn={"round": round_, "active": active},
    )
    return asked(state, "score")


HOLDS = by_flag("r", 0, "red"), by_flag("b", 9, "blue")


def test_points_come_from_the_second_players_second_turn_on() -> None:
    assert score(2, "red", *HOLDS).value["points"] == 0  # red is first: its first scoring turn is its third
    assert score(3, "red", *HOLDS).value["points"] == 1
    assert score(2, "blue", by_flag("b", 0, "blue")).value["points"] == 1


def test_in_seek_and_destroy_from_the_first_players_and_each_flag_once() -> None:
    assert score(2, "red", *HOLDS, name="seek-and-destroy").value["points"] == 1
    assert score(2, "red", *HOLDS, name="seek-and-destroy", scored=["f"]).value["points"] == 0


def test_what_was_scored_before_is_added_and_tells_whether_it_wins() -> None:
    verdict = score(3, "red", *HOLDS, points={"red": 3})

    assert (verdict.value["total"], verdict.value["needed"], verdict.value["wins"]) == (4, 4, True)
    assert verdict.value["parts"] == [{"objective": "f", "points": 1}]


def test_nobody_scores_in_the_others_turn() -> None:
    state = table(*HOLDS, objectives=[FLAG], scenario={"name": "close-quarters"}, turn={"round": 4, "active": "blue"})

    assert asked(state, "score", scorer="red").value["points"] == 0


def test_what_is_missing_for_a_score_is_named() -> None:
    assert asked(table(), "score").needs == ("scorer", "scenario.name", "turn.round")
    assert score(3, "red", name="incoming").needs == ("zones",)


def test_annihilation_counts_what_no_table_shows() -> None:
    assert score(3, "red", *HOLDS, name="annihilation").status == "refused"
