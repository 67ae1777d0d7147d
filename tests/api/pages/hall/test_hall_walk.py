"""An event as it is walked through: twelve tables, a player calls, the hub is killed and comes back, results go out."""

import asyncio
import csv
import io
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from api.clocks.entries import ClockPassed, ClocksSet
from api.hall.keys import TableKey, make_keys, write_keys
from api.hall.rounds import GameResult, ResultTold, RoundBegun
from api.hall.sender import Sender
from api.hall.table_link import HttpTransport
from api.journal.file_journal import FileJournal
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.hall.test_hub_app import wait_until
from tests.api.pages.accessibility import violations
from tests.api.pages.hall.test_hall_page import DESK, PHONE, as_seat, go, open_page, skirmish_pair
from tests.api.pages.player_page import keep_screenshot, pick_pair
from tests.api.serving import call_api, find_free_port, read_addresses, start_program
from tests.api.worlds import SKIRMISH

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REAL = (1, 2, 3)
NAMES = [
    "Ada", "Ben", "Cem", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea",
    "Max", "Nia", "Oda", "Pia", "Quy", "Rob", "Sue", "Tom", "Uta", "Vic", "Wim", "Zoe",
]  # fmt: skip
PAIRINGS = "Table,Player 1,Player 2\n" + "".join(f"{n},{NAMES[2 * n - 2]},{NAMES[2 * n - 1]}\n" for n in range(1, 13))
SECOND = "Table,Player 1,Player 2\n" + "".join(f"{n},{NAMES[n - 1]},{NAMES[n + 11]}\n" for n in range(1, 13))


class SimulatedTable:
    """A table without a server: its journal, and the sender that hands it over."""

    def __init__(self, folder: Path, url: str, key: TableKey) -> None:
        folder.mkdir(parents=True)
        self._journal, self._key = FileJournal(folder, ENTRY_CLASSES), key
        self._sender = Sender(folder, HttpTransport(url, key), key, lambda _: None)
        self._url = url
        threading.Thread(target=lambda: asyncio.run(self._sender.run()), daemon=True).start()

    def play(self, *, round_number: int) -> None:
        """Take the round's order, set the clocks and play; both players say who won."""
        path, found = f"hall/tables/{self._key.table}/orders", list[dict[str, Any]]()

        def is_ordered() -> bool:
            orders = call_api(self._url, path, token=self._key.token)
            found[:] = [one["facts"] for one in orders if one["facts"].get("round") == round_number]
            return bool(found)

        wait_until(is_ordered)
        (facts,) = found
        self._journal.write(RoundBegun(round=round_number, players=facts["players"]))
        self._journal.write(ClocksSet(by="judge", total_s=3600))
        self._journal.write(ClockPassed(by="player-a", to="player-b"))

    def end(self, *, round_number: int) -> None:
        won = GameResult(winner="player-a", points_a=5, points_b=self._key.table % 5)
        for player in ("player-a", "player-b"):
            told = {"by": player, "round": round_number, "table": self._key.table, "result": won}
            self._journal.write(ResultTold.model_validate(told))


