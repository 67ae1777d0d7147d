from typing import Any

from models.verdict import Verdict
from tests.referee.tables import answers, asked, mini, table

INCH = 25.4


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
