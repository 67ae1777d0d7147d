"""Units as one body: drawn, asked about alone and in pairs, and manoeuvred."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.answers.answer_line import Line
from api.answers.miniature_sheet import MiniatureQuestion, MiniatureSheet, miniature_sheets
from api.answers.pair_sheet import Pair, pair_sheet
from api.answers.what_if import Manoeuvre, what_if_manoeuvre
from api.live.hub import Hub
from api.live.table_view import table_view
from api.server.app import create_app
from models.errors import BadQuery, UnknownThing
from models.pose import FacingAlternative
from referee import ask
from tests.api.worlds import regiments


@pytest.fixture(scope="module")
def alone() -> MiniatureSheet:
    (*_, whole) = miniature_sheets(regiments(), MiniatureQuestion(who="bows"), ask=ask)
    return whole


@pytest.fixture
def phone() -> Iterator[TestClient]:
    hub = Hub(title="test table")
    hub.show(regiments())
    with TestClient(create_app(hub)) as client:
        yield client


def deeds(found: MiniatureSheet, id_: str) -> dict[str, Line]:
    return {line.slot: line for other in found.others if other.id == id_ for line in other.lines}


def test_a_unit_is_drawn_as_one_body_around_its_members() -> None:
    spears = next(unit for unit in table_view(regiments()).units if unit.id == "spears")

    assert (spears.name, spears.side) == ("Spears", "red")
    assert spears.base.shape == "rect"
    assert (spears.base.width_mm, spears.base.depth_mm) == pytest.approx((5 * 20 + 4 * 0.4, 4 * 20 + 3 * 0.4), abs=0.1)
    assert spears.facing_deg == pytest.approx(88.4)


def test_a_unit_whose_front_is_open_lies_as_its_files_do_and_says_both_ways() -> None:
    told = table_view(regiments()).units[0]
    either = tuple(
        m.model_copy(update={"facing_deg": None, "facing_alternatives": ways(m.facing_deg)}) if m.unit == told.id else m
        for m in regiments().miniatures
    )

    found = next(unit for unit in table_view(regiments().with_miniatures(either)).units if unit.id == told.id)

    assert (found.at_mm, found.base) == (pytest.approx(told.at_mm), told.base)
    assert (found.facing_deg, [way.facing_deg for way in found.facing_alternatives]) == (None, [268.4, 88.4])


def ways(facing_deg: float | None) -> tuple[FacingAlternative, ...]:
    """Ahead, and more likely back."""
    assert facing_deg is not None
    back = FacingAlternative(facing_deg=facing_deg + 180, probability=0.7)
    return back, FacingAlternative(facing_deg=facing_deg, probability=0.3)


def test_a_member_says_which_unit_is_asked_about_instead() -> None:
    found = {m.id: m.unit for m in table_view(regiments()).miniatures}

    assert found["giant"] is None
    assert set(found.values()) == {"spears", "bows", "knights", "swords", "axes", "wolves", None}


def test_where_no_units_are_played_nobody_stands_for_another() -> None:
    table = table_view(regiments(edition="warmachine-prime"))

    assert (table.plays_units, table.units) == (False, ())
    assert {m.unit for m in table.miniatures} == {None}


def test_around_a_unit_are_units_and_who_is_in_none(alone: MiniatureSheet) -> None:
    assert {other.id for other in alone.others} == {"spears", "knights", "swords", "axes", "wolves", "giant"}
    assert alone.rings == ()


def test_the_zones_of_a_unit_are_parted_by_four_lines(alone: MiniatureSheet) -> None:
    assert alone.front is not None
    assert [one.role for one in alone.front.witness].count("arc") == 4


def test_who_may_shoot_and_who_may_charge_whom_is_told(alone: MiniatureSheet) -> None:
    assert deeds(alone, "axes")["shooters"].headline == "12 may"
    assert deeds(alone, "wolves").keys() >= {"shooters", "shooters-ba", "charge-ba"}
    assert deeds(alone, "knights") == {}


def test_what_is_in_the_way_of_a_shot_is_told() -> None:
    wall = {"id": "tower", "kind": "impassable", "polygon_mm": [[740, 520], [900, 520], [900, 560], [740, 560]]}
    (*_, found) = miniature_sheets(regiments(terrain=[wall]), MiniatureQuestion(who="bows"), ask=ask)

    blocked = deeds(found, "axes")
    assert "shooters" not in blocked
    assert blocked["sight"].verdict is not None
    assert blocked["sight"].verdict.blockers == ("tower",)


def test_a_pair_of_units_is_asked_about_zones_charges_and_shots_both_ways() -> None:
    found = {line.slot: line for line in pair_sheet(regiments(), Pair(a="bows", b="wolves"), ask=ask).lines}

    assert (found["zone"].headline, found["zone-ba"].headline) == ("Front", "Front")
    assert (found["shooters"].headline, found["shooters-ba"].headline) == ("12 may", "3 may")
    assert (found["charge"].headline, found["charge-ba"].headline) == ("May not", "May")
    assert found["cover"].headline == "Cover"
    assert str(found["odds-ba"].headline).endswith(" %")


def test_friends_are_not_asked_about_fighting() -> None:
    found = {line.slot for line in pair_sheet(regiments(), Pair(a="bows", b="spears"), ask=ask).lines}

    assert found == {"sight", "distance", "zone", "zone-ba", "sight-ba", "within"}


def test_steps_of_a_move_come_back_as_a_way_and_places_for_everybody() -> None:
    steps = ({"do": "wheel-left", "by_deg": 20}, {"do": "forward", "by_in": 1.5})
    course = what_if_manoeuvre(regiments(), Manoeuvre(who="spears", do="move", steps=steps), ask=ask)  # type: ignore[arg-type]

    verdict = course.lines[0].verdict
    assert verdict is not None
    assert course.lines[0].headline == "Legal"
    assert [leg["do"] for leg in verdict.value["paths"]["spears"]] == ["turn", "straight"]  # type: ignore[index,call-overload]
    assert len(verdict.value["poses"]) == 21  # type: ignore[arg-type]


def test_a_flight_is_told_with_where_it_ends() -> None:
    course = what_if_manoeuvre(regiments(), Manoeuvre(who="swords", do="flee", other="spears", roll_in=7), ask=ask)

    assert course.lines[0].headline == "Flees"
    assert course.lines[0].verdict is not None
    assert "swords" in course.lines[0].verdict.value["poses"]  # type: ignore[operator]


def test_a_charge_is_told_with_its_odds() -> None:
    course = what_if_manoeuvre(regiments(), Manoeuvre(who="wolves", do="charge", other="bows"), ask=ask)

    assert [line.headline for line in course.lines] == ["May", "81 %"]


@pytest.mark.parametrize(
    ("told", "field"), [({"do": "charge"}, "other"), ({"do": "flee"}, "other"), ({"do": "move"}, "steps")]
)
def test_half_a_manoeuvre_names_what_is_missing(told: dict[str, Any], field: str) -> None:
    with pytest.raises(BadQuery) as wrong:
        what_if_manoeuvre(regiments(), Manoeuvre(who="spears", **told), ask=ask)

    assert wrong.value.field == field


def test_a_stranger_is_named() -> None:
    with pytest.raises(UnknownThing):
        what_if_manoeuvre(regiments(), Manoeuvre(who="spears", do="charge", other="nobody"), ask=ask)


def test_a_manoeuvre_is_asked_over_http(phone: TestClient) -> None:
    told = {"who": "spears", "do": "move", "steps": [{"do": "forward", "by_in": 2}]}

    assert phone.post("/api/v1/ask-manoeuvre", json=told).json()["lines"][0]["headline"] == "Legal"
    assert phone.post("/api/v1/ask-manoeuvre", json=told | {"who": "nobody"}).status_code == 422
