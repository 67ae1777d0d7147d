"""Photographs sent from a phone: each becomes the table, and is kept nowhere."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from api.camera.photographs import SOURCE, Photographs
from api.camera.protocol import Job, StillView
from api.http.refusals import MOST_PHOTOGRAPH_BYTES
from api.live.hub import Hub
from api.routes.camera import add_photographs
from api.server.app import create_app
from models.layout import Layout, NoFiducials
from tests.api.serving import PATIENCE_S
from tests.vision import rendered

STAYS = rendered.Base((150.0, 140.0), 40.0, 60.0, "front-half", paint=rendered.WHITE)
GOES = rendered.Base((420.0, 230.0), 30.0, seed=2)
COMES = rendered.Base((300.0, 120.0), 30.0, seed=2)
SCENE = rendered.Scene((STAYS, GOES))
URL = "/api/v1/photographs"


def _png(scene: rendered.Scene, *, turned: bool = False) -> bytes:
    picture = rendered.photograph(scene)
    return bytes(cv2.imencode(".png", np.rot90(picture) if turned else picture)[1].tobytes())


@pytest.fixture(scope="module")
def hub() -> Hub:
    return Hub(title="photographed")


@pytest.fixture(scope="module")
def phone(hub: Hub) -> Iterator[TestClient]:
    """A server that measures on a thread, so that no test waits for a process to start."""
    job = Job(source=SOURCE, camera=SCENE.eye.camera(), layout=rendered.layout(), edition="warmachine-prime")
    photographs = Photographs(job, pool=lambda: ThreadPoolExecutor(1))
    app = create_app(hub, camera=photographs)
    add_photographs(app, photographs)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def test_a_photograph_becomes_the_table_and_who_stays_keeps_the_name(phone: TestClient, hub: Hub) -> None:
    first = phone.post(URL, content=_png(SCENE)).json()
    assert hub.state is not None
    before = {one.id: one for one in hub.state.miniatures}
    second = phone.post(URL, content=_png(replace(SCENE, bases=(STAYS, COMES)))).json()
    after = {one.id: one for one in hub.state.miniatures}

    assert (first["miniatures"], second["miniatures"]) == (2, 2)
    (kept,) = before.keys() & after.keys()
    assert np.hypot(*np.subtract(after[kept].at_mm, STAYS.at_mm)) < 0.5
    assert after.keys() - before.keys() == {"m3"}
    assert second["state_id"] == hub.state.state_id


def test_the_phone_sees_the_table_of_the_photograph(phone: TestClient) -> None:
    phone.post(URL, content=_png(SCENE))
    seen = cv2.imdecode(np.frombuffer(phone.get("/api/v1/picture.jpg").content, np.uint8), cv2.IMREAD_COLOR)
    wide, deep = rendered.layout().table_mm

    assert seen is not None
    assert seen.shape == (round(deep), round(wide), 3)


@pytest.mark.parametrize(
    ("data", "status", "type_"),
    [
        (b"once upon a time", 422, "input/bad_file"),
        (b"", 422, "input/bad_file"),
        (_png(rendered.Scene(has_fiducials=False)), 503, "world/table_not_visible"),
        (_png(SCENE, turned=True), 422, "input/bad"),
        (bytes(MOST_PHOTOGRAPH_BYTES + 1), 413, "input/too_much"),
    ],
)
def test_what_cannot_be_measured_is_answered_and_changes_nothing(
    phone: TestClient, hub: Hub, data: bytes, status: int, type_: str
) -> None:
    before = hub.state
    answer = phone.post(URL, content=data)

    assert (answer.status_code, answer.json()["type"]) == (status, type_)
    assert hub.state is before


def test_another_side_shows_who_was_hidden_and_makes_the_others_surer(phone: TestClient, hub: Hub) -> None:
    phone.post(URL, content=_png(replace(SCENE, bases=(STAYS,))))
    assert hub.state is not None
    before = hub.state.miniatures[0]
    other = replace(SCENE.eye, centre_mm=(330.0, 210.0, 790.0), tilt_rad=(0.01, 0.02))
    answer = phone.post(f"{URL}?another_side=true", content=_png(replace(SCENE, eye=other)))
    after = {one.id: one for one in hub.state.miniatures}

    assert (answer.status_code, answer.json()["miniatures"]) == (200, 2)
    assert np.trace(after[before.id].covariance()) < np.trace(before.covariance())


def test_another_side_of_a_table_that_was_changed_is_refused(phone: TestClient, hub: Hub) -> None:
    phone.post(URL, content=_png(SCENE))
    moved = replace(STAYS, at_mm=(STAYS.at_mm[0] + 3.0, STAYS.at_mm[1]))
    before = hub.state
    problem = phone.post(f"{URL}?another_side=true", content=_png(replace(SCENE, bases=(moved, GOES)))).json()

    assert problem["type"] == "world/cameras_disagree"
    assert "if something was moved, take it as a new picture" in problem["detail"]
    assert hub.state is before


def test_no_photograph_is_kept(phone: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    phone.post(URL, content=_png(SCENE))

    assert list(tmp_path.rglob("*")) == []


def _serve_still(folder: Path, *, pool: Callable[[], Executor], further_views: tuple[StillView, ...] = ()) -> Hub:
    """The hub of a table of one photograph, as soon as it has said what became of it."""
    (folder / "photograph.png").write_bytes(_png(SCENE))
    bare = Layout(table_mm=rendered.layout().table_mm, fiducials=NoFiducials())
    job = Job(
        source=str(folder / "photograph.png"), camera=SCENE.eye.camera(), layout=bare, edition="warmachine-prime",
        pose=SCENE.eye.pose(), further_views=further_views,
    )  # fmt: skip
    still = Hub(title="one photograph")
    with TestClient(create_app(still, camera=Photographs(job, pool=pool))) as client:
        until_s = time.monotonic() + PATIENCE_S
        while still.source.fresh.source not in ("still", "lost") and time.monotonic() < until_s:
            client.get("/api/v1/state")
            time.sleep(0.05)
    return still


def test_one_photograph_whose_pose_is_known_is_located_by_itself_and_rests(tmp_path: Path) -> None:
    still = _serve_still(tmp_path, pool=lambda: ThreadPoolExecutor(1))

    assert still.state is not None
    assert len(still.state.miniatures) == 2


def test_photographs_of_one_moment_become_one_table(tmp_path: Path) -> None:
    """One shows the base that the other hides, and both the third."""
    (tmp_path / "other.png").write_bytes(_png(replace(SCENE, bases=(STAYS, COMES))))
    other = StillView(str(tmp_path / "other.png"), SCENE.eye.camera(), SCENE.eye.pose())
    still = _serve_still(tmp_path, pool=lambda: ThreadPoolExecutor(1), further_views=(other,))

    assert still.state is not None
    places = sorted(one.at_mm for one in still.state.miniatures)
    assert np.allclose(places, sorted(base.at_mm for base in (STAYS, GOES, COMES)), atol=0.7)


def test_one_photograph_that_breaks_what_measures_it_is_said(tmp_path: Path) -> None:
    """Nobody waits for a table that never comes."""

    class Broken(ThreadPoolExecutor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            raise RuntimeError("out of memory")

    still = _serve_still(tmp_path, pool=Broken)

    assert still.source.fresh.source == "lost"
    assert still.state is None


def test_a_picture_that_is_hard_to_measure_is_measured_and_said_to_be_so(
    phone: TestClient, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(hub, "notify", said.append)
    noisy = rendered.photograph(SCENE) + np.random.default_rng(3).normal(0, 22.0, (*rendered.photograph(SCENE).shape,))
    sent = cv2.imencode(".png", noisy.clip(0, 255).astype(np.uint8))[1].tobytes()
    reply = phone.post(URL, content=sent)

    assert reply.status_code == 200
    assert [says for says in said if "noisy" in says and "more light" in says]
