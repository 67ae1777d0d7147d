"""From one photograph to whether a base is seen that the eye missed, in a real browser with touch."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.api.pages.photograph_errand import walk, write_photograph
from tests.api.serving import folders_of_user, read_addresses, start_program

pytestmark = pytest.mark.browser

MOST_TAPS = 14  # with the pose


def test_fourteen_taps_lead_from_a_photograph_to_whether_a_missed_base_is_seen(phone: Page, tmp_path: Path) -> None:
    photograph = tmp_path / "game.jpg"
    write_photograph(photograph)
    with start_program("setup", environment=folders_of_user(tmp_path)) as program:
        finger = walk(phone, read_addresses(program)["join"]["players"], photograph)
        expect(phone.locator("[data-slot=sight]")).to_contain_text("Clear")

    assert finger.taps <= MOST_TAPS
