"""What a player does with the page's tools, on a phone and on a tablet, in a real browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, middle, open_section, open_table, tap
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser

SIZES = {"phone": (390, 844), "tablet": (1024, 768)}
SMALLEST = (320, 568)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve_table("serve", "--state", str(SKIRMISH)) as url:
        yield url


def open_page(browser: Browser, address: str, width: int, height: int) -> Iterator[Page]:
    size = {"width": width, "height": height}
    context = browser.new_context(viewport=size, has_touch=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    open_table(page, address, bases=17)
    yield page
    context.close()
    assert not wrong, wrong


@pytest.fixture(params=SIZES)
def table(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from open_page(browser, address, *SIZES[request.param])


@pytest.fixture
def hand(browser: Browser, address: str) -> Iterator[Page]:
    """A phone only, where the size changes nothing."""
    yield from open_page(browser, address, *SIZES["phone"])


def use(page: Page, tool: str) -> None:
    page.get_by_role("navigation", name="Tools").get_by_role("button", name=tool).tap()


def keep(page: Page, name: str) -> None:
    size = page.viewport_size
    keep_screenshot(page, f"{name}-{'tablet' if size and size['width'] > 800 else 'phone'}")


def middle_of(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, by_px: tuple[float, float]) -> None:
    x, y = middle_of(page.locator(".grip .hold"))
    page.mouse.move(x, y)
    page.mouse.down()
    for part in (0.25, 0.5, 0.75, 1.0):
        page.mouse.move(x + part * by_px[0], y + part * by_px[1])
    page.mouse.up()


def test_one_tap_shows_all_distances_the_rings_and_who_threatens(table: Page) -> None:
    tap(table, "m7")

    expect(table.locator('.alone[data-state="ready"]')).to_be_visible()
    expect(table.locator("h3").first).to_contain_text(re.compile(r"\d known to threaten it; \d+ cards missing"))
    expect(table.locator("button.other").first).to_contain_text("Rifleman charges Trencher")
    expect(table.locator("h3").nth(1)).to_contain_text("It may hit 1")
    expect(table.locator("h3").nth(2)).to_contain_text("The others, nearest first")
    assert len(set(table.locator("button.other").evaluate_all("all => all.map((one) => one.dataset.id)"))) == 16
    assert table.locator(".around .ring .line").count() == 3
    expect(table.locator(".pill.far").first).to_contain_text("″")
    assert violations(table) == []
    keep(table, "around")


def test_a_ring_is_hidden_with_one_tap(hand: Page) -> None:
    tap(hand, "m7")

    hand.get_by_role("button", name="Hide the ring: Threat on the walk").tap()

    expect(hand.locator(".around .ring.walk")).to_have_count(0)
    hand.get_by_role("button", name="Show the ring: Threat on the walk").tap()
    expect(hand.locator(".around .ring.walk")).to_have_count(1)


def test_two_taps_list_each_answer_on_a_line_that_opens(table: Page) -> None:
    tap(table, "m7")
    tap(table, "m10")
    expect(table.locator('.sheet[data-state="ready"] [data-slot="sight"]')).to_be_visible()
    table.get_by_role("button", name=re.compile("^Melee")).tap()
    table.locator('[data-slot="melee"]').tap()

    expect(table.locator(".gauge")).to_be_visible()
    expect(table.locator(".row.no .mood .icon").first).to_be_visible()
    assert violations(table) == []
    keep(table, "pair")


def test_my_side_goes_to_a_and_theirs_to_b(hand: Page) -> None:
    open_section(hand, "This phone")
    hand.get_by_role("radio", name="red").tap()
    use(hand, "Ask")

    tap(hand, "m7")

    expect(hand.locator(".who.a")).to_contain_text("Rifleman")
    expect(hand.locator(".who.b")).to_contain_text("Trencher")
    hand.locator(".who.a").tap()
    expect(hand.locator(".alone")).to_contain_text("Rifleman")


def test_a_ghost_that_is_dragged_takes_every_answer_along(table: Page) -> None:
    tap(table, "m8")
    use(table, "What if")
    before = table.locator("button.other").first.text_content()

    drag(table, (60, -30))

    expect(table.locator('[data-slot="move"]')).to_contain_text("Legal")
    expect(table.locator(".said")).to_contain_text(re.compile(r"\d\.\d\d″ used, \d\.\d\d″ left"))
    expect(table.locator(".tag.way")).to_contain_text("″")
    expect(table.locator("button.other").first).not_to_have_text(before or "")
    assert violations(table) == []
    keep(table, "what-if")


def test_a_way_over_a_corner_is_longer_than_it_may_be_and_is_taken_back(table: Page) -> None:
    use(table, "What if")
    tap(table, "m8")
    drag(table, (60, 0))
    expect(table.locator('[data-slot="move"]')).to_contain_text("Legal")
    table.get_by_role("button", name="Go on from here").tap()
    drag(table, (0, 110))

    expect(table.locator('[data-slot="move"]')).to_contain_text("Not legal")
    expect(table.locator(".said")).to_contain_text("too far")
    table.get_by_role("radio", name="Run").tap()
    expect(table.locator('[data-slot="move"] .answer')).not_to_contain_text("Not legal")
    table.get_by_role("button", name="Take the last leg back").tap()
    expect(table.locator(".tag.way")).to_contain_text(re.compile(r"^\s*[234]\.\d\d″"))


def test_a_tap_does_what_a_drag_does(hand: Page) -> None:
    use(hand, "What if")
    tap(hand, "m8")
    x, y = middle_of(hand.locator(".grip .hold"))

    hand.touchscreen.tap(x + 70, y + 40)

    expect(hand.locator('[data-slot="move"]')).to_be_visible()
    assert middle_of(hand.locator(".grip .hold")) == pytest.approx((x + 70, y + 40), abs=1)


def test_arrow_keys_move_the_ghost(hand: Page) -> None:
    use(hand, "What if")
    tap(hand, "m8")

    hand.locator(".ghost .grip").focus()
    for _ in range(4):
        hand.keyboard.press("Shift+ArrowLeft")

    expect(hand.locator(".tag.way")).to_contain_text("4.00″")


def test_who_leaves_a_melee_is_told_of_the_free_strike(table: Page) -> None:
    use(table, "What if")
    table.locator(".entry", has_text="Captain").tap()
    drag(table, (70, -60))

    expect(table.locator('[data-slot="strikes"]')).to_contain_text("Struck")
    expect(table.locator(".said")).to_contain_text("Free strike from Ironclad")
    expect(table.locator(".ghost .struck")).to_be_attached()
    keep(table, "free-strike")


def test_answers_about_b_follow_the_ghost(hand: Page) -> None:
    use(hand, "What if")
    tap(hand, "m8")
    hand.locator('.other[data-id="m10"]').tap()
    distance = hand.locator('[data-slot="distance"]')
    expect(distance).to_contain_text("12.05″")

    drag(hand, (-50, 0))

    expect(distance).not_to_contain_text("12.05″")
    keep(hand, "what-if-b")


def test_a_template_is_laid_by_a_tap_and_says_who_is_under_it(table: Page) -> None:
    use(table, "Template")
    table.get_by_role("radio", name="Round 5″").tap()
    tap(table, "m11")

    expect(table.locator(".other.hit")).to_have_count(1)
    expect(table.locator(".other.hit")).to_contain_text("Direct hit")
    drag(table, (0, -20))
    expect(table.locator(".other.hit").first).to_contain_text("Under it")
    assert violations(table) == []
    keep(table, "template")


def test_whom_to_lay_a_template_on_is_told_the_best_first(table: Page) -> None:
    use(table, "Template")
    table.get_by_role("radio", name="Round 5″").tap()
    table.get_by_role("button", name="Whom to lay it on?").tap()

    counts = table.locator(".other .far b")
    expect(counts).to_have_count(8)
    hits = [int(text.split()[0]) for text in counts.all_inner_texts()]
    assert hits == sorted(hits, reverse=True)
    assert hits[0] == 3
    assert violations(table) == []
    keep(table, "best")
    table.locator("button.other").first.tap()
    expect(table.locator(".other.hit")).to_have_count(3)


def test_a_miss_deviates_by_the_dice(table: Page) -> None:
    tap(table, "m7")
    use(table, "Template")
    table.locator(".entry", has_text="Rifleman").tap()
    table.get_by_role("button", name="Missed").tap()
    expect(table.locator(".other", has_text="Rifleman")).to_contain_text("100 %")
    expect(table.locator(".laid .may")).to_have_count(36)
    table.get_by_role("radiogroup", name="Direction").get_by_text("3").tap()
    table.get_by_role("radiogroup", name="Distance").get_by_text("2").tap()

    expect(table.locator(".laid .drift")).to_be_attached()
    keep(table, "deviation")


def test_a_spray_takes_the_widths_of_the_players_template(hand: Page) -> None:
    use(hand, "Template")
    hand.get_by_role("radio", name="Spray 8″").tap()
    hand.get_by_label("Narrow end, mm").fill("10")
    hand.get_by_label("Wide end, mm").fill("60")
    hand.get_by_label("Wide end, mm").blur()
    tap(hand, "m6")
    hand.locator(".entry", has_text="Trencher").tap()

    expect(hand.locator(".laid polygon.shape")).to_be_attached()
    expect(hand.locator(".other.hit")).to_contain_text("Trencher")
    keep(hand, "spray")


def test_what_is_set_on_a_phone_is_there_after_a_reload(table: Page) -> None:
    open_section(table, "This phone")
    assert violations(table) == []
    table.get_by_role("radio", name="left").tap()
    table.get_by_role("radio", name="blue").tap()
    expect(table.get_by_role("radio", name="left")).to_be_checked()
    expect(table.get_by_role("radio", name="blue")).to_be_checked()

    table.reload()
    open_section(table, "This phone")

    expect(table.get_by_role("radio", name="left")).to_be_checked()
    expect(table.get_by_role("radio", name="blue")).to_be_checked()
    keep(table, "left-handed")


def test_nothing_is_cut_off_on_the_smallest_phone(browser: Browser, address: str) -> None:
    for page in open_page(browser, address, *SMALLEST):
        tap(page, "m7")
        for tool in ("Ask", "What if", "Template", "Table"):
            use(page, tool)
            tab = page.get_by_role("navigation", name="Tools").get_by_role("button", name=tool)
            expect(tab).to_have_attribute("aria-current", "page")
            assert page.evaluate("document.scrollingElement.scrollWidth") <= SMALLEST[0]
            wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className)"
            assert page.locator(".lines, .panel, .tabs").evaluate_all(wide) == []
            keep_screenshot(page, f"smallest-{tool.replace(' ', '-').lower()}")
        assert violations(page) == []


def test_the_start_breaks_no_guideline(table: Page) -> None:
    assert violations(table) == []
    assert middle(table, "m7")[0] > 0
    keep(table, "start")
