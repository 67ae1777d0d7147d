"""What the page of the mat's corners asks of the server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from api.corners.service import CornerService
from api.routes.corners import create_corner_app
from api.storage.files import save
from calibration.camera_model import projection
from calibration.pose.mat_sides import corners_mm
from models.camera import CameraPose
from models.layout import Layout
from tests.calibration import mats, scene

CORNERS = projection.project(corners_mm(mats.TABLE), camera=mats.CAMERA, pose=mats.TRUE)


def _keeping(folder: Path) -> Callable[[CameraPose], str]:
    def keep(pose: CameraPose) -> str:
        save(pose, folder / "pose.json")
        return "pose.json"

    return keep


def _server(output: Path, *, layout: Layout | None = None, cut_mm: float = 0.1) -> TestClient:
    shown = mats.picture(0.6, 0.2)
    if layout is not None:
        shown = scene.photograph_table(layout, camera=mats.CAMERA, pose=mats.TRUE)
    desk = CornerService(
        lambda _: (shown, False), camera=mats.CAMERA, layout=layout, table_mm=None, cut_mm=cut_mm, keep=_keeping(output)
    )
    return TestClient(create_corner_app(desk))


def _taps(version: int = 1, corners: np.ndarray = CORNERS, **more: Any) -> dict[str, Any]:
    return {"version": version, "corners_px": corners.tolist(), "table_mm": mats.TABLE, **more}


def test_a_sharp_mat_is_fit_to_judge_or_rough_by_how_truly_it_is_cut(tmp_path: Path) -> None:
    fits = []
    for cut_mm in (0.1, 0.8, 5.0):
        server = _server(tmp_path, cut_mm=cut_mm)
        server.post("/api/v1/corners/look")
        fits.append(server.post("/api/v1/corners", json=_taps()).json()["fit"])

    assert fits[1:] == ["rough", "unfit"]
    assert fits[0] in ("fit", "rough")


def test_nothing_is_written_until_it_is_to_be_kept(tmp_path: Path) -> None:
    server = _server(tmp_path)
    server.post("/api/v1/corners/look")
    assert server.post("/api/v1/corners", json=_taps()).json()["kept"] is None
    assert list(tmp_path.iterdir()) == []

    server.post("/api/v1/corners", json=_taps(keep=True))
    kept = CameraPose.model_validate_json((tmp_path / "pose.json").read_bytes())
    assert kept.centre_mm == pytest.approx(mats.TRUE.centre_mm, abs=2.0)


def test_fiducials_in_the_picture_are_taken_too(tmp_path: Path) -> None:
    server = _server(tmp_path, layout=scene.layout())
    look = server.post("/api/v1/corners/look").json()
    judged = server.post("/api/v1/corners", json=_taps()).json()

    assert (look["is_table_sure"], look["table_mm"]) == (True, list(mats.TABLE))
    assert "they agree" in " ".join(judged["notes"])
    assert judged["fit"] == "fit"


def test_taps_in_an_older_picture_are_refused(tmp_path: Path) -> None:
    server = _server(tmp_path)
    for _ in range(2):
        server.post("/api/v1/corners/look")
    answer = server.post("/api/v1/corners", json=_taps(version=1))

    assert (answer.status_code, answer.json()["field"]) == (422, "version")
    assert server.get("/api/v1/corners/look/1.jpg").status_code == 404


@pytest.mark.parametrize(
    "wrong", [CORNERS + np.array([0, 900.0]), CORNERS[[0, 2, 1, 3]], CORNERS[::-1], CORNERS[[0, 0, 2, 3]]]
)
def test_taps_that_make_no_table_are_named(wrong: np.ndarray, tmp_path: Path) -> None:
    server = _server(tmp_path)
    server.post("/api/v1/corners/look")
    answer = server.post("/api/v1/corners", json=_taps(corners=wrong, keep=True))

    assert (answer.status_code, answer.json()["field"]) == (422, "corners")
    assert list(tmp_path.iterdir()) == []


def test_the_map_and_the_picture_are_served(tmp_path: Path) -> None:
    server = _server(tmp_path)
    assert server.get("/api/v1/corners/map.svg").status_code == 404
    server.post("/api/v1/corners/look")
    server.post("/api/v1/corners", json=_taps())

    assert server.get("/api/v1/corners/map.svg").text.startswith("<svg")
    assert server.get("/api/v1/corners/look/1.jpg").content[:2] == b"\xff\xd8"


def test_a_picture_of_another_size_is_refused_before_anybody_taps(tmp_path: Path) -> None:
    small = np.zeros((480, 640, 3), np.uint8)
    desk = CornerService(
        lambda _: (small, False), camera=mats.CAMERA, layout=None, table_mm=None, cut_mm=0.5, keep=_keeping(tmp_path)
    )
    answer = TestClient(create_corner_app(desk)).post("/api/v1/corners/look")

    assert (answer.status_code, answer.json()["calibrated"]) == (422, [1280, 720])
