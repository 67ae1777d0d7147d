"""Terrain that a picture suggests, over HTTP: laid or rejected by a step that can be taken back."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.server.app import create_app
from models.state import TableState
from models.terrain_proposal import KindGuess, ProposedDisc, ProposedTerrain
from tests.api.fakes import ask
from tests.api.worlds import frame_report, skirmish, state_line

WOOD = ProposedTerrain(
    id="terrain-1", polygon_mm=((40, 500), (160, 510), (150, 610), (50, 600)), sigma_mm=3.0,
    kinds=(KindGuess(kind="forest", probability=0.6),),
)  # fmt: skip


def table() -> TableState:
    return skirmish().with_proposals((WOOD,))


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(table())))
    return hub


@pytest.fixture
def phone(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask), raise_server_exceptions=False) as client:
        yield client


def proposed(phone: TestClient) -> list[str]:
    answer = phone.get("/api/v1/proposals")
    assert answer.status_code == 200
    return [one["id"] for one in answer.json()["terrain"]]


def test_what_is_proposed_is_no_terrain_of_the_table(hub: Hub, phone: TestClient) -> None:
    assert proposed(phone) == ["terrain-1"]
    assert hub.state is not None
    assert hub.state.terrain == skirmish().terrain
    assert hub.state.state_id == skirmish().state_id


def test_what_was_laid_is_proposed_no_more_until_it_is_undone(phone: TestClient) -> None:
    laid = {"id": "forest-9", "kind": "forest", "polygon_mm": WOOD.polygon_mm}
    phone.post("/api/v1/corrections", json={"do": "lay", "terrain": [laid]})
    assert proposed(phone) == []

    phone.post("/api/v1/corrections/undo", json={})
    assert proposed(phone) == ["terrain-1"]


def test_what_was_rejected_is_proposed_no_more_until_it_is_undone(hub: Hub, phone: TestClient) -> None:
    step = phone.post("/api/v1/corrections", json={"do": "reject", "polygon_mm": WOOD.polygon_mm})
    assert (step.status_code, step.json()["says"]) == (201, "No terrain where some was proposed")
    assert proposed(phone) == []
    assert hub.state is not None
    assert hub.state.terrain == skirmish().terrain

    phone.post("/api/v1/corrections/undo", json={})
    assert proposed(phone) == ["terrain-1"]


def test_an_outline_that_crosses_itself_cannot_be_rejected(phone: TestClient) -> None:
    crossed = [[0, 0], [9, 9], [9, 0], [0, 9]]

    assert phone.post("/api/v1/corrections", json={"do": "reject", "polygon_mm": crossed}).status_code == 422


def test_nothing_is_proposed_while_a_hand_is_over_the_table(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(hand=True))
    answer = phone.get("/api/v1/proposals").json()

    assert (answer["terrain"], answer["is_hand_in_the_way"]) == ([], True)


def test_the_newest_picture_is_looked_at(phone: TestClient, hub: Hub) -> None:
    """Its far edge is up, and it may be of any scale."""
    dice = np.random.default_rng(1)
    picture = np.add(dice.normal(0, 4, (610, 610, 1)), (60, 110, 80)).clip(0, 255).astype(np.uint8)
    cv2.rectangle(picture, (300, 20), (400, 90), (170, 170, 175), -1)
    hub.handle_report(frame_report(jpeg=cv2.imencode(".jpg", picture)[1].tobytes()))
    (piece,) = phone.get("/api/v1/proposals").json()["terrain"]
    x, y = np.mean(piece["polygon_mm"], axis=0)

    assert (x, y) == pytest.approx((2 * 350.5, 1219.2 - 2 * 55.5), abs=6)


def test_before_there_is_a_table_that_is_said(phone: TestClient) -> None:
    with TestClient(create_app(Hub(title="empty"), ask=ask), raise_server_exceptions=False) as other:
        assert other.get("/api/v1/proposals").json()["type"].endswith("no_table_yet")


TOKEN = ProposedDisc(what="token", id="disc-1", centre_mm=(820, 560), diameter_mm=34.0, sigma_mm=0.5)


@pytest.mark.parametrize(
    "correction",
    [
        {"do": "lay", "effects": [{"id": "t1", "kind": "marker", "centre_mm": [821, 560], "diameter_mm": 34}]},
        {"do": "lay", "objectives": [{"id": "t1", "kind": "marker", "at_mm": [820, 561], "diameter_mm": 30}]},
        {"do": "reject", "polygon_mm": [[803, 543], [837, 543], [837, 577], [803, 577]]},
    ],
)
def test_a_disc_that_was_laid_or_refused_is_offered_no_more(correction: dict[str, object]) -> None:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish().with_proposals((TOKEN,)))))
    with TestClient(create_app(hub, ask=ask)) as phone:
        before = phone.get("/api/v1/proposals").json()["discs"]
        told = phone.post("/api/v1/corrections", json=correction)
        after = phone.get("/api/v1/proposals").json()["discs"]

    assert told.status_code in (200, 201)
    assert [one["id"] for one in before] == ["disc-1"]
    assert after == []


def test_a_disc_that_lies_on_terrain_is_offered_all_the_same() -> None:
    hub, wood = (
        Hub(title="test table"),
        {"id": "w", "kind": "rough", "polygon_mm": [[700, 450], [950, 450], [950, 650], [700, 650]]},
    )
    hub.handle_report(frame_report(state_line(skirmish().with_proposals((TOKEN,)))))
    with TestClient(create_app(hub, ask=ask)) as phone:
        phone.post("/api/v1/corrections", json={"do": "lay", "terrain": [wood]})
        after = phone.get("/api/v1/proposals").json()["discs"]

    assert [one["id"] for one in after] == ["disc-1"]
