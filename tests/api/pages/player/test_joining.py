"""Joining ends in one sheet: who one is, which side, which edge, which hand; everybody calls one so from then on."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from api.journal.signature import KeyMade
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, open_section
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser

WORDS = "bahog-hijol-mokor-suloz"  # of the key below, as proquints write it
SIZES = ((360, 640), (844, 390), (820, 1180), (1440, 900), (1920, 1080))


@pytest.fixture
def table() -> Iterator[SharedTable]:
    with serve_shared(skirmish()) as table:
        yield table


def say_who(page: Page, name: str, side: str, *, edge: str = "the near edge", hand: str = "right") -> None:
    page.get_by_label("Your name").fill(name)
    for group, choice in (("I play", side), ("I stand at", edge), ("I hold the phone", hand)):
        page.get_by_role("radiogroup", name=group).get_by_role("radio", name=choice).tap()
    page.get_by_role("button", name="Ready").tap()


def test_after_the_code_one_sheet_names_player_side_edge_and_hand(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a", is_known=False) as first,
        sit_down(browser, table, "players", seat="player-b", is_known=False) as second,
        sit_down(browser, table, "judge") as judge,
        sit_down(browser, table, "overlay") as air,
    ):
        air.goto(f"{table.url}overlay?widgets=ruling,closeup,clocks,lowerthird&language=en")
        sheet = first.get_by_role("region", name="Take a seat")
        expect(sheet).to_contain_text("This phone is A")
        assert violations(first) == []
        for width, height in SIZES:
            first.set_viewport_size({"width": width, "height": height})
            keep_screenshot(first, f"joining-{width}")
        first.set_viewport_size({"width": 390, "height": 844})
        keep_screenshot(first, "joining-390")

        say_who(first, "Anna", "red")
        expect(sheet).to_have_count(0)
        expect(second.get_by_role("radio", name="red")).to_have_count(0)
        second.get_by_label("Your name").fill("anna")
        second.get_by_role("button", name="Ready").tap()
        expect(second.get_by_role("status")).to_contain_text(["", "Player A has this name already"])
        say_who(second, "Ben", "blue", edge="the far edge")

        open_section(first, "This phone")
        expect(first.get_by_role("radiogroup", name="This phone is")).to_contain_text("Ben")
        first.get_by_role("button", name="Chess clock").tap()
        first.get_by_label("Round", exact=True).fill("2")
        first.get_by_role("spinbutton", name="Anna").fill("3")
        first.get_by_role("button", name="Say the score").tap()
        expect(first.locator(".score + .soft")).to_have_text("said by Anna")
        assert violations(first) == []
        keep_screenshot(first, "score-390")
        first.get_by_role("button", name="Set the clocks").tap()
        expect(first.locator(".half.far span")).to_have_text("Ben")
        first.keyboard.press("Escape")
        keep_screenshot(first, "clock-strip-named")

        expect(air.locator(".lower-third")).to_have_text(re.compile(r"^\s*Anna\s*red\s*3:0\s*Round 2\s*Ben\s*blue\s*$"))
        first.get_by_role("navigation", name="Tools").get_by_role("button", name="Ask").tap()
        for id_ in ("m8", "m14"):
            first.locator(f'.base[data-id="{id_}"]').dispatch_event("click")
        keep_screenshot(first, "pair-390")

        judge.get_by_role("navigation").get_by_role("button", name="Tables").tap()
        judge.get_by_role("radio", name="Deutsch").tap()
        expect(judge.locator("html")).to_have_attribute("lang", "de")
        judge.get_by_role("navigation").get_by_role("button", name="Uhren").tap()
        expect(judge.locator(".face")).to_contain_text(["Anna", "Ben"])
        keep_screenshot(judge, "judge-clocks-named")
        second.reload()
        expect(second.locator(".base").first).to_be_visible()
        expect(second.get_by_role("region", name="Take a seat")).to_have_count(0)
        open_section(second, "This phone")
        expect(second.get_by_role("radio", name="the far edge")).to_be_checked()

    board = table.hub.score.board
    assert [(one.name, one.side, one.edge) for one in board.players.values()] == [
        ("Anna", "red", "near"),
        ("Ben", "blue", "far"),
    ]
    assert board.score is not None
    assert (board.score.round, board.score.points["player-a"]) == (2, 3)


def test_who_joins_reads_who_signs_the_journal_and_finds_it_again(browser: Browser, table: SharedTable) -> None:
    table.hub.journal.write(KeyMade(key="0123456789abcdef" * 4))
    with sit_down(browser, table, "players", seat="player-a", is_known=False) as phone:
        sheet = phone.get_by_role("region", name="Take a seat")
        expect(sheet).to_contain_text(WORDS)
        sheet.locator("button.round").tap()
        open_section(phone, "This phone")

        expect(phone.locator(".signature")).to_contain_text(WORDS)
