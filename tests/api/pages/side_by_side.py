"""Two players, a judge and whoever else at one table of this process, whose miniatures a test moves."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from api.camera.protocol import FrameReport, SettledPicture
from api.evidence.service import EvidenceKeeper
from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from models.state import TableState
from tests.api.pages.player_page import open_table
from tests.api.serving import serve_app
from tests.api.worlds import frame_report, move_miniature, state_line

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


@dataclass
class SharedTable:
    """A served table; `codes` open its seats."""

    url: str
    hub: Hub
    codes: dict[str, str]
    state: TableState
    loop: asyncio.AbstractEventLoop

    def see(self, state: TableState, *, settled: SettledPicture | None = None, jpeg: bytes | None = None) -> None:
        """The camera sees this at rest; returns when the server has taken it in."""
        self.state = state
        report = frame_report(state_line(state), jpeg=jpeg)
        self.report(FrameReport(**{**vars(report), "settled": settled}))

    def report(self, report: FrameReport) -> None:
        """The camera's process says this; returns when the server has taken it in."""

        async def take_in() -> None:
            self.hub.handle_report(report)

        asyncio.run_coroutine_threadsafe(take_in(), self.loop).result(20)

    def move(self, id_: str, to_mm: tuple[float, float]) -> None:
        self.see(move_miniature(self.state, id_, to_mm))


@contextmanager
def serve_shared(state: TableState, *, pictures: Path | None = None) -> Iterator[SharedTable]:
    """A table that shows this state, with the real referee; `pictures`: a folder for those of the table at rest."""
    hub = Hub(title="Table 4", journal=MemoryJournal())
    evidence = None if pictures is None else EvidenceKeeper(hub, pictures, most_bytes=10**7)
    hub.handle_report(frame_report(state_line(state)))
    seats = SeatSessions(hub.journal)
    loops: list[asyncio.AbstractEventLoop] = []

    @asynccontextmanager
    async def note_loop(_: Hub) -> AsyncIterator[None]:
        loops.append(asyncio.get_running_loop())
        yield

    with serve_app(create_app(hub, seats=seats, camera=note_loop, evidence=evidence)) as url:
        while not loops:  # the server's thread has only just begun
            pass
        yield SharedTable(url=url, hub=hub, codes=dict(seats.codes), state=state, loop=loops[0])


@contextmanager
def sit_down(
    browser: Browser, table: SharedTable, door: str, *, seat: str | None = None, is_known: bool = True
) -> Iterator[Page]:
    """The page that this code opens, at the whole table; it fails when a script on it does.

    `is_known`: the phone's owner has put the joining sheet away before.
    """
    size = DESK if door in ("judge", "overlay") else PHONE
    context = browser.new_context(viewport=size, has_touch=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    if seat is not None and is_known:
        page.add_init_script(f"localStorage.setItem('tableside', JSON.stringify({{ seat: '{seat}' }}))")
    page.goto(f"{table.url}j/{table.codes[door]}")
    if seat is not None:
        page.request.put(f"{table.url}api/v1/seat", data={"seat": seat})
        open_table(page, table.url, bases=len(table.state.miniatures))
    yield page
    context.close()
    assert not wrong, wrong


def judge_pair(judge: Page, *names: str) -> None:
    """Pick these two on the judge's page, and wait for their sheet."""
    judge.get_by_role("navigation").get_by_role("button", name="Table", exact=True).tap()
    for name in names:
        judge.locator(".entry", has_text=name).first.tap()
    expect(judge.locator(".verdicts [data-slot=completely]")).to_be_visible()


def open_verdict(judge: Page, slot: str) -> None:
    judge.locator(f"[data-slot={slot}] .verdict").tap()
    expect(judge.get_by_role("group", name="Your ruling")).to_be_visible()
