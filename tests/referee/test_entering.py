from typing import Any

import pytest

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
