"""The mat's corners tapped while the table is played."""

from collections.abc import Iterator
from threading import Thread
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from api.camera.frame_loop import ROOM_MARGIN_MM, mask_room
from api.camera.protocol import CameraCommands, EventFlag, ImageReport, Job
from api.live.hub import Hub
from api.routes.corners import KEPT, add_live_corners
from api.seats.permissions import Door
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from calibration.arrays import Image
from calibration.camera_model import projection
from calibration.pose.mat_sides import corners_mm
from models.camera import CameraPose
from tests.api.fakes import ask
from tests.api.worlds import camera_commands
from tests.calibration import mats, scene

CORNERS = projection.project(corners_mm(mats.TABLE), camera=mats.CAMERA, pose=mats.TRUE)
SHOWN = scene.photograph_table(scene.layout(), camera=mats.CAMERA, pose=mats.TRUE)


@pytest.fixture
def flags() -> CameraCommands:
    return camera_commands()


@pytest.fixture
def hub(flags: CameraCommands) -> Hub:
    return Hub(title="test table", commands=flags)


def opened(hub: Hub, *, seats: SeatSessions | None = None) -> TestClient:
    app = create_app(hub, ask=ask, seats=seats)
    job = Job(source="0", camera=mats.CAMERA, layout=scene.layout(), edition="warmachine-prime")
    add_live_corners(app, hub, job)
    return TestClient(app)


@pytest.fixture
def phone(hub: Hub, flags: CameraCommands) -> Iterator[TestClient]:
    """A phone at a table whose camera sends a picture when it is asked for one."""
    camera = Thread(target=lambda: _send(hub, flags), daemon=True)
    camera.start()
    yield opened(hub)
    flags.edged.set()
    camera.join(120)


def _send(hub: Hub, flags: CameraCommands) -> None:
    flags.edged.wait()  # type: ignore[attr-defined] - a threading.Event within one process
    hub.handle_report(ImageReport(bytes(cv2.imencode(".png", SHOWN)[1].tobytes()), is_edged=True))


def taps(**more: Any) -> dict[str, Any]:
    return {"version": 1, "corners_px": np.asarray(CORNERS).tolist(), "table_mm": mats.TABLE, **more}


def test_what_is_kept_is_where_the_camera_hangs(phone: TestClient, flags: CameraCommands) -> None:
    phone.post("/api/v1/corners/look")
    judged = phone.post("/api/v1/corners", json=taps(keep=True)).json()

    pose = flags.poses.get()
    assert isinstance(pose, CameraPose)
    assert pose.centre_mm == pytest.approx(mats.TRUE.centre_mm, abs=2.0)
    assert (judged["kept"], judged["fit"]) == (KEPT, "fit")
    assert judged["worst_mm"] < 0.5


def test_nothing_hangs_elsewhere_until_it_is_to_be_kept(phone: TestClient, flags: CameraCommands) -> None:
    phone.post("/api/v1/corners/look")
    phone.post("/api/v1/corners", json=taps())

    assert flags.poses.empty()


def test_who_only_watches_sees_no_more_than_the_table(hub: Hub) -> None:
    watcher = opened(hub, seats=SeatSessions(hub.journal))

    assert watcher.post("/api/v1/corners/look").status_code == 403
    assert watcher.get("/api/v1/corners/look/1.jpg").status_code == 403


def answering(hub: Hub, flag: EventFlag, *looked: ImageReport) -> None:
    """A camera that answers a wish for such pictures."""

    def answer() -> None:
        for one in looked:
            flag.wait()  # type: ignore[attr-defined] - a threading.Event within one process
            flag.clear()
            hub.handle_report(one)

    Thread(target=answer, daemon=True).start()


def png(image: Image) -> bytes:
    return bytes(cv2.imencode(".png", image)[1].tobytes())


def seated(hub: Hub, door: Door) -> TestClient:
    seats = SeatSessions(hub.journal)
    phone = opened(hub, seats=seats)
    phone.post("/api/v1/join", json={"code": seats.codes[door]})
    return phone


def test_a_player_sees_the_table_and_no_room(hub: Hub, flags: CameraCommands) -> None:
    player = seated(hub, "players")
    answering(hub, flags.edged, ImageReport(png(SHOWN), is_edged=True))

    look = player.post("/api/v1/corners/look").json()
    refused = player.post("/api/v1/corners/look?room=true")

    assert (look["is_edged"], look["may_show_room"]) == (True, False)
    assert (refused.status_code, refused.json()["type"]) == (403, "seat/not_allowed")
    assert not flags.whole.is_set()


