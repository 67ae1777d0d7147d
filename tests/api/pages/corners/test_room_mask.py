"""Who sees the room around the table when corners are tapped, in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from api.camera.frame_loop import mask_room
from api.camera.protocol import EventFlag, ImageReport, Job
from api.live.hub import Hub
from api.routes.corners import add_live_corners
from api.seats.permissions import Door
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from calibration.arrays import Image
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot
from tests.api.serving import serve_app
from tests.api.worlds import camera_commands
from tests.calibration import mats, scene

pytestmark = pytest.mark.browser

_DARKEST = """canvas => {
  const light = ([x, y]) => canvas.getContext("2d").getImageData(x, y, 1, 1).data[0];
  const [w, h] = [canvas.width - 1, canvas.height - 1];
  return Math.min(...[[0, 0], [w, 0], [0, h], [w, h]].map(light));
}"""
LIGHT = 40  # of 255: what the camera sees of the room is lighter, what is not shown is black


@pytest.fixture(scope="module")
def seen() -> Image:
    """The table, in a room that is light all round."""
    return np.maximum(scene.photograph_table(scene.layout(), camera=mats.CAMERA, pose=mats.TRUE), 2 * LIGHT)


@contextmanager
def open_corners(page: Page, door: Door, seen: Image) -> Iterator[None]:
    """The page on which corners are tapped, for who came in by this door, at a table whose camera sees this."""
    flags, over = camera_commands(), Event()
    hub = Hub(title="test table", commands=flags)
    seats = SeatSessions(hub.journal)
    app = create_app(hub, seats=seats)
    add_live_corners(app, hub, Job(source="0", camera=mats.CAMERA, layout=scene.layout(), edition="warmachine-prime"))
    table_only = mask_room(seen, camera=mats.CAMERA, pose=mats.TRUE, table_mm=mats.TABLE)
    sent = ((flags.edged, ImageReport(png(table_only), is_edged=True)), (flags.whole, ImageReport(png(seen))))
    cameras = [Thread(target=send, args=(hub, flag, looked, over)) for flag, looked in sent]
    for camera in cameras:
        camera.start()
    try:
        with serve_app(app) as url:
            page.request.post(f"{url}api/v1/join", data={"code": seats.codes[door]})
            page.goto(f"{url}corners")
            expect(page.locator("[data-edged]")).to_be_visible()
            yield
    finally:
        over.set()
        for camera in cameras:
            camera.join(120)


def send(hub: Hub, flag: EventFlag, looked: ImageReport, over: Event) -> None:
    """The camera's answer to each such wish, until the test is over."""
    while not over.wait(0.02):
        if flag.is_set():
            flag.clear()
            hub.handle_report(looked)


def png(image: Image) -> bytes:
    return bytes(cv2.imencode(".png", image)[1].tobytes())


def darkest(page: Page) -> int:
    """The darkest of the corners of the picture."""
    return int(page.locator("canvas.picture").evaluate(_DARKEST))


def test_a_judge_shows_the_room_with_one_tap(phone: Page, seen: Image) -> None:
    with open_corners(phone, "judge", seen):
        assert darkest(phone) < LIGHT
        keep_screenshot(phone, "corners-edged")

        phone.get_by_role("button", name="Show the room too").tap()

        expect(phone.locator("[data-edged]")).to_have_count(0)
        assert darkest(phone) > LIGHT
        assert violations(phone) == []
        keep_screenshot(phone, "corners-room")


def test_a_player_is_not_offered_the_room_and_is_told_who_is(phone: Page, seen: Image) -> None:
    with open_corners(phone, "players", seen):
        expect(phone.get_by_role("button", name="Show the room too")).to_have_count(0)
        expect(phone.locator("[data-edged]")).to_contain_text("judge")
        assert darkest(phone) < LIGHT
        assert violations(phone) == []
