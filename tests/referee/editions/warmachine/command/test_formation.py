"""Formation: who is in it, who is in command range, and shield walls."""

from typing import Any

import pytest

from models.verdict import Verdict
from models.vocabulary import EditionId
from tests.referee.tables import answers, asked, mini, table

INCH = 25.4
BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2")


def trooper(id_: str, gap_in: float, **more: Any) -> dict[str, Any]:
    """A trooper whose base edge is so many inches from the commander's, along +x."""
    return mini(id_, 300 + 30 + gap_in * INCH, 400, **({"side": "red", "unit": "u"} | more))


def formation(*troopers: dict[str, Any], unit: dict[str, Any] | None = None, who: str | None = None) -> Verdict:
    leader = mini("a", 300, 400, side="red", unit="u", profile={"cmd_in": 7})
    units = [{"id": "u", "commander": "a"} | (unit or {})]
    return asked(table(leader, *troopers, units=units), "formation", unit="u", **({"who": who} if who else {}))


def test_everybody_within_the_command_range_is_in_formation_and_the_limit_itself_is() -> None:
    verdict = formation(trooper("near", 3), trooper("edge", 7), trooper("lost", 7.1))

    assert answers(verdict) == {"a": "yes", "near": "yes", "edge": "yes", "lost": "no"}
    assert verdict.margin_mm == 0  # the one at the edge is the nearest to changing sides


def test_who_is_out_is_told_what_it_may_not_do() -> None:
    barred: Any = formation(trooper("near", 3), trooper("lost", 9)).value["barred"]

    assert barred["near"] == []
    assert {"attacks", "friendly-spells", "control", "contest", "orders"} <= set(barred["lost"])


def test_one_asked_about_has_the_margin_to_the_command_range() -> None:
    verdict = formation(trooper("lost", 9), who="lost")

    assert (verdict.answer, round(verdict.margin_mm or 0, 6)) == ("no", round(-2 * INCH, 6))


def test_the_commander_is_always_in_formation() -> None:
    assert formation(who="a").answer == "yes"


def test_the_units_own_command_range_goes_before_the_card() -> None:
    assert formation(trooper("far", 9), unit={"command_in": 9}, who="far").answer == "yes"


def test_a_unit_whose_commander_nobody_told_says_so() -> None:
    verdict = formation(trooper("near", 3), unit={"commander": None})

    assert (verdict.status, verdict.needs) == ("unknown", ("commander of u",))


def test_somebody_of_another_unit_is_refused() -> None:
    verdict = formation(mini("stranger", 500, 500), who="stranger")

    assert (verdict.status, verdict.advice) == ("refused", "stranger is not of u.")


def command(gap_in: float, **fields: Any) -> Verdict:
    leader = mini("a", 300, 400, side="red", profile=fields.pop("profile", {"cmd_in": 8}))
    return asked(table(leader, trooper("b", gap_in, unit=None)), "command-range", commander="a", who="b", **fields)


def test_the_command_range_runs_from_edge_to_edge() -> None:
    verdict = command(8)

    assert (verdict.answer, verdict.margin_mm, verdict.value["stat"]) == ("yes", 0, "command")
    assert command(8.01).answer == "no"


def test_without_a_command_stat_the_question_says_what_is_missing() -> None:
    verdict = command(3, profile={})

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.cmd_in of a",))


def test_everybody_is_in_its_own_command_range() -> None:
    state = table(mini("a", 300, 400, profile={"cmd_in": 8}))

    assert asked(state, "command-range", commander="a", who="a").answer == "yes"


@pytest.mark.parametrize("edition", ["hordes-mk2", "warmachine-mk1"])
@pytest.mark.parametrize(("mate", "answer"), [([], "no"), (["fleeing"], "yes")])
def test_a_lone_fleer_has_nothing_of_where_the_others_stand(edition: str, mate: list[str], answer: str) -> None:
    captain = mini("c", 800, 833.3, side="red", type="solo", abilities=["commander"], profile={"cmd_in": 8})
    fleer = mini("t", 800, 600, side="red", unit="u", status=["fleeing"])
    other = mini("l", 900, 900, side="red", unit="u", status=mate)
    units = [{"id": "u", "commander": "l", "command_in": 8}]
    state = table(captain, fleer, other, units=units, edition=edition, house_rules={"measure-policy": "allow"})

    assert asked(state, "command-range", commander="c", who="t", purpose="rally").answer == answer


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
