"""Setting a table up by phone, in a real browser: who is who, terrain, rules; each a step that both see."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import (
    hold_clock,
    keep_screenshot,
    open_section,
    open_table,
    tap,
    undo_newest,
    wait_for_frame,
    wait_until,
)
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser

SIZES = {"phone": (390, 844), "tablet": (1024, 768)}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve_table("serve", "--state", str(SKIRMISH), "--open") as url:
        yield url


@pytest.fixture
def own_address() -> Iterator[str]:
    """A table of one's own: nobody else plays under what is chosen there."""
    with serve_table("serve", "--state", str(SKIRMISH), "--open") as url:
        yield url


def open_page(browser: Browser, address: str, size: str = "phone") -> Page:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    hold_clock(page)
    open_table(page, address, bases=17)
    return page


@pytest.fixture(params=SIZES)
def table(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    page = open_page(browser, address, request.param)
    yield page
    page.context.close()


def test_a_base_is_named_and_sized_with_a_tap_and_it_is_undone(table: Page) -> None:
    open_section(table, "Who")
    tap(table, "m12")
    table.get_by_label("Name").fill("Gorman")
    table.get_by_role("button", name="Save").tap()
    expect(table.locator(".setup .pair h2")).to_have_text("Gorman")
    table.get_by_role("radio", name="50 mm").tap()

    expect(table.locator('.base[data-id="m12"] .rim')).to_have_attribute("r", "25")
    assert violations(table) == []
    keep_screenshot(table, "who-is-who")
    undo_newest(table, "Gorman: base")
    expect(table.locator('.base[data-id="m12"] .rim')).to_have_attribute("r", "15")


def test_other_numbers_than_expected_are_told_by_their_size(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    large = {"name": "Titan", "base": {"shape": "round", "diameter_mm": 120}, "count": 2}
    page.request.put(f"{address}api/v1/expected", data={"expected": [large]})

    expect(page.get_by_text("120 mm: 2 expected, 0 seen").first).to_be_visible()
    open_section(page, "Who")
    expect(page.locator(".setup").get_by_text("120 mm: 2 expected, 0 seen")).to_be_visible()
    keep_screenshot(page, "other-numbers-than-expected")
    page.request.put(f"{address}api/v1/expected", data={"expected": []})
    expect(page.locator(".setup").get_by_text("120 mm: 2 expected, 0 seen")).to_have_count(0)
    page.context.close()


def test_a_card_is_told_number_by_number(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    open_section(page, "Who")
    tap(page, "m14")
    page.get_by_role("radiogroup", name="Speed").get_by_text("7″").tap()
    expect(page.get_by_role("radiogroup", name="Speed").get_by_role("radio", name="7″")).to_be_checked()
    page.get_by_role("radiogroup", name="Melee reach").get_by_text("2″").tap()
    expect(page.get_by_role("radiogroup", name="Melee reach").get_by_role("radio", name="2″")).to_be_checked()

    page.get_by_role("navigation", name="Tools").get_by_role("button", name="Ask").tap()
    tap(page, "m14")

    expect(page.get_by_role("button", name="Hide the ring: Threat on the charge, 12")).to_be_visible()
    page.context.close()


def test_a_number_that_is_told_before_its_card_has_come_holds_with_the_next(browser: Browser, address: str) -> None:
    """What the card was when it was picked comes after the first number was told, and does not undo it."""
    page = open_page(browser, address)
    open_section(page, "Who")
    before = page.request.get(f"{address}api/v1/state").json()
    asked: list[Route] = []
    page.route("**/api/v1/state", lambda route: asked.append(route), times=3)
    tap(page, "m15")
    page.get_by_role("radiogroup", name="Speed").get_by_text("7″").tap()
    expect(page.get_by_role("radiogroup", name="Speed").get_by_role("radio", name="7″")).to_be_checked()
    wait_until(page, lambda: asked != [], "the question for the card")
    with page.expect_response("**/api/v1/state"):
        asked[0].fulfill(json=before)
    wait_for_frame(page)
    page.get_by_role("radiogroup", name="Melee reach").get_by_text("2″").tap()
    for late in asked[1:]:
        late.continue_()

    page.get_by_role("navigation", name="Tools").get_by_role("button", name="Ask").tap()
    tap(page, "m15")
    expect(page.get_by_role("button", name="Hide the ring: Threat on the charge, 12")).to_be_visible()
    page.context.close()


def test_terrain_is_drawn_on_the_picture_and_seen_by_the_other_player(
    table: Page, browser: Browser, address: str
) -> None:
    other = open_page(browser, address)
    open_section(table, "Terrain")
    table.get_by_role("button", name="Draw a piece").tap()
    stage = table.locator(".stage").bounding_box()
    assert stage is not None
    x, y = stage["x"] + 0.55 * stage["width"], stage["y"] + 0.4 * stage["height"]
    for dx, dy in ((0, 0), (70, 5), (80, 70), (5, 60)):
        table.touchscreen.tap(x + dx, y + dy)
    expect(table.locator(".drawing .grip")).to_have_count(4)
    table.get_by_label("Kind").select_option("forest")
    table.get_by_role("radio", name="3″").tap()
    assert violations(table) == []
    keep_screenshot(table, "drawing")
    table.get_by_role("button", name="Lay it").tap()

    expect(other.locator(".area.forest")).to_have_count(1)
    expect(table.locator(".area.forest")).to_have_count(1)
    undo_newest(table, "On the table: forest")
    expect(other.locator(".area.forest")).to_have_count(0)
    other.context.close()


def test_a_piece_that_lies_there_keeps_what_is_not_told_anew(browser: Browser, address: str) -> None:
    page = open_page(browser, address)
    open_section(page, "Terrain")
    page.locator('.other[data-id="hill-3"]').tap()
    expect(page.get_by_label("Kind")).to_have_value("hill")
    expect(page.get_by_role("radio", name="1″", exact=True)).to_be_checked()
    page.get_by_label("Kind").select_option("rough")
    page.get_by_role("button", name="Lay it").tap()

    expect(page.locator('.other[data-id="hill-3"]')).to_contain_text("rough")
    (hill,) = [one for one in page.request.get(f"{address}api/v1/state").json()["terrain"] if one["id"] == "hill-3"]
    assert (hill["kind"], hill["height_mm"], len(hill["polygon_mm"])) == ("rough", 25.4, 8)
    undo_newest(page, "On the table: hill-3")
    page.context.close()


def test_rulebook_and_scenario_are_chosen(table: Page) -> None:
    open_section(table, "Rules")
    expect(table.get_by_role("radio", name="Prime")).to_be_checked()
    table.get_by_role("button", name="mosh pit").tap()

    open_section(table, "Steps")
    expect(table.locator(".step").first).to_contain_text("scenario")
    assert violations(table) == []
    keep_screenshot(table, "steps")
    undo_newest(table, "Table: scenario")


def test_a_table_without_a_book_chooses_how_it_measures_in_plain_words(browser: Browser, own_address: str) -> None:
    page = open_page(browser, own_address)
    open_section(page, "Rules")
    page.get_by_role("radio", name="Open measuring").tap()
    measure = page.locator('[data-key="open-measure"]')
    expect(measure.get_by_role("radio", name="from the edge of one base")).to_be_checked()

    measure.get_by_role("radio", name="from the middle of one base").tap()
    expect(measure.get_by_role("radio", name="from the middle of one base")).to_be_checked()
    width = page.locator('[data-key="open-arc-deg"]')
    width.get_by_role("spinbutton").fill("90")
    width.get_by_role("button", name="Save").tap()

    expect(page.locator('[data-key="open-arc-deg"] input')).to_have_value("90")
    keep_screenshot(page, "settings")
    state = page.request.get(f"{own_address}api/v1/state").json()
    assert (state["edition"], state["house_rules"]) == ("open", {"open-measure": "centre", "open-arc-deg": "90"})

    page.locator('[data-key="open-preset"]').get_by_role("radio", name="sight from the centre to both edges").tap()
    sight = page.locator('[data-key="open-sight"]').get_by_role("radio", name="both lines from the viewer's middle")
    expect(sight).to_be_checked()
    expect(measure.get_by_role("radio", name="from the edge of one base")).to_be_checked()
    page.context.close()


def test_who_has_no_seat_is_asked_for_the_code(browser: Browser) -> None:
    with serve_table("serve", "--state", str(SKIRMISH)) as url:
        page = open_page(browser, url)
        open_section(page, "Who")
        page.get_by_label("Code").fill("AAAAAA")
        page.get_by_role("button", name="Take a seat").tap()

        expect(page.locator(".toast")).to_contain_text("code")
        assert violations(page) == []
        page.context.close()


def test_a_phone_that_sat_down_as_the_wrong_player_becomes_the_other(browser: Browser) -> None:
    with serve_table("serve", "--state", str(SKIRMISH), "--open") as url:
        page = open_page(browser, url)
        open_section(page, "This phone")
        chairs = page.get_by_role("radiogroup", name="This phone is")
        expect(chairs.get_by_role("radio", name="Player A")).to_be_checked()
        with page.expect_navigation():
            chairs.get_by_role("radio", name="Player B").tap()

        open_section(page, "This phone")
        expect(chairs.get_by_role("radio", name="Player B")).to_be_checked()
        assert page.request.get(f"{url}api/v1/seat").json()["seat"] == "player-b"
        assert violations(page) == []
        keep_screenshot(page, "chair")
        page.context.close()


@pytest.fixture
def hand(browser: Browser, address: str) -> Iterator[Page]:
    """A phone only, where the size changes nothing."""
    page = open_page(browser, address)
    yield page
    page.context.close()


def test_a_base_is_put_in_a_unit_which_is_made_and_it_is_undone(hand: Page) -> None:
    open_section(hand, "Who")
    tap(hand, "m12")
    name = hand.locator(".setup .pair h2").inner_text()
    hand.get_by_label("Unit").fill("guard")
    hand.get_by_role("button", name="Put in").tap()
    expect(hand.locator('#units option[value="guard"]')).to_be_attached()
    assert violations(hand) == []

    undo_newest(hand, f"{name}: unit")
    open_section(hand, "Who")
    tap(hand, "m12")
    expect(hand.get_by_label("Unit")).to_have_value("")


def test_expected_bases_are_typed_and_then_named_with_a_tap(hand: Page) -> None:
    open_section(hand, "Rules")
    hand.get_by_label("A line each").fill("2 Halberdier, red, 30\ntwo Trenchers")
    hand.get_by_role("button", name="Expect these").tap()
    expect(hand.locator(".toast")).to_contain_text("two Trenchers")
    hand.get_by_label("A line each").fill("2 Halberdier, red, 30\nWall, 25x50")
    hand.get_by_role("button", name="Expect these").tap()
    # that other numbers are seen is said too, and on a busy machine first
    said = re.compile("2 kinds of bases are expected|30 mm: 2 expected")
    expect(hand.locator(".toast")).to_contain_text(said)

    open_section(hand, "Who")
    tap(hand, "m12")
    hand.get_by_role("button", name="Halberdier").tap()
    expect(hand.locator(".setup .pair h2")).to_have_text("Halberdier")
    undo_newest(hand, "Halberdier")


def test_sides_by_look_are_changed_with_a_tap_and_told_as_one_step(table: Page) -> None:
    proposed = {
        "sides": [{"name": "near", "ids": ["m1", "m2"]}, {"name": "far", "ids": ["m3", "m12"]}],
        "unsure": ["m14"],
    }
    table.route(
        "**/api/v1/sides/proposed", lambda route: route.fulfill(json=proposed | {"says": "Proposed by the paint."})
    )
    open_section(table, "Who")
    table.get_by_role("button", name="Sides by look").tap()
    expect(table.locator('.base[data-id="m12"]')).to_have_class(re.compile("two"))
    tap(table, "m14")
    table.locator('.entry[data-id="m2"]').tap()
    assert violations(table) == []
    keep_screenshot(table, f"sides-by-look-{(table.viewport_size or {})['width']}")
    table.get_by_role("button", name="These are the sides").tap()

    expect(table.locator(".entry", has_text="far")).to_have_count(3)
    expect(table.locator(".entry", has_text="near")).to_have_count(2)
    undo_newest(table, "side")
