"""Entry into an area, and contact with what stands on the way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

BOG = box("bog", "rough", 400, 500, 500, 700)
ACID = box("acid", "acid-bath", 400, 500, 500, 700)


def enter(path: Any, **fields: Any) -> Verdict:
    state = table(mini("m", 300, 600), terrain=[BOG])
    return asked(state, "enters-area", mover="m", area="bog", path_mm=path, **fields)


def test_it_enters_when_it_was_outside_and_comes_to_be_inside() -> None:
    verdict = enter([(300, 600), (390, 600)])

    assert (verdict.answer, verdict.margin_mm) == ("yes", 5)
    entries: Any = verdict.value["entries"]
    assert entries[0]["after_mm"] == pytest.approx(85)
    assert enter([(300, 600), (384, 600)]).margin_mm == -1
    assert enter([(300, 600), (385, 600)]).answer == "yes"  # touching its edge is within


def test_moving_about_inside_is_no_entering() -> None:
    assert enter([(450, 600), (470, 600)]).answer == "no"


def test_passing_right_through_is_entering() -> None:
    assert enter([(300, 600), (700, 600)]).answer == "yes"


def test_leaving_and_coming_back_is_entering() -> None:
    assert enter([(450, 600), (300, 600), (450, 600)]).answer == "yes"


def test_what_is_put_there_enters() -> None:
    assert enter([(450, 600), (450, 600)], cause="placed").answer == "yes"
    assert enter([(450, 600), (450, 600)], cause="same-model-replaced").answer == "no"


def test_who_touches_the_edge_is_within_already_and_enters_nothing() -> None:
    touching = table(mini("m", 385, 600), terrain=[BOG])

    verdict = asked(touching, "enters-area", mover="m", area="bog", path_mm=[(385, 600), (420, 600)])

    assert (asked(touching, "in-area", who="m", area="bog").answer, verdict.answer) == ("yes", "no")
    assert verdict.value["entries"] == []


def test_where_touching_is_not_yet_within_moving_on_enters() -> None:
    touching = table(mini("m", 385, 600), terrain=[BOG], house_rules={"area-touch": "not-covered"})

    verdict = asked(touching, "enters-area", mover="m", area="bog", path_mm=[(385, 600), (420, 600)])

    assert (asked(touching, "in-area", who="m", area="bog").answer, verdict.answer) == ("no", "yes")
    assert len(verdict.value["entries"]) == 1  # type: ignore[arg-type]  # a JSON value


@pytest.mark.parametrize("edition", ["warmachine-prime", "hordes-mk2", "warmachine-mk1"])
def test_an_area_that_moves_over_a_model_is_not_entered(edition: str) -> None:
    house_rules = {} if edition == "warmachine-prime" else {"measure-policy": "allow"}
    state = table(mini("m", 450, 600), terrain=[BOG], edition=edition, house_rules=house_rules)

    assert asked(state, "enters-area", mover="m", area="bog", cause="area-moved").answer == "no"


@given(start=st.integers(300, 600), end=st.integers(300, 700))
def test_straight_ways_enter_exactly_from_without_to_within(start: int, end: int) -> None:
    verdict = enter([(start, 600), (end, 600)])

    def is_within(x: int) -> bool:
        return 385 <= x <= 515

    passed = any(is_within(x) for x in range(min(start, end), max(start, end) + 1))
    assert (verdict.answer == "yes") == (not is_within(start) and passed)
    assert bool(verdict.value["entries"]) == (verdict.answer == "yes")


def burn(path: Any, *abilities: str, status: Any = ()) -> Verdict:
    state = table(mini("m", 300, 600, abilities=list(abilities), status=list(status)), terrain=[ACID])
    return asked(state, "hazard", mover="m", path_mm=path)


def test_who_enters_a_hazard_or_ends_there_suffers() -> None:
    assert burn([(300, 600), (700, 600)]).answer == "yes"
    assert burn([(450, 600), (460, 600)]).answer == "yes"
    assert burn([(300, 600), (380, 600)]).margin_mm == -5
    verdict = burn([(300, 600), (450, 600)])
    assert verdict.value["by_id"] == {"m": {"area": "acid", "entry_mm": 85}}


def test_flight_keeps_out_of_it_unless_knocked_down() -> None:
    assert burn([(300, 600), (450, 600)], "flight").answer == "no"
    assert burn([(450, 600), (450, 600)], "flight", status=["knocked-down"]).answer == "yes"


def test_without_a_hazard_nobody_suffers() -> None:
    assert asked(table(mini("m", 300, 600), terrain=[BOG]), "hazard", mover="m").answer == "no"


def test_contacts_are_told_in_order() -> None:
    state = table(mini("m", 300, 600), mini("far", 500, 600), mini("near", 400, 620))
    verdict = asked(state, "first-contact", mover="m", heading_deg=0)
    contacts: Any = verdict.value["contacts"]

    assert [one["id"] for one in contacts] == ["near", "far"]
    assert contacts[1]["after_mm"] == 170
    assert contacts[0]["after_mm"] == pytest.approx(100 - (30**2 - 20**2) ** 0.5)


def test_grazing_is_contact_unless_the_table_says_otherwise() -> None:
    def brushed(**house: str) -> Any:
        state = table(mini("m", 300, 600), mini("b", 400, 630), house_rules=house)
        return asked(state, "first-contact", mover="m", heading_deg=0).value["contacts"]

    assert [one["id"] for one in brushed()] == ["b"]
    assert brushed(graze="passes") == []
