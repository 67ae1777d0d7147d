"""Question routes: one question, a list, or everything about a pair."""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Annotated, Any

from anyio import from_thread
from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse
from pydantic import Field, TypeAdapter

from api.answers.asked_verdict import AskedVerdict, ask_question
from api.answers.one_word import OneWord, mark_told
from api.answers.pair_sheet import Pair, Sheet, pair_sheets
from api.answers.word_finder import WordFinder
from api.errors import TooManyQuestions, TooMuch
from api.evaluation.cache import begin_nothing
from api.evaluation.hypothetical_table import Hypothesis
from api.evaluation.request_priority import RequestPriority
from api.http.openapi import problem_responses
from api.http.refusals import MOST_QUESTION_BYTES
from api.live.halt_guard import RefereePorts
from api.live.moments import Moments
from api.routes.auth import is_seated, seat_of
from api.routes.moments import At, asked_table, asked_word
from api.routes.question_desk import MOST_IN_LIST, QuestionDesk
from api.seats.permissions import RIGHTS, Right
from models.errors import BadQuery
from models.parsing import parse, parse_queries
from models.queries import QUERIES, BaseQuery, Query
from models.state import TableState

MOST_QUESTIONS = MOST_IN_LIST[True]
LONGEST_SINGLE_BYTES = 2000

Overhear = Callable[[TableState, Pair, Sheet], None]
LayRulings = Callable[[Sheet, int | None], Sheet]
"""Lays what a judge ruled over the answers of now, or of an earlier moment."""


class HypotheticalQuestions(Hypothesis):
    """Questions about the table with something supposed: `ghosts` stand where they are thought of."""

    questions: tuple[Query, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)


def question_router(
    moments: Moments,
    *,
    ask: RefereePorts,
    overhear: Overhear,
    lay_rulings: LayRulings,
    words: WordFinder,
    priority: RequestPriority,
    desk: QuestionDesk,
) -> APIRouter:
    """The routes that answer questions about the table; whole sheets of now are overheard on the server's loop."""
    router = APIRouter(prefix="/api/v1", tags=["questions"])
    router.post(
        "/ask",
        response_model=AskedVerdict | list[AskedVerdict],
        responses=problem_responses(TooMuch, TooManyQuestions),
        openapi_extra=_ASK_BODY,
    )(_ask_route(moments, ask, words, desk))
    router.post(
        "/ask-pair",
        response_model=Sheet,
        responses=problem_responses(TooManyQuestions, TooMuch),
        max_body_size=MOST_QUESTION_BYTES,
    )(_pair_route(moments, ask, overhear, lay_rulings, words, priority, desk))
    router.get("/queries")(query_schemas)
    return router


def query_schemas() -> dict[str, Any]:
    """Every question kind with its fields, as JSON Schema; `EDITIONS` says who answers it."""
    return {
        kind: cls.schema_of_fields() | {"asks": cls.title(), "editions": sorted(cls.EDITIONS)}
        for kind, cls in QUERIES.items()
    }


def _ask_route(
    moments: Moments, ask: RefereePorts, words: WordFinder, desk: QuestionDesk
) -> Callable[..., Awaitable[JSONResponse]]:
    table, told_alone = asked_table(moments), asked_word(words)

    async def ask_about_table(
        request: Request,
        state: Annotated[TableState, table],
        word: Annotated[OneWord | None, told_alone],
        at: At = None,
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
            told: dict[str, Any] = {"ask": ask.about(at), "word": word, "supposing": supposing}
            verdicts = [ask_question(state, query, **told).model_dump(mode="json") for query in asked]
            return verdicts if is_list else verdicts[0]

        return JSONResponse(await desk.answer(request, answer, is_list=_may_be_list(body)))

    return ask_about_table


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


def _pair_route(
    moments: Moments,
    ask: RefereePorts,
    overhear: Overhear,
    lay_rulings: LayRulings,
    words: WordFinder,
    priority: RequestPriority,
    desk: QuestionDesk,
) -> Callable[..., Any]:
    table, told_alone = asked_table(moments), asked_word(words)

    async def ask_about_pair(
        request: Request,
        pair: Pair,
        state: Annotated[TableState, table],
        word: Annotated[OneWord | None, told_alone],
        at: At = None,
        accept: Annotated[str, Header()] = "",
    ) -> Any:
        """Answer everything about two miniatures, the most argued-about first.

        Who accepts `application/x-ndjson` gets a sheet a line, each with more answers than the one before.
        """
        if is_seated(request):
            told = pair_sheets(state, pair, ask=ask.about(at), begin=ask.begin)
            sheets = priority.urgent(told, until=lambda sheet: sheet.is_readable)
        else:  # who only watches neither keeps workers from players nor holds anybody back
            sheets = priority.background(pair_sheets(state, pair, ask=ask.about(at), begin=begin_nothing))
        if word is not None:
            sheets = mark_told(sheets, state, pair, word, ask=ask.about(at))
        if not pair.ghosts:  # nothing is ruled about what is only thought of
            sheets = (lay_rulings(sheet, at) for sheet in sheets)
        # who only watches does not feed the stream, and what was is not put on air again
        if Right.CORRECT in RIGHTS[seat_of(request)] and at is None:
            sheets = _pass_on(state, pair, sheets, overhear)
        return await desk.stream(request, sheets, accept, stage=lambda sheet: (sheet.is_readable, sheet.is_whole))

    return ask_about_pair


def _pass_on(state: TableState, pair: Pair, sheets: Iterator[Sheet], overhear: Overhear) -> Iterator[Sheet]:
    """The same sheets, one after the other."""
    for sheet in sheets:
        yield sheet
        if sheet.is_whole:
            from_thread.run_sync(overhear, state, pair, sheet)


_ASK_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": TypeAdapter(Query | list[Query] | HypotheticalQuestions).json_schema(
                    ref_template="#/components/schemas/{model}"
                )
            }
        },
    }
}
