"""Attacks of a charge: the charge of a whole unit."""

from typing import Any

import pytest

from models.vocabulary import EditionId
from tests.referee.tables import asked, mini, table

BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2")
STAND = {"mover": "l", "path_mm": [[300, 400], [400, 400]]}


def unit(*others: dict[str, Any], x: float = 300, **trooper: Any) -> Any:
    """l commands 7 in; t of speed 6 and an inch of reach stands at x, an enemy 200 from 300 along +x."""
    one: dict[str, Any] = {"side": "red", "unit": "u", "reach": 1, "profile": {"spd_in": 6, "cmd_in": 7}}
    lead, second = mini("l", 300, 400, 0, **one), mini("t", x, 300, 0, **one, **trooper)
    foe = mini("e", 530, 300, 180, side="blue")
    return table(lead, second, foe, *others, units=[{"id": "u", "commander": "l"}])


def verdict_on(state: Any, book: EditionId, *moves: dict[str, Any]) -> Any:
    state = state.in_edition(book).with_house_rules(measure_policy="allow")
    return asked(state, "charge-unit", unit="u", **({"moves": list(moves)} if moves else {}))


@pytest.mark.parametrize("book", BOOKS)
def test_one_may_charge_while_another_runs(book: EditionId) -> None:
    verdict = verdict_on(unit(), book, STAND, {"mover": "t", "target": "e", "path_mm": [[300, 300], [490, 300]]})

    assert verdict.answer == "yes"
    assert verdict.value["by_id"]["t"] == {"moved": "charge", "answer": "yes"}


@pytest.mark.parametrize("book", BOOKS)
def test_who_stays_disobeys(book: EditionId) -> None:
    assert verdict_on(unit(), book, STAND).answer == "no"


@pytest.mark.parametrize("book", BOOKS)
def test_who_is_out_of_formation_goes_back_and_needs_no_run(book: EditionId) -> None:
    far = {"mover": "t", "path_mm": [[700, 300], [600, 330]]}

    verdict = verdict_on(unit(x=700), book, STAND, far)

    assert next(m for m in verdict.members if m.id == "t").answer == "yes"


@pytest.mark.parametrize("book", BOOKS)
def test_a_charge_that_turns_a_corner_is_none(book: EditionId) -> None:
    bent = {"mover": "t", "target": "e", "path_mm": [[300, 300], [400, 350], [490, 300]]}

    assert verdict_on(unit(), book, STAND, bent).answer == "no"


def test_nobody_runs_through_one_that_has_moved_before_it() -> None:
    """l ends where t would pass; when t goes first the way is free."""
    ahead = {"mover": "l", "path_mm": [[300, 400], [400, 300]]}
    run = {"mover": "t", "path_mm": [[300, 300], [480, 300]]}

    assert verdict_on(unit(), "warmachine-prime", ahead, run).answer == "no"
    assert verdict_on(unit(), "warmachine-prime", run, ahead).answer == "yes"


@pytest.mark.parametrize(("moved", "answer"), [("run", "yes"), ("charge", "yes"), ("advance", "no")])
def test_what_was_done_is_read_from_the_state(moved: str, answer: str) -> None:
    state = unit(this_turn={"moved": [moved]})
    done = state.with_miniatures(
        tuple(
            type(one).model_validate(one.model_dump() | {"this_turn": {"moved": ["run"]}}) if one.id == "l" else one
            for one in state.miniatures
        )
    )

    assert verdict_on(done, "warmachine-prime").answer == answer


def test_a_stranger_is_not_of_the_unit() -> None:
    verdict = verdict_on(unit(), "warmachine-prime", {"mover": "e", "path_mm": [[530, 300], [600, 300]]})

    assert verdict.status == "refused"
