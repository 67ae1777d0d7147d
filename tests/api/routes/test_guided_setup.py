"""Guided set-up routes: only who holds the table's code may see the room or change the set-up."""

from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

from api.journal.interface import MemoryJournal
from api.routes.guided_setup import create_setup_app
from api.seats.sessions import SeatSessions
from api.setup_pictures.draft import DraftFolder
from api.setup_pictures.preview import encode_preview, grab_allowed
from api.setup_pictures.schemas import CameraChoice
from api.setup_pictures.setup_guide import SetupGuide
from api.storage.camera_profiles import profiles_in

PATH = "/api/v1/setup"


@pytest.fixture
def seats() -> SeatSessions:
    return SeatSessions(MemoryJournal())


@pytest.fixture
def stranger(tmp_path: Path, seats: SeatSessions) -> TestClient:
    setup = SetupGuide("club", DraftFolder(tmp_path / "club"), grab_allowed(None), profiles_in(tmp_path))
    app = create_setup_app(
        setup,
        seats=seats,
        cameras=lambda: (CameraChoice(source="0", name="Brio"),),
        preview=lambda _: encode_preview(np.zeros((90, 160, 3), np.uint8)),
        begin=lambda: None,
    )
    return TestClient(app)


@pytest.fixture
def player(stranger: TestClient, seats: SeatSessions) -> TestClient:
    stranger.get(f"/j/{seats.codes['players']}")
    return stranger


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/cameras",
        "/preview.jpg?source=0",
        "/pages.pdf",
        "/doubt.svg",
        "/sheets/look/1.jpg",
        "/terrain",
        "/terrain/look/1.jpg",
    ],
)
def test_who_has_no_code_sees_nothing(stranger: TestClient, path: str) -> None:
    assert stranger.get(f"{PATH}{path}").status_code == 403


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", ""), ("POST", "/pictures?name=a"), ("POST", "/begin"), ("PUT", "/terrain/pieces/a")]
)
def test_who_has_no_code_changes_nothing(stranger: TestClient, method: str, path: str) -> None:
    assert stranger.request(method, f"{PATH}{path}", content=b"{}").status_code == 403


def test_pages_to_print_are_a_pdf(player: TestClient) -> None:
    answer = player.get(f"{PATH}/pages.pdf?paper=letter")

    assert (answer.headers["content-type"], answer.content[:5]) == ("application/pdf", b"%PDF-")


def test_cameras_are_listed_with_a_picture_of_each(player: TestClient) -> None:
    assert player.get(f"{PATH}/cameras").json() == [{"source": "0", "name": "Brio"}]
    assert player.get(f"{PATH}/preview.jpg?source=0").content.startswith(b"\xff\xd8")


def test_a_choice_is_kept_and_what_is_left_out_stays(player: TestClient) -> None:
    player.put(PATH, json={"eye": "phone"})
    answer = player.put(PATH, json={"table_mm": [1219.2, 1219.2], "edition": "warhammer-9"})

    assert answer.json()["eye"] == "phone"
    assert answer.json()["edition"] == "warhammer-9"


@pytest.mark.parametrize(
    ("choice", "field"),
    [
        ({"table_mm": [10, 1219]}, "table_mm.0"),
        ({"ruler_mm": 30}, "ruler_mm"),
        ({"eye": "crystal ball"}, "eye"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_choice_that_cannot_be_is_named(player: TestClient, choice: dict[str, object], field: str) -> None:
    problem = player.put(PATH, json=choice)

    assert problem.status_code == 422
    assert problem.json()["field"] == field


def test_what_is_no_picture_is_said(player: TestClient) -> None:
    problem = player.post(f"{PATH}/pictures?name=notes.txt", content=b"buy milk")

    assert problem.status_code == 422
    assert problem.json()["detail"] == "notes.txt: this is no picture"


@pytest.mark.parametrize(
    ("content", "says"), [(b"buy milk", "game.jpg: this is no picture"), (b"", "game.jpg: this is no picture")]
)
def test_a_photograph_that_is_none_is_said(player: TestClient, content: bytes, says: str) -> None:
    problem = player.post(f"{PATH}/photograph?name=game.jpg", content=content)

    assert (problem.status_code, problem.json()["detail"]) == (422, says)


def test_marks_in_a_photograph_that_was_not_sent_are_refused(player: TestClient) -> None:
    player.put(PATH, json={"eye": "photograph", "table_mm": [762, 558.8]})
    mark = {"kind": "corner", "corner": "near-left", "at_px": [10, 10], "sigma_px": 3}
    problem = player.post(f"{PATH}/photograph/marks", json={"version": 1, "marks": [mark]})

    assert (problem.status_code, problem.json()["field"]) == (422, "version")


def test_a_picture_that_is_not_there_cannot_be_removed(player: TestClient) -> None:
    assert player.delete(f"{PATH}/pictures/none.jpg").json()["value"] == "none.jpg"


def test_begin_without_a_table_says_what_is_missing(player: TestClient) -> None:
    assert player.post(f"{PATH}/begin").json()["detail"].startswith("the table is not ready: ")


def test_taps_in_a_picture_that_was_not_taken_are_refused(player: TestClient) -> None:
    player.put(PATH, json={"table_mm": [762, 558.8], "paper": "a4"})
    answer = player.post(f"{PATH}/sheets", json={"version": 1, "taps_px": [[0, 0], [1, 1], [2, 2], [3, 3]]})

    assert (answer.status_code, answer.json()["field"]) == (422, "version")


def test_terrain_is_not_proposed_before_the_table_is_measured(player: TestClient) -> None:
    answer = player.post(f"{PATH}/terrain/propose")

    assert (answer.status_code, answer.json()["detail"]) == (422, "the table is not measured yet")
    assert player.get(f"{PATH}/terrain").json()["pieces"] is None


def test_terrain_that_nobody_kept_cannot_be_taken_up(player: TestClient) -> None:
    assert player.post(f"{PATH}/terrain/take-up", json={"name": "club night"}).status_code == 404
