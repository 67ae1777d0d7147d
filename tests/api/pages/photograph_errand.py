"""Errand of one photograph: its pose by taps, a base that the eye missed, and what that one sees, tap by tap."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from calibration.arrays import Floats
from calibration.camera_model.projection import project
from calibration.pose.mat_sides import corners_mm
from models.camera import Camera, CameraPose
from tests.api.pages.player_page import keep_screenshot, pick, wait_for_frame
from tests.calibration.scene import pose_towards
from tests.calibration.setup.sweeps import phone as lens

TABLE_MM = (762.0, 558.8)
STANDING = ((250.0, 200.0, 40.0), (330.0, 420.0, 40.0), (600.0, 380.0, 40.0))
MISSED = (520.0, 250.0, 50.0)  # x, y and diameter of the base over which a cloth lies
ASKED_MM = STANDING[0][:2]  # who looks, along the paint of the rims
_SIZE_PX, _LENS_35_MM = (1600, 1200), 26
_CLOTH_MM = ((-40.0, -4.0), (42.0, -14.0), (34.0, 52.0), (-30.0, 44.0))  # its corners, from the middle of that base
_FINGER_PX = ((3.0, -2.0), (-2.0, 3.0), (2.0, 2.0), (-3.0, -1.0))  # how far a finger comes down beside a corner
_SLIP_PX = (2.0, -2.0)
_FINER, _DOTS, _TOP_MM, _LIP_MM, _BODY_MM = 3, 180, 4.2, 2.2, 12.0
_FLOOR, _MAT, _CLOTH = (46, 66, 92), (66, 122, 92), (70, 74, 120)
_PLASTIC, _WHITE, _EARTH, _COAT = (26, 24, 25), (236, 236, 236), (58, 84, 108), (38, 34, 176)
_FACING_RAD = math.radians(20.0)  # of all that stand there
_OPENING_MS = 120_000


def taken_by() -> tuple[Camera, CameraPose]:
    """The phone's lens and where it was held."""
    focal = _LENS_35_MM / float(np.hypot(36, 24)) * float(np.hypot(*_SIZE_PX))
    camera = lens(focal=focal, size=_SIZE_PX, dist=(0.0,) * 5)
    return camera, pose_towards([381.0, -170.0, 760.0], [381.0, 262.0, 0.0])


def write_photograph(path: Path, *, seed: int = 1) -> None:
    """Four bases on a mat, one of them nearly hidden, as JPEG with EXIF."""
    width, height = _SIZE_PX
    fine = np.full((height * _FINER, width * _FINER, 3), _FLOOR, np.uint8)
    _fill(fine, np.column_stack([corners_mm(TABLE_MM)[:, :2], np.zeros(4)]), _MAT)
    turns = np.linspace(0, 2 * np.pi, _DOTS, endpoint=False)
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    for *middle, diameter in (*STANDING, MISSED):
        for inset_mm, z_mm, colour in ((0.0, 0.0, _PLASTIC), (0.2, _TOP_MM, _PLASTIC), (_LIP_MM, _TOP_MM, _EARTH)):
            rim = middle + (diameter / 2 - inset_mm) * circle
            _fill(fine, np.column_stack([rim, np.full(_DOTS, z_mm)]), colour)
            if inset_mm and colour == _PLASTIC:  # the front half of the lip is white
                front = rim[circle @ (math.cos(_FACING_RAD), math.sin(_FACING_RAD)) > 0]
                _fill(fine, np.column_stack([front, np.full(len(front), z_mm)]), _WHITE)
        body = np.add(middle, (0.0, 4.0)) + (diameter / 5, diameter / 4) * circle
        _fill(fine, np.column_stack([body, np.full(_DOTS, _BODY_MM)]), _COAT)
    _fill(fine, np.column_stack([np.add(MISSED[:2], _CLOTH_MM), np.full(len(_CLOTH_MM), _TOP_MM)]), _CLOTH)
    small = cv2.resize(cv2.GaussianBlur(fine, (0, 0), 0.6 * _FINER), _SIZE_PX, interpolation=cv2.INTER_AREA)
    rough = np.random.default_rng(seed)
    weave = cv2.GaussianBlur(rough.normal(0, 10, (height, width)), (0, 0), 2)[..., None]
    shown = np.clip(np.round(small + weave + rough.normal(0, 2, small.shape)), 0, 255).astype(np.uint8)
    exif = Image.Exif()
    exif.get_ifd(0x8769).update({0xA405: _LENS_35_MM, 0xA002: width, 0xA003: height})
    Image.fromarray(shown[..., ::-1]).save(path, "JPEG", quality=95, exif=exif)


