from typing import Any

import pytest

from tests.referee.tables import asked, mini, table

STATE = table(
    mini("t", 300, 300, 0), mini("ahead", 400, 300), mini("beside", 290, 400), mini("behind", 200, 300),
    effects=[{"id": "fire", "kind": "burning", "centre_mm": [295, 400], "diameter_mm": 76.2}],
)  # fmt: skip


def hit(**fields: Any) -> object:
    verdict = asked(STATE, "damage-arc", target="t", **fields)
    return verdict.answer, verdict.margin_mm, verdict.value.get("arc")


def test_an_attacker_partly_in_front_hits_from_the_front() -> None:
    assert hit(attacker="beside") == ("yes", pytest.approx(5.0), "front")
    assert hit(attacker="behind") == ("no", pytest.approx(-85.0), "back")


def test_a_blast_comes_from_its_point_of_impact() -> None:
    assert hit(attacker="ahead", cause="blast", origin=[290, 300]) == ("no", pytest.approx(-10.0), "back")


def test_a_blast_on_the_arc_line_comes_from_the_front() -> None:
    assert hit(cause="blast", origin=[300, 400]) == ("yes", pytest.approx(0.0), "front")


def test_a_chain_comes_from_its_last_hop() -> None:
    assert hit(attacker="ahead", cause="chain", origin="behind") == ("no", pytest.approx(-85.0), "back")


def test_the_damage_of_an_area_comes_from_its_centre() -> None:
    assert hit(cause="effect", origin="fire") == ("no", pytest.approx(-5.0), "back")


def test_a_free_strike_comes_from_behind() -> None:
    assert hit(attacker="ahead", cause="free-strike") == ("no", -1000.0, "back")


def test_a_blast_without_a_point_of_impact_asks_for_it() -> None:
    verdict = asked(STATE, "damage-arc", target="t", attacker="ahead", cause="blast")

    assert (verdict.status, verdict.needs) == ("unknown", ("origin",))
