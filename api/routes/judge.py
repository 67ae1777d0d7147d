"""Judge routes: clocks, rulings, and what the stream shows."""

from typing import Annotated

from fastapi import APIRouter, FastAPI, Response
from fastapi.sse import EventSourceResponse

from api.answers.word_finder import WordFinder
from api.errors import JournalFailed
from api.evidence.schemas import TablePart
from api.http.openapi import media_response, problem_responses
from api.http.sse_broadcast import EVENTS, stream_events
from api.http.static_pages import add_page
from api.live.halt_guard import RefereePorts
from api.live.moments import Moments
from api.live.table_schemas import DrawnTable
from api.live.table_view import table_view
from api.routes.auth import needs
from api.routes.clocks import clock_router
from api.routes.kept_verdicts import kept_verdict_router
from api.routes.moments import At, asked_table
from api.routes.overlay import overlay_router
from api.routes.question_desk import QuestionDesk
from api.routes.rulings import ruling_router
from api.rulings.bench import JudgesBench
from api.rulings.schemas import Bench, PastChoice
from api.seats.permissions import Right, Seat
from models.state import TableState


def judge_router(
    desk: JudgesBench, moments: Moments, *, ask: RefereePorts, words: WordFinder, questions: QuestionDesk
) -> APIRouter:
    """The routes of the judge's page and of the stream's overlay."""
    router = APIRouter()

    @router.get("/api/v1/bench", tags=["rulings"])
    async def bench() -> Bench:
        """Clocks, rulings, and how the stream is fed."""
        return desk.bench()

    @router.get("/api/v1/bench/stream", tags=["rulings"], response_class=Response, responses=media_response(EVENTS))
    async def stream() -> EventSourceResponse:
        """The bench, whole, each time it changes and every few seconds, as server-sent events."""
        return stream_events(desk.bench_stream.events())

    @router.get("/api/v1/bench/table", tags=["rulings"])
    def drawn_table(state: Annotated[TableState, asked_table(moments)], at: At = None) -> DrawnTable:
        """The table as it is drawn, now or at an earlier moment."""
        return table_view(state, moments.rest(at))

    @router.put("/api/v1/bench/past", tags=["rulings"], responses=problem_responses(JournalFailed))
    async def open_past(wanted: PastChoice, seat: Annotated[Seat, needs(Right.RULE)]) -> Bench:
        """Let players measure at earlier moments what the rulebook does not let them measure now, or no more."""
        desk.hub.open_past(by=seat, is_open=wanted.is_open)
        return desk.bench()

    router.include_router(clock_router(desk.hub.clocks))
    router.include_router(
        ruling_router(
            desk.rulings,
            moments,
            desk.overlay,
            desk.hub,
            ask=ask,
            words=words,
            desk=questions,
            evidence=desk.evidence,
        )
    )
    router.include_router(kept_verdict_router(desk, moments, ask=ask, questions=questions))
    cut = desk.evidence.part if desk.evidence else _cut_nothing
    router.include_router(
        overlay_router(
            moments,
            desk.overlay,
            desk.board_stream,
            ask=ask,
            words=words,
            lay_rulings=desk.rulings.lay_lines,
            cut=cut,
        )
    )
    return router


def _cut_nothing(_: int, __: TablePart) -> None:
    """No picture is kept."""


def add_judges_page(app: FastAPI) -> None:
    """Serve the page at `/judge`."""
    add_page(app, "/judge", "judge.html")
