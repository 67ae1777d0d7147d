"""What may be a base: drawn dotted, named where an answer turns on it, confirmed or dismissed by a tap."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from models.base import RoundBase
from models.unconfirmed_base import UnconfirmedBase
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, pick_pair
from tests.api.pages.side_by_side import SharedTable, judge_pair, serve_shared, sit_down
from tests.api.pages.visible_faults import SIZES, faults_at, visible_faults
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser

IN_THE_WAY = UnconfirmedBase(base=RoundBase(diameter_mm=80), at_mm=(342.1, 732.65), sigma_mm=1.0, probability=0.6)
ELSEWHERE = UnconfirmedBase(base=RoundBase(diameter_mm=30), at_mm=(950.0, 300.0), sigma_mm=1.0, probability=0.7)


@pytest.fixture
def table() -> Iterator[SharedTable]:
    state = skirmish().with_sightings(looked_for=(), unconfirmed=(IN_THE_WAY, ELSEWHERE))
    with serve_shared(state) as table:
        yield table


def test_one_tap_on_what_may_stand_between_settles_the_answer_for_both(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        expect(first.locator(".unconfirmed")).to_contain_text("probably 1 more base I cannot confirm")
        for phone in (first, second):
            pick_pair(phone, "m8", "m10")
            expect(phone.locator("[data-slot=sight] b")).to_have_text("Too close")
        first.locator("[data-slot=sight]").first.tap()
        expect(first.locator(".details").first).to_contain_text("Look at ?1 on the table")
        keep_screenshot(first, "unconfirmed-in-the-way")
        assert violations(first) == []

        first.locator(".candidate").first.tap()
        first.get_by_role("group", name="80 mm base may stand here").get_by_role("button", name="It is a base").tap()
        for phone in (first, second):
            expect(phone.locator('.base[data-id="base-1"]')).to_be_attached()
            expect(phone.locator("[data-slot=sight] b")).to_have_text("Blocked")
            expect(phone.locator(".candidate")).to_have_count(1)
        keep_screenshot(second, "unconfirmed-confirmed")


def test_what_is_said_of_it_lies_on_no_base(browser: Browser, table: SharedTable) -> None:
    """Also where bases stand in the corner that it takes by itself."""
    for id_, at_mm in {"m8": (60.0, 1160.0), "m10": (200.0, 1160.0)}.items():
        table.move(id_, at_mm)
    with (
        sit_down(browser, table, "players", seat="player-a") as player,
        sit_down(browser, table, "judge") as judge,
    ):
        for page in (player, judge):
            expect(page.locator(".unconfirmed")).to_be_visible()
        faults = faults_at(player, SIZES) + visible_faults(judge)

    assert [fault for fault in faults if "over base" in fault] == []


def test_the_judge_dismisses_one_and_it_is_gone_everywhere(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as player,
        sit_down(browser, table, "judge") as judge,
    ):
        pick_pair(player, "m8", "m10")
        judge_pair(judge, "Long Gunner", "Sergeant")
        expect(judge.locator("[data-slot=sight] .verdict b")).to_have_text("Too close")
        keep_screenshot(judge, "unconfirmed-judge")

        judge.locator(".candidate").first.tap()
        judge.get_by_role("button", name="Nothing there").tap()
        expect(judge.locator("[data-slot=sight] .verdict b")).to_have_text("Clear")
        expect(player.locator("[data-slot=sight] b")).to_have_text("Clear")
        for page in (player, judge):
            expect(page.locator(".candidate")).to_have_count(1)

        table.see(table.state.with_miniatures(table.state.miniatures[:-1]))
        expect(player.locator(".base")).to_have_count(len(table.state.miniatures))
        expect(player.locator(".candidate")).to_have_count(1)


def test_who_only_watches_is_told_and_settles_nothing(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "viewer") as viewer:
        viewer.locator(".candidate").last.press("Enter")

        prompt = viewer.get_by_role("group", name="30 mm base may stand here")
        expect(prompt).to_contain_text("?2")
        expect(prompt.get_by_role("button")).to_have_count(1)  # put away
