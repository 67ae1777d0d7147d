"""A rulebook written as data on the phone: its name, its sheet in its own words, and a ruling that names it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.books.book_file import read_book
from api.books.examples import EXAMPLES
from tests.api.pages.player_page import keep_screenshot, open_section, open_table, tap
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH

pytestmark = pytest.mark.browser

BOOK = EXAMPLES["lantern-street"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def address(data: Path) -> Iterator[str]:
    with serve_table("serve", "--state", str(SKIRMISH), "--open", "--edition", str(BOOK), "--data", str(data)) as url:
        yield url


@pytest.fixture
def table(phone: Page, address: str) -> Page:
    open_table(phone, address, bases=17)
    return phone


def pick_two(table: Page) -> None:
    """Pick A then B, and wait for the first line."""
    for id_ in ("m7", "m10"):
        tap(table, id_)
        expect(table.locator(f'.base[data-id="{id_}"]')).to_have_attribute("aria-pressed", "true")
    expect(table.locator('.sheet [data-slot="book-0"]')).to_be_visible()


def test_the_sheet_asks_what_the_book_asks_in_its_words(table: Page) -> None:
    pick_two(table)
    lines = table.locator(".sheet [data-slot]")

    expect(lines.first).to_contain_text("sees")
    expect(table.locator('[data-slot="book-2"]')).to_contain_text(re.compile("pistol.*(In range|Too far)", re.DOTALL))
    expect(table.locator('[data-slot="book-6"]')).to_contain_text("rushes")
    keep_screenshot(table, "written-book-sheet")


def test_a_named_range_of_the_book_is_a_ring_at_one_tap(table: Page) -> None:
    tap(table, "m7")
    toggle = table.get_by_role("button", name=re.compile("pistol"))
    expect(toggle).to_have_attribute("aria-pressed", "false")
    expect(table.locator(".around .ring.named")).to_have_count(0)

    toggle.tap()

    expect(table.locator(".around .ring.named")).to_have_count(1)
    keep_screenshot(table, "written-book-ring")


def test_an_opened_line_cites_the_book_with_section_and_page(table: Page) -> None:
    pick_two(table)
    table.locator('.sheet [data-slot="book-2"]').tap()

    expect(table.locator(".sheet")).to_contain_text("Lantern Street 1.1")
    expect(table.locator(".sheet")).to_contain_text("Measuring")
    keep_screenshot(table, "written-book-line")


def test_the_rules_panel_shows_the_book_by_name_with_its_choices_and_hash(table: Page, data: Path) -> None:
    open_section(table, "Rules")
    sha256 = read_book(BOOK).in_play.sha256

    expect(table.get_by_role("radio", name="Lantern Street 1.1")).to_be_checked()
    expect(table.locator(".written")).to_contain_text("black powder")
    link = re.compile(rf"/api/v1/book\.toml#sha256={sha256}$")
    expect(table.get_by_role("link", name=sha256[:12])).to_have_attribute("href", link)
    expect(table.get_by_role("img", name=sha256[:12])).to_be_visible()
    expect(table.locator('[data-key="open-coherency-in"] input')).to_have_value("3")
    assert (data / "books" / f"{sha256}.toml").read_bytes() == BOOK.read_bytes()
    keep_screenshot(table, "written-book-rules")
