"""Units on the phone: picked by a tap, their zones and shots, and what if they manoeuvred."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import hold_clock, keep_screenshot, pass_time, still_middle, tap
from tests.api.serving import serve_table
from tests.api.worlds import regiments

pytestmark = pytest.mark.browser
SIZES = {"phone": (390, 844), "tablet": (1024, 768)}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    file: Path = tmp_path_factory.mktemp("regiments") / "state.json"
    file.write_text(regiments().model_dump_json(exclude_none=True))
    with serve_table("serve", "--state", str(file)) as url:
        yield url


@pytest.fixture(params=SIZES)
def table(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from open_page(browser, address, request.param, request.node.originalname)


@pytest.fixture
def hand(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A phone only, where the size changes nothing."""
    yield from open_page(browser, address, "phone", request.node.originalname)


def open_page(browser: Browser, address: str, size: str, name: str) -> Iterator[Page]:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    expect(page.locator(".base.unit")).to_have_count(6)
    yield page
    keep_screenshot(page, f"{name}-{size}")
    context.close()
    assert not wrong, wrong


def what_if(page: Page) -> None:
    page.get_by_role("navigation", name="Tools").get_by_role("button", name="What if").tap()


def course(slot: str) -> str:
    return f'.plan .row[data-slot="{slot}"] .answer b'


def test_a_tap_on_a_member_picks_its_unit_and_shows_zones_and_shots(table: Page) -> None:
    tap(table, "bows/0-2")

    ready = table.locator('.sheet.alone[data-state="ready"]')
    expect(ready).to_be_attached()
    expect(ready.get_by_role("heading", name="Bowmen")).to_be_visible()
    expect(table.locator('.base.unit[data-id="bows"]')).to_have_attribute("aria-pressed", "true")
    expect(table.locator(".around .witness.arc")).to_have_count(4)
    expect(table.locator(".pill.zone").first).to_be_visible()
    expect(ready.locator('.other[data-id="axes"]')).to_contain_text(re.compile("Bowmen shoots .*: 12 may"))
    expect(ready.locator('.other.threat[data-id="wolves"]')).to_contain_text("charges Bowmen")
    assert violations(table) == []


def test_two_units_are_told_in_whose_zone_they_stand(hand: Page) -> None:
    tap(hand, "bows/0-2")
    tap(hand, "wolves/0-1")

    sheet = hand.locator('.sheet[data-state="ready"]')
    expect(sheet.locator('[data-slot="zone-ba"] .answer b')).to_have_text("Front")
    expect(sheet.locator('[data-slot="shooters"] .answer b')).to_have_text("12 may")
    expect(sheet.locator('[data-slot="charge-ba"] .answer b')).to_have_text("May")


def test_a_zone_line_is_no_length(hand: Page) -> None:
    tap(hand, "bows/0-2")
    tap(hand, "wolves/0-1")
    expect(hand.locator(".length")).to_have_count(1)

    hand.locator('[data-slot="zone"]').tap()

    expect(hand.locator(".witness.arc")).to_have_count(4)
    expect(hand.locator(".length")).to_have_count(0)


def test_a_wheel_is_shown_where_it_ends_with_every_answer_from_there(hand: Page) -> None:
    tap(hand, "spears/0-2")
    what_if(hand)
    wheel = hand.get_by_role("button", name="wheel left 10°")
    for _ in range(2):
        wheel.tap()
    hand.get_by_role("button", name="ahead 1″").tap()

    expect(hand.locator(course("move"))).to_have_text("Legal")
    expect(hand.locator(".plan .pair")).to_contain_text("wheel left 20°, ahead 1″")
    expect(hand.locator(".drilled .rim")).to_have_count(20)
    expect(hand.locator(".drilled .stroke")).to_be_attached()
    expect(hand.locator('.other[data-id="swords"]')).to_be_attached()
    assert violations(hand) == []


def test_a_flight_and_a_charge_are_shown(hand: Page) -> None:
    tap(hand, "bows/0-2")
    what_if(hand)
    hand.locator('.other[data-id="wolves"]').first.tap()
    hand.get_by_role("radio", name="Flee").tap()
    hand.get_by_role("radio", name="7″").tap()

    expect(hand.locator(course("flee"))).to_have_text("Flees")
    expect(hand.locator(".drilled .rim")).to_have_count(12)
    hand.get_by_role("radio", name="Charge").tap()
    expect(hand.locator(course("odds"))).to_have_text("0 %")


def test_after_a_charge_nothing_is_asked_that_the_charge_has_answered(hand: Page) -> None:
    tap(hand, "knights/0-1")
    what_if(hand)
    hand.get_by_role("radio", name="Charge").tap()
    hand.locator('.other[data-id="wolves"]').first.tap()
    expect(hand.locator(course("charge"))).to_be_visible()

    below = hand.locator(".plan .versus ~ .rows .row[data-slot], .plan .versus ~ .tiles .tile[data-slot]")
    expect(below.first).to_be_visible()
    slots = set(below.evaluate_all("all => all.map((one) => one.dataset.slot.split('-')[0])"))
    assert slots.isdisjoint({"charge", "odds", "stand", "shooters", "shot"})


def test_a_wheel_is_dragged_by_a_corner_to_any_angle(hand: Page) -> None:
    tap(hand, "spears/0-2")
    what_if(hand)
    corner = hand.get_by_role("button", name="Front right corner")
    expect(corner).to_be_visible()
    x, y = still_middle(hand, ".grip.wheel .knob")
    hand.mouse.move(x, y)
    hand.mouse.down()
    hand.mouse.move(x - 14, y, steps=4)  # ahead: on a phone the wide table lies on its side
    hand.mouse.up()

    told = hand.locator(".plan .pair")
    expect(told).to_contain_text(re.compile(r"wheel left \d+°"))
    expect(hand.locator(course("move"))).to_be_visible()
    hand.get_by_role("button", name="Take the last leg back").tap()
    expect(told).not_to_contain_text("wheel left")


def test_the_move_is_played_on_its_way(browser: Browser, address: str) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    hold_clock(page)
    page.goto(address)
    page.get_by_role("button", name="Spears").last.tap()
    what_if(page)
    page.get_by_role("button", name="ahead 1″").tap()
    expect(page.locator(course("move"))).to_have_text("Legal")
    rim = page.locator(".drilled .rim").first
    pass_time(page, 1.5)
    places = [rim.get_attribute("y")]

    page.get_by_role("button", name="Show the move again").tap()
    expect(rim).not_to_have_attribute("y", places[0] or "")
    for _ in range(4):
        places.append(rim.get_attribute("y"))
        pass_time(page, 0.3)

    assert len(set(places)) == 5
    expect(rim).to_have_attribute("y", places[0] or "")
    page.context.close()
