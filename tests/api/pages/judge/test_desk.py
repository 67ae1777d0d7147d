"""The judge's page on a wide screen: who waits, the table and what is decided, side by side; on a phone one part."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.judge.test_judge_page import DESK, PHONE
from tests.api.pages.player_page import keep_screenshot, pick, tap
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.pages.visible_faults import visible_faults
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser

MOVED_MM = (60.0, 60.0)
LIGHT_LUMINANCE = 200


@pytest.fixture
def table() -> Iterator[SharedTable]:
    with serve_shared(skirmish()) as table:
        yield table


@pytest.fixture
def player(browser: Browser, table: SharedTable) -> Iterator[Page]:
    """Mara's phone: she plays blue, her clock runs."""
    with sit_down(browser, table, "players", seat="player-a") as page:
        page.request.put(f"{table.url}api/v1/scoreboard/players/player-a", data={"name": "Mara", "side": "blue"})
        page.request.put(f"{table.url}api/v1/clocks", data={"minutes": 60})
        page.request.post(f"{table.url}api/v1/clocks/pass", data={"to": "player-a"})
        yield page


def open_judge(browser: Browser, table: SharedTable, size: tuple[int, int], *, scheme: str = "dark") -> Page:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        has_touch=True,
        reduced_motion="reduce",
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page.goto(f"{table.url}j/{table.codes['judge']}")
    expect(page.locator(".desk .base").first).to_be_attached()
    return page


def dispute(player: Page) -> None:
    pick(player, "m7")
    tap(player, "m10")
    player.locator(".lines > .dispute").tap()
    expect(player.locator(".disputed .sentence")).to_be_visible()


def test_a_question_that_waits_stands_there_with_players_clocks_and_picture(
    browser: Browser, table: SharedTable, player: Page
) -> None:
    dispute(player)
    judge = open_judge(browser, table, DESK)

    card = judge.locator(".queued")
    expect(card).to_contain_text("Trencher sees Sergeant?")
    expect(card).to_contain_text(re.compile(r"Mara 59:\d\d.*Player B 1:00:00", re.DOTALL))
    assert card.locator(".thumbnail .between").count() == 1
    expect(judge.locator(".chosen .sentence")).to_contain_text("may Trencher shoot Sergeant?")  # who opens it is there
    expect(judge.locator("[data-slot=sight] .verdict")).to_have_attribute("aria-expanded", "true")
    keep_screenshot(judge, "judge-desk")
    assert visible_faults(judge) == []
    judge.close()


def test_queue_table_and_decisions_lie_beside_each_other_and_the_table_is_widest(
    browser: Browser, table: SharedTable
) -> None:
    judge = open_judge(browser, table, DESK)
    rail, middle, aside = (judge.locator(part).bounding_box() for part in (".rail", ".stage", ".aside"))
    judge.close()

    assert rail is not None
    assert middle is not None
    assert aside is not None
    assert rail["x"] + rail["width"] <= middle["x"] + 1 <= middle["x"] + middle["width"] <= aside["x"] + 1
    assert middle["width"] > max(rail["width"], aside["width"])


def test_moves_asks_and_rulings_are_told_and_no_clock(browser: Browser, table: SharedTable, player: Page) -> None:
    dispute(player)
    judge = open_judge(browser, table, DESK)
    recent = judge.locator(".recent")
    expect(recent).to_contain_text("Disputed: Trencher sees Sergeant?")

    assert re.search("[Cc]lock", recent.inner_text()) is None
    recent.get_by_role("button").first.tap()
    expect(judge.locator(".when.then")).to_contain_text("As it was at")
    judge.close()


def test_an_old_look_says_how_old_it_is_and_what_clocks_do_is_no_event(
    browser: Browser, table: SharedTable, player: Page
) -> None:
    judge = open_judge(browser, table, DESK)
    expect(judge.locator(".when.now.wait")).to_contain_text(re.compile(r"seen \d+.* ago"))  # no picture comes any more
    expect(judge.locator(".queued.wait .state")).to_contain_text("ago")
    judge.locator('[data-tab="timeline"]').tap()

    expect(judge.locator(".moments .clocks-set")).to_have_count(1)
    expect(judge.locator(".moments .clock-passed")).to_have_count(0)
    assert {line.entry.type for line in table.hub.journal.lines()} >= {"clocks-set", "clock-passed"}
    judge.close()


def test_what_players_ask_stands_on_the_timeline_and_opens_as_it_was(
    browser: Browser, table: SharedTable, player: Page
) -> None:
    judge = open_judge(browser, table, DESK)
    for name in ("m10", "m12"):
        pick(player, "m7")
        tap(player, name)
        expect(player.locator(".sheet[data-whole] .sentence")).to_be_visible()
        player.keyboard.press("Escape")
    asked = judge.locator(".happened", has_text="Mara: May Trencher shoot Sergeant?")
    expect(asked).to_have_count(1)

    table.move("m10", MOVED_MM)
    asked.tap()
    expect(judge.locator(".when.then")).to_contain_text("As it was at")
    expect(judge.locator(".who.a")).to_contain_text("Trencher")
    expect(judge.locator(".chosen .sentence")).to_contain_text("may Trencher shoot Sergeant?")
    keep_screenshot(judge, "judge-asked")
    judge.close()


def test_a_dispute_takes_nobody_from_what_is_being_done(browser: Browser, table: SharedTable, player: Page) -> None:
    judge = open_judge(browser, table, DESK)
    judge.locator("[data-tab=clocks]").tap()
    dispute(player)

    expect(judge.locator(".queued")).to_contain_text("Trencher sees Sergeant?")
    expect(judge.locator("[data-tab=clocks]")).to_have_attribute("aria-current", "page")
    judge.locator(".queued").tap()
    expect(judge.locator(".who.b")).to_contain_text("Sergeant")
    judge.close()


def test_a_phone_shows_one_part_and_the_question_above_it(browser: Browser, table: SharedTable, player: Page) -> None:
    dispute(player)
    judge = open_judge(browser, table, PHONE)

    expect(judge.locator(".banner.disputed")).to_contain_text("Disputed: Trencher sees Sergeant?")
    assert judge.locator(".rail").count() == 0
    assert visible_faults(judge) == []
    judge.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    expect(judge.locator(".rail")).to_be_visible()
    judge.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_in_a_bright_hall_the_page_is_light_and_can_be_read(
    browser: Browser, table: SharedTable, player: Page, size: tuple[int, int]
) -> None:
    dispute(player)
    judge = open_judge(browser, table, size, scheme="light")
    judge.locator("[data-slot=sight] .verdict").wait_for()
    colour = judge.evaluate("getComputedStyle(document.body).backgroundColor")
    found = violations(judge)
    keep_screenshot(judge, f"judge-light-{size[0]}")
    judge.close()

    assert min(map(int, re.findall(r"\d+", colour))) > LIGHT_LUMINANCE
    assert found == []
