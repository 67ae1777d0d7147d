"""A table wider than deep on an upright phone: it lies on its side and uses the height, until that is turned back."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import (
    keep_screenshot,
    middle,
    open_section,
    open_table,
    pick,
    still_middle,
    wait_until,
)
from tests.api.pages.side_by_side import SharedTable, serve_shared
from tests.api.worlds import frame_report, regiments

pytestmark = pytest.mark.browser

EDGE = ".stage .edge"
_UPRIGHT = """() => [...document.querySelectorAll(".stage text")].every((text) => {
  const { a, b } = text.getScreenCTM();
  return a > 0 && Math.abs(b) < 1e-6;
})"""
_PICTURE_UNDER = """(id) => {
  const canvas = document.querySelector("canvas.picture");
  const box = document.querySelector(`.base[data-id="${id}"] .rim`).getBoundingClientRect();
  const place = new DOMMatrix(getComputedStyle(canvas).transform).inverse()
    .transformPoint(new DOMPoint(box.x + box.width / 2 - canvas.parentElement.getBoundingClientRect().x,
                                 box.y + box.height / 2 - canvas.parentElement.getBoundingClientRect().y));
  const scale = canvas.width / parseFloat(canvas.style.width);
  return canvas.width < 2 ? 0 : canvas.getContext("2d").getImageData(place.x * scale, place.y * scale, 1, 1).data[1];
}"""


@pytest.fixture(scope="module")
def table() -> Iterator[SharedTable]:
    with serve_shared(regiments()) as served:
        served.report(frame_report(jpeg=lit_under(served, "giant")))
        yield served


def lit_under(table: SharedTable, id_: str) -> bytes:
    """A dark picture of the table, bright where this one stands alone."""
    size, (x, y) = table.state.table, table.state.by_id[id_].at_mm  # type: ignore[union-attr]
    picture = np.full((round(size.depth_mm), round(size.width_mm), 3), 40, np.uint8)
    cv2.circle(picture, (round(x), round(size.depth_mm - y)), 30, (230, 230, 230), -1)
    return bytes(cv2.imencode(".jpg", picture)[1].tobytes())


def extent(page: Page) -> tuple[float, float]:
    still_middle(page, EDGE)
    box: Any = page.locator(EDGE).bounding_box()
    return box["width"], box["height"]


def hold_in_both_turns(page: Page) -> None:
    """What is drawn where is what is tapped; letters stand upright; the picture lies under its outlines."""
    wait_until(page, lambda: page.evaluate(_PICTURE_UNDER, "giant") > 180, "the picture under the giant")
    for id_ in ("giant", "bows"):
        pick(page, id_)
        expect(page.locator(f'.base[data-id="{id_}"]')).to_have_attribute("aria-pressed", "true")
        assert page.evaluate(_UPRIGHT)
        page.get_by_role("button", name="Clear the pair").tap()
        expect(page.locator('.base[aria-pressed="true"]')).to_have_count(0)


def test_a_wide_table_uses_the_height_and_may_be_turned_back_for_good(phone: Page, table: SharedTable) -> None:
    open_table(phone, table.url, bases=7)
    wide, high = extent(phone)
    assert high > 1.4 * wide
    assert wide > 350
    keep_screenshot(phone, "quarter-turn")
    assert violations(phone) == []
    hold_in_both_turns(phone)
    phone.get_by_role("button", name="Turn the table a quarter").tap()
    wait_until(phone, lambda: extent(phone)[0] > 1.4 * extent(phone)[1], "the table on its long edge")
    hold_in_both_turns(phone)
    phone.reload()
    expect(phone.locator(".base").nth(6)).to_be_attached()

    assert extent(phone)[0] > extent(phone)[1]


def test_an_arrow_key_goes_where_it_points_on_the_screen(phone: Page, table: SharedTable) -> None:
    open_table(phone, table.url, bases=7)
    (x, y), (below_x, below_y) = middle(phone, "swords"), middle(phone, "giant")
    assert below_y > y
    assert abs(below_x - x) < below_y - y
    phone.locator('.base[data-id="swords"][role="button"]').focus()
    phone.keyboard.press("ArrowDown")

    expect(phone.locator('.base[data-id="giant"]')).to_be_focused()


def test_who_said_at_which_edge_he_stands_has_that_edge_below(phone: Page, table: SharedTable) -> None:
    open_table(phone, table.url, bases=7)
    open_section(phone, "This phone")
    phone.get_by_role("radio", name="the far edge").tap()
    wait_until(phone, lambda: extent(phone)[0] > extent(phone)[1], "the table on its long edge")
    (_, red_y), (_, blue_y) = middle(phone, "bows"), middle(phone, "axes")

    assert blue_y > red_y  # the far player's own are nearest to him