def test_a_judge_may_look_at_all_that_the_camera_sees(hub: Hub, flags: CameraCommands) -> None:
    judge = seated(hub, "judge")
    answering(hub, flags.whole, ImageReport(png(SHOWN)))

    look = judge.post("/api/v1/corners/look?room=true").json()

    assert (look["is_edged"], look["may_show_room"]) == (False, True)


def test_before_the_edge_is_known_a_player_sees_nothing_and_is_told_why(hub: Hub, flags: CameraCommands) -> None:
    player = seated(hub, "players")
    answering(hub, flags.edged, ImageReport(None, is_edged=True))

    refused = player.post("/api/v1/corners/look")

    assert (refused.status_code, refused.json()["type"]) == (403, "seat/room_shown")
    assert "judge" in refused.json()["detail"]


def test_before_the_edge_is_known_a_judge_sees_all(hub: Hub, flags: CameraCommands) -> None:
    judge = seated(hub, "judge")
    answering(hub, flags.edged, ImageReport(None, is_edged=True))
    answering(hub, flags.whole, ImageReport(png(SHOWN)))

    assert judge.post("/api/v1/corners/look").json()["is_edged"] is False


def test_corners_tapped_in_a_smaller_picture_hang_the_camera_at_the_same_place(hub: Hub, flags: CameraCommands) -> None:
    phone, half = opened(hub), cv2.resize(SHOWN, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    answering(hub, flags.edged, ImageReport(png(half), is_edged=True))
    look = phone.post("/api/v1/corners/look").json()
    corners = (np.asarray(CORNERS) + 0.5) / 2 - 0.5
    phone.post("/api/v1/corners", json=taps(keep=True) | {"corners_px": corners.tolist()})

    assert (look["width_px"], look["height_px"]) == (640, 360)
    assert flags.poses.get().centre_mm == pytest.approx(mats.TRUE.centre_mm, abs=4.0)


def test_beyond_the_table_and_a_hands_breadth_a_picture_is_black() -> None:
    white = np.full((720, 1280, 3), 255, np.uint8)
    shown = mask_room(white, camera=mats.CAMERA, pose=mats.TRUE, table_mm=mats.TABLE)
    width, depth = mats.TABLE
    places = np.array(
        [
            [1, 1, 0],
            [width - 1, depth - 1, 0],
            [-0.8 * ROOM_MARGIN_MM, depth / 2, 0],
            [-1.3 * ROOM_MARGIN_MM, depth / 2, 0],
        ]
    )
    seen = np.round(projection.project(places, camera=mats.CAMERA, pose=mats.TRUE)).astype(int)
    within = (seen >= 0).all(axis=1) & (seen < (1280, 720)).all(axis=1)

    assert within[-1]
    assert [bool(shown[y, x].all()) for (x, y), here in zip(seen, within, strict=True) if here][-1] is False
    assert all(shown[y, x].all() for (x, y), here in zip(seen[:-1], within[:-1], strict=True) if here)


@pytest.mark.parametrize("is_late", [False, True])
def test_a_picture_with_the_room_is_for_the_seat_that_asked_and_a_late_one_for_nobody(
    hub: Hub, flags: CameraCommands, is_late: bool
) -> None:
    seats = SeatSessions(hub.journal)
    phone = opened(hub, seats=seats)
    judge, player = ({"Authorization": f"Bearer {seats.take_seat(seat)}"} for seat in ("judge", "player-a"))
    room = ImageReport(bytes(cv2.imencode(".png", SHOWN)[1].tobytes()), is_edged=False)
    edged = ImageReport(room.jpeg, is_edged=True)

    def send(flag: EventFlag, *reports: ImageReport) -> Thread:
        def send_when_asked() -> None:
            flag.wait()  # type: ignore[attr-defined] - a threading.Event within one process
            for report in reports:
                hub.handle_report(report)

        sender = Thread(target=send_when_asked, daemon=True)
        sender.start()
        return sender

    if is_late:
        sender = send(flags.edged, room, edged)
        look = phone.post("/api/v1/corners/look", headers=player).json()
        assert look["is_edged"] is True
    else:
        sender = send(flags.whole, room)
        look = phone.post("/api/v1/corners/look?room=true", headers=judge).json()
        path = f"/api/v1/corners/look/{look['version']}.jpg"
        assert phone.get(path, headers=judge).status_code == 200
        assert phone.get(path, headers=player).json()["type"] == "seat/room_shown"
    sender.join(120)
