"""Picture and lines of one moment: under an answer lies the picture that it was measured in, on every screen."""

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from api.camera.protocol import SettledPicture
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, pick_pair, tap, wait_until
from tests.api.pages.side_by_side import SharedTable, judge_pair, serve_shared, sit_down
from tests.api.worlds import frame_report, move_miniature, skirmish

pytestmark = pytest.mark.browser

FIRST, MEANWHILE, SECOND = 40, 220, 130  # how red each picture is
_MIDDLE = """() => {
  const canvas = document.querySelector("canvas.picture");
  if (!canvas || canvas.style.display === "none" || canvas.width < 2) return -1;
  return canvas.getContext("2d").getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[0];
}"""
AS_OF = re.compile(r"As of \d\d:\d\d:\d\d")


def red(level: int) -> bytes:
    """A picture as the camera takes it, as red as this."""
    image = np.full((CAMERA.image_size[1], CAMERA.image_size[0], 3), (60, 60, level), np.uint8)
    return cv2.imencode(".jpg", image)[1].tobytes()


def settled(level: int) -> SettledPicture:
    return SettledPicture(red(level), 1.5, 7.0, CAMERA, POSE, 0.25, LAYOUT.table_mm)


def shows(page: Page, level: int) -> bool:
    return abs(int(page.evaluate(_MIDDLE)) - level) < 12


def wait_for_picture(page: Page, level: int) -> None:
    wait_until(page, lambda: shows(page, level), f"the picture as red as {level}")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SharedTable]:
    with serve_shared(skirmish(), pictures=tmp_path) as table:
        table.see(move_miniature(table.state, "m2", (80.0, 80.0)), settled=settled(FIRST), jpeg=red(FIRST))
        yield table


def carry_away(table: SharedTable) -> None:
    """A hand holds one of the pair over the table: the camera sees it, and nothing is measured."""
    table.report(frame_report(jpeg=red(MEANWHILE), is_settled=False, hand=True))


def is_beside(page: Page, one: str, other: str) -> bool:
    """Whether neither of the two covers anything of the other."""
    first, second = (page.locator(which).first.bounding_box() for which in (one, other))
    assert first is not None
    assert second is not None
    return any(a[side] + a[size] <= b[side] + 1 for a, b in ((first, second), (second, first))
               for side, size in (("x", "width"), ("y", "height")))  # fmt: skip


def test_picture_and_lines_stay_of_one_moment_while_a_base_is_carried_away(
    browser: Browser, table: SharedTable
) -> None:
    with sit_down(browser, table, "players", seat="player-a") as phone, sit_down(browser, table, "judge") as judge:
        pick_pair(phone, "m7", "m10")
        judge_pair(judge, "Trencher", "Sergeant")
        for page in (phone, judge):
            wait_for_picture(page, FIRST)
            expect(page.locator(".as-of")).to_have_text(AS_OF)
            expect(page.locator(".as-of")).to_contain_text("unchanged since")
            assert is_beside(page, ".as-of", ".stage")

        carry_away(table)
        expect(phone.locator(".badge")).to_contain_text("hand over the table")
        for page in (phone, judge):
            assert shows(page, FIRST)
            expect(page.locator(".as-of")).to_have_text(re.compile(f"^{AS_OF.pattern}$"))
        assert violations(phone) == []
        keep_screenshot(phone, "one-moment-phone")
        keep_screenshot(judge, "one-moment-judge")
        covered = judge.evaluate("getComputedStyle(document.querySelector('.base .ticks')).fill")
        assert covered == "none"  # what is drawn of a base hides no miniature

        table.see(move_miniature(table.state, "m10", (500.0, 900.0)), settled=settled(SECOND), jpeg=red(MEANWHILE))
        for page in (phone, judge):
            wait_for_picture(page, SECOND)


def test_while_nothing_is_asked_the_camera_is_seen_live(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "players", seat="player-a") as phone:
        tap(phone, "m7")
        expect(phone.locator(".as-of")).to_be_visible()
        carry_away(table)
        phone.keyboard.press("Escape")

        wait_for_picture(phone, MEANWHILE)
        expect(phone.locator(".as-of")).to_have_count(0)


def test_on_air_the_picture_is_of_the_moment_that_was_measured(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "overlay") as air, sit_down(browser, table, "players", seat="player-a") as phone:
        air.goto(f"{table.url}overlay")
        carry_away(table)
        pick_pair(phone, "m7", "m10")

        shown = air.locator(".look image").first
        expect(shown).to_have_attribute("href", re.compile(r"moments/\d+/picture\.jpg"))
        expect(air.locator(".card .as-of")).to_have_text(AS_OF)
        expect(air.locator(".closeup image.part").first).to_have_attribute(
            "href", re.compile(r"air/\d+/part\.jpg\?left_mm=")
        )
        picture = air.request.get(f"{table.url}{shown.get_attribute('href')}").body()
        seen = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
        assert seen is not None
        assert abs(int(seen[seen.shape[0] // 2, seen.shape[1] // 2, 2]) - FIRST) < 12
        keep_screenshot(air, "one-moment-air")


def test_where_no_picture_is_kept_the_page_says_that_it_is_another(browser: Browser) -> None:
    with serve_shared(skirmish()) as table:
        table.see(move_miniature(table.state, "m2", (80.0, 80.0)), jpeg=red(MEANWHILE))
        with sit_down(browser, table, "players", seat="player-a") as phone:
            pick_pair(phone, "m7", "m10")

            expect(phone.locator(".as-of")).to_contain_text("the picture is of now, as none is kept")
            assert shows(phone, MEANWHILE)
            keep_screenshot(phone, "one-moment-none-kept")
