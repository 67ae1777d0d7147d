"""The table as a picture and as video, for programs that want one."""

import asyncio
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from starlette.testclient import TestClient

from api.live.annotated_video import BOUNDARY, stream_frames
from api.live.hub import Hub
from api.server.app import create_app
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

GREY = 90


def seen(jpeg: bytes) -> NDArray[Any]:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def jpeg_of(size: tuple[int, int]) -> bytes:
    """A plain grey picture of this width and height."""
    return bytes(cv2.imencode(".jpg", np.full((size[1], size[0], 3), GREY, np.uint8))[1].tobytes())


def test_bases_are_drawn_where_they_stand_into_the_cameras_picture() -> None:
    hub = Hub(title="test table")
    hub.handle_report(
        frame_report(state_line(move_miniature(skirmish(), "m7", (609.6, 304.8))), jpeg=jpeg_of((610, 610)))
    )
    picture = seen(TestClient(create_app(hub)).get("/api/v1/annotated.jpg").content)

    base = picture[610 - 152 - 20 : 610 - 152 + 20, 305 - 20 : 305 + 20]
    assert picture.shape == (610, 610, 3)
    assert abs(int(picture[300, 500].mean()) - GREY) <= 3
    assert np.abs(base.astype(int) - GREY).max() > 60


def test_without_a_camera_the_table_is_drawn_on_plain_ground() -> None:
    hub = Hub(title="test table")
    hub.show(skirmish())
    answer = TestClient(create_app(hub)).get("/api/v1/annotated.jpg")

    assert answer.headers["content-type"] == "image/jpeg"
    assert seen(answer.content).shape == (1219, 1219, 3)


@pytest.mark.parametrize("path", ["annotated.jpg", "stream.mjpeg"])
def test_before_anything_was_seen_there_is_no_picture(path: str) -> None:
    answer = TestClient(create_app(Hub(title="dark"))).get(f"/api/v1/{path}")

    assert (answer.status_code, answer.json()["type"]) == (404, "world/no_picture")


def test_the_video_shows_the_table_and_then_each_change() -> None:
    async def watch() -> list[bytes]:
        hub = Hub(title="test table")
        hub.show(skirmish())
        frames = stream_frames(hub)
        parts = [await anext(frames)]
        hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m7", (609.6, 304.8)))))
        parts.append(await anext(frames))
        hub.broadcast.close()
        assert [part async for part in frames] == []
        return parts

    first, second = asyncio.run(watch())
    head, _, jpeg = first.partition(b"\r\n\r\n")
    assert head.startswith(f"--{BOUNDARY}\r\nContent-Type: image/jpeg".encode())
    assert seen(jpeg).shape == (1219, 1219, 3)
    assert first != second
