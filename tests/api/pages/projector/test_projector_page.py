"""The page on a projector in a real browser, calibrated by what a rendered camera sees of it."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from api.camera.protocol import CameraCommands, ImageReport
from api.live.hub import Hub
from api.projector.schemas import LightSettings
from api.projector.service import LightService
from api.routes.projector import add_projector
from api.server.app import create_app
from calibration.arrays import Floats, Image
from calibration.pose.locate_table import locate_table
from tests.api.pages.player_page import keep_screenshot
from tests.api.serving import serve_app
from tests.api.worlds import camera_commands, skirmish
from tests.calibration.projector.light_scene import FULL_HD, LightScene

pytestmark = pytest.mark.browser

MIDDLE = (700.0, 560.0)
RING = {"type": "circle", "role": "limit", "centre_mm": MIDDLE, "radius_mm": 203.2}
PATIENCE_S = 90.0
NO_BLINK = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("#projector.blink > * { visibility: visible !important; }");
  document.adoptedStyleSheets = [sheet];
}"""


class Room:
    """A rendered table with the page's light on it, a server beside it, and a camera that looks when it is asked to."""

    def __init__(
        self, page: Page, url: str, hub: Hub, commands: CameraCommands, light: LightService, scene: LightScene
    ) -> None:
        self.page, self.url, self.hub, self.commands = page, url, hub, commands
        self.light, self.scene = light, scene
        self.pose = locate_table(scene.photograph(), camera=scene.view.camera, layout=scene.written)

    def shown(self) -> Image:
        """What the projector is given: the page's own pixels, grey."""
        encoded = np.frombuffer(self.page.screenshot(animations="disabled"), np.uint8)
        picture = cv2.imdecode(encoded, cv2.IMREAD_GRAYSCALE)
        assert picture is not None
        return np.asarray(picture, np.uint8)

    def calibrate(self) -> None:
        """Press the key, and take the pictures that are asked for."""
        scene = self.scene
        self.page.keyboard.press("c")
        for _ in range(13):
            until_s = time.monotonic() + PATIENCE_S
            while not self.commands.edged.is_set():
                assert time.monotonic() < until_s, self.page.locator("body").inner_text()
                self.page.wait_for_timeout(20)
            self.commands.take_flag(self.commands.edged)
            picture = scene.photograph(self.shown())
            jpeg = bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())
            report = ImageReport(jpeg, is_edged=True, camera=scene.view.camera, pose=self.pose)
            self.hub.camera.images.put(report)
        expect(self.page.locator(".shadow").first).to_be_attached()

    def lay(self, *shapes: Mapping[str, object], sigma_mm: float = 0.0) -> None:
        answer = self.page.request.put(
            f"{self.url}api/v1/projector/laid", data={"shapes": [dict(shape) for shape in shapes], "sigma_mm": sigma_mm}
        )
        assert answer.ok, answer.text()
        expect(self.page.locator(".laid .witness")).to_have_count(len(shapes))


@contextmanager
def lit_room(browser: Browser) -> Iterator[Room]:
    """A calibrated projector over a rendered table; fails when a script on its page does."""
    scene, commands = LightScene.draw(2, size_px=(1280, 720)), camera_commands()
    hub = Hub(title="Table 4", commands=commands)
    hub.show(skirmish())
    light = LightService(hub, scene.written)
    app = create_app(hub)
    add_projector(app, light)
    page = browser.new_page(viewport={"width": FULL_HD[0], "height": FULL_HD[1]})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    with serve_app(app) as url:
        page.goto(f"{url}projector")
        expect(page.locator("p")).to_contain_text("press C")
        page.evaluate(NO_BLINK)
        room = Room(page, url, hub, commands, light, scene)
        scene.photograph(room.shown())
        room.calibrate()
        yield room
        page.close()
    assert not wrong, wrong


@pytest.fixture(scope="module")
def room(browser: Browser) -> Iterator[Room]:
    with lit_room(browser) as room:
        yield room


def lit_places(room: Room, *, near_mm: Sequence[float], within_mm: tuple[float, float], above: int = 40) -> Floats:
    """Where light truly falls on the table, (N, 2) mm, between two distances from a place."""
    rows, columns = np.nonzero(room.shown() > above)
    places = room.scene.true_light_mm(np.column_stack([columns, rows]).astype(np.float64))
    far = np.linalg.norm(places - near_mm, axis=1)
    return np.asarray(places[(far > within_mm[0]) & (far < within_mm[1])])


def test_a_ring_lies_on_the_table_where_it_was_asked_for(room: Room) -> None:
    room.lay(RING)
    keep_screenshot(room.page, "projector-ring")
    off = lit_places(room, near_mm=MIDDLE, within_mm=(190.0, 216.0)) - MIDDLE
    turn, far = np.arctan2(off[:, 1], off[:, 0]), np.linalg.norm(off, axis=1)
    parts = [far[np.abs(turn - at) < np.pi / 36].mean() for at in np.linspace(-np.pi, np.pi, 36, endpoint=False)[1:]]

    assert np.sqrt(np.mean((np.array(parts) - 203.2) ** 2)) < 1.0


def test_the_pages_pixels_lie_where_the_calibration_says(room: Room) -> None:
    room.lay({"type": "point", "role": "hit", "points_mm": [[300.0, 300.0]]})
    board = room.light.board().model_dump()
    (x, y) = room.page.evaluate(
        "() => { const { x, y, width, height } = document.querySelector('.laid .dot').getBBox();"
        " return [x + width / 2, y + height / 2]; }"
    )
    k, pose = board["projector"]["lens"], board["projector"]["pose"]
    seen = np.array(pose["rotation"]) @ (300.0, 300.0, 0.0) + pose["translation_mm"]
    u, v = seen[:2] / seen[2]
    bent = 1 + (u * u + v * v) * (k["dist"][0] + (u * u + v * v) * k["dist"][1])

    assert (x - 0.5, y - 0.5) == pytest.approx(
        (k["K"][0][0] * u * bent + k["K"][0][2], k["K"][1][1] * v * bent + k["K"][1][2]), abs=0.02
    )


def test_nothing_shines_on_a_figure(room: Room) -> None:
    middle = skirmish().miniatures[0].at_mm
    room.lay({"type": "circle", "role": "limit", "centre_mm": middle, "radius_mm": 6.0})
    near = lit_places(room, near_mm=middle, within_mm=(0.0, 10.0))

    assert len(near) == 0


def test_an_edge_is_as_soft_as_its_sigma(room: Room) -> None:
    room.light.set_settings(LightSettings(areas=False))
    room.lay(RING)
    sharp = lit_places(room, near_mm=MIDDLE, within_mm=(150.0, 260.0), above=4)
    room.lay(RING, sigma_mm=8.0)
    soft = lit_places(room, near_mm=MIDDLE, within_mm=(150.0, 260.0), above=4)
    spread = [np.std(np.linalg.norm(places - MIDDLE, axis=1)) for places in (sharp, soft)]

    assert spread[0] < 4
    assert 6 < spread[1] < 16


def test_one_key_turns_all_of_it_black_and_on_again(room: Room) -> None:
    room.page.keyboard.press("b")
    expect(room.page.locator(".light")).to_have_count(0)
    assert room.shown().max() == 0
    room.page.keyboard.press("b")

    expect(room.page.locator(".light")).to_have_count(1)
