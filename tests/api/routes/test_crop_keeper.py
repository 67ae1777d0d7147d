"""What players confirm and deny on a picture is kept as labelled crops in the game's folder."""

import io
import json
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import pytest
from starlette.testclient import TestClient

from api.camera.photographs import SOURCE, Photographs
from api.camera.protocol import Job
from api.live.hub import Hub
from api.routes.camera import add_photographs
from api.server.app import create_app
from api.tap_measurement.crop_keeper import FOLDER, CropKeeper
from api.tap_measurement.service import TapMeasurementService
from tests.vision import rendered

SMALL = rendered.Base((420.0, 230.0), 30.0, seed=2)
SCENE = rendered.Scene((SMALL,))
_MOST_TAPS = 50
PLACED = {"do": "base", "id": "giant", "at_mm": [200.0, 150.0], "base": {"shape": "round", "diameter_mm": 50}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("game")


@pytest.fixture(scope="module")
def phone(folder: Path) -> Iterator[TestClient]:
    hub = Hub(title="cropped")
    taps = TapMeasurementService(hub, layout=rendered.layout(), open_pool=lambda: ThreadPoolExecutor(1))
    CropKeeper(hub, taps, folder)
    job = Job(source=SOURCE, camera=SCENE.eye.camera(), layout=rendered.layout(), edition="warmachine-prime")
    photographs = Photographs(job, pool=lambda: ThreadPoolExecutor(1))
    app = create_app(hub, camera=photographs, taps=taps)
    add_photographs(app, photographs)
    with TestClient(app, raise_server_exceptions=False) as client:
        sent = cv2.imencode(".png", rendered.photograph(SCENE))[1].tobytes()
        assert client.post("/api/v1/photographs", content=sent).status_code == 200
        yield client


def _labels(phone: TestClient, folder: Path, *, count: int) -> list[dict[str, object]]:
    """Of all crops, once there are so many; the process that cuts them answers taps between."""
    for _ in range(_MOST_TAPS):
        phone.post("/api/v1/measure", json={"at_mm": [420.0, 230.0]})
        kept = sorted((folder / FOLDER).glob("*.json"))
        if len(kept) == count:
            break
    return [json.loads(path.read_text()) for path in kept]


def test_a_confirmed_base_is_kept_with_its_size_until_it_is_taken_back(phone: TestClient, folder: Path) -> None:
    step = phone.post("/api/v1/corrections", json=PLACED).json()
    kept = _labels(phone, folder, count=1)
    pictures = len(list((folder / FOLDER).glob("*.png")))
    phone.post("/api/v1/corrections/undo", json={"n": step["n"]})

    assert [(label["is_base"], label["is_measured"]) for label in kept] == [(True, False)]
    assert kept[0]["base"] == {"shape": "round", "diameter_mm": 50.0}
    assert pictures == 1
    assert _labels(phone, folder, count=0) == []


def test_a_name_alone_keeps_no_crop(phone: TestClient, folder: Path) -> None:
    (standing, *_) = phone.get("/api/v1/state").json()["miniatures"]
    told = {"do": "miniature", "ids": [standing["id"]], "name": "Mara's Lancer"}

    assert phone.post("/api/v1/corrections", json=told).status_code == 201
    assert _labels(phone, folder, count=0) == []


def test_a_picture_is_given_after_consent_alone(phone: TestClient) -> None:
    asked = phone.get("/api/v1/measure/gift.zip", params={"licence": "CC-BY-4.0", "giver": "Mara"})
    given = phone.get("/api/v1/measure/gift.zip", params={"licence": "CC-BY-4.0", "giver": "Mara", "agree": True})
    gift = zipfile.ZipFile(io.BytesIO(given.content))

    assert (asked.status_code, asked.json()["field"]) == (422, "agree")
    assert set(gift.namelist()) == {
        "table.jpg", "table.state.json", "table.camera.json", "table.layout.json", "table.pose.json", "LICENCE.txt",
    }  # fmt: skip
    assert b"Giver: Mara" in gift.read("LICENCE.txt")
