"""The judge's timeline in a real browser: measuring at earlier moments is opened there, and the result slip shown."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.evaluation.test_measuring_policy import two
from tests.api.pages.accessibility import violations
from tests.api.pages.hosted_table import Hosted, host_table
from tests.api.pages.judge.test_judge_page import PHONE, go, page_of
from tests.api.pages.player_page import keep_screenshot

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A kept game of a book that restricts measuring."""
    folder: Path = tmp_path_factory.mktemp("game")
    state = folder / "state.json"
    state.write_text(two("hordes-mk2").model_dump_json(), "utf-8")
    with host_table("serve", "--state", str(state), "--data", str(folder / "data")) as table:
        yield table


@pytest.fixture
def judge(browser: Browser, table: Hosted) -> Iterator[Page]:
    page = page_of(browser, PHONE)
    page.goto(table.join["judge"])
    go(page, "Timeline")
    yield page
    page.close()


def test_the_judge_opens_and_shuts_measuring_at_earlier_moments(judge: Page, table: Hosted) -> None:
    switch = judge.get_by_role("button", name="Players may measure at earlier moments")
    expect(switch).to_have_attribute("aria-pressed", "false")
    told = []
    for is_open in ("true", "false"):
        switch.tap()
        expect(switch).to_have_attribute("aria-pressed", is_open)
        told.append(table.call("GET", "bench")["is_past_open"])

    expect(judge.locator(".moments li", has_text="Measuring at earlier moments")).to_have_count(2)
    assert told == [True, False]


def test_the_slip_shows_the_head_of_the_journal_as_text_and_code(judge: Page, table: Hosted) -> None:
    table.call("GET", "slip")  # who asks first joins, and that is a line of the journal
    judge.get_by_role("button", name="Result slip").tap()
    slip = judge.get_by_role("region", name="Result slip")
    expect(slip).to_be_visible()
    head = slip.locator(".hash").first.inner_text()
    size = slip.get_by_role("img", name=head).evaluate("image => image.decode().then(() => image.naturalWidth)")
    keep_screenshot(judge, "judge-slip")

    assert head == table.call("GET", "slip")["head"]
    assert size > 0
    assert violations(judge) == []


def test_a_slip_is_put_away_again(judge: Page) -> None:
    button = judge.get_by_role("button", name="Result slip")
    button.tap()
    expect(judge.locator(".slip")).to_be_visible()
    button.tap()

    expect(judge.locator(".slip")).to_have_count(0)


def test_the_game_is_handed_to_the_judge_as_a_whole_file_and_to_nobody_else(judge: Page, table: Hosted) -> None:
    address = judge.get_by_role("link", name="Download the game").get_attribute("href")
    handed = judge.request.get(f"{table.url}{address}")
    with zipfile.ZipFile(io.BytesIO(handed.body())) as packed:
        about = json.loads(packed.read("game.json"))

    assert (about["is_whole"], about["is_nameless"]) == (True, False)
    with httpx2.Client() as stranger:
        assert stranger.get(f"{table.url}{address}").status_code == 403
