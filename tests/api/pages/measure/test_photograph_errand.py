"""From one photograph to whether a base is seen that the eye missed, in a real browser with touch."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.api.pages.photograph_errand import STANDING, Finger, mark_corners, seen_at, walk, write_photograph
from tests.api.serving import folders_of_user, read_addresses, start_program

pytestmark = pytest.mark.browser

MOST_TAPS = 11  # with the pose


def test_eleven_taps_lead_from_a_photograph_to_whether_a_missed_base_is_seen(phone: Page, tmp_path: Path) -> None:
    photograph = tmp_path / "game.jpg"
    write_photograph(photograph)
    with start_program("setup", environment=folders_of_user(tmp_path)) as program:
        finger = walk(phone, read_addresses(program)["join"]["players"], photograph)
        expect(phone.locator("[data-slot=sight]")).to_contain_text("Clear")

    assert finger.taps <= MOST_TAPS


def test_who_marks_corners_himself_accepts_a_proposed_disc_with_one_tap(phone: Page, tmp_path: Path) -> None:
    photograph, (x, y, diameter) = tmp_path / "game.jpg", STANDING[0]
    write_photograph(photograph)
    with start_program("setup", environment=folders_of_user(tmp_path)) as program:
        finger = Finger(phone)
        phone.goto(read_addresses(program)["join"]["players"])
        mark_corners(finger, photograph)
        phone.locator(".discs summary").tap()
        finger.tap("button", f"{diameter:g} mm")
        expect(phone.locator(".tap-stage .found.disc")).not_to_have_count(0)
        finger.reach("discs")
        finger.tap_at(phone.locator(".tap-stage .picture"), seen_at([(x, y)])[0], (2.0, -2.0))

        expect(phone.locator(".tap-stage .corner")).to_have_count(4 + 3)
        expect(phone.locator("[data-pose]")).to_be_attached()
