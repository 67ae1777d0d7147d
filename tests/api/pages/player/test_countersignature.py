"""A phone countersigns in its browser how far the log came; a log that holds its line no more gets a red line."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from api.games.verification import verify_game
from api.journal.countersignature import PhoneSigned
from api.journal.file_journal import FileJournal
from api.journal.signature import ChainSigner
from api.live.alarms import PROOF
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.fakes import ask
from tests.api.pages.player_page import keep_screenshot, open_section, wait_until
from tests.api.serving import serve_app
from tests.api.worlds import frame_report, skirmish, state_line

pytestmark = pytest.mark.browser

NO_ED25519 = """
const make = crypto.subtle.generateKey.bind(crypto.subtle);
crypto.subtle.generateKey = (how, ...rest) =>
  how.name === "Ed25519" ? Promise.reject(new DOMException("", "NotSupportedError")) : make(how, ...rest);
"""
KEPT = """
() => new Promise((resolve) => {
  const opening = indexedDB.open("tableside-proof", 1);
  opening.onsuccess = () => {
    const asked = opening.result.transaction("keys").objectStore("keys").get("phone");
    asked.onsuccess = () => resolve({
      algorithm: asked.result.algorithm, extractable: asked.result.pair.privateKey.extractable,
      words: asked.result.words,
    });
  };
})
"""


@dataclass(frozen=True)
class SignedTable:
    """A served table whose key signs its journal."""

    url: str
    folder: Path
    hub: Hub
    journal: FileJournal
    code: str


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SignedTable]:
    folder = tmp_path / "final"
    with closing(FileJournal(folder, ENTRY_CLASSES)) as journal:
        hub = Hub(title="Table 4", journal=journal)
        hub.handle_report(frame_report(state_line(skirmish())))
        signer, seats = ChainSigner(journal), SeatSessions(journal)
        signer.sign()
        with serve_app(create_app(hub, ask=ask, seats=seats, signer=signer)) as url:
            yield SignedTable(url, folder, hub, journal, seats.codes["players"])


def sit_down(page: Page, table: SignedTable) -> Page:
    page.goto(f"{table.url}j/{table.code}")
    expect(page.locator(".base").first).to_be_visible()
    return page


@pytest.mark.parametrize("algorithm", ["ed25519", "ecdsa-p256"])
def test_a_phone_countersigns_with_a_key_that_no_page_can_read(
    browser: Browser, table: SignedTable, algorithm: str
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, locale="en")
    if algorithm == "ecdsa-p256":
        page.add_init_script(NO_ED25519)
    sit_down(page, table)
    wait_until(page, lambda: table.journal.newest(PhoneSigned) is not None, "the phone signs")
    sheet = page.get_by_role("region", name="Take a seat")
    sheet.locator("button.round").click()
    open_section(page, "This phone")
    shown = page.locator(".countersigned")
    expect(shown).to_be_visible()
    shown.scroll_into_view_if_needed()
    keep_screenshot(page, f"countersigned-{algorithm}")
    kept = page.evaluate(KEPT)
    report = verify_game(table.folder, key=kept["words"])
    page.context.close()

    assert (kept["algorithm"], kept["extractable"]) == (algorithm, False)
    assert report.fault is None
    assert f"by player-a's phone {kept['words']}" in report.sentence


def test_a_phone_whose_browser_signs_nothing_says_so(browser: Browser, table: SignedTable) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, locale="en")
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined });")
    sit_down(page, table)
    page.get_by_role("region", name="Take a seat").locator("button.round").click()
    open_section(page, "This phone")

    expect(page.get_by_text("over HTTPS alone")).to_be_visible()
    assert table.journal.newest(PhoneSigned) is None
    page.context.close()


def test_a_log_that_lost_the_line_a_phone_signed_gets_a_red_line(
    browser: Browser, table: SignedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, locale="en")
    sit_down(page, table)
    wait_until(page, lambda: table.journal.newest(PhoneSigned) is not None, "the phone signs")
    page.wait_for_function(f"async () => (await ({KEPT})()).words !== null")
    monkeypatch.setattr(table.journal, "head_at", lambda n: None)  # as after an older copy of the folder
    page.reload()

    expect(page.locator(".red-line")).to_contain_text("no longer holds line")
    keep_screenshot(page, "red-line-phone")
    page.context.close()


@pytest.mark.parametrize("path", ["", "judge", "overlay", "measure", "unsure", "docs"])
def test_every_page_of_a_forged_game_says_so_across_its_top(browser: Browser, table: SignedTable, path: str) -> None:
    says = "NOT as it was written: line 3: it was changed."
    table.hub.alarms.sound(PROOF, says)
    page = browser.new_page(viewport={"width": 820, "height": 1180}, locale="en")
    page.goto(table.url + path)
    line = page.locator(".red-line")
    expect(line).to_have_text(says)
    expect(line).to_have_css("background-color", "rgb(179, 38, 30)")
    box = line.bounding_box()
    keep_screenshot(page, f"red-line-{path or 'player'}")
    page.context.close()

    assert box is not None
    assert (box["x"], box["y"], box["width"]) == (0, 0, 820)
