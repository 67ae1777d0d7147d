"""Terrain that the picture suggests, laid, redrawn or rejected by a tap, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from models.terrain_proposal import KindGuess, ProposedDisc, ProposedTerrain
from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import hold_clock, keep_screenshot, open_section, open_table, undo_newest
from tests.api.serving import serve_table
from tests.api.worlds import skirmish

pytestmark = pytest.mark.browser

WOOD = ProposedTerrain(
    id="terrain-1", polygon_mm=((40, 500), (160, 510), (150, 610), (50, 600)), sigma_mm=3.0,
    kinds=(KindGuess(kind="forest", probability=0.6), KindGuess(kind="rough", probability=0.2)),
)  # fmt: skip
CUP = ProposedTerrain(id="terrain-2", polygon_mm=((900, 60), (990, 60), (990, 140), (900, 140)), sigma_mm=9.0)
BLAST = ProposedDisc(what="template", id="disc-1", centre_mm=(700, 500), diameter_mm=101.6, sigma_mm=0.4)
TOKEN = ProposedDisc(
    what="token", id="disc-2", centre_mm=(820, 560), diameter_mm=34.2, sigma_mm=0.5, diameter_sigma_mm=0.8
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    state: Path = tmp_path_factory.mktemp("proposed") / "state.json"
    state.write_text(skirmish().with_proposals((WOOD, CUP, BLAST, TOKEN)).model_dump_json(exclude_none=True))
    with serve_table("serve", "--state", str(state), "--open") as url:
        yield url


@pytest.fixture
def table(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    hold_clock(page)
    open_table(page, address, bases=17)
    open_section(page, "Terrain")
    page.get_by_role("button", name="Look for").tap()
    expect(page.locator(".proposal")).to_have_count(4)
    yield page
    context.close()


def test_one_tap_lays_what_is_proposed_and_it_is_undone(table: Page) -> None:
    expect(table.locator("polygon.proposed")).to_have_count(4)
    assert violations(table) == []
    keep_screenshot(table, "proposals")
    table.get_by_role("button", name="Lay as forest").tap()

    expect(table.locator(".area.forest")).to_have_count(1)
    expect(table.locator(".proposal")).to_have_count(3)
    undo_newest(table, "On the table: forest")
    expect(table.locator(".area.forest")).to_have_count(0)


def test_what_is_no_terrain_is_rejected_for_both_and_it_is_undone(table: Page) -> None:
    table.locator('.proposal[data-id="terrain-2"]').get_by_role("button", name="No terrain").tap()
    expect(table.locator(".proposal")).to_have_count(3)
    table.get_by_role("button", name="Look for").tap()

    expect(table.locator('.proposal[data-id="terrain-2"]')).to_have_count(0)
    undo_newest(table, "No terrain")
    open_section(table, "Terrain")
    table.get_by_role("button", name="Look for").tap()
    expect(table.locator('.proposal[data-id="terrain-2"]')).to_have_count(1)


def test_what_is_not_quite_right_is_redrawn_with_its_corners(table: Page) -> None:
    table.locator('.proposal[data-id="terrain-1"]').get_by_role("button", name="Redraw").tap()

    expect(table.locator(".drawing .grip")).to_have_count(4)
    expect(table.get_by_label("Kind")).to_have_value("forest")
    table.get_by_role("radio", name="3″").tap()
    table.get_by_role("button", name="Lay it").tap()
    expect(table.locator(".area.forest")).to_have_count(1)
    undo_newest(table, "On the table: forest")


def test_a_template_that_is_seen_is_laid_by_a_tap_where_it_lies_and_it_is_undone(table: Page) -> None:
    seen = table.locator('.proposal[data-id="disc-1"]')
    expect(seen).to_contain_text("Template, 4.00″")
    for button in seen.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 48
    seen.get_by_role("button", name="Lay as cloud").tap()

    expect(table.locator(".area.cloud")).to_have_count(1)
    expect(table.locator(".proposal")).to_have_count(3)
    undo_newest(table, "On the table: cloud")
    expect(table.locator(".area.cloud")).to_have_count(0)


def test_a_token_that_is_none_is_dismissed_and_proposed_no_more(table: Page) -> None:
    seen = table.locator('.proposal[data-id="disc-2"]')
    seen.get_by_role("button", name="Not there").tap()
    expect(table.locator(".proposal")).to_have_count(3)
    table.get_by_role("button", name="Look for").tap()

    expect(seen).to_have_count(0)
    undo_newest(table, "No terrain")


def test_what_is_proposed_has_the_number_in_the_list_that_it_has_on_the_picture(table: Page) -> None:
    listed = table.locator(".proposal .number").all_inner_texts()

    assert listed == table.locator(".tag.number text").all_text_contents() == ["1", "2", "3", "4"]
    assert violations(table) == []
