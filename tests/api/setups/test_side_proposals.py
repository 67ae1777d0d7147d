"""Sides proposed by look."""

import cv2
import numpy as np
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.server.app import create_app
from models.base import RoundBase
from models.state import TableState
from tests.api.worlds import frame_report, skirmish, state_line

RIMS = ((40, 40, 40), (150, 190, 210))  # blue first: dark rims, and rims like sand


def paint_bases(state: TableState, dark: set[str], *, seed: int = 3) -> bytes:
    """The table from above, a pixel a millimetre: dark rims for those named, some half white, any basing."""
    chance = np.random.default_rng(seed)
    wide, deep = round(state.table.width_mm), round(state.table.depth_mm)
    picture = np.full((deep, wide, 3), (60, 90, 70), np.uint8)
    for k, m in enumerate(state.miniatures):
        assert isinstance(m.base, RoundBase)
        centre, radius = (round(m.at_mm[0]), round(deep - m.at_mm[1])), round(m.base.radius_mm)
        cv2.circle(picture, centre, radius, RIMS[m.id not in dark], -1)
        if k % 3 == 0:
            cv2.ellipse(picture, centre, (radius, radius), 0, 0, 150, (235, 235, 235), -1)
        basing = tuple(int(level) for level in chance.integers(60, 200, 3))
        cv2.circle(picture, centre, round(0.85 * radius), basing, -1)
    return bytes(cv2.imencode(".jpg", picture)[1].tobytes())


def open_phone(state: TableState, jpeg: bytes | None) -> TestClient:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(state), jpeg=jpeg))
    return TestClient(create_app(hub))


def put_on_sides(state: TableState, sides: dict[str, str]) -> TableState:
    told = (m.model_validate(m.model_dump() | {"side": sides.get(m.id)}) for m in state.miniatures)
    return state.with_miniatures(tuple(told))


def test_rims_of_two_colours_are_two_sides() -> None:
    state = put_on_sides(skirmish(), {})
    ids = [m.id for m in state.miniatures]
    dark = set(ids[::2])

    told = open_phone(state, paint_bases(state, dark)).get("/api/v1/sides/proposed").json()

    named = [set(side["ids"]) for side in told["sides"]]
    assert sorted(map(len, [named[0] & dark, named[1] & dark]))[0] == 0
    assert len(named[0] | named[1]) + len(told["unsure"]) == len(ids)
    assert len(told["unsure"]) <= 2


def test_a_side_keeps_the_name_that_most_of_it_bear() -> None:
    ids = [m.id for m in skirmish().miniatures]
    dark = set(ids[:8])
    state = put_on_sides(skirmish(), {ids[0]: "Khador", ids[1]: "Khador", ids[12]: "Cygnar"})

    told = open_phone(state, paint_bases(state, dark)).get("/api/v1/sides/proposed").json()

    khador = next(side for side in told["sides"] if side["name"] == "Khador")
    assert set(khador["ids"]) <= dark
    assert {side["name"] for side in told["sides"]} == {"Khador", "Cygnar"}


def test_of_one_army_no_sides_are_proposed() -> None:
    state = skirmish()

    told = open_phone(state, paint_bases(state, {m.id for m in state.miniatures})).get("/api/v1/sides/proposed").json()

    assert told["sides"] == []


def test_without_a_picture_nothing_is_proposed() -> None:
    refused = open_phone(skirmish(), None).get("/api/v1/sides/proposed")

    assert (refused.status_code, refused.json()["type"]) == (404, "world/no_picture")