def _fill(fine: np.ndarray, points_mm: Floats, colour: tuple[int, int, int]) -> None:
    camera, pose = taken_by()
    seen = (project(points_mm, camera=camera, pose=pose) + 0.5) * _FINER - 0.5
    cv2.fillPoly(fine, [np.rint(seen * 16).astype(np.int32)], colour, lineType=cv2.LINE_AA, shift=4)


@dataclass
class Finger:
    """Taps on a phone, counts them, and notes how many and when each station had been reached."""

    page: Page
    taps: int = 0
    began_s: float = field(default_factory=time.monotonic)
    stations: list[tuple[str, int, float]] = field(default_factory=list)

    def tap(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=role == "button").tap()  # type: ignore[arg-type]  # roles of pages
        self.taps += 1

    def tap_at(self, picture: Locator, place_px: Floats, slip_px: tuple[float, float]) -> None:
        """A place of the picture, as far beside it on the screen as a finger slips."""
        expect(picture).to_have_js_property("width", _SIZE_PX[0])
        wait_for_frame(self.page)
        box = picture.bounding_box()
        assert box is not None
        x, y = (place_px + 0.5) * box["width"] / _SIZE_PX[0] + slip_px
        self.page.touchscreen.tap(box["x"] + x, box["y"] + y)
        self.taps += 1

    def reach(self, station: str) -> None:
        self.stations.append((station, self.taps, time.monotonic() - self.began_s))
        keep_screenshot(self.page, f"errand-{len(self.stations)}-{station.replace(' ', '-')}")


def walk(phone: Page, address: str, photograph: Path) -> Finger:
    """From the first page of the set-up to whether the missed base sees another one."""
    finger = Finger(phone)
    phone.goto(address)
    solve_pose(finger, photograph)
    finger.tap("button", "Play")
    expect(phone.locator(".base")).to_have_count(len(STANDING), timeout=_OPENING_MS)
    finger.reach("table")
    pick(phone, id_at(phone, ASKED_MM))
    finger.taps += 1
    finger.tap("link", "Add or mend a base")
    (at_px,) = seen_at([MISSED[:2]])
    finger.tap_at(phone.locator(".picture"), at_px, _SLIP_PX)
    expect(phone.locator(".outline")).to_have_attribute("data-size", f"round {MISSED[2]:g}")
    finger.reach("outline")
    finger.tap("button", "Confirm")
    expect(phone.locator(".told")).to_contain_text(f"A base of {MISSED[2]:g} mm stands here.")
    finger.reach("confirmed")
    finger.tap("link", "Ask about it")
    expect(phone.locator("[data-slot=sight] b")).to_be_visible()
    finger.reach("answer")
    return finger


def solve_pose(finger: Finger, photograph: Path) -> None:
    """By the board's edges as they are proposed."""
    open_photograph(finger, photograph)
    finger.tap("button", "Yes, that is it")
    expect(finger.page.locator("[data-pose]")).to_contain_text("through the lens that the picture names")
    finger.reach("pose")


def mark_corners(finger: Finger, photograph: Path) -> None:
    """By a finger at each corner, whatever is proposed."""
    open_photograph(finger, photograph)
    for number, (corner, slip) in enumerate(zip(seen_at(corners_mm(TABLE_MM)[:, :2]), _FINGER_PX, strict=True)):
        finger.tap_at(finger.page.locator(".tap-stage .picture"), corner, slip)
        expect(finger.page.locator(".tap-stage .corner").nth(number)).to_be_attached()
    expect(finger.page.locator("[data-pose]")).to_contain_text("through the lens that the picture names")


def seen_at(places_mm: Sequence[Sequence[float]] | Floats) -> Floats:
    """Where the photograph shows places of the table, (N, 2) px."""
    camera, pose = taken_by()
    return project(np.column_stack([places_mm, np.zeros(len(places_mm))]), camera=camera, pose=pose)


def open_photograph(finger: Finger, photograph: Path) -> None:
    phone = finger.page
    finger.tap("radio", "One photograph of a game")
    finger.tap("radio", "30 × 22″")
    with phone.expect_file_chooser() as chooser:
        phone.locator("label", has_text="Choose or take a photograph").tap()
    chooser.value.set_files(photograph)
    finger.taps += 2  # to the pictures of the phone, and one of them
    expect(phone.locator(".tap-stage .found.rough")).to_be_attached()
    finger.reach("photograph")


def id_at(phone: Page, at_mm: tuple[float, float]) -> str:
    """The miniature that stands here."""
    address = phone.url.partition("#")[0].rpartition("/")[0]
    drawn = phone.request.get(f"{address}/api/v1/bench/table").json()
    nearest = min(drawn["miniatures"], key=lambda m: float(np.hypot(*np.subtract(m["at_mm"], at_mm))))
    return str(nearest["id"])
