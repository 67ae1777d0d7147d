"""The demo, as a stranger meets it: the recording plays, he opens the page, taps two and reads."""

import re
import statistics
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.api.phone_pages import LIMIT_MS, at_rest, clear, keep_screenshot, open_table, pick_pair, told
from tests.api.serving import served

pytestmark = pytest.mark.browser

BASES = 12


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served("demo") as url:
        yield url


@pytest.fixture
def table(phone: Page, address: str) -> Page:
    open_table(phone, address, bases=BASES)
    return phone


def test_the_table_is_seen_from_above_with_its_bases(table: Page) -> None:
    expect(table.locator("canvas.picture")).to_be_visible(timeout=20_000)

    assert table.locator(".base").count() >= BASES
    keep_screenshot(table, "demo-table")


def test_the_age_of_the_picture_is_told(table: Page) -> None:
    expect(table.locator(".badge")).to_contain_text(re.compile(r"ago|hand over the table|not at rest"))


def test_two_taps_tell_distance_and_sight(table: Page) -> None:
    first, second, *_ = at_rest(table)

    pick_pair(table, first, second)

    table.wait_for_timeout(400)
    keep_screenshot(table, "demo-sheet")
    expect(table.locator('[data-slot="distance"]')).to_contain_text(re.compile(r"\d+\.\d\d″"))
    expect(table.locator('[data-slot="sight"]')).to_contain_text(
        re.compile("Clear|Blocked|Not in front|Too close|Set facing")
    )


def test_the_sheet_is_drawn_soon_while_the_game_goes_on(table: Page, capsys: pytest.CaptureFixture[str]) -> None:
    times = []
    for k in range(5):
        a, b = list(pairwise(at_rest(table)))[k]  # asked anew: the game takes bases off the table meanwhile
        times.append(pick_pair(table, a, b))
        clear(table)

    with capsys.disabled():
        print(told("demo", times))
    assert statistics.median(took.sheet_ms for took in times) <= LIMIT_MS
