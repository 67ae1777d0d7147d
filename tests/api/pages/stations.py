"""Stations of a game: where players, judge and producer come by, each reached by itself, in any language."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, ViewportSize, expect

from api.camera.protocol import SettledPicture
from models.state import TableState
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.pages.player_page import wait_for_frame
from tests.api.pages.side_by_side import SharedTable, serve_shared
from tests.api.worlds import regiments, skirmish

PAIR = "#a=m7&b=m10"


@dataclass(frozen=True)
class Station:
    """A place on somebody's way: the address, and what is done there."""

    role: str
    name: str
    hash: str = ""
    reach: Callable[[Page], None] = lambda page: None


def _tool(number: int) -> Callable[[Page], None]:
    return lambda page: page.locator(".tabs button").nth(number).click()


def _section(door: int, number: int) -> Callable[[Page], None]:
    """The part of this number behind this door."""

    def reach(page: Page) -> None:
        _tool(3)(page)
        page.locator(".doors [role=radio]").nth(door).click()
        if number > 0:
            page.locator(".sections [role=radio]").nth(number).click()

    return reach


def _see(page: Page) -> None:
    """The player taps that the ruling is seen, unless that is done."""
    button = page.locator(".ruling-notice .mend")
    page.locator(".ruling-notice").wait_for()
    if button.count():
        button.click()


def _tab(name: str) -> Callable[[Page], None]:
    return lambda page: page.locator(f'[data-tab="{name}"]').click()


def _dispute(page: Page) -> None:
    page.locator(".tile").first.click()
    page.locator(".dispute").first.click()
    page.locator(".disputed .sentence").wait_for()


def _voice(page: Page) -> None:
    page.evaluate("localStorage.setItem('tableside', JSON.stringify({ seat: 'player-a', isSpoken: true }))")
    page.reload()
    page.locator(".voice .toolbar button").last.click()
    page.locator(".table-rows li").first.wait_for()


def _pair_of_judge(page: Page) -> None:
    _tab("table")(page)
    for name in ("Trencher", "Sergeant"):
        page.locator(".entry", has_text=name).first.click()
    page.locator(".verdicts [data-slot=completely]").wait_for()


def _verdict_of_judge(page: Page) -> None:
    _pair_of_judge(page)
    page.locator("[data-slot=distance] .verdict").click()


STATIONS = (
    Station("joining", "sheet"),
    Station("player", "whole"),
    Station("player", "one", "#a=m7"),
    Station("player", "pair", "#a=m8&b=m9"),
    Station("player", "ruled", PAIR),
    Station("player", "ruled-seen", PAIR, _see),
    Station("player", "ruled-opened", f"{PAIR}&line=sight"),
    Station("player", "told-opened", "#a=m16&b=m4&line=front-ab"),
    Station("player", "what-if", PAIR, _tool(1)),
    Station("player", "template", "#a=m7", _tool(2)),
    Station("player", "disputed", "#a=m8&b=m9", _dispute),
    Station("player", "voice", "", _voice),
    *(
        Station("player", f"table-{name}", "", _section(door, number))
        for door, names in enumerate((("lists", "army", "who"), ("steps", "terrain", "rules", "past"), ("phone",)))
        for number, name in enumerate(names)
    ),
    Station("player", "clock", "", lambda page: page.locator(".clock-strip").click()),
    Station("wide", "whole"),
    Station("wide", "unit", "#a=spears"),
    Station("wide", "pair", "#a=giant&b=bows"),
    Station("wide", "what-if", "#a=spears", _tool(1)),
    Station("judge", "tables", "", _tab("tables")),
    Station("judge", "timeline", "", _tab("timeline")),
    Station("judge", "table", "", _tab("table")),
    Station("judge", "pair", "", _pair_of_judge),
    Station("judge", "verdict", "", _verdict_of_judge),
    Station("judge", "clocks", "", _tab("clocks")),
    Station("judge", "stream", "", _tab("stream")),
    Station("overlay", "verdict", "?widgets=ruling,closeup,lowerthird,clocks"),
    Station("overlay", "table", "?widgets=ruling,closeup,table,lowerthird&corner=top-left"),
)


