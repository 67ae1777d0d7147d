"""The chess clock in the player's hand: set, passed by a tap, and heard of by both when the time is over."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser


@pytest.fixture
def table() -> Iterator[SharedTable]:
    with serve_shared(skirmish()) as table:
        yield table


def test_two_players_set_and_pass_the_clock(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        first.get_by_role("button", name="Chess clock").tap()
        first.get_by_label("Minutes each").fill("42.5")
        first.get_by_label("Seconds gained a turn").fill("600")
        assert violations(first) == []
        first.get_by_role("button", name="Set the clocks").tap()
        expect(first.locator(".half b")).to_have_text(["42:30", "42:30"])
        expect(first.locator(".half.near span")).to_have_text("Player A")
        keep_screenshot(first, "chess-clock-set")

        first.locator(".half.near").tap()
        expect(first.locator(".half.near.runs")).to_contain_text("Tap to end the turn")
        expect(first.locator(".half.far")).to_be_disabled()
        second.get_by_role("button", name="Chess clock").tap()
        expect(second.locator(".half.far.runs span")).to_have_text("Player A")

        first.locator(".half.near").tap()
        expect(second.locator(".half.near.runs span")).to_have_text("Player B")
        expect(second.locator(".half.far b")).to_contain_text("52:")
        assert violations(second) == []
        keep_screenshot(second, "chess-clock-runs")
        for width, height in ((360, 640), (844, 390), (820, 1180)):
            second.set_viewport_size({"width": width, "height": height})
            keep_screenshot(second, f"chess-clock-{width}")

        second.keyboard.press("Escape")
        expect(second.locator(".chess-clock")).to_have_count(0)
        expect(second.locator(".clock-strip .runs")).to_contain_text("B")
        keep_screenshot(second, "chess-clock-strip")


def test_both_hear_that_the_time_is_over(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        first.request.put(f"{table.url}api/v1/clocks", data={"minutes": 0.01})
        first.request.post(f"{table.url}api/v1/clocks/pass", data={"to": "player-b"})

        expect(second.locator(".toast")).to_contain_text("Player B: the time has run out")
        for page in (first, second):
            page.get_by_role("button", name="Chess clock").tap()
            expect(page.locator(".half.out")).to_contain_text("Time is over")
            expect(page.locator(".half.out span")).to_have_text("Player B")
