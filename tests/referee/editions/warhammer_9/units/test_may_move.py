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