class Event:
    """Keys, the hub's program and all twelve tables."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.keys, self.tables = make_keys(
            "spring-open", tables=12, judges=("Ben",), head_judge="Anna", call_stops_clock=True
        )
        write_keys(folder / "keys", self.keys, self.tables)
        self._folder, self._stack, self.port = folder, stack, find_free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.start_hub()
        self.joins = {n: self._start_table(n) for n in REAL}
        simulated = [key for key in self.tables if key.table not in REAL]
        self.simulated = [SimulatedTable(folder / f"simulated-{k.table}", self.url, k) for k in simulated]

    def start_hub(self) -> None:
        folders = ("--keys", str(self._folder / "keys"), "--data", str(self._folder / "hub"))
        self.hub = self._stack.enter_context(start_program("hub", "run", *folders, port=self.port))
        read_addresses(self.hub)

    def code(self, name: str) -> str:
        return next(one.code for one in self.keys.seats if one.name == name)

    def card(self, table: int) -> str:
        return f"{self.url}t/{table}?key={self.keys.tables[table - 1].card}"

    def _start_table(self, n: int) -> dict[str, str]:
        files = ("--state", str(SKIRMISH), "--data", str(self._folder / f"table-{n}"))
        hall = ("--hub", self.url, "--table", str(n), "--key", str(self._folder / "keys" / f"table-{n}.json"))
        table = self._stack.enter_context(start_program("serve", *files, *hall, port=find_free_port()))
        return dict(read_addresses(table)["join"])


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with ExitStack() as stack:
        yield Event(tmp_path, stack)


def import_round(page: Page, text: str, number: int) -> None:
    go(page, "Rounds")
    page.locator("input[type=file]").set_input_files(
        {"name": "pairings.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )
    page.get_by_label("Round, when the file does not say").fill(str(number))
    page.get_by_role("button", name="Import", exact=True).tap()
    expect(page.locator(".notice")).to_contain_text(f"Round {number}: 12 pairings")


def test_an_event_of_twelve_tables_is_walked_through(browser: Browser, event: Event) -> None:
    organiser = as_seat(browser, event, "Organiser", DESK)  # type: ignore[arg-type]  # has url and codes alike
    import_round(organiser, PAIRINGS, 1)
    organiser.get_by_role("button", name="Begin round 1").tap()
    organiser.get_by_role("button", name="Begin now").tap()
    for table in event.simulated:
        table.play(round_number=1)
    go(organiser, "Tables")
    expect(organiser.locator(".cell .in-round")).to_have_count(12)
    keep_screenshot(organiser, "walk-tables-1440")

    phone = open_page(browser, event.card(2), PHONE)  # the card on the table leads to its own page
    expect(phone.locator(".base").first).to_be_visible()
    pick_pair(phone, *skirmish_pair())
    phone.locator("[data-slot=sight]").tap()
    phone.locator(".call-judge").tap()
    ben = as_seat(browser, event, "Ben")  # type: ignore[arg-type]
    expect(ben.locator("[data-table='2'].calls")).to_be_visible()
    keep_screenshot(ben, "walk-called-390")
    go(ben, "Calls")
    ben.get_by_role("button", name="I go").tap()
    expect(ben.locator(".call")).to_contain_text("Ben goes")

    event.hub.kill()
    event.hub.wait(120)
    expect(ben.get_by_role("alert")).to_contain_text("No connection to the hub")
    keep_screenshot(ben, "walk-hub-away-390")
    event.start_hub()
    expect(ben.get_by_role("alert")).to_have_count(0)
    ben.get_by_role("button", name="Rule", exact=True).tap()
    ben.get_by_label("What you rule").fill("The line is clear")
    ben.get_by_role("button", name="Send the ruling").tap()
    phone.locator(".call-judge").tap()
    expect(phone.locator(".hall-says").first).to_contain_text("Ben rules: The line is clear")
    keep_screenshot(phone, "walk-ruled-390")
    ben.get_by_role("button", name="Close", exact=True).tap()
    ben.locator("[data-minutes='5']").tap()
    expect(ben.locator(".call")).to_have_count(0)

    for table in event.simulated:
        table.end(round_number=1)
    go(organiser, "Rounds")
    expect(organiser.locator(".round-card", has_text="9/12")).to_be_visible()
    for n in REAL:
        line = organiser.locator(".pairings > li").nth(n - 1)
        line.locator("summary").tap()
        line.get_by_role("spinbutton").first.fill("4")
        line.get_by_role("button", name="Confirm").tap()
        expect(line.locator(".result")).to_contain_text("Organiser")
    expect(organiser.locator(".round-card", has_text="12/12")).to_be_visible()
    found = violations(organiser)
    keep_screenshot(organiser, "walk-rounds-1440")
    import_round(organiser, SECOND, 2)
    organiser.get_by_role("button", name="End this round, begin the next").tap()
    organiser.get_by_role("button", name="Begin now").tap()
    expect(organiser.locator(".hall-clock")).to_contain_text("Round 2")
    with organiser.expect_download() as taken:
        organiser.get_by_role("link", name="Results, CSV").tap()
    rows = list(csv.DictReader(io.StringIO(taken.value.path().read_text(encoding="utf-8"))))
    with organiser.expect_download() as taken:
        organiser.get_by_role("link", name="Everything, JSON").tap()
    told = json.loads(taken.value.path().read_text(encoding="utf-8"))
    for page in (organiser, phone, ben):
        page.close()

    assert found == []
    assert [row["Winner"] for row in rows if row["Round"] == "1"] == NAMES[::2]
    assert {row["Confirmed by"] for row in rows if row["Round"] == "1"} == {"both players", "Organiser"}
    (call,) = told["calls"]
    assert (call["table"], call["state"], call["given_s"]) == (2, "closed", 300)
    assert [one["said"] for one in call["rulings"]] == ["The line is clear"]
