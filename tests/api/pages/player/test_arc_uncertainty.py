"""A facing in doubt on the page: where an arc decides, the band in which its line may lie, and words for it."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, open_table, pick_pair, tap
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser

SIGMA_DEG = 4.0
SIZES = {"phone": (390, 844), "small": (320, 640), "across": (844, 390)}


def round_at(id_: str, at_mm: list[float], side: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "side": side, "base": {"shape": "round", "diameter_mm": 30}, "at_mm": at_mm, **more}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    sure, unsure = ({"at_mm": 0.3, "facing_deg": deg} for deg in (0.0, SIGMA_DEG))
    state = {
        "version": 1,
        "edition": "warmachine-prime",
        "table": {"width_mm": 1219.2, "depth_mm": 1219.2},
        "miniatures": [
            round_at("looks", [560, 600], "red", facing_deg=90.0, sigma=unsure),
            round_at("beside", [700, 584], "blue", facing_deg=200.0, sigma=sure),
            round_at("ahead", [560, 900], "blue", facing_deg=270.0, sigma=sure),
            round_at("left", [544.9, 750], "blue", facing_deg=270.0, sigma=sure),
            round_at("right", [575.1, 750], "blue", facing_deg=270.0, sigma=sure),
        ],
    }
    path = tmp_path_factory.mktemp("swing") / "state.json"
    path.write_text(json.dumps(state))
    with serve_table("serve", "--state", str(path), "--open") as url:
        yield url


@pytest.fixture(params=SIZES)
def page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = SIZES[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    open_table(page, address, bases=5)
    pick_pair(page, "looks", "beside")
    yield page
    page.context.close()


def swing_deg(page: Page) -> float:
    """The angle that the widest fan spans, seen from its middle."""
    corners = page.locator(".witness.arc polygon.fan").last.get_attribute("points")
    assert corners is not None
    about, *rim = [tuple(map(float, corner.split(","))) for corner in corners.split()]
    first, last = (math.atan2(y - about[1], x - about[0]) for x, y in (rim[0], rim[-1]))
    return abs(math.degrees(math.remainder(last - first, math.tau)))


def test_where_an_arc_decides_its_band_is_drawn_and_the_line_says_whose_facing_is_in_doubt(page: Page) -> None:
    line = page.locator("[data-slot=sight]")
    expect(line).to_contain_text("Too close")
    expect(line).to_contain_text("looks faces ± 4.0°")

    expect(page.locator(".witness.arc.close polygon.fan")).to_have_count(2)
    assert swing_deg(page) == pytest.approx(4 * SIGMA_DEG, abs=0.01)
    line.tap()
    expect(page.locator(".details").first).to_contain_text("looks faces ± 4.0°: the band beside the arc line")
    size = page.viewport_size
    assert size is not None
    keep_screenshot(page, f"swing-{size['width']}")
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert violations(page) == []


def test_a_facing_that_is_known_has_no_band(page: Page) -> None:
    page.get_by_role("button", name="Swap A and B").tap()
    expect(page.locator("[data-slot=sight]")).to_contain_text("Clear")

    page.locator("[data-slot=sight]").tap()

    expect(page.locator("polygon.fan")).to_have_count(0)
    expect(page.locator("[data-slot=sight] .swings")).to_have_count(0)


def test_where_what_stands_between_decides_the_facing_is_not_blamed(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    open_table(page, address, bases=5)
    pick_pair(page, "looks", "ahead")

    line = page.locator("[data-slot=sight]")
    expect(line).to_contain_text("Too close")
    expect(line.locator(".swings")).to_have_count(0)
    line.tap()
    expect(page.locator(".witness.arc polygon.fan").first).to_be_attached()
    expect(page.locator(".witness.arc.close")).to_have_count(0)
    page.close()


def test_the_doubt_of_a_unit_is_told_of_its_name(browser: Browser) -> None:
    with serve_table("serve", "--state", str(SKIRMISH.with_name("regiments.json"))) as url:
        page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
        page.goto(url)
        tap(page, "bows/0-2")
        tap(page, "wolves/0-1")
        page.locator('[data-slot="zone"]').tap()

        expect(page.locator(".details")).to_contain_text("Bowmen faces ± 0.5°")
        expect(page.locator(".witness.arc polygon.fan")).to_have_count(4)
        page.close()
