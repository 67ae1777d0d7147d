"""The pages beside the player's in the language of whoever opens them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import keep_screenshot, pick_pair
from tests.api.pages.side_by_side import DESK, PHONE, serve_shared, sit_down
from tests.api.serving import folders_of_user, read_addresses, serve_table, start_program
from tests.api.worlds import skirmish
from tests.calibration import mats

pytestmark = pytest.mark.browser

LANGUAGES = ("de", "fr", "es")
KEYS = re.compile(r"\b(?:judge|overlay|corners|setup)\.[a-z]\w+")  # of a message that was read too early
RULING = {"de": "Deine Entscheidung", "fr": "Ta décision", "es": "Tu decisión"}
TAP = {
    "de": "Tippe auf die Ecke vorn links",
    "fr": "Touche le coin près à gauche",
    "es": "Toca la esquina cercana izquierda",
}
SET_UP = {"de": "Einen Tisch einrichten", "fr": "Installer une table", "es": "Preparar una mesa"}


@contextmanager
def opened(browser: Browser, url: str, language: str, *, size: dict[str, int]) -> Iterator[Page]:
    """The page as a browser of this language opens it; it fails when a script on it does."""
    page = browser.new_page(viewport=size, has_touch=True, locale=language, reduced_motion="reduce")  # type: ignore[arg-type]
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(url)
    expect(page.locator("html")).to_have_attribute("lang", language)
    yield page
    assert KEYS.findall(page.locator("body").inner_text()) == []
    page.close()
    assert not wrong, wrong


def test_judge_and_stream_read_their_pages_in_their_own_language(browser: Browser) -> None:
    with serve_shared(skirmish()) as table, sit_down(browser, table, "players", seat="player-a") as phone:
        pick_pair(phone, "m7", "m10")
        for language in LANGUAGES:
            with opened(browser, f"{table.url}j/{table.codes['judge']}", language, size=DESK) as judge:
                judge.locator("nav button").nth(2).tap()
                for name in ("Trencher", "Sergeant"):
                    judge.locator(".entry", has_text=name).first.tap()
                judge.locator("[data-slot=sight] .verdict").tap()

                expect(judge.get_by_role("group", name=RULING[language])).to_be_visible()
                assert violations(judge) == []
                keep_screenshot(judge, f"judge-{language}")
                for tab in range(5):
                    judge.locator("nav button").nth(tab).tap()
                    expect(judge.locator("nav button").nth(tab)).to_have_attribute("aria-current", "page")
                    assert KEYS.findall(judge.locator("body").inner_text()) == []
            with opened(
                browser, f"{table.url}overlay?language={language}&table=4&stays=120", language, size=DESK
            ) as air:
                expect(air.locator(".card")).to_be_visible()
                keep_screenshot(air, f"overlay-{language}")


def test_corners_are_tapped_in_ones_own_language(browser: Browser, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), mats.picture(0.6, 0.2))
    (tmp_path / "camera.json").write_text(mats.CAMERA.model_dump_json(exclude_none=True))
    files = (str(tmp_path / "table.png"), "--camera", str(tmp_path / "camera.json"))
    with serve_table("calibrate", "table", *files, "--tap", "-o", str(tmp_path / "pose.json")) as url:
        for language in LANGUAGES:
            with opened(browser, url, language, size=PHONE) as page:
                expect(page.get_by_role("status")).to_contain_text(TAP[language])
                assert violations(page) == []
                keep_screenshot(page, f"corners-{language}")


def test_a_table_is_set_up_in_ones_own_language(browser: Browser, tmp_path: Path) -> None:
    with start_program("setup", environment=folders_of_user(tmp_path)) as program:
        address = read_addresses(program)["join"]["players"]
        for language in LANGUAGES:
            with opened(browser, address, language, size=PHONE) as page:
                expect(page.get_by_role("heading", name=SET_UP[language])).to_be_visible()
                assert violations(page) == []
                keep_screenshot(page, f"setup-{language}")
