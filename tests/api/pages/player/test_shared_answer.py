"""An answer as a link: who opens it reads the same question with the same answer, whatever has moved since."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, middle, pick, tap
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser

FAR_MM = (1100.0, 1100.0)


@pytest.fixture
def table() -> Iterator[SharedTable]:
    with serve_shared(skirmish()) as table:
        yield table


def test_a_link_opens_that_very_question_after_its_miniature_has_gone(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "players", seat="player-a") as page:
        pick(page, "m7")
        tap(page, "m10")
        page.locator(".topic", has_text="Charge").tap()
        head = page.locator(".sentence.no")
        expect(head).to_contain_text("charge")
        said = head.inner_text()
        page.get_by_role("button", name="Share this answer").tap()
        link = page.locator(".share input").input_value()
        keep_screenshot(page, "shared-answer")
        found = violations(page)

    table.move("m10", FAR_MM)
    with sit_down(browser, table, "viewer") as reader:
        reader.goto(link)
        expect(reader.locator(".sentence")).to_have_text(said)

    assert found == []


def test_a_raised_sheet_leaves_in_sight_what_was_looked_at(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "players", seat="player-a") as page:
        pick(page, "m7")
        tap(page, "m10")
        expect(page.locator(".sentence")).to_be_visible()
        page.get_by_role("navigation", name="Tools").get_by_role("button", name="Table").tap()
        page.locator(".grab").tap()
        expect(page.locator(".grab")).to_have_attribute("aria-expanded", "true")
        (_, first), (_, second) = middle(page, "m7"), middle(page, "m10")
        stage = page.locator(".stage").bounding_box()

    assert stage is not None
    assert stage["y"] < (first + second) / 2 < stage["y"] + stage["height"]


def test_who_is_asked_about_is_named_on_the_table(browser: Browser, table: SharedTable) -> None:
    with sit_down(browser, table, "players", seat="player-a") as page:
        pick(page, "m7")
        tap(page, "m10")

        expect(page.locator(".tag.a")).to_have_text("Trencher")
        expect(page.locator(".tag.b")).to_have_text("Sergeant")
