"""The overlay over HTTP: a stream of boards to draw, and what judge and producer may do to them."""

from typing import Annotated

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from api.bulletin import EVENTS, UNKEPT, Bulletin
from api.errors import JournalFailed, NoSuchMoment, NoTableYet, NotOnAir
from api.halted import Referees
from api.line import Line, answered
from api.memory import Ask
from api.moments import Moments
from api.openapi import content, problems
from api.overlay.desk import FIRST, OverlayDesk, ids_of
from api.overlay.threat import threat_line
from api.overlay.words import Board, OnAir, Production, PutOnAir, Resolved
from api.pair import Pair, sheet_of
from api.seats.asking import needs
from api.seats.seat import Right, Seat
from models.errors import BadQuery
from models.queries import Asked
from models.reading import read_query
from models.state import TableState

Producer = Annotated[Seat, needs(Right.AIR)]
PREFIX = "/api/v1/overlay"


def overlay(moments: Moments, desk: OverlayDesk, boards: Bulletin, *, ask: Referees) -> APIRouter:
    """The routes of the stream's overlay."""
    router = APIRouter(tags=["overlay"])
    router.include_router(_watching(desk, boards))
    router.include_router(_producing(moments, desk, ask))
    return router


def _watching(desk: OverlayDesk, boards: Bulletin) -> APIRouter:
    """What anybody may see."""
    router = APIRouter(prefix=PREFIX)

    @router.get("")
    async def board() -> Board:
        """What is on air, and how the stream is fed."""
        return desk.board()

    @router.get("/stream", response_class=Response, responses=content(EVENTS))
    async def stream() -> StreamingResponse:
        """The board, whole, each time it changes and every few seconds, as server-sent events."""
        return StreamingResponse(boards.events(), media_type=EVENTS, headers=UNKEPT)

    @router.get("/air/{id_}.jpg", response_class=Response, responses=content("image/jpeg") | problems(NotOnAir))
    async def picture(id_: int) -> Response:
        """The table from above, as it was when this was put on air."""
        return Response(desk.picture_of(id_), media_type="image/jpeg", headers={"Cache-Control": "max-age=600"})

    return router


def _producing(moments: Moments, desk: OverlayDesk, ask: Referees) -> APIRouter:
    """What judge and producer may do."""
    router = APIRouter(prefix=PREFIX)

    @router.put("/production", responses=problems(JournalFailed))
    async def produce(production: Production, _: Producer) -> Board:
        """Feed the stream like this from now on."""
        desk.produce(production)
        return desk.board()

    @router.post("/air", status_code=201, responses=problems(NoTableYet, NoSuchMoment))
    async def put_on_air(wanted: PutOnAir, _: Producer) -> OnAir:
        """Ask the referee, and put the answer on air."""
        if sum(one is not None for one in (wanted.pair, wanted.query, wanted.threat_of)) != 1:
            raise BadQuery("give a pair, a query, or one whose threat is shown", field="query", value=None)
        state, referee, is_now = moments.table(wanted.at), ask.about(wanted.at), wanted.at is None
        if wanted.pair is not None:
            lines = await run_in_threadpool(_lines_of, state, wanted.pair, wanted.slots, referee)
            return desk.put_on(state, lines, a=wanted.pair.a, b=wanted.pair.b, stays=wanted.stays, is_now=is_now)
        if wanted.threat_of is not None:
            line = await run_in_threadpool(threat_line, state, wanted.threat_of, ask=referee)
            return desk.put_on(state, (line,), a=wanted.threat_of, b=None, stays=wanted.stays, is_now=is_now)
        query = read_query(wanted.query or {})
        line = await run_in_threadpool(_answer, state, query, referee)
        a, b = ids_of(query)
        return desk.put_on(state, (line,), a=a, b=b, stays=wanted.stays, is_now=is_now)

    @router.delete("/air")
    async def take_off(_: Producer) -> Board:
        """Take everything off air."""
        desk.take_off()
        return desk.board()

    @router.post("/air/{id_}/resolved", responses=problems(NotOnAir))
    async def resolve(id_: int, how: Resolved, _: Producer) -> OnAir:
        """The players have settled it, or the judge has ruled: it may be shown."""
        return desk.resolve(id_, ruling=how.ruling)

    return router


def _lines_of(state: TableState, pair: Pair, slots: tuple[str, ...], ask: Ask) -> tuple[Line, ...]:
    """The wanted lines of the pair's sheet. Raises: BadQuery when it has none of them."""
    lines = sheet_of(state, pair, ask=ask).lines
    chosen = tuple(line for line in lines if line.slot in slots) if slots else lines[:FIRST]
    if not chosen:
        raise BadQuery(f"slots: the sheet of this pair has none of {', '.join(slots)}", field="slots", value=slots[0])
    return chosen


def _answer(state: TableState, query: Asked, ask: Ask) -> Line:
    return answered(query, ask(state, query))
