"""The mat's corners tapped while the table is played."""

from collections.abc import Iterator
from threading import Thread
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from api.app import create_app
from api.hub import Hub
from api.job import Job
from api.live_corners import KEPT, add_live_corners
from api.seats.seats import Seats
from api.sighting import Looked
from api.wishes import Wishes
from calibration import lens
from calibration.rim import corners_mm
from models.camera import CameraPose
from tests.api.fakes import ask
from tests.api.worlds import flags_of_a_camera
from tests.calibration import mats, scene

CORNERS = lens.project(corners_mm(mats.TABLE), camera=mats.CAMERA, pose=mats.TRUE)
SHOWN = scene.photograph_table(scene.layout(), camera=mats.CAMERA, pose=mats.TRUE)


@pytest.fixture
def flags() -> Wishes:
    return flags_of_a_camera()


@pytest.fixture
def hub(flags: Wishes) -> Hub:
    return Hub(title="test table", wishes=flags)


def opened(hub: Hub, *, seats: Seats | None = None) -> TestClient:
    app = create_app(hub, ask=ask, seats=seats)
    job = Job(source="0", camera=mats.CAMERA, layout=scene.layout(), edition="warmachine-prime")
    add_live_corners(app, hub, job)
    return TestClient(app)


@pytest.fixture
def phone(hub: Hub, flags: Wishes) -> Iterator[TestClient]:
    """A phone at a table whose camera sends a picture when it is asked for one."""
    camera = Thread(target=lambda: _send(hub, flags), daemon=True)
    camera.start()
    yield opened(hub)
    flags.whole.set()
    camera.join(10)


def _send(hub: Hub, flags: Wishes) -> None:
    flags.whole.wait()  # type: ignore[attr-defined] - a threading.Event within one process
    hub.take(Looked(bytes(cv2.imencode(".png", SHOWN)[1].tobytes())))


def taps(**more: Any) -> dict[str, Any]:
    return {"version": 1, "corners_px": np.asarray(CORNERS).tolist(), "table_mm": mats.TABLE, **more}


def test_what_is_kept_is_where_the_camera_hangs(phone: TestClient, flags: Wishes) -> None:
    phone.post("/api/v1/corners/look")
    judged = phone.post("/api/v1/corners", json=taps(keep=True)).json()

    pose = flags.poses.get()
    assert isinstance(pose, CameraPose)
    assert pose.centre_mm == pytest.approx(mats.TRUE.centre_mm, abs=2.0)
    assert (judged["kept"], judged["fit"]) == (KEPT, "fit")
    assert judged["worst_mm"] < 0.5


def test_nothing_hangs_elsewhere_until_it_is_to_be_kept(phone: TestClient, flags: Wishes) -> None:
    phone.post("/api/v1/corners/look")
    phone.post("/api/v1/corners", json=taps())

    assert flags.poses.empty()


def test_who_only_watches_sees_no_more_than_the_table(hub: Hub) -> None:
    watcher = opened(hub, seats=Seats(hub.journal))

    assert watcher.post("/api/v1/corners/look").status_code == 403
    assert watcher.get("/api/v1/corners/look/1.jpg").status_code == 403
