from typing import Any

import pytest

from models.vocabulary import EditionId
from tests.referee.tables import asked, mini, table

BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2")


def wall(*others: dict[str, Any], orders: tuple[str, ...] = ("shield-wall",), **told: Any) -> Any:
    """t at 300 looks along +x; n touches its left; e attacks from ahead."""
    one: dict[str, Any] = {"side": "red", "unit": "u"}
    neighbour = mini("n", 300, 330, 0, **one)
    enemy = mini("e", told.pop("enemy", 600), 300, 180, side="blue")
    units = [{"id": "u", "commander": "t", "orders": list(orders)}]
    return table(mini("t", 300, 300, 0, **one), neighbour, enemy, *others, units=units, **told)


def verdict_on(state: Any, book: EditionId, **fields: Any) -> Any:
    state = state.in_edition(book).with_house_rules(measure_policy="allow")
    return asked(state, "shield-wall", target="t", **({"attacker": "e"} | fields))


@pytest.mark.parametrize("book", BOOKS)
def test_without_the_order_there_is_no_wall(book: EditionId) -> None:
    assert verdict_on(wall(orders=()), book).answer == "no"


@pytest.mark.parametrize("book", BOOKS)
def test_damage_from_the_back_arc_passes_the_wall(book: EditionId) -> None:
    assert verdict_on(wall(enemy=100), book).answer == "no"


@pytest.mark.parametrize("book", BOOKS)
def test_a_blast_comes_from_its_point_of_impact(book: EditionId) -> None:
    assert verdict_on(wall(), book, origin=(250.0, 300.0)).answer == "no"


def test_a_player_may_ask_for_a_neighbour_to_each_hand() -> None:
    both = {"house_rules": {"shield-wall-needs": "neighbours-both"}}
    other = mini("m", 300, 270, 0, side="red", unit="u")

    assert verdict_on(wall(**both), "warmachine-prime").answer == "no"
    assert verdict_on(wall(other, **both), "warmachine-prime").answer == "yes"


def test_who_has_no_order_is_no_neighbour() -> None:
    state = wall(orders=())
    ordered = state.with_miniatures(
        tuple(one.model_copy(update={"status": ("shield-wall",)}) if one.id == "t" else one for one in state.miniatures)
    )

    assert verdict_on(ordered, "warmachine-prime").value["neighbours"] == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_contact_within_its_doubt_is_too_close(book: EditionId) -> None:
    state = wall(mini("m", 900, 900, 0, sigma=0.3))
    measured = state.with_miniatures(
        tuple(
            type(one).model_validate(one.model_dump() | {"sigma": {"at_mm": 0.3}, "at_mm": (300.0, 330.5)})
            if one.id == "n"
            else one
            for one in state.miniatures
        )
    )

    verdict = verdict_on(measured, book)

    assert verdict.answer == "too-close"
    assert verdict.probability == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(("needs", "answer"), [("neighbour-one", "yes"), ("neighbours-both", "no")])
def test_the_first_edition_reads_who_must_stand_beside(needs: str, answer: str) -> None:
    assert verdict_on(wall(house_rules={"shield-wall-needs": needs}), "warmachine-mk1").answer == answer
