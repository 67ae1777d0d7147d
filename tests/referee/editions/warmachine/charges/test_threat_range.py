from typing import Any

import pytest

from models.vocabulary import EditionId
from tests.referee.tables import asked, mini, table

INCH = 25.4
BOOKS: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")


def field(book: EditionId = "warmachine-prime", policy: str = "allow", **card: Any) -> Any:
    one = mini("a", 300, 300, 0, side="red", **({"profile": {"spd_in": 5}, "reach": 2} | card))
    state = table(one, mini("t", 600, 300, 180, side="blue")).in_edition(book)
    return state.with_house_rules(measure_policy=policy)


@pytest.mark.parametrize("book", BOOKS)
def test_a_charge_gets_farther_than_an_advance(book: EditionId) -> None:
    verdict = asked(field(book), "threat-range", attacker="a")

    assert verdict.status == "measured"
    assert verdict.value["ways"] == pytest.approx({"charge": 10 * INCH, "advance-and-strike": 7 * INCH})


def test_a_gun_may_reach_farther_than_any_charge() -> None:
    verdict = asked(field(gun=12), "threat-range", attacker="a")

    assert (verdict.value["by"], verdict.value["threat_mm"]) == ("advance-and-shoot", pytest.approx(17 * INCH))


def test_with_a_crippled_movement_nobody_charges() -> None:
    verdict = asked(field(status=["crippled-movement"]), "threat-range", attacker="a")

    assert verdict.value["by"] == "advance-and-strike"


def test_who_is_knocked_down_threatens_nobody() -> None:
    verdict = asked(field(status=["knocked-down"]), "threat-range", attacker="a", target="t")

    assert (verdict.answer, verdict.value["threat_mm"]) == ("no", 0.0)


def test_a_card_without_a_speed_is_asked_for() -> None:
    verdict = asked(field(profile={}), "threat-range", attacker="a")

    assert verdict.needs == ("profile.spd_in of a",)


@pytest.mark.parametrize("book", BOOKS[1:])
def test_the_card_may_be_read_at_any_time_and_the_table_not(book: EditionId) -> None:
    closed = field(book, "refuse")

    assert asked(closed, "threat-range", attacker="a", asked_by="red").status == "measured"
    assert asked(closed, "threat-range", attacker="a", target="t", asked_by="red").status == "refused"
