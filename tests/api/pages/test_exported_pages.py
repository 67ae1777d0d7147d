"""Exported pages in the browser, opened as a file: without a server, without Tableside."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from api.cli import app as command_line
from tests.api.games.test_export import game  # noqa: F401  # the fixture
from tests.api.pages.player_page import keep_screenshot

pytestmark = pytest.mark.browser


@pytest.fixture
def pages(game: Path, tmp_path: Path, phone: Page) -> Page:  # noqa: F811
    """The pages of a game with one table at rest and one ruling, from `file://`."""
    said = CliRunner().invoke(command_line, ["export", str(game), "--html", "-o", str(tmp_path / "pages")])
    assert said.exit_code == 0, said.exception
    phone.goto((tmp_path / "pages" / "index.html").as_uri())
    return phone


def test_pages_from_a_file_show_tables_pictures_and_rulings(pages: Page) -> None:
    expect(pages.locator("#table text").first).to_be_visible()
    pages.wait_for_function("document.querySelector('#table image').getBBox().width > 0")
    pages.get_by_role("slider", name="Moment").fill("1")

    expect(pages.locator("#says")).to_contain_text("Ruling")
    expect(pages.locator("#table polyline")).not_to_have_count(0)
    assert pages.url.endswith("#at=3")
    keep_screenshot(pages, "exported-pages")


def test_a_record_from_a_file_shows_its_pictures(pages: Page) -> None:
    pages.get_by_role("slider", name="Moment").fill("1")
    pages.get_by_role("link", name="Record", exact=True).click()

    expect(pages.get_by_role("heading", level=1)).to_contain_text("Ruling")
    expect(pages.locator("figure.crop image")).to_be_visible()
    assert pages.url.startswith("file://")


def test_a_link_with_a_moment_opens_it(pages: Page) -> None:
    address = pages.url.split("#")[0]
    pages.goto("about:blank")
    pages.goto(f"{address}#at=3")

    expect(pages.locator("#says")).to_contain_text("Ruling")
