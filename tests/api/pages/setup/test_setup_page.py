"""The set-up page on a phone: from nothing to the first verdict, tap by tap."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from calibration.arrays import Floats, Image
from models.camera import Camera, CameraPose
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, pick, wait_for_frame
from tests.api.serving import folders_of_user, read_addresses, start_program
from tests.calibration.scene import pose_towards
from tests.calibration.setup.drawn_pages import FINER, Block, draw_base, draw_game, draw_sweep
from tests.calibration.setup.drawn_sheets import draw_sheets, lay_sheets, taps_on
from tests.calibration.setup.sweeps import phone as lens

pytestmark = pytest.mark.browser

PICTURES = 6
BASES = ((250.0, 200.0, 40.0), (300.0, 420.0, 40.0))
MOST_TAPS = 13
BLOCKS = (Block((480.0, 330.0), (130.0, 90.0), 52.0, 205), Block((520.0, 130.0), (100.0, 90.0), 30.0, 190))


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("sweep")
    paths = [str(folder / f"{number}.jpg") for number in range(PICTURES)]
    for path, picture in zip(paths, draw_sweep(pictures=PICTURES, blocks=BLOCKS), strict=True):
        cv2.imwrite(path, picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return paths


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with start_program("setup", environment=folders_of_user(tmp_path)) as program:
        yield read_addresses(program)["join"]["players"]


class Finger:
    """Taps, and counts them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=role == "button").tap()  # type: ignore[arg-type]  # the roles of the page
        self.taps += 1

    def next(self) -> None:
        self.tap("button", "Next")


