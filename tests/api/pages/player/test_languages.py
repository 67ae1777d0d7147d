"""The player's page in the language of the phone, and in the one that is chosen on it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, open_section, open_table, pick_pair
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH
from tests.chromium import PHONE

pytestmark = pytest.mark.browser

SIGHT = {"de": "Sehen", "fr": "Voir", "es": "Ver"}
TOO_CLOSE = {"de": "Zu knapp", "fr": "Trop juste", "es": "Muy justo"}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve_table("serve", "--open", "--state", str(SKIRMISH)) as url:
        yield url


@pytest.fixture(params=sorted(SIGHT))
def foreign(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[tuple[Page, str]]:
    language = str(request.param)
    page = browser.new_page(viewport=PHONE, has_touch=True, locale=language)
    open_table(page, address, bases=17)
    yield page, language
    page.close()


def test_a_phone_reads_the_sheet_in_its_own_language(foreign: tuple[Page, str]) -> None:
    page, language = foreign
    pick_pair(page, "m7", "m10")

    sight = page.locator('[data-slot="sight"]')
    expect(sight).to_contain_text(SIGHT[language])
    expect(sight).to_contain_text(TOO_CLOSE[language])
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.locator(".fold").tap()
    said = page.locator(".sheet").inner_text()
    assert re.findall(r"\b(?:Clear|Blocked|Within|reaches|Out of|Engaged|behind|shoots|card)\b", said) == []
    assert re.findall(r"profile\.\w+|this_turn\.\w+|\w+_deg\b| of [AB]\b", said) == []
    assert violations(page) == []
    keep_screenshot(page, f"sheet-{language}")


def test_another_language_is_chosen_with_one_tap_and_kept(phone: Page, address: str) -> None:
    open_table(phone, address, bases=17)
    open_section(phone, "This phone")
    phone.get_by_role("radio", name="Français").tap()
    expect(phone.get_by_role("heading", name="Langue")).to_be_visible()

    phone.reload()

    expect(phone.get_by_role("button", name="Gabarit")).to_be_visible()


def test_a_language_that_is_not_there_is_english(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport=PHONE, locale="ja")
    open_table(page, address, bases=17)

    expect(page.get_by_role("heading", name="Tap a miniature")).to_be_visible()
    page.close()
