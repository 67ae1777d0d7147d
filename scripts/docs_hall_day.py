"""Pictures of an organiser's day at the hall, from a real hub with twelve tables: `python -m scripts.docs_hall_day`."""

import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
from playwright.sync_api import Browser, Page, expect

from api.hall.cards import render_cards
from tests.api.pages.hall.test_hall_page import DESK, PHONE, go, open_page
from tests.api.pages.hall.test_hall_walk import NAMES, REAL, Event
from tests.api.serving import call_api
from tests.chromium import PATIENCE_MS, launch_chromium

FOLDER = Path(__file__).parents[1] / "docs" / "pictures" / "hall"
_SUMMARY = {
    "edition": "warmachine-prime", "scenario": None, "turn": None, "miniatures": 24, "problem": None, "devices": {},
    "fresh": {"age_s": 0.4, "source": "playing"},
}  # fmt: skip
_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 84]


def main() -> int:
    """Take all of them; each replaces the one before."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        event = Event(Path(folder), stack)
        browser = stack.enter_context(launch_chromium())
        _print_cards(event)
        page = _check_in(browser, event)
        _begin(page, event)
        _change_pairing(page)
        _watch_desk(browser, event)
        _penalise(browser, event)
        _end_round(browser, event)
    print(f"{FOLDER}: {len(list(FOLDER.glob('*.jpg')))} pictures")
    return 0


def _print_cards(event: Event) -> None:
    page = pypdfium2.PdfDocument(render_cards(event.keys, "http://192.168.1.10:8020/"))[0]
    _write(np.asarray(page.render(scale=1.1).to_pil().convert("RGB"))[:, :, ::-1], "1-cards")


def _check_in(browser: Browser, event: Event) -> Page:
    page = _sit_down(browser, event, "Organiser")
    go(page, "Rounds")
    page.locator(".players-card summary").tap()
    page.locator(".players-card textarea").fill("\n".join(NAMES[:23]))
    page.get_by_role("button", name="Let them enter").tap()
    expect(page.locator(".player")).to_have_count(23)
    page.get_by_role("button", name="Open check-in by scanning").tap()
    code = page.locator(".players-card img.code")
    expect(code).to_be_visible()
    code.scroll_into_view_if_needed()
    _shoot(page, "2-check-in")
    phone = open_page(browser, str(code.get_attribute("alt")))
    phone.get_by_label("Find your name").fill("ad")
    phone.get_by_role("button", name="Ada").tap()
    expect(phone.get_by_role("status")).to_have_text("Ada is checked in.")
    _shoot(phone, "3-checked-in")
    phone.close()
    for name in NAMES[1:23]:
        _ask(event, "Organiser", "hall/players/check-in", {"name": name})
    return page


def _begin(page: Page, event: Event) -> None:
    page.get_by_role("button", name="Pair round 1").tap()
    expect(page.locator("[data-round='1'] .pairings li")).to_have_count(12)
    page.get_by_role("button", name="Begin round 1").tap()
    page.evaluate("document.querySelector('main').scrollTo(0, 0)")
    _shoot(page, "4-begin")
    page.get_by_role("button", name="Begin now").tap()
    expect(page.locator(".hall-clock")).to_contain_text("Round 1")
    for table in event.simulated:
        if any(one["table"] == table._key.table for one in _games(event)):
            table.play(round_number=1)


def _change_pairing(page: Page) -> None:
    row = page.locator("[data-round='1'] .pairings li").nth(1)
    row.locator("summary").tap()
    row.get_by_label("Opponent").scroll_into_view_if_needed()
    _shoot(page, "5-change")
    page.close()


def _watch_desk(browser: Browser, event: Event) -> None:
    phone = open_page(browser, event.joins[REAL[0]]["players"])
    expect(phone.locator(".base").first).to_be_visible()
    phone.locator(".call-judge").tap()
    desk = _sit_down(browser, event, "Anna", DESK)
    for key in (key for key in event.tables if key.table not in REAL):
        glance = {"summary": _SUMMARY | {"title": f"Table {key.table}"}, "address": None}
        with suppress(ValueError):  # the answer has no body
            call_api(event.url, f"hall/tables/{key.table}/glance", token=key.token, body=glance, method="PUT")
    expect(desk.get_by_text("never heard of")).to_have_count(0)
    expect(desk.locator(f"[data-table='{REAL[0]}']")).to_contain_text("judge called")
    _shoot(desk, "6-desk")
    desk.close()
    phone.close()


def _penalise(browser: Browser, event: Event) -> None:
    _ask(event, "Anna", "hall/penalties", {"player": "Ben", "table": 3, "penalty": "Warning", "note": "Slow play"})
    page = _sit_down(browser, event, "Anna")
    go(page, "Penalties")
    page.get_by_label("Player").fill("Ben")
    expect(page.locator("select[name=penalty]")).to_have_value("Game loss")
    _shoot(page, "7-penalty")
    page.close()


def _end_round(browser: Browser, event: Event) -> None:
    for game in _games(event):
        result = {"winner": "player-a", "points_a": 5, "points_b": game["table"] % 5}
        _ask(event, "Anna", f"hall/rounds/1/tables/{game['table']}/result", result, method="PUT")
    projector = open_page(browser, f"{event.url}hall/clock", DESK)
    expect(projector.get_by_role("region", name="Standings").locator("tbody tr")).to_have_count(23)
    _shoot(projector, "8-standings")
    projector.close()


def _sit_down(browser: Browser, event: Event, name: str, size: tuple[int, int] = PHONE) -> Page:
    page = open_page(browser, f"{event.url}j/{event.code(name)}", size)
    expect(page.locator(".cell").first).to_be_visible()
    return page


def _games(event: Event) -> list[dict[str, Any]]:
    pairings = _ask(event, "Organiser", "hall", method="GET")["rounds"][0]["pairings"]
    return [one for one in pairings if one["b"] is not None]


def _ask(event: Event, name: str, path: str, body: dict[str, Any] | None = None, *, method: str = "POST") -> Any:
    token = next(one.token for one in event.keys.seats if one.name == name)
    return call_api(event.url, path, token=token, body=body, method=method)


def _shoot(page: Page, name: str) -> None:
    page.wait_for_timeout(300)
    raw = np.frombuffer(page.screenshot(animations="disabled"), np.uint8)
    _write(cv2.imdecode(raw, cv2.IMREAD_COLOR), name)


def _write(picture: Any, name: str) -> None:
    cv2.imwrite(str(FOLDER / f"{name}.jpg"), np.asarray(picture), _JPEG)


if __name__ == "__main__":
    sys.exit(main())
