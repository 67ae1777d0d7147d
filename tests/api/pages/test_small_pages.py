"""The pages beside the three large ones: a code is typed, who is who is told. On the smallest phone, for everybody."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import open_section
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser
SMALLEST = (320, 568)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve_table("serve", "--state", str(SKIRMISH)) as url:
        yield url


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    width, height = SMALLEST
    page = browser.new_context(viewport={"width": width, "height": height}, has_touch=True).new_page()
    yield page
    page.context.close()


@pytest.mark.parametrize("path", ["join", "join?code=AAAAAA", "unsure"])
def test_a_small_page_is_for_everybody(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()

    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SMALLEST[0]
    low = "all => all.filter((one) => one.getBoundingClientRect().height < 24).map((one) => one.textContent)"
    assert page.locator("a, button, input").evaluate_all(low) == []


def test_joining_is_one_tap_away_from_the_table(page: Page, address: str) -> None:
    page.goto(address)
    open_section(page, "This phone")
    page.get_by_role("link", name="Take a seat").tap()

    expect(page.get_by_role("heading", name="Join the table")).to_be_visible()


def test_every_route_is_shown_without_anything_from_elsewhere(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address + "docs")

    expect(page.locator("#operations-questions-post_ask")).to_be_visible(timeout=30_000)
    assert f"{address}api/v1/openapi.json" in asked
    assert [url for url in asked if not url.startswith((address, "data:"))] == []
