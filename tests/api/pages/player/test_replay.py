"""A kept game in the browser: moved through, played, asked about, a link opened elsewhere; verdicts kept, the slip."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from api.evidence.service import EvidenceKeeper
from api.journal.file_journal import FileJournal
from api.live.hub import Hub
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.evidence.test_evidence import FEW, RULING, picture, report_with
from tests.api.fakes import ask
from tests.api.pages.accessibility import violations
from tests.api.pages.hosted_table import Hosted, host_table
from tests.api.pages.player_page import keep_screenshot, open_section, open_table
from tests.api.serving import serve_table
from tests.api.worlds import move_miniature
from tests.chromium import PHONE

pytestmark = pytest.mark.browser

PLACES_MM = (120.0, 90.0, 60.0)  # where one stands, table after table at rest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tables at rest, ten seconds apart, each with its picture, and a ruling about the second."""
    folder = tmp_path_factory.mktemp("kept") / "club-night"
    clock = iter(range(1000, 9000, 10))
    with closing(FileJournal(folder, ENTRY_CLASSES, clock=lambda: float(next(clock)))) as journal:
        hub = Hub(title="club night", journal=journal)
        keeper = EvidenceKeeper(hub, folder, most_bytes=10**7)
        with TestClient(create_app(hub, ask=ask, evidence=keeper)) as judge:
            for i, x_mm in enumerate(PLACES_MM):
                state = move_miniature(FEW, "m7", (x_mm, 140.0))
                hub.handle_report(report_with(picture(grey=90 + 40 * i), state))
                if i == 1:
                    assert judge.post("/api/v1/rulings", json=RULING).status_code == 201
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with serve_table("replay", str(folder)) as url:
        yield url


@pytest.fixture
def replay(phone: Page, address: str) -> Page:
    open_table(phone, address, bases=2)
    expect(phone.get_by_role("slider", name="Moment")).to_be_enabled()
    return phone


def scrub_to(page: Page, since_s: float) -> None:
    page.get_by_role("slider", name="Moment").fill(str(since_s))


def says(page: Page) -> str:
    return page.locator(".moment-says span").inner_text()


def is_at(page: Page, line: int) -> None:
    page.wait_for_function("line => new URLSearchParams(location.hash.slice(1)).get('at') === String(line)", arg=line)


def test_a_replay_begins_with_the_first_table_and_says_what_it_is(replay: Page) -> None:
    is_at(replay, 1)
    expect(replay.locator(".badge")).to_contain_text("A kept game")
    expect(replay.locator("canvas.picture")).to_be_visible()
    assert says(replay) == "The table at rest"
    keep_screenshot(replay, "replay")
    assert violations(replay) == []


def test_the_bar_moves_through_the_game_and_every_moment_may_be_asked_about(replay: Page) -> None:
    replay.locator(".entry").nth(0).tap()
    replay.locator("button.other").first.tap()
    distance = replay.locator('.sheet [data-slot="distance"]:not([aria-busy])')
    expect(distance).to_be_visible()
    before = distance.inner_text()
    scrub_to(replay, 20)
    is_at(replay, 3)

    expect(replay.locator(".moment-says")).to_contain_text("A ruling")
    expect(distance).not_to_have_text(before)


def test_the_buttons_step_from_moment_to_moment(replay: Page) -> None:
    is_at(replay, 1)
    slider = replay.get_by_role("slider", name="Moment")
    replay.get_by_role("button", name="Next moment").tap()
    is_at(replay, 2)
    expect(slider).to_have_js_property("value", "10")
    replay.get_by_role("button", name="Moment before").tap()
    is_at(replay, 1)
    expect(slider).to_have_js_property("value", "0")


def test_the_game_is_played_to_its_end_and_stops(replay: Page) -> None:
    is_at(replay, 1)
    play = replay.get_by_role("button", name="Play at 16×")
    play.tap()
    is_at(replay, 5)  # the last line: what the last table ended

    expect(play).to_have_attribute("aria-pressed", "false")
    slider = replay.get_by_role("slider", name="Moment")
    expect(slider).to_have_js_property("value", slider.get_attribute("max"))


