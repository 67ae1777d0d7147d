"""Spectators see a table late; clocks an hour apart change nothing of what is seen."""

import asyncio
import json
from collections.abc import Iterator

import pytest

from api.clocks.entries import ClockPassed, ClocksSet
from api.corrections.entries import CorrectionMade
from api.corrections.schemas import MiniatureCorrection
from api.hall.envelope import RawLine, wrap_line
from api.hall.hall_board import HallBoard
from api.hall.hall_records import HallRecords
from api.hall.schemas import TableGlance
from api.hall.spectators import Spectators, read_sheet
from api.hall.store import HallStore
from api.journal.entry import Entry, Line, TableSettled
from api.live.messages import Freshness
from api.tables.schemas import TableSummary
from models.state import TableState
from tests.api.hall.test_hall import EVENT, J1, SOURCE
from tests.house.test_wheel import STATE

HOUR_S = 3600.0


class Hall:
    """A hub whose clock the test sets, and table 12, whose clock is an hour ahead."""

    def __init__(self, database: str) -> None:
        self.now_s = 10_000.0
        self.store = HallStore(database, EVENT, tables=range(1, 21), clock=lambda: self.now_s)
        self.count = 0

    def write(self, entry: Entry) -> None:
        self.count += 1
        at_s = self.now_s + HOUR_S
        text = Line(n=self.count, at_s=at_s, entry=entry).model_dump_json()
        raw = RawLine(self.count, self.count - 1, at_s, text)
        self.store.take(12, [wrap_line(raw, journal=J1, source=SOURCE)])

    def settle(self, name: str) -> None:
        table = json.loads(json.dumps(STATE))
        table["miniatures"][0]["name"] = name
        self.write(TableSettled(state=TableState.model_validate(table)))

    def board(self) -> HallBoard:
        return HallBoard(HallRecords(self.store), EVENT)

    def names_seen(self) -> list[str | None]:
        shown = asyncio.run(Spectators(self.board()).look(12)).table
        return [] if shown is None else [m.name for m in shown.miniatures][:1]


@pytest.fixture
def hall(database: str) -> Iterator[Hall]:
    made = Hall(database)
    made.store.change_settings(delay_s=60)
    yield made
    made.store.close()


def test_a_table_is_seen_as_late_as_the_organiser_set_it(hall: Hall) -> None:
    hall.settle("early")
    hall.now_s += 50
    hall.settle("late")
    seen = [hall.names_seen()]
    for passes_s in (20, 50):
        hall.now_s += passes_s
        seen.append(hall.names_seen())

    assert seen == [[], ["early"], ["late"]]


def test_what_players_corrected_is_seen_as_well(hall: Hall) -> None:
    hall.settle("as measured")
    id_ = STATE["miniatures"][0]["id"]  # type: ignore[index]
    hall.write(CorrectionMade(by="judge", correction=MiniatureCorrection(do="miniature", ids=(id_,), name="Sorscha")))
    hall.now_s += 61
    table = read_sheet(hall.store, 12).table

    assert hall.names_seen() == ["Sorscha"]
    assert table is not None
    assert table.miniatures[0].name == "Sorscha"


def left_s(hall: Hall, board: HallBoard) -> list[float]:
    (clocks,) = [one.clocks for one in board.view().tables if one.number == 12]
    assert clocks is not None
    return [round(one.left_s) for one in clocks.players]


def run_clock(hall: Hall) -> None:
    at_s = hall.now_s + HOUR_S
    hall.write(ClocksSet(by="judge", total_s=600, clock_s=at_s))
    hall.write(ClockPassed(by="judge", to="player-a", clock_s=at_s))
    hall.now_s += 100


def test_a_table_whose_clock_is_an_hour_ahead_shows_the_time_that_is_left(hall: Hall) -> None:
    run_clock(hall)

    assert left_s(hall, hall.board()) == [500, 600]


def test_what_a_table_tells_of_its_clock_counts_more_than_its_lines(hall: Hall) -> None:
    run_clock(hall)
    board = hall.board()
    summary = TableSummary(
        title="x", edition=None, scenario=None, turn=None, miniatures=0, fresh=Freshness(), problem=None, devices={}
    )
    board.note_glance(12, TableGlance(summary=summary, clock_s=hall.now_s + HOUR_S + 5))
    board._look()

    assert left_s(hall, board) == [495, 600]


def test_who_watches_is_told_what_becomes_old_enough(hall: Hall) -> None:
    hall.settle("early")
    hall.now_s += 61

    async def watch() -> list[str | None]:
        spectators = Spectators(hall.board())
        events = spectators.events(12)
        seen = [await anext(events) for _ in range(2)]
        hall.settle("late")
        hall.now_s += 61
        await spectators._show_due()
        seen.append(await anext(events))
        await events.aclose()  # type: ignore[attr-defined]
        tables = [json.loads(one.decode().partition("data: ")[2])["table"] for one in seen[1:]]
        return [table["miniatures"][0]["name"] for table in tables]

    assert asyncio.run(watch()) == ["early", "late"]
