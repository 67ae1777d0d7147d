from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4
WALL = box("w", "wall", 350, 500, 360, 700, height_mm=20)


def gap_of(width: float, **fields: Any) -> Verdict:
    state = table(mini("m", 100, 100), mini("a", 500, 500), mini("b", 500, 530 + width), **fields.pop("state", {}))
    return asked(state, "fits-between", mover="m", a="a", b="b", **fields)


def test_a_gap_as_wide_as_the_base_lets_an_advance_through_and_stops_a_charge() -> None:
    assert (gap_of(30).answer, gap_of(30).margin_mm) == ("yes", 0)
    assert gap_of(29.9).answer == "no"
    assert gap_of(30, manner="charge").answer == "no"
    assert gap_of(30, manner="charge", state={"house_rules": {"graze": "passes"}}).answer == "yes"


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


def cross(distance: float | None, terrain: Any = WALL, me: Any = None, **fields: Any) -> Verdict:
    state = table(mini("m", 300, 600, 0, **(me or {"profile": {"spd_in": 6}})), terrain=[terrain])
    told = {} if distance is None else {"distance_in": distance / INCH}
    return asked(state, "cross-obstacle", mover="m", feature=terrain["id"], heading_deg=0, **told, **fields)


def test_an_obstacle_takes_travel_enough_to_get_wholly_past() -> None:
    verdict = cross(75)

    assert (verdict.answer, round(verdict.margin_mm or 0, 9), verdict.value["needed_mm"]) == ("yes", 0, 75)
    assert (verdict.value["stop_mm"], verdict.value["needed_mm"]) == (35, 75)
    assert cross(74).answer == "no"
    assert cross(None).margin_mm == pytest.approx(6 * INCH - 75)


def test_a_charge_does_not_cross_but_with_pathfinder() -> None:
    assert cross(200, manner="charge").answer == "no"
    assert cross(200, me={"abilities": ["pathfinder"]}, manner="charge").answer == "yes"


def test_an_obstruction_is_crossed_by_flight_alone() -> None:
    tall = box("w", "wall", 350, 500, 360, 700, height_mm=60)

    assert cross(200, tall).answer == "no"
    assert cross(200, tall, me={"abilities": ["flight"]}).answer == "yes"


def test_a_flag_is_moved_through_with_enough_movement() -> None:
    state = table(mini("m", 300, 600, 0), objectives=[{"id": "f", "kind": "flag", "at_mm": [380, 600]}])

    def through(length: float) -> Verdict:
        return asked(state, "cross-obstacle", mover="m", feature="f", heading_deg=0, distance_in=length / INCH)

    assert through(115).answer == "yes"
    assert through(114).answer == "no"


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


def edge(cause: str, **house: str) -> Verdict:
    state = table(mini("m", 100, 600), house_rules=house)
    return asked(state, "table-edge", mover="m", heading_deg=180, distance_in=5, cause=cause)


def test_a_shove_stops_at_the_tables_edge() -> None:
    verdict = edge("involuntary")

    assert (verdict.value["result"], verdict.value["to_edge_mm"]) == ("stops", 85)
    assert verdict.value["poses"] == {"m": {"at_mm": [15, 600]}}
    assert edge("involuntary", **{"edge-stop": "centre"}).value["to_edge_mm"] == 100


def test_an_advance_does_not_leave_the_table() -> None:
    assert edge("move").value["result"] == "not-allowed"
    state = table(mini("m", 600, 600))
    stays = asked(state, "table-edge", mover="m", heading_deg=180, distance_in=5)
    assert stays.value["result"] == "stays"
