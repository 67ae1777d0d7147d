"""What a unit may still do after what it did this turn, whichever question asks it."""

from typing import Any

import pytest

from models.state import TableState
from models.verdict import Answer
from tests.referee.editions.warhammer_9.tables import block, table
from tests.referee.tables import asked


def after(**this_turn: Any) -> TableState:
    return table([block("A", "red", (600, 300), 90, 5, 10, this_turn=this_turn)])


def may(state: TableState, kind: str, **fields: Any) -> Answer | None:
    return asked(state, kind, **fields).answer


def may_advance(state: TableState) -> Answer | None:
    return may(state, "move", mover="A", steps=[{"do": "forward", "by_in": 2}])


def may_reform(state: TableState) -> Answer | None:
    return may(state, "reform", unit="A", files=10)


@pytest.mark.parametrize(
    "did",
    [
        {"moved": ["reform"]},
        {"moved": ["march"]},
        {"moved": ["flee"]},
        {"moved": ["charge"]},
        {"charged": "B"},
        {"charged": "B", "charge_failed": True},
        {"rallied": True},
        {"moved": ["random"]},
        {"moved": ["advance"]},
        {"moved": ["fly"]},
        {"joined": True},
    ],
)
def test_what_takes_a_whole_move_leaves_no_other(did: dict[str, Any]) -> None:
    assert may_advance(after(**did)) == "no"


@pytest.mark.parametrize("did", [{}, {"moved": ["swift-reform"]}, {"moved": ["vanguard"]}])
def test_what_takes_no_move_leaves_one(did: dict[str, Any]) -> None:
    assert may_advance(after(**did)) == "yes"


@pytest.mark.parametrize(
    "did",
    [
        {"moved": ["advance"]},
        {"moved": ["march"]},
        {"moved": ["reform"]},
        {"moved": ["swift-reform"]},
        {"moved": ["charge"]},
        {"charged": "B", "charge_failed": True},
    ],
)
def test_a_reform_takes_the_whole_move(did: dict[str, Any]) -> None:
    assert may_reform(after(**did)) == "no"


@pytest.mark.parametrize("did", [{}, {"rallied": True}])
def test_who_rallied_may_reform_and_no_more(did: dict[str, Any]) -> None:
    assert may_reform(after(**did)) == "yes"


@pytest.mark.parametrize(
    "did",
    [
        {},
        {"moved": ["swift-reform"]},
        {"moved": ["reform"]},
        {"moved": ["reinforced"]},
        {"moved": ["march"]},
        {"charged": "B"},
        {"charge_failed": True},
        {"rallied": True},
    ],
)
def test_a_march_and_a_move_at_the_march_agree(did: dict[str, Any]) -> None:
    state = after(**did)

    marching = may(state, "move", mover="A", manner="march", steps=[{"do": "forward", "by_in": 2}])

    assert marching == may(state, "march", mover="A")


DEEDS = ("reform", "swift-reform", "march", "advance", "flee", "charge", "reinforced", "vanguard")


@pytest.mark.parametrize("did", [{"moved": [one]} for one in DEEDS] + [{}, {"rallied": True}, {"charge_failed": True}])
def test_what_may_still_be_done_is_what_the_questions_about_it_say(did: dict[str, Any]) -> None:
    state = after(**did)
    left: Any = asked(state, "may-move", mover="A").value["may"]

    assert ("move" in left) == (may_advance(state) == "yes")
    assert ("march" in left) == (may(state, "march", mover="A") == "yes")
    assert ("reform" in left) == (may_reform(state) == "yes")
    assert may(state, "may-move", mover="A") == ("yes" if left else "no")


def test_the_ledger_names_the_sentence_that_bars_each_move() -> None:
    value: Any = asked(after(joined=True), "may-move", mover="A").value

    assert value["may"] == []
    assert value["ledger"] == [
        {"deed": "joined", "bars": ["move", "march", "reform"], "section": "Joining a Unit", "page": 81}
    ]


def test_the_stupid_make_no_move_but_the_one_they_must() -> None:
    state = table([block("A", "red", (600, 300), 90, 5, 10)]).model_dump(mode="json", exclude_none=True)
    for miniature in state["miniatures"]:
        miniature["status"] = ["stupid"]

    assert may_advance(TableState.model_validate(state)) == "no"


def test_skirmishers_reform_before_their_move_and_after_it_and_no_third_time() -> None:
    def loose(*moved: str) -> list[str]:
        unit = block("A", "red", (600, 300), 90, 5, 10, gap_mm=12.7, this_turn={"moved": moved})
        left: Any = asked(table([unit | {"formation": "skirmish"}]), "may-move", mover="A").value["may"]
        return list(left)

    assert loose("reform") == ["move", "march", "reform", "free-reform"]
    assert loose("reform", "advance") == ["free-reform"]
    assert loose("reform", "advance", "reform") == []


def test_a_move_that_was_seen_is_judged_although_the_record_says_that_it_was_made() -> None:
    state = after(moved=["advance"], start={"front_mm": [600, 250], "facing_deg": 90})

    assert may(state, "move", mover="A") == "yes"
