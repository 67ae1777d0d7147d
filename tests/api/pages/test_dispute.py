"""One dispute: a tap opens the same sheet on both phones and tells the judge; it ends in one line that all see."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import hold_news, keep_screenshot, pick, tap
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.pages.visible_faults import visible_faults
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser

SETTLED = ".sheet .settled"


@pytest.fixture
def table() -> Iterator[SharedTable]:
    with serve_shared(skirmish()) as table:
        yield table


def dispute(page: Page) -> None:
    """Two taps ask, the third disputes what is too close."""
    pick(page, "m7")
    tap(page, "m10")
    expect(page.locator(".sentence.close")).to_contain_text("TOO CLOSE: may Trencher shoot Sergeant?")
    page.locator(".lines > .dispute").tap()


def test_two_players_agree_in_one_sheet_and_a_judge_hears_of_it(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
        sit_down(browser, table, "judge") as judge,
    ):
        hold_news(second)
        dispute(first)
        for page in (first, second):
            expect(page.locator(".disputed .sentence")).to_have_text("Trencher sees Sergeant?")
            expect(page.locator(".disputed")).to_contain_text("Too close · ")
            assert visible_faults(page) == []
            assert violations(page) == []
        expect(judge.locator(".queued")).to_contain_text(re.compile("Trencher sees Sergeant.*Disputed", re.DOTALL))

        first.get_by_role("button", name="Clear", exact=True).tap()
        expect(second.locator(".disputed")).to_contain_text("Player A Clear")
        keep_screenshot(second, "dispute")
        second.get_by_role("button", name="Clear", exact=True).tap()

        for page in (first, second):
            expect(page.locator(SETTLED)).to_contain_text("Agreed: Clear")
            expect(page.locator(".sentence.yes")).to_contain_text("YES, Trencher may shoot Sergeant")
        expect(second.locator(".toast p")).to_have_text("Trencher sees Sergeant: Agreed: Clear")
        expect(judge.locator(".queue .waits")).to_have_count(0)


def test_each_rolls_a_die_once_and_the_higher_roll_decides(browser: Browser, table: SharedTable) -> None:
    table.hub.disputes._roll = iter((5, 2)).__next__
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        dispute(first)
        expect(first.get_by_text("No judge is at this table.")).to_be_visible()
        first.get_by_role("button", name="Roll my die").tap()
        expect(first.get_by_role("button", name="Roll my die")).to_be_disabled()
        expect(second.locator(".dice")).to_contain_text("5")
        second.get_by_role("button", name="Roll my die").tap()
        expect(second.get_by_text("Player A rolled higher: tap what stands")).to_be_visible()
        first.get_by_role("button", name="Blocked", exact=True).tap()

        for page in (first, second):
            expect(page.locator(SETTLED)).to_contain_text("Rolled Player A 5 · Player B 2: Blocked")
            expect(page.locator(".sentence.no")).to_contain_text("NO, Trencher may not shoot Sergeant")


def test_a_tape_that_both_read_alike_stands_over_what_was_seen(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        pick(first, "m7")
        tap(first, "m10")
        in_range = first.locator(".tile", has_text="In range")
        in_range.tap()
        first.locator(".opened .dispute").tap()
        for page in (first, second):
            page.get_by_label("Inches, from rim to rim").fill("10.5")
            page.locator(".disputed form button").tap()

        for page in (first, second):
            expect(page.locator(SETTLED)).to_contain_text("Out of range")
            expect(page.locator(".sentence.no")).to_contain_text("NO, Trencher may not shoot Sergeant")


def test_a_judge_who_sits_there_is_called_by_name_of_the_question(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "judge") as judge,
    ):
        dispute(first)
        first.get_by_role("button", name="Call the judge").tap()

        expect(judge.locator(".queued.called")).to_contain_text(
            re.compile("Trencher sees Sergeant.*You are called", re.DOTALL)
        )
        keep_screenshot(judge, "dispute-judge")
        judge.locator(".queued").tap()
        expect(judge.locator(".who.a")).to_contain_text("Trencher")
