"""A ranked unit in four taps on the page on which bases are measured, in a real browser with touch."""

import math
import time
from collections.abc import Iterator

import cv2
import pytest
from playwright.sync_api import Browser, Page, expect

from api.camera.protocol import SettledPicture
from calibration.camera_model.projection import project
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.worlds import skirmish
from tests.vision import regiments

pytestmark = pytest.mark.browser

MIDDLE, APART_MM = (250.0, 200.0), 150.0
UNIT = regiments.regiment(MIDDLE, 0.0, ranks=2, files=4)
FRONT_MM = ((276.0, 251.5), (275.0, 148.5))  # the ends of its front edge, a finger off
LISTED = {"name": "Spears", "side": "Mara", "count": 8, "base": {"shape": "rect", "width_mm": 25.0, "depth_mm": 25.0}}
MOST_TAPS = 4


@pytest.fixture
def table() -> Iterator[SharedTable]:
    jpeg = bytes(cv2.imencode(".jpg", regiments.photograph(UNIT))[1].tobytes())
    known = skirmish()
    apart = tuple(m for m in known.miniatures if math.dist(m.at_mm, MIDDLE) > APART_MM)
    with serve_shared(known.with_miniatures(apart)) as table:
        settled = SettledPicture(
            jpeg=jpeg, t_s=0.0, taken_at_s=time.time(), camera=regiments.camera(), pose=regiments.pose(),
            pose_age_s=0.0, table_mm=regiments.TABLE_MM,
        )  # fmt: skip
        table.see(table.state, settled=settled, jpeg=jpeg)
        yield table


def _tap(page: Page, at_mm: tuple[float, float]) -> None:
    box = page.locator(".picture").bounding_box()
    assert box is not None
    ((u, v),) = project([[*at_mm, 0.0]], camera=regiments.camera(), pose=regiments.pose())
    scale = box["width"] / regiments.size_px()[0]
    page.touchscreen.tap(box["x"] + (u + 0.5) * scale, box["y"] + (v + 0.5) * scale)


def test_four_taps_stand_a_unit_of_the_list_on_the_table(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "players", seat="player-a") as page:
        page.request.put(f"{table.url}api/v1/expected", data={"expected": [LISTED]})
        page.goto(f"{table.url}measure")
        expect(page.locator(".picture")).to_have_js_property("width", regiments.size_px()[0])
        page.get_by_role("button", name="A ranked unit").tap()
        expect(page.get_by_role("radio", name="Spears")).to_be_checked()
        for end in FRONT_MM:
            _tap(page, end)
        expect(page.locator(".member")).to_have_count(8)
        expect(page.get_by_text("8 of 8 rims are seen, in 4 files.")).to_be_visible()
        keep_screenshot(page, "measure-regiment")
        found = violations(page)
        page.get_by_role("button", name="Confirm").tap()
        taps = 4
        expect(page.locator(".told")).to_contain_text("8 bases of 25 × 25 mm stand here.")
        expect(page.locator(".known")).to_have_count(8 + len(table.state.miniatures))
        keep_screenshot(page, "measure-regiment-told")
        page.locator(".told").get_by_role("button", name="Undo").tap()
        expect(page.locator(".known")).to_have_count(len(table.state.miniatures))

    assert taps <= MOST_TAPS
    assert found == []
