"""Question routes: one question, a list, everything about a pair or one miniature, and what if it moved."""

import json
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Annotated, Any

from anyio import from_thread
from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field, TypeAdapter

from api.answers.miniature_sheet import MiniatureQuestion, MiniatureSheet, miniature_sheets
from api.answers.one_word import AskedVerdict, OneWord, ask_question, mark_told, mark_told_around, mark_told_move
from api.answers.pair_sheet import Pair, Sheet, pair_sheets
from api.answers.what_if import Manoeuvre, WhatIfMove, WhatIfMoveResult, what_if_manoeuvre, what_if_move
from api.errors import OverBudget, TooManyQuestions, TooMuch
from api.evaluation.cache import Ask, begin_nothing
from api.evaluation.hypothetical_table import Hypothesis
from api.http.openapi import problem_responses
from api.http.refusals import MOST_QUESTION_BYTES
from api.routes.auth import is_seated, seat_of
from api.routes.question_desk import MOST_IN_LIST
from api.routes.services import AskedTable, AskedWord, At, Table
from api.seats.permissions import RIGHTS, Right, Seat
from models.errors import BadQuery
from models.parsing import parse, parse_queries
from models.queries import QUERIES, BaseQuery, Query
from models.state import TableState

MOST_QUESTIONS = MOST_IN_LIST[True]
LONGEST_SINGLE_BYTES = 2000
_BUSY = problem_responses(TooManyQuestions, TooMuch, OverBudget)
_BUSY_LIST = problem_responses(TooMuch, TooManyQuestions, OverBudget)

router = APIRouter(prefix="/api/v1", tags=["questions"])
what_if_router = APIRouter(prefix="/api/v1", tags=["questions"])
AcceptLines = Annotated[str, Header(alias="accept")]


class HypotheticalQuestions(Hypothesis):
    """Questions about the table with something supposed: `ghosts` stand where they are thought of."""

    questions: tuple[Query, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)


_ASK_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": TypeAdapter(Query | list[Query] | HypotheticalQuestions).json_schema(
                    ref_template="#/components/schemas/{model}"
                ),
                "example": {"kind": "los", "viewer": "m3", "target": "m7"},
            }
        },
    }
}


@router.post("/ask", response_model=AskedVerdict | list[AskedVerdict], responses=_BUSY_LIST, openapi_extra=_ASK_BODY)
async def ask_about_table(
    request: Request, state: AskedTable, word: AskedWord, table: Table, at: At = None
) -> JSONResponse:
    """Answer one question, a list of them, or questions about a table with something supposed.

    A list is checked whole first, and answered in its order. Each answer names what it rests on by one player's
    word alone, as the lines of a sheet do.
    """
    body, most = await request.body(), MOST_IN_LIST[is_seated(request)]

    def answer() -> list[Any] | Any:
        asked, is_list, supposing = _parse_body(body)
        if len(asked) > most:
            raise TooMuch(f"at most {most} questions at once from this seat", field="", value=len(asked))
        ask = table.referee.about(at)
        verdicts = [ask_question(state, query, ask=ask, word=word, supposing=supposing) for query in asked]
        written = [verdict.model_dump(mode="json") for verdict in verdicts]
        return written if is_list else written[0]

    return JSONResponse(await table.desk.answer(request, answer, is_list=_may_be_list(body)))


@router.post("/ask-pair", response_model=Sheet, responses=_BUSY, max_body_size=MOST_QUESTION_BYTES)
async def ask_about_pair(
    request: Request,
    pair: Pair,
    state: AskedTable,
    word: AskedWord,
    table: Table,
    at: At = None,
    accept: AcceptLines = "",
) -> Any:
    """Answer everything about two miniatures, the most argued-about first.

    Who accepts `application/x-ndjson` gets a sheet a line, each with more answers than the one before.
    """
    ask, rulings = table.referee.about(at), table.bench.rulings
    if is_seated(request):
        answers = pair_sheets(state, pair, ask=ask, begin=table.referee.begin)
        sheets = table.priority.urgent(answers, until=lambda sheet: sheet.is_readable)
    else:  # who only watches neither keeps workers from players nor holds anybody back
        sheets = table.priority.background(pair_sheets(state, pair, ask=ask, begin=begin_nothing))
    if word is not None:
        sheets = mark_told(sheets, state, pair, word, ask=ask)
    if not pair.ghosts:  # nothing is ruled about what is only thought of
        sheets = (rulings.lay_over(sheet, at=at) for sheet in sheets)
    # who only watches does not feed the stream, and what was is not put on air again
    if Right.CORRECT in RIGHTS[seat_of(request)] and at is None:
        sheets = _pass_on(state, pair, sheets, table, seat_of(request))
    return await table.desk.stream(request, sheets, accept, stage=lambda sheet: (sheet.is_readable, sheet.is_whole))