class Game:
    """Two tables in the middle of a game: names, score, clocks, a ruling, one player's word, something on air."""

    def __init__(self, round_bases: SharedTable, wide: SharedTable) -> None:
        self._tables = {"wide": wide}
        self._round = round_bases
        self._tokens = {
            door: self._call("POST", "join", {"code": round_bases.codes[door]})["token"]
            for door in ("judge", "players")
        }
        self._play()

    def table(self, role: str) -> SharedTable:
        """The table at which this one is."""
        return self._tables.get(role, self._round)

    def _call(self, method: str, path: str, body: object, *, door: str | None = None) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        if door is not None:
            headers["Authorization"] = f"Bearer {self._tokens[door]}"
        sent = None if body is None else json.dumps(body).encode()
        request = Request(f"{self._round.url}api/v1/{path}", sent, headers, method=method)
        with urlopen(request, timeout=60) as answer:
            return dict(json.loads(answer.read() or b"{}") or {})

    def _play(self) -> None:
        for seat, name, side in (("player-a", "Ann", "blue"), ("player-b", "Bartholomew", "red")):
            self._call("PUT", f"scoreboard/players/{seat}", {"name": name, "side": side}, door="judge")
        self._call("PUT", "scoreboard/score", {"round": 2, "points": {"player-a": 3, "player-b": 1}}, door="judge")
        self._call("PUT", "clocks", {"minutes": 60}, door="judge")
        self._call("POST", "clocks/pass", {"to": "player-b"}, door="judge")
        other = self._call("POST", "join", {"code": self._round.codes["players"]})["token"]
        self._tokens["first"] = other
        for door, seat in (("first", "player-a"), ("players", "player-b")):
            self._call("PUT", "seat", {"seat": seat}, door=door)
        told = {"do": "miniature", "ids": ["m16"], "facing_deg": 120.0}
        self._call("POST", "corrections", told, door="players")

    def end_dispute(self) -> None:
        """What one station disputes is no matter of the next."""
        if self._call("GET", "dispute", None)["dispute"] is not None:
            self._call("PUT", "dispute", {"how": "put-away"}, door="players")

    def open(self, browser: Browser, station: Station, size: tuple[int, int], **more: object) -> Page:
        """This station on a screen of this size; who opens it has taken the seat it is for."""
        is_stream = station.role == "overlay"
        context = browser.new_context(
            viewport=ViewportSize(width=size[0], height=size[1]),
            device_scale_factor=1,
            has_touch=True,
            reduced_motion="reduce",
            **more,  # type: ignore[arg-type]
        )
        page, table = context.new_page(), self.table(station.role)
        page.goto(f"{table.url}j/{table.codes[_DOORS.get(station.role, 'players')]}")
        if station.role in ("player", "wide"):
            page.request.put(f"{table.url}api/v1/seat", data={"seat": "player-a"})
            page.evaluate("localStorage.setItem('tableside', JSON.stringify({ seat: 'player-a', mine: 'blue' }))")
        if station.role in ("judge", "overlay"):
            page.goto(f"{table.url}{station.role}{station.hash if is_stream else ''}")
            page.locator("main").wait_for()
        else:
            page.goto("about:blank")
            page.goto(table.url + station.hash)
            page.locator(".base").nth(5).wait_for(state="attached")
        return page


_DOORS = {"judge": "judge", "overlay": "overlay"}


def settle(page: Page, station: Station) -> None:
    """Go to the station, and wait until what it shows stands there."""
    station.reach(page)
    if "&b=" in station.hash:
        page.locator("[data-slot], .disputed").first.wait_for()
    page.wait_for_load_state("networkidle")
    wait_for_frame(page)


@contextmanager
def play() -> Iterator[Game]:
    """The game, for as long as it is walked."""
    state = skirmish()
    sided = [one.model_copy(update={"side": ("blue", "red")[i % 2]}) for i, one in enumerate(state.miniatures)]
    state = TableState.model_validate(state.model_dump() | {"miniatures": [one.model_dump() for one in sided]})
    with (
        tempfile.TemporaryDirectory() as folder,
        serve_shared(state, pictures=Path(folder)) as table,
        serve_shared(regiments()) as wide,
    ):
        picture = bytes(
            cv2.imencode(".jpg", np.full((*CAMERA.image_size[::-1], 3), (70, 90, 80), np.uint8))[1].tobytes()
        )
        table.see(table.state, settled=SettledPicture(picture, 1.5, 7.0, CAMERA, POSE, 0.25, LAYOUT.table_mm))
        yield Game(table, wide)


def rule_and_air(browser: Browser, game: Game) -> None:
    """The judge overrules the pair's sight on the page; the producer puts the pair on air."""
    page = game.open(browser, Station("judge", "ruling"), (1440, 900))
    _pair_of_judge(page)
    page.locator("[data-slot=sight] .verdict").click()
    page.get_by_role("button", name="Overrule").click()
    page.get_by_label("What stands instead").fill("Clear")
    page.get_by_label("Why").fill("Seen from the side")
    page.get_by_role("button", name="Write the ruling").click()
    expect(page.locator(".written")).to_contain_text("written")
    air = {"pair": {"a": "m7", "b": "m10"}, "slots": ["sight", "distance"], "stays": True}
    page.request.post(f"{game.table('judge').url}api/v1/overlay/air", data=air)
    page.context.close()
