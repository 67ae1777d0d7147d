"""Who can read and work the player's page: light and dark, large text, a keyboard alone, a mistyped address."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, open_table, pick_pair
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH
from tests.chromium import PHONE

pytestmark = pytest.mark.browser

SIZES = {"phone": (390, 844), "landscape": (844, 390), "tablet": (820, 1180), "desktop": (1440, 900)}
FIRST_LOAD_KB = 100


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve_table("serve", "--open", "--state", str(SKIRMISH)) as url:
        yield url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_page_follows_the_system_and_nothing_keeps_anybody_from_using_it(
    browser: Browser, address: str, scheme: str, size: str
) -> None:
    width, height = SIZES[size]
    view = {"width": width, "height": height}
    page = browser.new_page(viewport=view, has_touch=True, color_scheme=scheme)  # type: ignore[arg-type]
    open_table(page, address, bases=17)
    grounds = page.evaluate(
        "[document.body, document.querySelector('.lower')].map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert all((sum(map(int, re.findall(r"\d+", ground)[:3])) > 382) == (scheme == "light") for ground in grounds)
    assert violations(page) == []

    pick_pair(page, "m7", "m10")
    page.locator('[data-slot="sight"]').tap()
    assert violations(page) == []
    keep_screenshot(page, f"reach-{scheme}-{size}")
    page.get_by_role("button", name="Table", exact=True).tap()
    assert violations(page) == []
    page.close()


def test_the_edge_of_terrain_stands_out_from_the_mat(phone: Page, address: str) -> None:
    open_table(phone, address, bases=17)

    edges = phone.locator(".area").evaluate_all("all => [...new Set(all.map((one) => getComputedStyle(one).stroke))]")
    mat = phone.locator(".edge.mat").evaluate("one => getComputedStyle(one).fill")

    assert all(contrast(edge, mat) >= 3 for edge in edges)
    expect(phone.locator(".hatched").first).to_be_attached()


def test_twice_as_large_text_breaks_no_word_and_leaves_nothing_beside_the_screen(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(viewport=PHONE, has_touch=True)
    open_table(page, address, bases=17)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    pick_pair(page, "m7", "m10")

    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    cut = page.locator(".tile .answer b, .row .answer b, .tile .title, .who span").evaluate_all(
        "all => all.filter((one) => getComputedStyle(one).display !== 'inline')"
        ".filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    )
    crowded = page.locator(".tabs button, .topics button").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    )
    beyond = page.locator(".tile, .row, .tabs span, .who").evaluate_all(
        "all => all.filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.textContent)"
    )
    keep_screenshot(page, "reach-200-percent")
    assert (cut, crowded, beyond) == ([], [], [])
    page.close()


def test_the_bases_are_one_tab_stop_that_arrow_keys_walk_over(phone: Page, address: str) -> None:
    open_table(phone, address, bases=17)
    expect(phone.locator('.base[tabindex="0"]')).to_have_count(1)
    phone.locator('.base[data-id="m7"]').focus()
    (x0, _), id_ = (box(phone, "m7"), "m7")

    phone.keyboard.press("ArrowRight")
    reached = phone.evaluate("document.activeElement.dataset.id")

    assert reached != id_
    assert box(phone, reached)[0] > x0
    phone.keyboard.press("Enter")
    expect(phone.locator(f'.base[data-id="{reached}"]')).to_have_attribute("aria-pressed", "true")
    expect(phone.locator('.base[tabindex="0"]')).to_have_attribute("data-id", reached)


def test_a_list_is_one_tab_stop_and_a_link_leads_past_the_table(phone: Page, address: str) -> None:
    open_table(phone, address, bases=17)
    expect(phone.locator('.picker [tabindex="0"]')).to_have_count(1)
    phone.locator(".picker .entry").first.focus()
    for key, row in (("ArrowDown", 1), ("End", 16), ("ArrowUp", 15)):
        phone.keyboard.press(key)
        expect(phone.locator(".picker .entry").nth(row)).to_be_focused()
    expect(phone.locator('.picker [tabindex="0"]')).to_have_count(1)

    phone.locator(".skip").focus()
    expect(phone.locator(".skip")).to_be_in_viewport()
    assert violations(phone) == []
    phone.keyboard.press("Enter")
    expect(phone.locator(".panel")).to_be_focused()


def test_an_address_that_is_not_there_is_a_page_for_people_alone(phone: Page, address: str) -> None:
    phone.goto(f"{address}cornes")
    expect(phone.get_by_role("link", name="Look at the table")).to_be_visible()
    assert violations(phone) == []

    told = phone.request.get(f"{address}api/v1/cornes")
    assert (told.status, told.headers["content-type"]) == (404, "application/problem+json")


def test_the_first_load_weighs_little(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=PHONE, locale="de")
    weights: list[int] = []
    page.on("requestfinished", lambda request: weights.append(request.sizes()["responseBodySize"]))
    open_table(page, address, bases=17)
    page.wait_for_load_state("networkidle")  # what is still on its way weighs as well

    assert sum(weights) < FIRST_LOAD_KB * 1000
    page.close()


def box(page: Page, id_: str) -> tuple[float, float]:
    found = page.locator(f'.base[data-id="{id_}"] .rim').bounding_box()
    assert found is not None
    return found["x"], found["y"]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two opaque colours, as WCAG counts it."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