@router.get("/queries", response_model=dict[str, Any])
def query_schemas() -> Response:
    """Every question kind with its fields, as JSON Schema; `EDITIONS` says who answers it."""
    return Response(_query_schemas(), media_type="application/json")


@cache
def _query_schemas() -> bytes:
    """They are the same at every table, and take long to write."""
    schemas = {
        kind: cls.schema_of_fields() | {"asks": cls.title(), "editions": sorted(cls.EDITIONS)}
        for kind, cls in QUERIES.items()
    }
    return json.dumps(schemas, ensure_ascii=False, separators=(",", ":")).encode()


@what_if_router.post("/ask-one", response_model=MiniatureSheet, responses=_BUSY, max_body_size=MOST_QUESTION_BYTES)
async def ask_about_one(
    request: Request,
    alone: MiniatureQuestion,
    state: AskedTable,
    word: AskedWord,
    table: Table,
    at: At = None,
    accept: AcceptLines = "",
) -> Any:
    """Answer what is around one miniature: distances, rings, arcs, and who threatens whom.

    Who accepts `application/x-ndjson` gets one answer a line, each with more threats than the one before.
    """
    unhurried, rulings = table.priority.ask_in_background(table.referee.about(at)), table.bench.rulings
    sheets = miniature_sheets(state, alone, ask=unhurried)
    if word is not None:
        sheets = mark_told_around(sheets, state, alone, word, ask=unhurried)
    if not alone.ghosts:
        sheets = (rulings.lay_around(sheet, at=at) for sheet in sheets)
    return await table.desk.stream(
        request, sheets, accept, stage=lambda sheet: sheet.is_whole, is_list=_is_long_for(request)
    )


@what_if_router.post("/ask-move", responses=_BUSY, max_body_size=MOST_QUESTION_BYTES)
async def ask_about_a_move(
    request: Request, move: WhatIfMove, state: AskedTable, word: AskedWord, table: Table, at: At = None
) -> WhatIfMoveResult:
    """Answer whether a way is legal, what it costs, what strikes on it, and how it ends."""
    ask = table.referee.about(at)
    return await table.desk.answer(
        request,
        lambda: _marked(what_if_move(state, move, ask=ask), state, move, word, ask),
        is_list=_is_long_for(request),
    )


@what_if_router.post("/ask-manoeuvre", responses=_BUSY, max_body_size=MOST_QUESTION_BYTES)
async def ask_about_a_manoeuvre(
    request: Request, asked: Manoeuvre, state: AskedTable, word: AskedWord, table: Table, at: At = None
) -> WhatIfMoveResult:
    """Answer whether a unit may move, charge or flee like that, over which way, and where everybody ends."""
    ask = table.referee.about(at)
    return await table.desk.answer(
        request,
        lambda: _marked(what_if_manoeuvre(state, asked, ask=ask), state, asked, word, ask),
        is_list=_is_long_for(request),
    )


def _is_long_for(request: Request) -> bool:
    """Whether the place for lists is taken: who only watches asks for one list, sheet or move at a time."""
    return not is_seated(request)


def _may_be_list(body: bytes) -> bool:
    """Whether this may be more than one question, by a glance: reading it takes a thread."""
    return len(body) > LONGEST_SINGLE_BYTES or body.lstrip()[:1] != b"{" or b'"questions"' in body


def _parse_body(body: bytes) -> tuple[Sequence[BaseQuery], bool, Hypothesis | None]:
    """The questions, whether they are a list, and what is supposed. Raises: BadQuery."""
    if _has_hypothesis(body):
        whole = parse(HypotheticalQuestions, body, error=BadQuery)
        return whole.questions, True, whole
    asked, is_list = parse_queries(body)
    return asked, is_list, None


def _has_hypothesis(body: bytes) -> bool:
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(raw, dict) and "questions" in raw


def _pass_on(state: TableState, pair: Pair, sheets: Iterator[Sheet], table: Table, seat: Seat) -> Iterator[Sheet]:
    """The same sheets; a whole one is noted for the judge and the stream on the server's loop."""
    for sheet in sheets:
        yield sheet
        if sheet.is_whole:
            from_thread.run_sync(partial(table.bench.note_sheet, state, pair, sheet, by=seat))


def _marked(
    result: WhatIfMoveResult, state: TableState, asked: WhatIfMove | Manoeuvre, word: OneWord | None, ask: Ask
) -> WhatIfMoveResult:
    """The answer, with what of it rests on one player's word."""
    return result if word is None else mark_told_move(result, state, asked, word, ask=ask)
