"""What a judge has before them: clocks, rulings, and what the stream shows; told whole each time it changes."""

import time
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, FastAPI, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from api.bulletin import EVENTS, UNKEPT, Bulletin
from api.clocks.desk import ClockDesk
from api.clocks.routes import clocking
from api.clocks.told import ClocksTold
from api.drawn import drawn
from api.halted import Referees
from api.hub import Hub
from api.live import DrawnTable
from api.moments import Moments, asked_table
from api.openapi import content
from api.overlay.desk import OverlayDesk
from api.overlay.routes import overlay
from api.overlay.words import Production
from api.phone_page import add_page
from api.rulings.routes import ruling
from api.rulings.ruling import Brief
from api.rulings.rulings import Rulings
from models.frozen import Frozen
from models.state import TableState


class Bench(Frozen):
    """All that the judge's page shows besides the table."""

    now_s: float = Field(description="the server's clock, seconds since 1970")
    title: str
    clocks: ClocksTold | None
    rulings: tuple[Brief, ...]
    production: Production
    on_air: int | None = Field(description="the number of what was put on air last, while it has not been taken off")


class Judging:
    """The judge's desk at a table, and the stream's beside it: what changes at one is seen at the other."""

    def __init__(self, hub: Hub, *, clock: Callable[[], float] = time.time) -> None:
        self.hub = hub
        self._clock = clock
        self.clocks = ClockDesk(hub.journal, changed=self._tell)
        self.rulings = Rulings(hub.journal, changed=self._tell)
        self.overlay = OverlayDesk(hub, self.clocks, changed=self._tell, clock=clock)
        self.benches = Bulletin(self.bench)
        self.boards = Bulletin(self.overlay.board)

    def bench(self) -> Bench:
        """What the judge's page shows now."""
        return Bench(
            now_s=self._clock(),
            title=self.hub.title,
            clocks=self.clocks.told(self._clock()),
            rulings=self.rulings.briefs(),
            production=self.overlay.production,
            on_air=self.overlay.on_air(),
        )

    def close(self) -> None:
        """The server ends."""
        self.benches.close()
        self.boards.close()

    def _tell(self) -> None:
        self.benches.tell()
        self.boards.tell()


def judging(desk: Judging, moments: Moments, *, ask: Referees) -> APIRouter:
    """The routes of the judge's page and of the stream's overlay."""
    router = APIRouter()

    @router.get("/api/v1/bench", tags=["rulings"])
    async def bench() -> Bench:
        """Clocks, rulings, and how the stream is fed."""
        return desk.bench()

    @router.get("/api/v1/bench/stream", tags=["rulings"], response_class=Response, responses=content(EVENTS))
    async def stream() -> StreamingResponse:
        """The bench, whole, each time it changes and every few seconds, as server-sent events."""
        return StreamingResponse(desk.benches.events(), media_type=EVENTS, headers=UNKEPT)

    @router.get("/api/v1/bench/table", tags=["rulings"])
    def drawn_table(state: Annotated[TableState, asked_table(moments)]) -> DrawnTable:
        """The table as it is drawn, now or at an earlier moment."""
        return drawn(state)

    router.include_router(clocking(desk.clocks))
    router.include_router(ruling(desk.rulings, moments, desk.overlay, desk.hub, ask=ask))
    router.include_router(overlay(moments, desk.overlay, desk.boards, ask=ask))
    return router


def add_judges_page(app: FastAPI) -> None:
    """Serve the page at `/judge`."""
    add_page(app, "/judge", "judge.html")
