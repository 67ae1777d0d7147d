"""Overlay routes: a stream of boards to draw, and what judge and producer may do to them."""

from collections.abc import Callable, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.sse import EventSourceResponse
from starlette.concurrency import run_in_threadpool

from api.answers.answer_line import Line, answer_line
from api.answers.asked_verdict import ask_question
from api.answers.one_word import OneWord, mark_told
from api.answers.pair_sheet import Pair, pair_sheets
from api.answers.word_finder import WordFinder
from api.errors import JournalFailed, NoSuchMoment, NoTableYet, NotAllowed, NotOnAir
from api.evaluation.cache import Ask
from api.evidence.schemas import TablePart
from api.http.openapi import media_response, problem_responses
from api.http.sse_broadcast import EVENTS, SseBroadcast, stream_events
from api.live.halt_guard import RefereePorts
from api.live.moments import Moments
from api.overlay.schemas import Board, OnAirItem, Production, PutOnAir, Resolution
from api.overlay.service import FIRST, OverlayService, pair_of
from api.overlay.threat import threat_line
from api.routes.auth import needs
from api.seats.permissions import Right, Seat
from models.errors import BadQuery
from models.parsing import parse_query
from models.queries import BaseQuery
from models.state import TableState

Producer = Annotated[Seat, needs(Right.AIR)]
PREFIX = "/api/v1/overlay"
CutPart = Callable[[int, TablePart], bytes | None]
"""What the camera saw of a part of the table at a moment; None where no picture of it is kept."""
LayRulings = Callable[[Sequence[Line], int | None], tuple[Line, ...]]
"""What the judge ruled, laid over these answers of a moment."""


def overlay_router(
    moments: Moments,
    desk: OverlayService,
    boards: SseBroadcast,
    *,
    ask: RefereePorts,
    words: WordFinder,
    lay_rulings: LayRulings,
    cut: CutPart,
) -> APIRouter:
    """The routes of the stream's overlay."""
    router = APIRouter(tags=["overlay"])
    router.include_router(_public_routes(desk, boards))
    router.include_router(_producer_routes(moments, desk, ask, words, lay_rulings))
    router.include_router(_close_up_routes(desk, cut))
    return router


def _public_routes(desk: OverlayService, boards: SseBroadcast) -> APIRouter:
    """What anybody may see."""
    router = APIRouter(prefix=PREFIX)

    @router.get("")
    async def board() -> Board:
        """What is on air, and how the stream is fed."""
        return desk.board()

    @router.get("/stream", response_class=Response, responses=media_response(EVENTS))
    async def stream() -> EventSourceResponse:
        """The board, whole, each time it changes and every few seconds, as server-sent events."""
        return stream_events(boards.events())

    @router.get(
        "/air/{id_}.jpg", response_class=Response, responses=media_response("image/jpeg") | problem_responses(NotOnAir)
    )
    async def picture(id_: int) -> Response:
        """The table from above, as it was when this was put on air."""
        return Response(desk.picture_of(id_), media_type="image/jpeg", headers={"Cache-Control": "max-age=600"})

    return router


def _producer_routes(
    moments: Moments, desk: OverlayService, ask: RefereePorts, words: WordFinder, lay_rulings: LayRulings
) -> APIRouter:
    """What judge and producer may do."""
    router = APIRouter(prefix=PREFIX)

    @router.put("/production", responses=problem_responses(JournalFailed))
    async def produce(production: Production, _: Producer) -> Board:
        """Feed the stream like this from now on."""
        desk.set_production(production)
        return desk.board()

    @router.post("/air", status_code=201, responses=problem_responses(NoTableYet, NoSuchMoment))
    async def put_on_air(wanted: PutOnAir, _: Producer) -> OnAirItem:
        """Ask the referee, and put the answer on air."""
        if sum(one is not None for one in (wanted.pair, wanted.query, wanted.threat_of)) != 1:
            raise BadQuery("give a pair, a query, or one whose threat is shown", field="query", value=None)
        state, referee = moments.table(wanted.at), ask.about(wanted.at)
        word = words.word(wanted.at)
        if wanted.pair is not None:
            lines = await run_in_threadpool(_choose_lines, state, wanted.pair, wanted.slots, referee, word)
            lines = lay_rulings(lines, wanted.at)
            return desk.put_on(state, lines, a=wanted.pair.a, b=wanted.pair.b, stays=wanted.stays, at=wanted.at)
        if wanted.threat_of is not None:
            line = await run_in_threadpool(threat_line, state, wanted.threat_of, ask=referee, word=word)
            return desk.put_on(state, (line,), a=wanted.threat_of, b=None, stays=wanted.stays, at=wanted.at)
        query = parse_query(wanted.query or {})
        line = await run_in_threadpool(_answer, state, query, referee, word)
        a, b = pair_of(query)
        return desk.put_on(state, lay_rulings((line,), wanted.at), a=a, b=b, stays=wanted.stays, at=wanted.at)

    @router.delete("/air")
    async def take_off(_: Producer) -> Board:
        """Take everything off air."""
        desk.take_off()
        return desk.board()

    @router.post("/air/{id_}/resolved", responses=problem_responses(NotOnAir))
    async def resolve(id_: int, how: Resolution, _: Producer) -> OnAirItem:
        """The players have settled it, or the judge has ruled: it may be shown."""
        return desk.resolve(id_, ruling=how.ruling)

    return router


def _close_up_routes(desk: OverlayService, cut: CutPart) -> APIRouter:
    """The camera's own pixels, for the overlay alone."""
    router = APIRouter(prefix=PREFIX)

    @router.get(
        "/air/{id_}/part.jpg",
        response_class=Response,
        responses=media_response("image/jpeg") | problem_responses(NotOnAir, NotAllowed),
    )
    def part(id_: int, wanted: Annotated[TablePart, Query()], _: Producer) -> Response:
        """A part of the table from above, as finely as the camera saw it when this was measured; never the room."""
        rest = desk.rest_of(id_)
        jpeg = None if rest is None else cut(rest.n, wanted)
        if jpeg is None:
            raise NotOnAir(f"of what is numbered {id_} the camera's picture is not kept", field="id", value=id_)
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=600"})

    return router


def _choose_lines(
    state: TableState, pair: Pair, slots: tuple[str, ...], ask: Ask, word: OneWord | None
) -> tuple[Line, ...]:
    """The wanted lines of the pair's sheet. Raises: BadQuery when it has none of them."""
    sheets = pair_sheets(state, pair, ask=ask)
    (*_, sheet) = sheets if word is None else mark_told(sheets, state, pair, word, ask=ask)
    lines = sheet.lines
    chosen = tuple(line for line in lines if line.slot in slots) if slots else lines[:FIRST]
    if not chosen:
        raise BadQuery(f"slots: the sheet of this pair has none of {', '.join(slots)}", field="slots", value=slots[0])
    return chosen


def _answer(state: TableState, query: BaseQuery, ask: Ask, word: OneWord | None) -> Line:
    verdict = ask_question(state, query, ask=ask, word=word)
    return answer_line(query, verdict).with_told(verdict.told)
