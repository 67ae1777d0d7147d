"""Sides and names on the table: rims of a side's colour and pattern, names from near and under a resting finger."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, middle, open_table, pick_pair
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    written = json.loads(SKIRMISH.read_bytes())
    for number, m in enumerate(written["miniatures"]):
        m["side"] = ("blue", "red")[number % 2]
    file: Path = tmp_path_factory.mktemp("sides") / "sides.json"
    file.write_text(json.dumps(written), encoding="utf-8")
    with serve_table("serve", "--open", "--state", str(file)) as url:
        yield url


@pytest.fixture
def table(phone: Page, address: str) -> Page:
    open_table(phone, address, bases=17)
    return phone


def drawn(page: Page, id_: str, part: str) -> str:
    """The stroke of a part of a base, as it is drawn."""
    return str(page.locator(f'.base[data-id="{id_}"] .{part}').evaluate("one => getComputedStyle(one).stroke"))


def test_each_side_has_a_colour_and_a_pattern_of_its_own(table: Page) -> None:
    first, second = ("m4", "m8"), ("m5", "m9")

    assert {drawn(table, id_, "rim") for id_ in first}.isdisjoint({drawn(table, id_, "rim") for id_ in second})
    assert [drawn(table, id_, "ticks") == "none" for id_ in (*first, *second)] == [True, True, False, False]
    expect(table.locator('.base[data-id="m4"]')).to_have_attribute("aria-label", "Sentinel, blue, 40 mm, faces 233°")
    pick_pair(table, "m8", "m9")
    assert drawn(table, "m8", "casing") != drawn(table, "m4", "casing")


def test_from_near_the_bases_have_their_names(table: Page) -> None:
    assert table.locator(".stage .name").count() == 0

    pick_pair(table, "m7", "m10")

    expect(table.locator(".stage .name").first).to_be_attached()
    keep_screenshot(table, "names")
    assert violations(table) == []


def test_a_finger_that_rests_on_a_base_is_told_its_name_and_picks_nobody(table: Page) -> None:
    table.mouse.move(*middle(table, "m12"))
    table.mouse.down()
    expect(table.locator(".name.held")).to_contain_text("Reaver")
    table.mouse.up()

    expect(table.locator('.base[aria-pressed="true"]')).to_have_count(0)
