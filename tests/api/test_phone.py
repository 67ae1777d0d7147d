"""The phone's page on a state written by hand, in a real browser."""

import json
import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.api.phone_pages import LIMIT_MS, clear, keep_screenshot, middle, open_table, pick_pair, tap, told
from tests.api.serving import served
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser

PAIRS = (("m7", "m10"), ("m8", "m14"), ("m11", "m13"), ("m12", "m9"), ("m15", "m8"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served("serve", "--state", str(SKIRMISH)) as url:
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


def test_the_sheet_is_drawn_soon_after_the_second_tap(table: Page, capsys: pytest.CaptureFixture[str]) -> None:
    times = []
    for a, b in PAIRS:
        times.append(pick_pair(table, a, b))
        clear(table)

    with capsys.disabled():
        print(told("state by hand", times))
    assert statistics.median(took.sheet_ms for took in times) <= LIMIT_MS


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


def test_a_longer_reach_is_asked_about_with_one_tap(table: Page) -> None:
    pick_pair(table, "m11", "m13")
    table.locator('[data-slot="melee"]').tap()

    table.get_by_role("radio", name="2″").tap()

    expect(table.get_by_role("radio", name="2″")).to_be_checked()
    expect(table.locator('[data-slot="melee"]')).to_contain_text("2″")


def test_a_facing_that_nobody_sees_can_be_told(table: Page) -> None:
    for id_ in ("m16", "m4"):
        table.locator(f'.base[data-id="{id_}"]').focus()
        table.keyboard.press("Enter")
    front = table.locator('[data-slot="front-ab"]')
    expect(front).to_contain_text("Set facing")
    expect(front).to_contain_text("needs facing of A")
    front.tap()

    table.get_by_role("button", name="A at B").tap()
    expect(front).to_contain_text("In front")
    keep_screenshot(table, "told-facing")
    table.get_by_role("button", name="A away").tap()
    expect(front).to_contain_text("Not in front")


def test_of_the_ways_that_the_camera_leaves_open_a_tap_chooses_one_for_everybody(phone: Page, tmp_path: Path) -> None:
    ways = [{"facing_deg": 56.0, "probability": 0.7}, {"facing_deg": 236.0, "probability": 0.3}]
    either = {"facing_deg": None, "facing_alternatives": ways}
    written = json.loads(SKIRMISH.read_bytes())
    next(m for m in written["miniatures"] if m["id"] == "m7").update(either)
    (tmp_path / "either.json").write_text(json.dumps(written), encoding="utf-8")
    with served("serve", "--open", "--state", str(tmp_path / "either.json")) as url:
        open_table(phone, url, bases=17)
        pick_pair(phone, "m7", "m10")
        expect(phone.locator(".way")).to_have_count(2)

        phone.get_by_role("button", name="A looks to 236°, 30 % likely").tap()

        expect(phone.locator(".way")).to_have_count(0)
        state = phone.request.get(f"{url}api/v1/state").json()
    told = next(m for m in state["miniatures"] if m["id"] == "m7")
    assert (told["facing_deg"], told.get("facing_alternatives", [])) == (236.0, [])


def test_the_table_turns_for_the_far_player(table: Page) -> None:
    (near_x, near_y) = middle(table, "m12")
    table.get_by_role("button", name="Table", exact=True).tap()
    table.get_by_role("radio", name="the far edge").tap()
    table.wait_for_timeout(50)
    (far_x, far_y) = middle(table, "m12")

    assert near_x > 195 > far_x
    assert near_y > far_y


def test_a_tap_in_a_crowd_looks_closer_instead_of_guessing(table: Page) -> None:
    (x0, y0), (x1, y1) = middle(table, "m0"), middle(table, "m2")
    table.touchscreen.tap((x0 + x1) / 2, (y0 + y1) / 2)
    table.wait_for_timeout(400)

    expect(table.locator('.base[aria-pressed="true"]')).to_have_count(0)
    closer = table.locator('[data-id="m0"] .rim').bounding_box()
    assert closer is not None
    assert closer["width"] > 44


def test_a_keyboard_does_what_a_finger_does(table: Page) -> None:
    for id_ in ("m7", "m10"):
        table.locator(f'.base[data-id="{id_}"]').focus()
        table.keyboard.press("Enter")

    expect(table.locator('.sheet[data-state="ready"]')).to_be_visible()
    expect(table.locator(".sheet .aloud")).to_contain_text("Distance")
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
    with served("serve", "--state", str(SKIRMISH)) as url:
        open_table(phone, url, bases=17)

    expect(phone.get_by_role("alert")).to_contain_text("Reconnecting", timeout=15_000)
    keep_screenshot(phone, "reconnecting")


def test_a_phone_finds_a_server_that_was_started_again(phone: Page) -> None:
    with served("serve", "--state", str(SKIRMISH)) as url:
        open_table(phone, url, bases=17)
        pick_pair(phone, "m7", "m10")
    expect(phone.get_by_role("alert")).to_contain_text("Reconnecting", timeout=15_000)

    with served("serve", "--state", str(SKIRMISH), port=urlsplit(url).port or 0):
        expect(phone.get_by_role("alert")).to_have_count(0, timeout=20_000)
        phone.get_by_role("button", name="Swap A and B").tap()
        expect(phone.locator('.sheet[data-state="ready"]')).to_be_visible()


def test_tapping_a_picked_base_lets_it_go(table: Page) -> None:
    tap(table, "m7")
    expect(table.locator('.base[data-id="m7"]')).to_have_attribute("aria-pressed", "true")

    tap(table, "m7")

    expect(table.locator('.base[data-id="m7"]')).to_have_attribute("aria-pressed", "false")
