"""Pictures of an organiser's day at the hall, from a real hub with twelve tables."""

import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from api.hall.cards import render_cards
from scripts.docs_album import PICTURES, Album
from tests.api.pages.hall.test_hall_page import DESK, PHONE, go, open_page
from tests.api.pages.hall.test_hall_walk import NAMES, REAL, Event
from tests.api.serving import call_api

ALBUM = Album(PICTURES / "hall")
_SUMMARY = {
    "edition": "warmachine-prime", "scenario": None, "turn": None, "miniatures": 24, "problem": None, "devices": {},
    "fresh": {"age_s": 0.4, "source": "playing"},
}  # fmt: skip


def take(browser: Browser) -> None:
    """Take all of them."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        event = Event(Path(folder), stack)
        ALBUM.keep_print(render_cards(event.keys, "http://192.168.1.10:8020/"), "1-cards", scale=1.1)
        page = _check_in(browser, event)
        _begin(page, event)
        _change_pairing(page)
        _watch_desk(browser, event)
        _penalise(browser, event)
        _end_round(browser, event)
        _show_interface(browser, event)


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
    ALBUM.shoot(page, "2-check-in")
    phone = open_page(browser, str(code.get_attribute("alt")))
    phone.get_by_label("Find your name").fill("ad")
    phone.get_by_role("button", name="Ada").tap()
    expect(phone.get_by_role("status")).to_have_text("Ada is checked in.")
    ALBUM.shoot(phone, "3-checked-in")
    phone.close()
    for name in NAMES[1:23]:
        _ask(event, "Organiser", "hall/players/check-in", {"name": name})
    return page


def _begin(page: Page, event: Event) -> None:
    page.get_by_role("button", name="Pair round 1").tap()
    expect(page.locator("[data-round='1'] .pairings li")).to_have_count(12)
    page.get_by_role("button", name="Begin round 1").tap()
    page.evaluate("document.querySelector('main').scrollTo(0, 0)")
    ALBUM.shoot(page, "4-begin")
    page.get_by_role("button", name="Begin now").tap()
    expect(page.locator(".hall-clock")).to_contain_text("Round 1")
    for table in event.simulated:
        if any(one["table"] == table._key.table for one in _games(event)):
            table.play(round_number=1)


def _change_pairing(page: Page) -> None:
    row = page.locator("[data-round='1'] .pairings li").nth(1)
    row.locator("summary").tap()
    row.get_by_label("Opponent").scroll_into_view_if_needed()
    ALBUM.shoot(page, "5-change")
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
    ALBUM.shoot(desk, "6-desk")
    desk.close()
    phone.close()


def _penalise(browser: Browser, event: Event) -> None:
    _ask(event, "Anna", "hall/penalties", {"player": "Ben", "table": 3, "penalty": "Warning", "note": "Slow play"})
    page = _sit_down(browser, event, "Anna")
    go(page, "Penalties")
    page.get_by_label("Player").fill("Ben")
    expect(page.locator("select[name=penalty]")).to_have_value("Game loss")
    ALBUM.shoot(page, "7-penalty")
    page.close()


def _end_round(browser: Browser, event: Event) -> None:
    for game in _games(event):
        result = {"winner": "player-a", "points_a": 5, "points_b": game["table"] % 5}
        _ask(event, "Anna", f"hall/rounds/1/tables/{game['table']}/result", result, method="PUT")
    projector = open_page(browser, f"{event.url}hall/clock", DESK)
    expect(projector.get_by_role("region", name="Standings").locator("tbody tr")).to_have_count(23)
    ALBUM.shoot(projector, "8-standings")
    projector.close()


def _show_interface(browser: Browser, event: Event) -> None:
    """The hub's routes, one of them opened, as `/docs` shows them."""
    page = open_page(browser, f"{event.url}docs", DESK)
    route = page.locator("#operations-rounds-get_hall_standings, [id$=get_hall_standings]").first
    route.get_by_role("button").first.click()
    route.get_by_role("button", name="Execute").click()
    expect(route.locator(".live-responses-table")).to_contain_text("200")
    route.scroll_into_view_if_needed()
    ALBUM.shoot(page, "9-interface")
    page.close()


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
