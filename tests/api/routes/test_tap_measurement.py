"""Taps on the newest picture: what stands there, in every size, with its outline and a crop for a loupe."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from api.camera.photographs import SOURCE, Photographs
from api.camera.protocol import Job
from api.errors import TooManyQuestions
from api.live.hub import Hub
from api.routes.camera import add_photographs
from api.server.app import create_app
from api.tap_measurement.service import MOST_WAITING, TapMeasurementService
from models.base import RoundBase
from models.miniature import Miniature
from models.tap import Tap, TapMeasurement
from tests.api.worlds import frame_report, state_line
from tests.vision import rendered

ROUND = rendered.Base((150.0, 140.0), 40.0, 60.0, "front-half", paint=rendered.WHITE)
SMALL = rendered.Base((420.0, 230.0), 30.0, seed=2)
SCENE = rendered.Scene((ROUND, SMALL))
URL = "/api/v1/measure"


@pytest.fixture(scope="module")
def hub() -> Hub:
    return Hub(title="tapped")


@pytest.fixture(scope="module")
def taps(hub: Hub) -> TapMeasurementService:
    return TapMeasurementService(hub, layout=rendered.layout(), open_pool=lambda: ThreadPoolExecutor(1))


@pytest.fixture(scope="module")
def phone(hub: Hub, taps: TapMeasurementService) -> Iterator[TestClient]:
    """A server that has taken one photograph."""
    job = Job(source=SOURCE, camera=SCENE.eye.camera(), layout=rendered.layout(), edition="warmachine-prime")
    photographs = Photographs(job, pool=lambda: ThreadPoolExecutor(1))
    app = create_app(hub, camera=photographs, taps=taps)
    add_photographs(app, photographs)
    with TestClient(app, raise_server_exceptions=False) as client:
        assert client.get(URL).json()["type"] == "world/no_picture"
        sent = cv2.imencode(".png", rendered.photograph(SCENE))[1].tobytes()
        assert client.post("/api/v1/photographs", content=sent).status_code == 200
        yield client


def test_a_tap_beside_the_middle_is_answered_by_the_base_there(phone: TestClient) -> None:
    answer = phone.post(URL, json={"at_mm": [153.0, 138.0]}).json()
    (best, *others) = answer["candidates"]

    assert best["base"]["diameter_mm"] == 40.0
    assert best["is_measured"]
    assert best["probability"] > max((other["probability"] for other in others), default=0.0)
    assert np.hypot(*np.subtract(best["at_mm"], ROUND.at_mm)) < 0.5
    assert answer["miniature"] is not None


def test_the_outline_in_pixels_lies_round_the_outline_in_millimetres(phone: TestClient) -> None:
    answer = phone.post(URL, json={"at_mm": [421.0, 232.0]}).json()
    best = answer["candidates"][0]
    on_table = _to_mm(answer["crop"]["mm_from_px"], np.array(best["outline_px"]))
    radius_mm = np.hypot(*(on_table - best["at_mm"]).T)

    assert best["base"]["diameter_mm"] == 30.0
    assert radius_mm.min() > 14.9
    assert radius_mm.max() < 20.0


def test_a_tap_in_pixels_means_the_place_under_them(phone: TestClient) -> None:
    by_mm = phone.post(URL, json={"at_mm": [151.0, 141.0]}).json()
    by_px = phone.post(URL, json={"at_px": by_mm["at_px"]}).json()

    assert by_px["at_mm"] == pytest.approx(by_mm["at_mm"], abs=0.01)


def test_another_chip_fits_that_size_alone(phone: TestClient) -> None:
    chip = {"shape": "round", "diameter_mm": 50.0}
    answer = phone.post(URL, json={"at_mm": [152.0, 139.0], "base": chip}).json()

    assert [each["base"]["diameter_mm"] for each in answer["candidates"]] == [50.0]


def test_a_base_of_the_wrong_size_is_measured_again_in_the_right_one(phone: TestClient, hub: Hub) -> None:
    (id_,) = (m.id for m in hub.measured.miniatures if np.hypot(*np.subtract(m.at_mm, ROUND.at_mm)) < 5.0)
    right = hub.measured.by_id[id_]
    assert isinstance(right, Miniature)
    wrong = right.model_dump() | {"base": {"shape": "round", "diameter_mm": 30.0}, "base_alternatives": ()}
    rest = tuple(m for m in hub.measured.miniatures if m.id != id_)
    hub.handle_report(frame_report(state_line(hub.measured.with_miniatures((*rest, Miniature.model_validate(wrong))))))
    chip = {"shape": "round", "diameter_mm": 40.0}
    answer = phone.post(URL, json={"at_mm": [152.0, 139.0], "base": chip}).json()
    (best,) = answer["candidates"]
    confirmed = {"do": "base", "id": answer["miniature"]} | {
        field: best[field] for field in ("base", "at_mm", "sigma_mm")
    }
    step = phone.post("/api/v1/corrections", json=confirmed).json()
    assert hub.state is not None
    healed = hub.state.by_id[id_]
    phone.post("/api/v1/corrections/undo", json={"n": step["n"]})

    assert answer["miniature"] == id_
    assert isinstance(healed, Miniature)
    assert healed.base == right.base
    assert np.hypot(*np.subtract(healed.at_mm, ROUND.at_mm)) < 0.5
    assert healed.sigma.at_mm == pytest.approx(best["sigma_mm"])
    assert hub.state.by_id[id_] == hub.measured.by_id[id_]
    assert len(hub.state.miniatures) == len(rest) + 1


def test_the_crop_shows_the_camera_s_own_pixels_around_the_tap(phone: TestClient) -> None:
    answer = phone.post(URL, json={"at_mm": [150.0, 140.0]}).json()
    sides = ("left_px", "top_px", "width_px", "height_px")
    query = {"picture": answer["picture"]} | {side: answer["crop"][side] for side in sides}
    reply = phone.get(f"{URL}/crop.jpg", params=query)
    crop = cv2.imdecode(np.frombuffer(reply.content, np.uint8), cv2.IMREAD_COLOR)

    assert crop is not None
    assert crop.shape[:2] == (query["height_px"], query["width_px"])
    u, v = answer["at_px"]
    assert 0 < u - query["left_px"] < query["width_px"]
    assert 0 < v - query["top_px"] < query["height_px"]
    assert _to_mm(answer["crop"]["mm_from_px"], np.array([[u, v]]))[0] == pytest.approx([150.0, 140.0], abs=0.2)


def test_three_taps_on_the_rim_lead_the_outline(phone: TestClient) -> None:
    first = phone.post(URL, json={"at_mm": [150.0, 140.0]}).json()["candidates"][0]
    rim_px = first["outline_px"][5:40:10]
    led = phone.post(URL, json={"rim_px": rim_px}).json()["candidates"][0]

    assert led["base"] == first["base"]
    assert np.hypot(*np.subtract(led["at_mm"], ROUND.at_mm)) < 0.5


def test_taps_on_one_side_of_the_rim_lead_the_outline_too(phone: TestClient) -> None:
    first = phone.post(URL, json={"at_mm": [150.0, 140.0]}).json()["candidates"][0]
    rim_px = first["outline_px"][4:24:8]
    led = phone.post(URL, json={"rim_px": rim_px, "base": first["base"]}).json()["candidates"][0]

    assert np.hypot(*np.subtract(led["at_mm"], ROUND.at_mm)) < 0.5


def test_an_oval_is_turned_as_it_was_twisted(phone: TestClient) -> None:
    oval = {"shape": "oval", "width_mm": 35.0, "depth_mm": 60.0}
    twisted = phone.post(URL, json={"at_mm": [150.0, 140.0], "base": oval, "turn_deg": 100.0}).json()["candidates"][0]

    assert twisted["turn_deg"] == pytest.approx(100.0, abs=12.0)


@pytest.mark.parametrize(
    ("tap", "field"),
    [
        ({"at_mm": [-20.0, 10.0]}, "at_mm"),
        ({"at_px": [1e5, 10.0]}, "at_px"),
        ({"rim_px": [[10.0, 10.0], [12.0, 10.0]]}, "rim_px"),
        ({"rim_px": [[200.0, 200.0], [220.0, 200.5], [260.0, 200.0]]}, "rim_px: the 3 places lie on one line"),
        ({"rim_px": [[200.0, 200.0]] * 3}, "rim_px: the 3 places lie on one line"),
        ({"rim_px": [[200.0, 200.0], [220.0, 190.0], [260.0, -9.0]]}, "rim_px.2: 260, -9 px lies outside the picture"),
        ({"at_mm": [10.0, 10.0], "rim_px": [[1e9, 2.0], [3.0, 4.0], [-1e9, 4.0]]}, "rim_px.0"),
        ({"rim_px": [[10.0, 10.0]] * 5000}, "at most 12 items"),
        ({"at_mm": [150.0, 140.0], "sigma_mm": 1e-300}, "sigma_mm"),
        ({"at_mm": [10.0, 10.0], "at_px": [10.0, 10.0]}, "at_mm or at_px"),
        ({}, "at_mm, at_px or rim_px"),
        ({"at_mm": [10.0, 10.0], "base": {"shape": "round", "diameter_mm": 5000}}, "no base is larger than 300 mm"),
    ],
)
def test_a_tap_that_points_nowhere_is_told_so(phone: TestClient, tap: dict[str, object], field: str) -> None:
    reply = phone.post(URL, json=tap)

    assert reply.status_code == 422
    assert field in reply.json()["detail"]


def test_a_picture_that_nobody_holds_is_no_picture(phone: TestClient) -> None:
    reply = phone.post(URL, params={"picture": "gone-1"}, json={"at_mm": [10.0, 10.0]})

    assert (reply.status_code, reply.json()["type"]) == (404, "world/no_picture")


def test_a_picture_that_is_added_may_be_tapped_on_by_its_name(phone: TestClient, taps: TapMeasurementService) -> None:
    name = taps.add_picture(rendered.photograph(rendered.Scene((SMALL,))), taps.picture().view)
    answer = phone.post(URL, params={"picture": name}, json={"at_mm": [420.0, 230.0]}).json()

    assert answer["picture"] == name
    assert answer["candidates"][0]["base"]["diameter_mm"] == 30.0


def test_of_a_thousand_taps_at_once_few_are_measured_and_the_rest_told_so(
    taps: TapMeasurementService, phone: TestClient
) -> None:
    """The bound: so many wait at a time, whoever taps."""
    tap = Tap(at_mm=(150.0, 140.0), base=RoundBase(diameter_mm=40))

    async def all_at_once() -> list[object]:
        return await asyncio.gather(*(taps.measure(tap) for _ in range(1000)), return_exceptions=True)

    answers = asyncio.run(all_at_once())
    refused = [each for each in answers if isinstance(each, TooManyQuestions)]

    assert len(answers) - len(refused) == MOST_WAITING
    assert all(isinstance(each, TooManyQuestions | TapMeasurement) for each in answers)
    assert "tap again when those are" in refused[0].detail
    assert phone.post(URL, json={"at_mm": [150.0, 140.0]}).status_code == 200


def _to_mm(rows: list[list[float]], points_px: np.ndarray) -> np.ndarray:
    mapped = np.column_stack([points_px, np.ones(len(points_px))]) @ np.array(rows).T
    return mapped[:, :2] / mapped[:, 2:]