def test_from_nothing_to_the_first_verdict(
    phone: Page, address: str, sweep: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    began_s = time.monotonic()
    finger = Finger(phone)
    phone.goto(address)
    finger.tap("radio", "This phone, now and then")
    finger.next()
    finger.tap("radio", "30 × 22″")
    phone.get_by_label("The printed ruler of 100 mm is").fill("100")
    keep_screenshot(phone, "setup-table")
    finger.next()
    phone.locator("input[type=file]").set_input_files(sweep)
    expect(phone.get_by_role("status")).to_contain_text("Ready to play.", timeout=120_000)
    keep_screenshot(phone, "setup-pictures")
    finger.next()
    expect(phone.locator(".result")).to_contain_text("Places on this table are good to")
    finger.tap("radio", "Any game: measuring only")
    keep_screenshot(phone, "setup-play")
    finger.tap("button", "Play")
    expect(phone.get_by_text("Take a picture")).to_be_visible(timeout=120_000)
    keep_screenshot(phone, "setup-photograph")
    game = tmp_path / "game.jpg"
    cv2.imwrite(str(game), draw_game(BASES))
    phone.locator("input[type=file]").set_input_files(str(game))
    expect(phone.locator(".base")).to_have_count(len(BASES), timeout=120_000)
    for base in phone.locator(".base").all():
        pick(phone, base.get_attribute("data-id") or "")
    finger.taps += len(BASES)
    expect(phone.locator(".panel")).to_contain_text(re.compile(r"Distance 7\.(29|3[0-2])″"))  # 7.307 from edge to edge
    keep_screenshot(phone, "setup-verdict")
    with capsys.disabled():
        print(f"\nfrom nothing to the first verdict: {finger.taps + 3} taps, {time.monotonic() - began_s:.0f} s")

    assert finger.taps + 3 <= MOST_TAPS  # the ruler's length and the choices of pictures are taps too
    assert phone.request.get(f"{phone.url.partition('#')[0]}api/v1/seat").json()["seat"] == "player-a"


def test_terrain_is_proposed_confirmed_by_taps_and_kept_for_the_game(
    phone: Page, address: str, sweep: list[str]
) -> None:
    phone.goto(address)
    phone.get_by_role("radio", name="This phone, now and then").tap()
    phone.get_by_role("button", name="Next").tap()
    phone.get_by_role("radio", name="30 × 22″").tap()
    phone.get_by_label("The printed ruler of 100 mm is").fill("100")
    phone.get_by_role("button", name="Next").tap()
    phone.locator("input[type=file]").set_input_files(sweep[:5])
    expect(phone.get_by_role("status")).to_contain_text("Take 1 more", timeout=120_000)
    phone.get_by_role("button", name="Next").tap()
    phone.get_by_role("button", name="Propose the terrain").tap()
    pieces = phone.locator(".pieces li")
    expect(pieces).to_have_count(len(BLOCKS), timeout=120_000)
    expect(phone.locator(".pieces")).to_contain_text("mm high ±")
    keep_screenshot(phone, "setup-terrain-proposed")
    found = violations(phone)
    phone.get_by_role("radiogroup", name="What is piece 1").get_by_role("radio").first.tap()
    expect(pieces.first).to_have_class("good")
    phone.get_by_label("Another kind 2").select_option("hill")
    expect(pieces.nth(1)).to_have_class("good")
    phone.get_by_role("button", name="Raise piece 2").tap()
    expect(pieces.nth(1).locator(".height b")).to_have_text(re.compile("[05] mm"))
    keep_screenshot(phone, "setup-terrain-chosen")
    phone.reload()  # left, and taken up again
    expect(phone.locator(".pieces .good")).to_have_count(2)
    phone.get_by_label("Keep it as").fill("club night")
    phone.get_by_role("button", name="Keep 2 pieces").tap()
    expect(phone.get_by_text("The game begins with the terrain “club night”.")).to_be_visible()
    found += violations(phone)
    keep_screenshot(phone, "setup-terrain-kept")
    phone.get_by_role("button", name="Play", exact=True).tap()
    expect(phone.get_by_text("Take a picture")).to_be_visible(timeout=120_000)
    kept = phone.request.get(f"{phone.url.partition('#')[0]}api/v1/setups").json()

    assert found == []
    assert [(one["name"], one["pieces"]) for one in kept] == [("club night", 2)]


def test_what_is_refused_is_said_beside_what_was_read(
    phone: Page, address: str, sweep: list[str], tmp_path: Path
) -> None:
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(Path(sweep[1]).read_bytes()[:5000])
    phone.goto(address)
    phone.get_by_role("radio", name="This phone, now and then").tap()
    phone.get_by_role("button", name="Next").tap()
    phone.get_by_role("radio", name="30 × 22″").tap()
    phone.get_by_role("button", name="Next").tap()
    phone.locator("input[type=file]").set_input_files([sweep[0], str(cut)])

    expect(phone.get_by_role("alert")).to_contain_text("cut.jpg: the picture is cut off")
    expect(phone.locator(".pictures li")).to_have_count(1)


def test_every_step_can_be_left_and_taken_up_again(phone: Page, address: str) -> None:
    phone.goto(address)
    phone.get_by_role("radio", name="This phone, now and then").tap()
    expect(phone.get_by_role("button", name="Next")).to_be_enabled()
    phone.reload()

    expect(phone.get_by_role("heading", name="How large is the table?")).to_be_visible()


def test_all_may_use_each_step(phone: Page, address: str) -> None:
    phone.goto(address)
    phone.get_by_role("radio", name="A camera that stays").tap()
    expect(phone.get_by_text("Which camera?")).to_be_visible()
    found = violations(phone)
    phone.get_by_role("radio", name="This phone, now and then").tap()
    phone.get_by_role("button", name="Next").tap()
    phone.get_by_role("radio", name="30 × 22″").tap()
    expect(phone.get_by_role("button", name="Next")).to_be_enabled()
    found += violations(phone)
    phone.get_by_role("button", name="Next").tap()
    expect(phone.get_by_text("Walk around the table")).to_be_visible()

    assert found + violations(phone) == []


def test_two_blank_sheets_and_four_taps_stand_for_a_printer(phone: Page, tmp_path: Path) -> None:
    camera = lens(focal=850.0, size=(1280, 960), dist=(-0.05, 0.03, 0.0, 0.0, 0.0))
    pose = pose_towards([330.0, 200.0, 800.0], [381.0, 279.4, 0.0])
    laid = lay_sheets((762.0, 558.8), seed=3)
    look = tmp_path / "look.avi"
    _record(look, draw_sheets(laid, camera, pose), camera, pose)
    with start_program("setup", "--source", str(look), environment=folders_of_user(tmp_path)) as program:
        phone.goto(read_addresses(program)["join"]["players"])
        phone.get_by_role("radio", name="A recording").tap()
        phone.get_by_role("radio", name="look.avi").tap()
        phone.get_by_role("button", name="Next").tap()
        phone.get_by_role("radio", name="30 × 22″").tap()
        phone.get_by_role("radio", name="A4").tap()
        expect(phone.get_by_text("Lay one blank sheet")).to_be_visible()
        found = violations(phone)
        keep_screenshot(phone, "setup-sheets-lay")
        phone.get_by_role("button", name="Next").tap()
        phone.get_by_role("button", name="Let the camera look").tap()
        taps = taps_on(laid, camera, pose, tap_px=12.0)
        _tap_in_picture(phone, taps[[1, 0, 2, 3]])
        expect(phone.get_by_role("alert")).to_contain_text("taps 1 and 2 are swapped", timeout=120_000)
        phone.get_by_role("button", name="Let the camera look").tap()
        _tap_in_picture(phone, taps)
        keep_screenshot(phone, "setup-sheets-tapped")
        expect(phone.get_by_role("status")).to_contain_text("Ready to play.", timeout=120_000)
        found += violations(phone)
        phone.get_by_role("button", name="Next").tap()
        expect(phone.locator(".result")).to_contain_text("Places on this table are good to")
        keep_screenshot(phone, "setup-sheets-result")
        phone.get_by_role("button", name="Play", exact=True).tap()
        expect(phone.locator(".base")).to_have_count(2, timeout=120_000)  # by the pose that was solved
        keep_screenshot(phone, "setup-sheets-play")

    assert found == []


def _record(path: Path, sheets: Image, camera: Camera, pose: CameraPose) -> None:
    """Two seconds of the sheets, and of two bases beside them."""
    fine = cv2.resize(sheets, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_CUBIC)
    for base in ((250.0, 400.0, 40.0), (450.0, 150.0, 40.0)):
        draw_base(np.asarray(fine, np.uint8), base, camera, pose)
    picture = cv2.cvtColor(cv2.resize(fine, sheets.shape[::-1], interpolation=cv2.INTER_AREA), cv2.COLOR_GRAY2BGR)
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, sheets.shape[::-1])
    for _ in range(30):
        video.write(picture)
    video.release()


def _tap_in_picture(phone: Page, taps: Floats) -> None:
    """Each place of the picture, where it lies on the phone's screen."""
    picture, corners = phone.locator(".tap-stage .picture"), phone.locator(".tap-stage .corner")
    expect(corners).to_have_count(0)
    expect(picture).to_have_js_property("width", 1280)
    picture.scroll_into_view_if_needed()
    wait_for_frame(phone)
    box = picture.bounding_box()
    assert box is not None
    for number, (x, y) in enumerate(taps):
        phone.touchscreen.tap(box["x"] + (x + 0.5) * box["width"] / 1280, box["y"] + (y + 0.5) * box["width"] / 1280)
        expect(corners).to_have_count(number + 1)
