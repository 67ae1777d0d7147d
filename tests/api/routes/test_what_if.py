"""What is around one miniature, and what if it went elsewhere."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.answers.miniature_sheet import MiniatureQuestion, MiniatureSheet, miniature_sheets
from api.answers.pair_sheet import Pair, pair_sheet
from api.answers.what_if import WhatIfMove, what_if_move
from api.live.hub import Hub
from api.server.app import create_app
from models.state import TableState
from referee import ask
from tests.api.worlds import frame_report, skirmish, state_line
from tests.referee.tables import mini, table


def whole(state: TableState, who: str = "a", **told: Any) -> MiniatureSheet:
    (*_, last) = miniature_sheets(state, MiniatureQuestion(who=who, **told), ask=ask)
    return last


def two(**more: Any) -> TableState:
    return table(mini("a", 300, 300, 0, side="red", **more), mini("b", 500, 300, 180, side="blue", reach=1))


def test_everybody_else_is_listed_nearest_first() -> None:
    state = table(mini("a", 300, 300), mini("far", 900, 300), mini("near", 400, 300))

    assert [(one.id, round(one.distance_mm)) for one in whole(state).others] == [("near", 70), ("far", 570)]


def test_rings_are_as_long_as_the_card_says() -> None:
    card = {"spd_in": 5, "melee": [{"name": "Axe", "reach_in": 1}], "control_stat": 6, "cmd_in": 8}

    rings = {one.slot: (one.length_in, one.is_supposed) for one in whole(two(profile=card)).rings}

    assert rings == {
        "reach": (1, False), "walk": (6, False), "charge": (9, False), "command": (8, False), "control": (12, False),
    }  # fmt: skip


def test_without_a_card_a_ring_says_that_it_is_supposed() -> None:
    rings = {one.slot: (one.length_in, one.is_supposed) for one in whole(two(), reach_in=2, speed_in=7).rings}

    assert rings == {"reach": (2, True), "walk": (9, True), "charge": (12, True)}


def test_a_ring_is_drawn_around_the_base() -> None:
    (ring,) = [one for one in whole(two(), ring_in=4).rings if one.slot == "told"]

    (circle,) = ring.verdict.witness
    assert (circle.centre_mm, circle.radius_mm) == ((300, 300), 15 + 4 * 25.4)


def test_who_may_charge_it_is_told_and_whom_it_may_charge() -> None:
    (foe,) = whole(two()).others

    assert [line.title for line in foe.lines] == ["B charges A", "A charges B"]


def test_an_enemy_that_looks_away_may_still_walk_up_and_strike() -> None:
    state = table(mini("a", 300, 300, 180, side="red"), mini("b", 332, 300, 0, side="blue"))

    (foe,) = whole(state).others
    assert [line.title for line in foe.lines] == ["B walks up to A", "A walks up to B"]


def test_a_friend_threatens_nobody() -> None:
    state = table(mini("a", 300, 300, side="red"), mini("b", 400, 300, 180, side="red"))

    (friend,) = whole(state).others
    assert (friend.is_enemy, friend.lines) == (False, ())


def test_a_ghost_is_asked_about_where_it_stands() -> None:
    moved = whole(two(), ghosts={"a": {"at_mm": (300, 900), "facing_deg": 90}})

    assert [round(one.distance_mm) for one in moved.others] == [602]
    assert moved.rings[0].verdict.witness[0].centre_mm == (300, 900)
    assert moved.others[0].lines == ()


def test_a_pair_is_asked_about_a_ghost() -> None:
    here = pair_sheet(two(), Pair(a="a", b="b"), ask=ask)
    there = pair_sheet(two(), Pair(a="a", b="b", ghosts={"a": {"at_mm": (400, 300)}}), ask=ask)

    gaps = [line.verdict.measured[0].value_mm for sheet in (here, there) for line in sheet.lines[1:2] if line.verdict]
    assert gaps == pytest.approx([170, 70])


def test_a_ghost_touches_nobody_it_touched_before() -> None:
    close = table(mini("a", 300, 300), mini("b", 330, 300, 180), contacts=[{"a": "a", "b": "b", "probability": 1.0}])
    sheet = pair_sheet(close, Pair(a="a", b="b", ghosts={"a": {"at_mm": (200, 300)}}), ask=ask)

    assert next(line.headline for line in sheet.lines if line.slot == "contact") == "Apart"


@pytest.mark.parametrize(
    ("manner", "to", "headline"), [("advance", 452, "Legal"), ("advance", 454, "Not legal"), ("run", 454, "Legal")]
)
def test_a_move_is_as_long_as_speed_allows(manner: str, to: float, headline: str) -> None:
    state = table(mini("a", 300, 300, 0), mini("b", 900, 900))

    line = what_if_move(state, WhatIfMove(who="a", path_mm=((to, 300),), manner=manner, speed_in=6), ask=ask).lines[0]  # type: ignore[arg-type]

    assert line.headline == headline


def test_a_way_goes_over_its_points() -> None:
    (line,) = what_if_move(two(), WhatIfMove(who="a", path_mm=((300, 350), (350, 350))), ask=ask).lines

    assert line.verdict is not None
    assert line.verdict.value["travelled_mm"] == pytest.approx(100)


def test_a_free_strike_is_told_with_the_point_where_it_falls() -> None:
    state = table(mini("a", 300, 300, 0, side="red"), mini("b", 335, 300, 180, side="blue", reach=1))

    _, strikes = what_if_move(state, WhatIfMove(who="a", path_mm=((200, 300),)), ask=ask).lines

    assert strikes.verdict is not None
    by_id = strikes.verdict.value["by_id"]
    assert isinstance(by_id, dict)
    assert by_id["b"]["at_mm"] == pytest.approx([300 - 25.4 + 5, 300], abs=0.1)


@pytest.fixture
def phone() -> Iterator[TestClient]:
    hub = Hub(title="test table")
    with TestClient(create_app(hub)) as client:
        hub.handle_report(frame_report(state_line(skirmish())))
        yield client


def test_around_one_comes_in_parts_over_http(phone: TestClient) -> None:
    answer = phone.post("/api/v1/ask-one", json={"who": "m6"}, headers={"Accept": "application/x-ndjson"})

    first, *_, last = [json.loads(line) for line in answer.text.splitlines()]
    assert (first["is_whole"], last["is_whole"]) == (False, True)
    assert len(first["others"]) == len(last["others"]) == 16


@pytest.mark.parametrize(
    ("address", "asked", "field"),
    [
        ("ask-one", {"who": "nobody"}, "who"),
        ("ask-one", {"who": "m6", "ghosts": {"nobody": {"at_mm": [1, 1]}}}, "ghosts"),
        ("ask-move", {"who": "nobody", "path_mm": [[1, 1]]}, "who"),
        ("ask-pair", {"a": "m6", "b": "m7", "ghosts": {"nobody": {"at_mm": [1, 1]}}}, "ghosts"),
    ],
)
def test_a_stranger_is_a_problem_that_names_the_field(
    phone: TestClient, address: str, asked: dict[str, Any], field: str
) -> None:
    answer = phone.post(f"/api/v1/{address}", json=asked, headers={"Accept": "application/x-ndjson"})

    assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_where_nothing_may_be_measured_the_refusal_is_told_and_everybody_listed() -> None:
    found = whole(two().in_edition("hordes-mk2"))

    assert found.refused
    assert [(one.id, one.distance_mm, one.lines) for one in found.others] == [("b", None, ())]
    assert found.rings == ()


def test_lengths_beyond_every_table_are_refused_and_never_drawn(phone: TestClient) -> None:
    far = {"who": "m6", "speed_in": 9e14, "reach_in": 9e14}
    assert phone.post("/api/v1/ask-one", json=far).status_code == 422

    card = {"spd_in": 9e14, "melee": [{"name": "Pole", "reach_in": 9e14}]}
    told = {"do": "miniature", "ids": ["m6"], "profile": card}
    assert phone.post("/api/v1/corrections", json=told).status_code == 201
    assert phone.post("/api/v1/ask-one", json={"who": "m6"}).json()["rings"] == []


@pytest.mark.parametrize("field", ["speed_in", "reach_in", "ring_in"])
def test_lengths_that_no_card_prints_are_refused(phone: TestClient, field: str) -> None:
    answer = phone.post("/api/v1/ask-one", json={"who": "a", field: 60.5})

    assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_a_way_far_off_the_table_is_refused_by_its_point(phone: TestClient) -> None:
    refused = phone.post("/api/v1/ask-move", json={"who": "m6", "path_mm": [[300, 300], [7e13, -2e12]]})

    assert (refused.status_code, refused.json()["field"]) == (422, "path_mm.1")


def test_a_gun_that_sees_and_reaches_is_a_threat() -> None:
    gun = {"ranged": [{"name": "Rifle", "rng_in": 12}]}
    far = mini("b", 580, 300, 180, side="blue", profile=gun)

    (foe,) = whole(table(mini("a", 300, 300, side="red"), far)).others
    wall = mini("x", 440, 300, mm=120)
    others = {one.id: one for one in whole(table(mini("a", 300, 300, side="red"), wall, far)).others}

    assert [(line.title, line.headline) for line in foe.lines] == [("B shoots A: Rifle", "In range")]
    assert others["b"].lines == ()


def test_how_many_cards_are_missing_is_told() -> None:
    card = {"spd_in": 6, "melee": [{"name": "Axe", "reach_in": 1}]}
    foes = (mini("b", 600, 300, 180, side="blue", profile=card), mini("c", 700, 300, 180, side="blue"))

    sheet = whole(table(mini("a", 300, 300, side="red"), mini("d", 300, 400, side="red"), *foes))

    assert sheet.cards_missing == 1


def test_whom_it_sees_is_told_when_it_is_asked() -> None:
    between = mini("x", 400, 300, None, mm=50, side="red")
    state = table(
        mini("a", 300, 300, side="red"), between, mini("b", 500, 301, side="blue"), mini("c", 500, 600, side="blue")
    )

    seen = {one.id: one.sight and one.sight.answer for one in whole(state, sees=True).others}

    assert seen["b"] == "no"
    assert seen["x"] == "yes"
    assert all(one.sight is None for one in whole(state).others)
