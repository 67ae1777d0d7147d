"""Where a rulebook restricts measuring, no page shows what may not be measured."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.evaluation.test_measuring_policy import two
from tests.api.pages.accessibility import violations
from tests.api.pages.hosted_table import Hosted, host_table
from tests.api.pages.player_page import keep_screenshot, open_table, pick, tap

pytestmark = pytest.mark.browser

# A length, an angle or a chance. Sizes of bases and what players told themselves are no measurements.
FIGURE = re.compile(r"[+\u2212-]?\d+(?:\.\d+)?\s*(?:″|mm|%|°|in\b)|\u00b1")
TOLD = {"30 mm", "3″", "4″", "5″", "6″", "8″", "10″", "0.5″"}
_SHOWN = (
    "() => [...document.querySelectorAll('.stage svg text, .lower')].map((one) => one.innerText ?? one.textContent)"
)


@pytest.fixture(scope="module", params=["hordes-mk2", "warmachine-mk1"])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    path = tmp_path_factory.mktemp("restricted") / "state.json"
    path.write_text(two(request.param).model_dump_json(), "utf-8")
    with host_table("serve", "--state", str(path), "--open") as table:
        yield table


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """An attack of eight inches has been declared, at one who stands ten and a half inches off."""
    state = two("hordes-mk2", declared=True)
    far = state.with_miniatures(tuple(m if m.id == "a" else m.with_place((600.0, 300.0)) for m in state.miniatures))
    path: Path = tmp_path_factory.mktemp("declared") / "state.json"
    path.write_text(far.model_dump_json(), "utf-8")
    with host_table("serve", "--state", str(path), "--open") as table:
        yield table


def phone(browser: Browser, table: Hosted) -> Page:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    open_table(page, table.url, bases=2)
    return page


def use(page: Page, tool: str) -> None:
    page.get_by_role("navigation", name="Tools").get_by_role("button", name=tool).tap()


def pick_both(page: Page) -> None:
    pick(page, "a")
    pick(page, "b")
    expect(page.locator('.sheet[data-state="ready"]')).to_be_attached()


def read_figures(page: Page) -> set[str]:
    return {found for text in page.evaluate(_SHOWN) for found in FIGURE.findall(text)} - TOLD


def test_around_one_there_are_no_rings_and_no_distances(browser: Browser, table: Hosted) -> None:
    page = phone(browser, table)
    tap(page, "a")
    expect(page.locator(".trouble, .refusal").first).to_be_visible()

    assert read_figures(page) == set()
    expect(page.locator(".stage .ring")).to_have_count(0)
    assert violations(page) == []
    page.context.close()


def test_between_two_there_are_answers_and_no_figures(browser: Browser, table: Hosted) -> None:
    page = phone(browser, table)
    pick_both(page)

    assert read_figures(page) == set()
    expect(page.locator(".stage .length")).to_have_count(0)
    expect(page.locator(".stage .band")).to_have_count(0)
    for slot in ("sight", "distance", "front-ab"):
        page.locator(f'[data-slot="{slot}"]').first.tap()
        expect(page.locator(".opened")).to_be_visible()
        assert read_figures(page) == set(), slot
        expect(page.locator(".gauge")).to_have_count(0)
        page.locator(f'[data-slot="{slot}"]').first.tap()
        expect(page.locator(".opened")).to_have_count(0)
    keep_screenshot(page, "restricted-pair")
    page.context.close()


def test_a_ghost_has_no_running_distance(browser: Browser, table: Hosted) -> None:
    page = phone(browser, table)
    tap(page, "a")
    use(page, "What if")
    box = page.locator(".stage").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 260, box["y"] + 120)
    expect(page.get_by_text("Not measured before it is gone")).to_be_visible()
    expect(page.locator(".stage .ghost")).to_be_attached()

    expect(page.locator(".row.waits")).to_have_count(0)
    assert read_figures(page) == set()
    page.context.close()


def test_the_overlay_shows_the_answers_and_no_figures(browser: Browser, table: Hosted) -> None:
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(f"{table.url}overlay")
    table.call("POST", "overlay/air", {"pair": {"a": "a", "b": "b"}, "stays": True})
    expect(page.locator(".card")).to_contain_text("A sees B")

    assert set(FIGURE.findall(page.locator("main").text_content() or "")) == set()
    page.close()


def test_both_sides_are_shown_the_same(browser: Browser, table: Hosted) -> None:
    """Two seats: what one player may measure just now is no secret that only his own phone shows."""
    seen = []
    for _ in ("player-a", "player-b"):
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
        page = context.new_page()
        page.goto(table.join["players"])
        open_table(page, table.url, bases=2)
        pick_both(page)
        for slot in ("sight", "distance", "front-ab"):  # the sheet of the pair, and not that of the first alone
            expect(page.locator(f'[data-slot="{slot}"]').first).to_be_visible()
        expect(page.locator(".row.waits, .tile.waits")).to_have_count(0)
        seen.append(page.locator(".sheet .lines").inner_text())
        context.close()

    assert seen[0] == seen[1]


def test_what_was_declared_is_measured_up_to_its_maximum(browser: Browser, declared: Hosted) -> None:
    page = phone(browser, declared)
    pick_both(page)
    page.locator('[data-slot="gun-0"]').tap()
    expect(page.locator('[data-slot="gun-0"] .answer')).to_contain_text("Out of range")

    assert {found for found in read_figures(page) if not found.startswith("8")} == set()
    page.context.close()
