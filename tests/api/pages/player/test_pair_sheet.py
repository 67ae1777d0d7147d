"""The phone's page on a state written by hand, in a real browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.api.pages.player_page import (
    clear,
    describe_times,
    keep_screenshot,
    middle,
    open_section,
    open_table,
    pick_pair,
    tap,
    wait_until,
)
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser

PAIRS = (("m7", "m10"), ("m8", "m14"), ("m11", "m13"), ("m12", "m9"), ("m15", "m8"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve_table("serve", "--state", str(SKIRMISH)) as url:
        yield url


@pytest.fixture
def table(phone: Page, address: str) -> Page:
    open_table(phone, address, bases=17)
    return phone


def test_every_base_is_drawn_with_its_size_and_facing(table: Page) -> None:
    widths = table.locator(".base .rim").evaluate_all("rims => rims.map((rim) => Number(rim.getAttribute('r')))")

    assert sorted(widths) == [15.0] * 10 + [20.0] * 4 + [25.0] * 3
    assert table.locator(".base .facing").count() == 16
    assert table.locator(".base.no-facing").count() == 1


def test_two_taps_open_a_sheet_with_distance_and_sight(table: Page) -> None:
    pick_pair(table, "m7", "m10")

    keep_screenshot(table, "sheet")
    expect(table.locator('[data-slot="distance"]')).to_contain_text(re.compile(r"\d+\.\d\d″"))
    expect(table.locator('[data-slot="sight"]')).to_contain_text(re.compile("Clear|Blocked|Too close|Set facing"))


def test_the_sheet_is_drawn_part_by_part_after_the_second_tap(table: Page, capsys: pytest.CaptureFixture[str]) -> None:
    times = []
    for a, b in PAIRS:
        times.append(pick_pair(table, a, b))
        clear(table)

    with capsys.disabled():
        print(describe_times("state by hand", times))
    assert all(took.distance_ms <= took.readable_ms <= took.sheet_ms for took in times)


def test_the_line_of_sight_is_drawn_on_the_table(table: Page) -> None:
    pick_pair(table, "m8", "m14")

    expect(table.locator(".witness.clear .stroke, .witness.blocked .stroke").first).to_be_attached()


def test_an_opened_line_says_why_and_by_which_page(table: Page) -> None:
    pick_pair(table, "m7", "m10")

    table.locator('[data-slot="sight"]').tap()

    expect(table.locator(".details cite").first).to_contain_text(re.compile(r"p\. \d+"))
    keep_screenshot(table, "opened")


def test_swapping_asks_the_other_way_round(table: Page) -> None:
    pick_pair(table, "m7", "m8")

    table.get_by_role("button", name="Swap A and B").tap()

    expect(table.locator(".who.a")).to_contain_text("Long Gunner")
    expect(table.locator('.sheet[data-state="ready"]')).to_be_visible()


@pytest.fixture
def seated(phone: Page) -> Iterator[Page]:
    """The page of who may tell what no camera sees."""
    with serve_table("serve", "--open", "--state", str(SKIRMISH)) as url:
        open_table(phone, url, bases=17)
        yield phone


def test_a_longer_reach_is_told_with_one_tap(seated: Page) -> None:
    table = seated
    pick_pair(table, "m11", "m13")
    table.get_by_role("button", name=re.compile("^Melee")).tap()
    table.locator('[data-slot="melee"]').tap()

    table.get_by_role("radio", name="2″").tap()

    expect(table.get_by_role("radio", name="2″")).to_be_checked()
    expect(table.locator('[data-slot="melee"]')).to_contain_text("2″")


def test_a_chip_shows_what_is_asked_for_one_thing_and_the_rest_is_folded(table: Page) -> None:
    pick_pair(table, "m7", "m10")
    plain = table.locator(".fold")
    expect(plain).to_contain_text(re.compile(r"And \d+ that hold or fail by far"))
    table.get_by_role("button", name=re.compile("^Melee")).tap()

    expect(plain).to_contain_text(re.compile(r"And \d+ others"))
    expect(table.locator('.tile[data-slot="melee"]')).to_be_visible()
    expect(table.locator('.row[data-slot="range"]')).to_have_count(0)
    plain.tap()
    expect(table.locator('.row[data-slot="range"]')).to_be_visible()


def test_a_plain_no_is_not_red(table: Page) -> None:
    pick_pair(table, "m7", "m10")
    table.locator(".fold").tap()

    expect(table.locator(".row.no").nth(3)).to_be_attached()
    expect(table.locator(".forbidden")).to_have_count(0)


def test_any_length_can_be_stepped_to_and_written(table: Page) -> None:
    pick_pair(table, "m7", "m10")
    table.locator('[data-slot="range"]').tap()
    table.locator(".scale").get_by_role("button", name="More: Range").tap()
    expect(table.locator('[data-slot="range"]')).to_contain_text("10.5″")

    table.get_by_role("spinbutton", name="Range in inches").fill("9.25")
    table.get_by_role("spinbutton", name="Range in inches").press("Enter")

    expect(table.locator('[data-slot="range"]')).to_contain_text("9.25″")


def test_whom_it_sees_is_tinted_at_one_tap(table: Page) -> None:
    tap(table, "m7")
    table.get_by_role("button", name="Whom it sees").tap()

    expect(table.locator('.sheet.alone[data-state="ready"] .other .icon').first).to_be_visible()
    expect(table.locator(".base:is(.seen, .unseen, .maybe)")).to_have_count(16)
    expect(table.locator(".base.seen").nth(3)).to_be_attached()
    expect(table.locator(".other").first).to_contain_text("seen")
    table.get_by_role("button", name="Whom it sees").tap()
    expect(table.locator(".base.seen")).to_have_count(0)


def test_a_facing_that_nobody_sees_can_be_told(seated: Page) -> None:
    table = seated
    for id_ in ("m16", "m4"):
        table.locator(f'.base[data-id="{id_}"]').focus()
        table.keyboard.press("Enter")
    front = table.locator('[data-slot="front-ab"]')
    expect(front).to_contain_text("Set facing")
    expect(front).to_contain_text("needs facing of Standard Bearer")
    front.tap()

    table.get_by_role("button", name="Standard Bearer at Sentinel").tap()
    expect(front).to_contain_text("In front")
    keep_screenshot(table, "told-facing")
    table.get_by_role("button", name="Standard Bearer away").tap()
    expect(front).to_contain_text("Not in front")


def test_of_the_ways_that_the_camera_leaves_open_a_tap_chooses_one_for_everybody(phone: Page, tmp_path: Path) -> None:
    ways = [{"facing_deg": 56.0, "probability": 0.7}, {"facing_deg": 236.0, "probability": 0.3}]
    either = {"facing_deg": None, "facing_alternatives": ways}
    written = json.loads(SKIRMISH.read_bytes())
    next(m for m in written["miniatures"] if m["id"] == "m7").update(either)
    (tmp_path / "either.json").write_text(json.dumps(written), encoding="utf-8")
    with serve_table("serve", "--open", "--state", str(tmp_path / "either.json")) as url:
        open_table(phone, url, bases=17)
        pick_pair(phone, "m7", "m10")
        expect(phone.locator(".way")).to_have_count(2)

        phone.get_by_role("button", name=re.compile("looks to 236°, 30 % likely")).tap()

        expect(phone.locator(".way")).to_have_count(0)
        state = phone.request.get(f"{url}api/v1/state").json()
    corrected = next(m for m in state["miniatures"] if m["id"] == "m7")
    assert (corrected["facing_deg"], corrected.get("facing_alternatives", [])) == (236.0, [])


def test_the_table_turns_for_the_far_player(table: Page) -> None:
    (near_x, near_y) = middle(table, "m12")
    open_section(table, "This phone")
    table.get_by_role("radio", name="the far edge").tap()
    wait_until(table, lambda: middle(table, "m12")[0] < 195, "the table from the far edge")
    (_, far_y) = middle(table, "m12")

    assert near_x > 195
    assert near_y > far_y


def test_a_tap_in_a_crowd_looks_closer_instead_of_guessing(table: Page) -> None:
    (x0, y0), (x1, y1) = middle(table, "m0"), middle(table, "m2")
    table.touchscreen.tap((x0 + x1) / 2, (y0 + y1) / 2)
    rim = table.locator('[data-id="m0"] .rim')
    wait_until(table, lambda: (rim.bounding_box() or {"width": 0})["width"] > 44, "a closer look")

    expect(table.locator('.base[aria-pressed="true"]')).to_have_count(0)


def test_a_keyboard_does_what_a_finger_does(table: Page) -> None:
    for id_ in ("m7", "m10"):
        table.locator(f'.base[data-id="{id_}"]').focus()
        table.keyboard.press("Enter")

    expect(table.locator('.sheet[data-state="ready"]')).to_be_visible()
    expect(table.locator(".sheet p.aloud")).to_contain_text("Distance")
    table.keyboard.press("Escape")
    expect(table.locator(".picker")).to_be_visible()


def test_every_button_is_large_enough_for_a_thumb_and_has_a_name(table: Page) -> None:
    pick_pair(table, "m7", "m10")
    table.locator('[data-slot="range"]').tap()

    buttons = table.locator("button").evaluate_all(
        "all => all.map((one) => [one.getAttribute('aria-label') ?? one.textContent.trim(),"
        " one.getBoundingClientRect().width, one.getBoundingClientRect().height])"
    )

    assert len(buttons) > 12
    assert [one for one in buttons if not one[0] or min(one[1:]) < 23.9] == []
    small = {one[0] for one in buttons if min(one[1:]) < 47.9}
    assert small == {"Show more of the answers"}


def test_a_phone_that_loses_the_server_says_so(phone: Page) -> None:
    with serve_table("serve", "--state", str(SKIRMISH)) as url:
        open_table(phone, url, bases=17)

    expect(phone.get_by_role("alert")).to_contain_text("Reconnecting")
    keep_screenshot(phone, "reconnecting")


def test_a_phone_finds_a_server_that_was_started_again(phone: Page) -> None:
    with serve_table("serve", "--state", str(SKIRMISH)) as url:
        open_table(phone, url, bases=17)
        pick_pair(phone, "m7", "m10")
    expect(phone.get_by_role("alert")).to_contain_text("Reconnecting")

    with serve_table("serve", "--state", str(SKIRMISH), port=urlsplit(url).port or 0):
        expect(phone.get_by_role("alert")).to_have_count(0)
        phone.get_by_role("button", name="Swap A and B").tap()
        expect(phone.locator('.sheet[data-state="ready"]')).to_be_visible()


def test_what_found_no_server_is_asked_again_when_it_is_back(phone: Page) -> None:
    with serve_table("serve", "--state", str(SKIRMISH)) as url:
        open_table(phone, url, bases=17)
        pick_pair(phone, "m7", "m10")
    expect(phone.get_by_role("alert")).to_contain_text("Reconnecting")
    phone.get_by_role("button", name="Swap A and B").tap()
    expect(phone.locator(".trouble")).to_be_visible()

    with serve_table("serve", "--state", str(SKIRMISH), port=urlsplit(url).port or 0):
        expect(phone.locator('.sheet[data-state="ready"]')).to_be_visible()
        expect(phone.locator(".trouble")).to_have_count(0)


def test_tapping_a_picked_base_lets_it_go(table: Page) -> None:
    tap(table, "m7")
    expect(table.locator('.base[data-id="m7"]')).to_have_attribute("aria-pressed", "true")

    tap(table, "m7")

    expect(table.locator('.base[data-id="m7"]')).to_have_attribute("aria-pressed", "false")
