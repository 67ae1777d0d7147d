"""Movement restriction: moving toward or away from something, and regrouping with a commander."""

from typing import Any

import pytest

from models.errors import UnknownThing
from models.verdict import Verdict
from tests.referee.tables import asked, mini, table

INCH = 25.4


def restricted(path: Any, *ways: str, **fields: Any) -> Verdict:
    state = table(mini("m", 300, 600), mini("t", 500, 600))
    rules = [{"way": way, "of": "t"} for way in ways]
    return asked(state, "toward-away", mover="m", restrictions=rules, **({"path_mm": path} if path else {}), **fields)


def test_a_restriction_by_something_that_is_not_there_is_a_bad_question() -> None:
    state = table(mini("m", 300, 600))

    with pytest.raises(UnknownThing) as wrong:
        asked(state, "toward-away", mover="m", restrictions=[{"way": "toward", "of": "nobody"}], distance_in=3)

    assert wrong.value.field == "restrictions.0.of"


def test_toward_never_grows_apart() -> None:
    assert restricted([(300, 600), (400, 650)], "toward").answer == "yes"
    edge = restricted([(300, 600), (500, 700)], "toward")  # nearest to (500, 600) at 160 of its 223.6 mm
    assert edge.answer == "no"
    first: Any = edge.value["first_break_mm"]
    assert first == pytest.approx(200 * 200 / (200**2 + 100**2) ** 0.5)


def test_away_never_comes_nearer() -> None:
    assert restricted([(300, 600), (300, 700)], "away").at_edge
    assert restricted([(300, 600), (300, 700)], "away").answer == "yes"
    assert restricted([(300, 600), (310, 700)], "away").answer == "no"


def test_directly_runs_along_the_line_of_centres() -> None:
    assert restricted([(300, 600), (250, 600)], "directly-away").margin_mm == 0.5
    assert restricted([(300, 600), (250, 601)], "directly-away").margin_mm == -0.5
    assert restricted(None, "directly-toward", distance_in=2).value["poses"] == {"m": {"at_mm": [300 + 2 * INCH, 600]}}


def test_two_restrictions_hold_together_or_it_does_not_move() -> None:
    assert restricted([(300, 600), (350, 600)], "toward", "away").answer == "no"


def regroup(path: Any) -> Verdict:
    lead = mini("c", 600, 600, unit="u", side="red")
    lost = mini("m", 300, 600, unit="u", side="red", profile={"spd_in": 5})
    state = table(lead, lost, units=[{"id": "u", "commander": "c"}])
    return asked(state, "regroup-move", mover="m", path_mm=path)


def test_a_straggler_advances_toward_or_runs_straight_at_its_commander() -> None:
    assert regroup([(300, 600), (400, 640)]).answer == "yes"
    assert regroup([(300, 600), (300 + 9 * INCH, 600)]).answer == "yes"
    assert regroup([(300, 600), (300 + 8 * INCH, 650)]).answer == "no"  # too far for an advance, crooked for a run
    assert regroup([(300, 600), (250, 600)]).answer == "no"
    assert regroup([(300, 600), (400, 640)]).value["forfeits"] == ["combat-action"]
