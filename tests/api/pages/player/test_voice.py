"""The page without eyes and hands: answers said aloud on wish, a question by voice, the table by rows."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, open_section, pick, tap, wait_until
from tests.api.pages.side_by_side import SharedTable, serve_shared, sit_down
from tests.api.pages.visible_faults import visible_faults
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser

# A browser that hears `window.heard`, and writes down what it says: none here has an ear or a voice.
_EAR_AND_VOICE = """{
  window.said = [];
  speechSynthesis.speak = (one) => window.said.push(one.text);
  window.SpeechRecognition = class {
    start() {
      this.onresult({ results: [[{ transcript: window.heard }]] });
      this.onend();
    }
  };
}"""


@pytest.fixture
def table() -> Iterator[SharedTable]:
    with serve_shared(skirmish()) as table:
        yield table


@pytest.fixture
def player(browser: Browser, table: SharedTable) -> Iterator[Page]:
    with sit_down(browser, table, "players", seat="player-a") as page:
        page.add_init_script(_EAR_AND_VOICE)
        page.reload()
        expect(page.locator(".base").nth(16)).to_be_attached()
        yield page


def speak_up(page: Page) -> None:
    open_section(page, "This phone")
    page.get_by_role("radio", name="spoken").tap()
    page.get_by_role("navigation", name="Tools").get_by_role("button", name="Ask").tap()


def ask(page: Page) -> None:
    pick(page, "m7")
    tap(page, "m10")
    expect(page.locator(".sentence.close")).to_be_visible()


def test_answers_are_silent_until_somebody_wants_to_hear_them(player: Page) -> None:
    ask(player)
    assert player.evaluate("window.said") == []

    player.keyboard.press("Escape")
    speak_up(player)
    ask(player)
    wait_until(player, lambda: bool(player.evaluate("window.said")), "a word")
    said = player.evaluate("window.said[0]")
    assert said.startswith("TOO CLOSE: may Trencher shoot Sergeant?")
    assert "Distance" in said
    assert violations(player) == []
    assert visible_faults(player) == []
    keep_screenshot(player, "voice-bar")

    count = len(player.evaluate("window.said"))
    player.get_by_role("button", name="Say it again").tap()
    wait_until(player, lambda: len(player.evaluate("window.said")) > count, "the same again")


def test_a_question_is_asked_by_voice(player: Page) -> None:
    speak_up(player)
    player.evaluate("window.heard = 'Can the trencher charge the sergeant'")
    player.get_by_role("button", name="Ask by voice").tap()

    expect(player.locator(".sentence[data-topic=charge]")).to_contain_text("Trencher")
    expect(player.locator(".sentence[data-topic=charge]")).to_contain_text("Sergeant")


def test_who_names_nobody_here_is_told_what_was_heard(player: Page) -> None:
    speak_up(player)
    player.evaluate("window.heard = 'the moon'")
    player.get_by_role("button", name="Ask by voice").tap()

    expect(player.get_by_text("Heard “the moon”")).to_be_visible()


def test_the_table_is_told_by_rows_from_the_players_own_edge(player: Page, table: SharedTable) -> None:
    open_section(player, "This phone")
    player.get_by_role("button", name="Table by rows").tap()
    rows = player.locator(".table-rows li")
    expect(rows.first).to_contain_text("from your edge")
    near = rows.all_inner_texts()
    player.get_by_role("radio", name="the far edge").tap()
    expect(rows.first).not_to_have_text(near[0])

    assert all(any(m.name in row for row in near) for m in table.state.miniatures if m.name)
    assert violations(player) == []
