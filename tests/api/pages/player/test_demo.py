"""The demo, as a stranger meets it: the recording plays, he opens the page, taps two and reads."""

import math
import re
from collections.abc import Iterator
from itertools import permutations

import pytest
from playwright.sync_api import Page, expect

from tests.api.pages.player_page import clear, describe_times, keep_screenshot, open_table, pick_pair
from tests.api.serving import call_api, serve_table

pytestmark = pytest.mark.browser

BASES = 12
UNTOUCHED_MM = ((507, 766), (1010, 334), (770, 295))  # where bases stand that no hand comes near in the recording


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve_table("demo") as url:
        yield url


@pytest.fixture
def table(phone: Page, address: str) -> Page:
    open_table(phone, address, bases=BASES)
    return phone


def test_the_table_is_seen_from_above_with_its_bases(table: Page) -> None:
    expect(table.locator("canvas.picture")).to_be_visible()

    assert table.locator(".base").count() >= BASES
    keep_screenshot(table, "demo-table")


def test_everybody_has_a_name_a_side_and_a_card(table: Page, address: str) -> None:
    expect(table.locator(".picker")).to_contain_text("Dame Marl of the Weir")
    standing = call_api(address, "state")["miniatures"]

    assert all(one.get("name") and one.get("side") and one["profile"]["source"] for one in standing)
    assert len(call_api(address, "lists")["lists"]) == 2


def test_the_age_of_the_picture_is_told(table: Page) -> None:
    expect(table.locator(".badge")).to_contain_text(re.compile(r"ago|hand over the table|not at rest"))


def test_two_taps_tell_distance_and_sight(table: Page) -> None:
    first, second, *_ = untouched_bases(table)

    pick_pair(table, first, second)

    keep_screenshot(table, "demo-sheet")
    expect(table.locator('[data-slot="distance"]')).to_contain_text(re.compile(r"\d+\.\d\d″"))
    expect(table.locator('[data-slot="sight"]')).to_contain_text(
        re.compile("Clear|Blocked|Not in front|Too close|Set facing")
    )


def test_under_the_answer_lies_the_picture_of_its_own_moment(table: Page) -> None:
    pick_pair(table, *untouched_bases(table)[:2])

    expect(table.locator(".as-of")).to_have_text(re.compile(r"^As of \d\d:\d\d:\d\d(, unchanged since)?$"))
    keep_screenshot(table, "demo-as-of")


def test_the_sheet_is_drawn_part_by_part_while_the_game_goes_on(
    table: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    times = []
    for a, b in permutations(untouched_bases(table), 2):
        times.append(pick_pair(table, a, b))
        clear(table)

    with capsys.disabled():
        print(describe_times("demo", times))
    assert all(took.distance_ms <= took.readable_ms <= took.sheet_ms for took in times)


def untouched_bases(page: Page) -> list[str]:
    """Ids of the bases that stand alone and stay where they are throughout the recording."""
    rims = page.locator(".base").evaluate_all(
        "all => all.map((one) => [one.dataset.id, one.querySelector('.rim')])"
        ".map(([id, rim]) => [id, Number(rim.getAttribute('cx')), Number(rim.getAttribute('cy'))])"
    )
    return [min(rims, key=lambda rim: math.dist(rim[1:], at_mm))[0] for at_mm in UNTOUCHED_MM]
