"""The page on which a tap measures a base that the camera missed, in a real browser with touch."""

import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from api.camera.protocol import SettledPicture
from calibration.camera_model.projection import project
from models.base import RoundBase
from models.unconfirmed_base import UnconfirmedBase
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, pick
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser

MISSED = (200.0, 150.0, 50.0)  # where a base stands that nobody knows of, and its diameter
ALIKE = ((270.0, 150.0), (235.0, 90.0))  # of the same size; the eye half sees them
MOST_TAPS = 5  # from the table to the answer; a photograph's pose takes nine before


def _picture() -> bytes:
    """The table as the camera sees it, with the missed base on it and its likes."""
    image = np.full((CAMERA.image_size[1], CAMERA.image_size[0], 3), (70, 90, 80), np.uint8)
    turns = np.linspace(0, 2 * np.pi, 60)
    for x, y in (MISSED[:2], *ALIKE):
        rim = np.column_stack([x + MISSED[2] / 2 * np.cos(turns), y + MISSED[2] / 2 * np.sin(turns), np.zeros(60)])
        rim_px = np.round(project(rim, camera=CAMERA, pose=POSE) * 16).astype(np.int32)
        cv2.fillPoly(image, [rim_px], (25, 20, 20), cv2.LINE_AA, 4)
    return bytes(cv2.imencode(".jpg", cv2.GaussianBlur(image, (0, 0), 0.8))[1].tobytes())


@pytest.fixture
def table() -> Iterator[SharedTable]:
    jpeg = _picture()
    with serve_shared(skirmish()) as table:
        settled = SettledPicture(
            jpeg=jpeg, t_s=0.0, taken_at_s=time.time(), camera=CAMERA, pose=POSE, pose_age_s=0.0,
            table_mm=LAYOUT.table_mm,
        )  # fmt: skip
        table.see(table.state, settled=settled, jpeg=jpeg)
        yield table


def _tap_missed(page: Page) -> None:
    picture = page.locator(".picture")
    expect(picture).to_have_js_property("width", CAMERA.image_size[0])
    box = picture.bounding_box()
    assert box is not None
    ((u, v),) = project([[*MISSED[:2], 0.0]], camera=CAMERA, pose=POSE)
    scale = box["width"] / CAMERA.image_size[0]
    page.touchscreen.tap(box["x"] + (u + 0.5) * scale + 2, box["y"] + (v + 0.5) * scale - 2)  # as a finger slips


def test_five_taps_lead_from_a_missed_base_to_what_it_sees(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "players", seat="player-a") as page:
        page.get_by_role("link", name="Add or mend a base").tap()
        _tap_missed(page)
        expect(page.locator(".outline")).to_have_attribute("data-size", "round 50")
        keep_screenshot(page, "measure-outline")
        found = violations(page)
        page.get_by_role("button", name="Confirm").tap()
        expect(page.locator(".told")).to_contain_text("A base of 50 mm stands here.")
        page.get_by_role("link", name="Ask about it").tap()
        pick(page, "m10")
        taps = 5
        expect(page.locator("[data-slot=sight] b")).to_be_visible()
        keep_screenshot(page, "measure-answer")

    assert taps <= MOST_TAPS
    assert found == []


def test_one_word_brings_its_likes_and_one_tap_confirms_them(browser: Browser, table: SharedTable) -> None:
    size = RoundBase(diameter_mm=MISSED[2])
    open_ = tuple(UnconfirmedBase(base=size, at_mm=at_mm, sigma_mm=1.5, probability=0.4) for at_mm in ALIKE)
    table.see(
        table.state.with_miniatures(table.state.miniatures[:1]).with_sightings(looked_for=(size,), unconfirmed=open_)
    )
    with sit_down(browser, table, "players", seat="player-a") as page:
        page.goto(f"{table.url}measure")
        expect(page.locator(".doubtful")).to_have_count(len(ALIKE))
        _tap_missed(page)
        page.get_by_role("button", name="Confirm").tap()
        expect(page.locator(".likely")).to_have_count(len(ALIKE))
        keep_screenshot(page, "measure-likely")
        found = violations(page)
        page.get_by_role("button", name="These 2: yes").tap()
        expect(page.locator(".told")).to_contain_text("2 bases stand here.")

        expect(page.locator(".known")).to_have_count(2 + len(ALIKE))
        expect(page.locator(".likely")).to_have_count(0)
    assert found == []


def test_what_was_told_is_taken_back(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "players", seat="player-a") as page:
        page.goto(f"{table.url}measure")
        known = page.locator(".known")
        expect(known).to_have_count(len(table.state.miniatures))
        _tap_missed(page)
        page.get_by_role("button", name="Confirm").tap()
        expect(known).to_have_count(len(table.state.miniatures) + 1)
        page.locator(".told").get_by_role("button", name="Undo").tap()

        expect(known).to_have_count(len(table.state.miniatures))


def test_a_short_count_is_asked_about_before_the_table_is_called_complete(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "players", seat="player-a") as page:
        missing = {"name": "Colossal", "base": {"shape": "round", "diameter_mm": 120.0}}
        page.request.put(f"{table.url}api/v1/expected", data={"expected": [missing]})
        page.goto(f"{table.url}measure")
        asked = page.get_by_role("group", name="1 missing: a casualty, in reserve, or unseen?")
        complete = page.get_by_role("button", name="The table is complete")
        expect(asked).to_be_visible()
        expect(complete).to_have_count(0)
        keep_screenshot(page, "measure-missing")
        found = violations(page)
        asked.get_by_role("button", name="Casualty").tap()
        expect(page.locator(".told")).to_contain_text("120 mm counts as a casualty.")
        expect(complete).to_be_visible()
        page.locator(".told").get_by_role("button", name="Undo").tap()
        expect(asked).to_be_visible()

    assert found == []
