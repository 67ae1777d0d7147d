"""What one player tells, on both phones: one truth, marked as one player's word until the other agrees."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import hold_news, keep_screenshot, open_section, tap, wait_until
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser


_TELL = """(told) => fetch("api/v1/corrections" + ("n" in told ? "/undo" : ""), {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(told),
}).then((answer) => { if (!answer.ok) throw new Error(String(answer.status)); })"""

LAID, CARD, PLAYED = "if it lies so", "if its card is so", "if it is played so edition: said by Player A"


@pytest.fixture
def table() -> Iterator[SharedTable]:
    with serve_shared(skirmish()) as table:
        yield table


def pick(page: Page, *ids: str) -> None:
    """Pick these two, whose facing nobody knows."""
    for id_ in ids:
        page.locator(f'.base[data-id="{id_}"]').focus()
        page.keyboard.press("Enter")
    expect(page.locator('[data-slot="front-ab"] b')).to_be_visible()


def test_a_told_facing_is_on_both_phones_and_plain_once_the_other_agrees(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        for page in (first, second):
            pick(page, "m16", "m4")
            expect(page.locator('[data-slot="front-ab"] b')).to_have_text("Set facing")
        first.locator('[data-slot="front-ab"]').tap()
        first.get_by_role("button", name="Standard Bearer at Sentinel").tap()

        for page in (first, second):
            told = page.locator('[data-slot="front-ab"].one-word')
            expect(told).to_contain_text("In front")
            expect(told).to_contain_text("if it faces so: said by Player A")
        assert violations(second) == []
        with sit_down(browser, table, "overlay") as stream:
            stream.goto(f"{table.url}overlay")
            told = {"pair": {"a": "m16", "b": "m4"}, "slots": ["front-ab"], "stays": True}
            stream.request.post(f"{table.url}api/v1/overlay/air", data=told)
            expect(stream.locator(".row.one-word .said-by")).to_have_text("if it faces so: said by Player A")
            keep_screenshot(stream, "told-on-air")
            assert violations(stream) == []
        second.locator('[data-slot="front-ab"]').tap()
        keep_screenshot(second, "told-by-the-other")
        second.locator(".told-fact").get_by_role("button", name="Agree").tap()

        for page in (first, second):
            expect(page.locator('[data-slot="front-ab"]')).not_to_contain_text("said by")
            expect(page.locator('[data-slot="front-ab"] b')).to_have_text("In front")
        keep_screenshot(first, "told-and-agreed")
        first.evaluate(_TELL, {"do": "miniature", "ids": ["m16"], "name": "Renamed"})
        expect(second.locator("#page")).to_contain_text("Renamed")
        second.goto(f"{table.url}#at={table.hub.undo_log.all()[0].n}&a=m16&b=m4&line=front-ab")

        expect(second.locator('[data-slot="front-ab"].one-word')).to_contain_text("said by Player A")
        expect(second.locator(".told-fact")).to_contain_text("Standard Bearer: said by Player A")
        expect(second.get_by_role("button", name="Agree")).to_have_count(0)
        keep_screenshot(second, "told-at-an-earlier-moment")
        assert violations(second) == []


def test_terrain_is_agreed_to_among_the_steps_and_one_miniatures_sheet_says_who_told(
    browser: Browser, table: SharedTable
) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        (x, y) = next(m.at_mm for m in table.state.miniatures if m.id == "m16")
        wood = {"id": "wood", "kind": "forest", "centre_mm": [x, y], "diameter_mm": 120.0}
        speed = {"do": "miniature", "ids": ["m16"], "profile": {"spd_in": 9}}
        for told in ({"do": "lay", "terrain": [wood]}, speed, {"do": "table", "edition": "hordes-mk2"}):
            first.evaluate(_TELL, told)
        second.locator('.base[data-id="m16"]').focus()
        second.keyboard.press("Enter")
        expect(second.locator(".told-fact")).to_contain_text([LAID, CARD, PLAYED])
        assert violations(second) == []
        keep_screenshot(second, "told-around-one")

        open_section(second, "Steps")
        laid = second.locator(".step", has_text="wood")
        laid.get_by_role("button", name="Agree").tap()

        played = second.locator(".step", has_text="Table: edition HORDES Mk II")
        expect(played.get_by_role("button", name="Agree")).to_be_visible()
        expect(laid).to_contain_text("Player A; Player B agreed")
        expect(laid.get_by_role("button", name="Agree")).to_have_count(0)
        keep_screenshot(second, "step-agreed")
        assert violations(second) == []


def test_news_of_the_other_player_is_answered_by_one_tap(browser: Browser, table: SharedTable) -> None:
    """What decides answers is agreed to; anything else is taken back, and holds again."""
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        hold_news(second)
        answer = second.locator(".toast").get_by_role("button")
        first.evaluate(_TELL, {"do": "miniature", "ids": ["m16"], "facing_deg": 120.0})
        expect(answer).to_have_text("Agree")
        assert violations(second) == []
        keep_screenshot(second, "news-agree")
        answer.tap()
        expect(answer).to_have_count(0)
        wait_until(second, lambda: table.hub.undo_log.all()[-1].agreed_by == "player-b", "the agreement")

        first.evaluate(_TELL, {"do": "miniature", "ids": ["m16"], "name": "Renamed"})
        expect(second.locator("#page")).to_contain_text("Renamed")
        expect(answer).to_have_text("Undo")
        answer.tap()
        wait_until(second, lambda: table.hub.undo_log.all()[-1].is_undone, "the undoing")

        first.evaluate(_TELL, {"do": "miniature", "ids": ["m16"], "name": "Renamed again"})
        first.evaluate(_TELL, {"n": table.hub.undo_log.all()[-1].n})
        expect(answer).to_have_text("Redo")


def test_a_field_in_use_is_not_overwritten_by_the_others_save(browser: Browser, table: SharedTable) -> None:
    with (
        sit_down(browser, table, "players", seat="player-a") as first,
        sit_down(browser, table, "players", seat="player-b") as second,
    ):
        for page in (first, second):
            open_section(page, "Who")
            tap(page, "m12")
        second.get_by_label("Name").fill("Wizard")
        first.get_by_label("Name").fill("Mage")
        first.get_by_role("button", name="Save").tap()

        expect(second.locator(".meanwhile")).to_contain_text("Player A wrote “Mage”. Keep yours?")
        expect(second.locator("input[name=name]")).to_have_value("Wizard")
        keep_screenshot(second, "keep-yours")
        assert violations(second) == []
        second.get_by_role("button", name="Keep mine").tap()
        second.get_by_role("button", name="Save").tap()
        expect(first.locator("h2", has_text="Wizard")).to_be_visible()