def test_a_link_opens_moment_pair_and_line_in_another_browser(replay: Page, browser: Browser) -> None:
    replay.locator(".entry").nth(0).tap()
    replay.locator("button.other").first.tap()
    scrub_to(replay, 10)
    is_at(replay, 2)
    replay.locator('.sheet [data-slot="distance"]:not([aria-busy])').tap()
    replay.get_by_role("button", name="Share this moment").tap()
    link = replay.get_by_role("textbox", name="Link").input_value()
    told = replay.locator('[data-slot="distance"]').inner_text()
    expect(replay.get_by_role("img", name="The link as a code")).to_be_visible()
    other = browser.new_context(viewport=PHONE).new_page()
    other.goto(link)

    is_at(other, 2)
    expect(other.locator('.open [data-slot="distance"]')).to_have_text(told, use_inner_text=True)
    assert other.url == link
    other.context.close()


def test_nothing_of_a_kept_game_can_be_changed(replay: Page) -> None:
    open_section(replay, "Who")

    expect(replay.locator(".setup")).to_contain_text("stays as it was")


@pytest.fixture(scope="module")
def live(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """The same table, played on: what a state says now, and the journal of before."""
    data = tmp_path_factory.mktemp("live") / "table"
    data.mkdir()
    (data / "journal.jsonl").write_bytes((folder / "journal.jsonl").read_bytes())
    state = data / "state.json"
    state.write_text(move_miniature(FEW, "m7", (30.0, 140.0)).model_dump_json(), "utf-8")
    with host_table("serve", "--state", str(state), "--data", str(data), "--open") as table:
        yield table


def test_a_player_looks_back_during_the_game_and_returns(phone: Page, live: Hosted) -> None:
    open_table(phone, live.url, bases=2)
    open_section(phone, "Past")
    expect(phone.locator(".moment-says")).to_contain_text("Now")
    scrub_to(phone, 0)
    is_at(phone, 1)
    x_px = phone.locator('.base[data-id="m7"] .rim').bounding_box()
    phone.get_by_role("button", name="Now", exact=True).tap()

    expect(phone.locator(".past-bar .strong")).to_have_count(0)
    assert "at=" not in phone.url
    assert phone.locator('.base[data-id="m7"] .rim').bounding_box() != x_px


def test_a_verdict_is_kept_and_its_record_opened(phone: Page, live: Hosted) -> None:
    open_table(phone, live.url, bases=2)
    phone.locator(".entry").nth(0).tap()
    phone.locator("button.other").first.tap()
    phone.locator('.sheet [data-slot="distance"]:not([aria-busy])').tap()
    phone.get_by_role("button", name="Keep this").tap()
    record = phone.get_by_role("link", name="Record")
    expect(record).to_be_visible()
    keep_screenshot(phone, "kept-verdict")
    with phone.context.expect_page() as opened:
        record.tap()

    expect(opened.value.get_by_role("heading", level=1)).to_contain_text("Kept verdict")


def test_the_result_slip_shows_the_journal_s_head(phone: Page, live: Hosted) -> None:
    open_table(phone, live.url, bases=2)
    open_section(phone, "Past")
    before = live.call("GET", "slip")["head"]
    phone.get_by_role("button", name="Result slip").tap()
    slip = phone.get_by_role("region", name="Result slip")
    expect(slip.locator(".hash").first).not_to_be_empty()
    head = slip.locator(".hash").first.inner_text()

    assert head in (before, live.call("GET", "slip")["head"])  # a line may be written while the slip opens
    expect(slip.get_by_role("img", name=head)).to_be_visible()
    slip.locator("img").scroll_into_view_if_needed()
    keep_screenshot(phone, "result-slip")
    assert violations(phone) == []
