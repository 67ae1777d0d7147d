"""A ruling sticks: two players and a judge in real browsers, side by side."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, open_section, pick_pair, wait_until
from tests.api.pages.side_by_side import SharedTable, judge_pair, open_verdict, serve_shared, sit_down
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser


@pytest.fixture
def table() -> Iterator[SharedTable]:
    with serve_shared(skirmish()) as table:
        yield table


def overrule_sight(judge: Page) -> None:
    """The judge says that the two do not see each other."""
    judge_pair(judge, "Trencher", "Sergeant")
    open_verdict(judge, "sight")
    judge.get_by_role("button", name="Overrule").tap()
    judge.get_by_label("What stands instead").fill("Clear")
    judge.get_by_label("Why").fill("Seen from the side")
    judge.get_by_role("button", name="Write the ruling").tap()
    expect(judge.locator(".written")).to_contain_text("Ruling 1 written")


def test_a_ruling_is_a_link_that_opens_it_as_it_was(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as player,
        sit_down(browser, table, "judge") as judge,
    ):
        overrule_sight(judge)
        expect(judge.get_by_role("link", name="Link").first).to_be_visible()
        open_section(player, "Steps")
        player.get_by_role("button", name="Link to Ruling 1").tap()
        link = player.locator(".share input").input_value()
        keep_screenshot(player, "ruling-link")
        found = violations(player)

    table.move("m10", (500.0, 900.0))
    with sit_down(browser, table, "viewer") as reader:
        reader.goto(link)
        expect(reader.locator(".open[data-slot=sight]")).to_contain_text("Clear")
        expect(reader.locator(".open[data-slot=sight]")).to_contain_text("camera: Too close")
        assert reader.request.get(f"{table.url}v/999999").status == 404

    assert found == []


def test_a_ruling_lies_over_the_verdict_on_every_screen_until_something_there_moves(
    browser: Browser, table: SharedTable
) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
        sit_down(browser, table, "judge") as judge,
    ):
        pick_pair(first, "m7", "m10")
        expect(first.locator("[data-slot=sight] b")).to_have_text("Too close")

        overrule_sight(judge)
        pick_pair(second, "m7", "m10")
        for page in (first, second):
            expect(page.locator("[data-slot=sight] b")).to_have_text("Clear")
            expect(page.locator("[data-slot=sight].yes")).to_contain_text("camera: Too close")
            expect(page.locator(".ruling-notice")).to_contain_text("Ruling 1: Trencher sees Sergeant: Overruled: Clear")
        expect(judge.locator("[data-slot=sight] .verdict b")).to_have_text("Clear")
        expect(judge.locator("li.yes[data-slot=sight]")).to_contain_text("camera: Too close")
        assert violations(first) == []
        for page, name in ((first, "ruling-sticks-phone"), (judge, "ruling-sticks-judge")):
            keep_screenshot(page, name)

        first.get_by_role("button", name="Seen").tap()
        expect(first.locator(".ruling-notice")).to_contain_text("Player B has not tapped")
        expect(first.get_by_role("button", name="Seen")).to_have_count(0)
        second.get_by_role("button", name="Seen").tap()
        for page in (first, second):
            expect(page.locator(".ruling-notice")).to_have_count(0)

        table.move("m10", (500.0, 900.0))
        for page in (first, judge):
            expect(page.locator("[data-slot=sight]")).not_to_contain_text("camera:")
        open_section(first, "Steps")
        expect(first.locator(".rulings .other")).to_contain_text("ended: Sergeant moved")
        keep_screenshot(first, "ruling-list")


def test_who_moves_elsewhere_ends_no_ruling(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as player,
        sit_down(browser, table, "judge") as judge,
    ):
        overrule_sight(judge)
        pick_pair(player, "m7", "m10")
        before = table.state.state_id

        table.move("m2", (60.0, 60.0))

        wait_until(player, lambda: table.hub.state is not None and table.hub.state.state_id != before, "the move")
        expect(player.locator("[data-slot=sight]")).to_contain_text("camera: Too close")


def test_the_judge_rules_on_answers_only_and_a_tape_takes_eighths(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "players", seat="player-a") as player, sit_down(browser, table, "judge") as judge:
        pick_pair(player, "m7", "m10")
        judge_pair(judge, "Trencher", "Sergeant")
        open_verdict(judge, "sight")
        expect(judge.get_by_role("button", name="Accept")).to_have_count(0)
        judge.get_by_role("button", name="Let them roll").tap()
        judge.get_by_role("group", name="What did they roll?").get_by_role("button", name="Blocked").tap()
        expect(player.locator("[data-slot=sight].no b")).to_have_text("Blocked")
        keep_screenshot(judge, "judge-roll")

        judge.locator(".written").get_by_role("button", name="Undo").tap()
        expect(player.locator("[data-slot=sight] b")).to_have_text("Too close")
        open_verdict(judge, "distance")
        expect(judge.get_by_role("button", name="Let them roll")).to_have_count(0)
        expect(judge.get_by_role("button", name="Accept")).to_be_visible()

        judge.get_by_role("button", name="Tape reading").tap()
        judge.get_by_label("Inches").fill("9")
        judge.get_by_role("button", name="1 eighth").tap()
        keep_screenshot(judge, "judge-tape")
        judge.get_by_role("button", name="Use the tape").tap()
        expect(judge.locator(".tape.laid")).to_contain_text("By your tape: 9.13″")
        expect(judge.locator(".tape.laid")).to_contain_text("good to 1.6 mm")
        assert violations(judge) == []
