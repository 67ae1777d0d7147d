from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4
WALL = box("w", "wall", 350, 500, 360, 700, height_mm=20)


def stand(width: float, **fields: Any) -> Verdict:
    ledge = box("l", "terraced-obstruction", 600, 300, 600 + width, 900, height_mm=40)
    state = table(mini("m", 560, 600, mm=50, profile={"spd_in": 6}), terrain=[ledge])
    return asked(state, "climb", mover="m", feature="l", **fields)


def test_a_base_overhangs_a_terrace_by_an_inch_at_most() -> None:
    spot = {"to": {"at_mm": [620, 600]}}

    assert stand(40, **spot).value["overhang_mm"] == 5
    assert stand(40, **spot).margin_mm == INCH - 5
    assert asked_overhang(INCH).at_edge
    assert asked_overhang(INCH).answer == "yes"
    assert asked_overhang(INCH + 0.1).answer == "no"


def asked_overhang(overhang: float) -> Verdict:
    """A base that hangs so far over the right side of a wide terrace."""
    return stand(200, to={"at_mm": [800 - 25 + overhang, 600]}, distance_in=20)


def test_where_it_may_stand_is_found_when_nobody_says() -> None:
    verdict = stand(40)

    assert verdict.answer == "yes"
    assert verdict.value["overhang_mm"] == pytest.approx(5, abs=0.01)


def test_it_has_to_get_there() -> None:
    assert stand(200, to={"at_mm": [750, 600]}).answer == "no"


def test_what_nobody_climbs_is_refused() -> None:
    state = table(mini("m", 300, 600), terrain=[WALL])

    assert asked(state, "climb", mover="m", feature="w").status == "refused"
