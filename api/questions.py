"""Asking over HTTP: one question, a list, or everything about a pair."""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Annotated, Any

from anyio import from_thread
from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse
from pydantic import Field, TypeAdapter
from starlette.concurrency import run_in_threadpool

from api.errors import TooMuch
from api.etiquette import of_ghosts
from api.growing import grown
from api.halted import Referees
from api.moments import At, Moments, asked_table
from api.openapi import problems
from api.pair import Pair, Sheet, sheets_of
from api.seats.asking import seat_of
from api.seats.seat import RIGHTS, Right
from api.supposing import Supposing, as_supposed
from api.turns import Turns
from models.errors import BadQuery
from models.queries import QUERIES, Asked, Query
from models.reading import read, read_queries
from models.state import TableState
from models.verdict import Verdict

MOST_BYTES = 1_000_000
MOST_QUESTIONS = 200

Overhear = Callable[[TableState, Pair, Sheet], None]


class AskSupposing(Supposing):
    """Questions about the table with something supposed: `ghosts` stand where they are thought of."""

    questions: tuple[Query, ...] = Field(min_length=1, max_length=MOST_QUESTIONS)


def questions(moments: Moments, *, ask: Referees, overhear: Overhear, turns: Turns) -> APIRouter:
    """The routes that answer questions about the table; whole sheets of now are overheard on the server's loop."""
    router = APIRouter(prefix="/api/v1", tags=["questions"])
    router.post("/ask", response_model=Verdict | list[Verdict], responses=problems(TooMuch), openapi_extra=_ASK_BODY)(
        _ask_route(moments, ask)
    )
    router.post("/ask-pair", response_model=Sheet)(_pair_route(moments, ask, overhear, turns))
    router.get("/queries")(query_schemas)
    return router


def query_schemas() -> dict[str, Any]:
    """Every question kind with its fields, as JSON Schema; `EDITIONS` says who answers it."""
    return {
        kind: cls.schema_of_fields() | {"asks": cls.title(), "editions": sorted(cls.EDITIONS)}
        for kind, cls in QUERIES.items()
    }


def _ask_route(moments: Moments, ask: Referees) -> Callable[..., Awaitable[JSONResponse]]:
    table = asked_table(moments)

    async def ask_about_table(request: Request, state: Annotated[TableState, table], at: At = None) -> JSONResponse:
        """Answer one question, a list of them, or questions about a table with something supposed.

        A list is checked whole first, and answered in its order.
        """
        asked, is_list, supposing = _asked(await _body(request))
        if len(asked) > MOST_QUESTIONS:
            raise TooMuch(f"at most {MOST_QUESTIONS} questions at once", field="", value=len(asked))
        if supposing is not None:
            state = as_supposed(state, supposing)
        referee = of_ghosts(ask.about(at), () if supposing is None else supposing.ghosts)
        verdicts = await run_in_threadpool(lambda: [referee(state, query).model_dump(mode="json") for query in asked])
        return JSONResponse(verdicts if is_list else verdicts[0])

    return ask_about_table


def _asked(body: bytes) -> tuple[Sequence[Asked], bool, Supposing | None]:
    """The questions, whether they are a list, and what is supposed. Raises: BadQuery."""
    if _supposes(body):
        whole = read(AskSupposing, body, error=BadQuery)
        return whole.questions, True, whole
    asked, is_list = read_queries(body)
    return asked, is_list, None


def _supposes(body: bytes) -> bool:
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(raw, dict) and "questions" in raw


def _pair_route(moments: Moments, ask: Referees, overhear: Overhear, turns: Turns) -> Callable[..., Any]:
    table = asked_table(moments)

    def ask_about_pair(
        request: Request,
        pair: Pair,
        state: Annotated[TableState, table],
        at: At = None,
        accept: Annotated[str, Header()] = "",
    ) -> Any:
        """Answer everything about two miniatures, the most argued-about first.

        Who accepts `application/x-ndjson` gets a sheet a line, each with more answers than the one before.
        """
        told = sheets_of(state, pair, ask=ask.about(at), begin=ask.begin)
        sheets = turns.hurried(told, until=lambda sheet: sheet.is_readable)
        # who only watches does not feed the stream, and what was is not put on air again
        if Right.CORRECT in RIGHTS[seat_of(request)] and at is None:
            sheets = _overheard(state, pair, sheets, overhear)
        return grown(sheets, accept, stage=lambda sheet: (sheet.is_readable, sheet.is_whole))

    return ask_about_pair


def _overheard(state: TableState, pair: Pair, sheets: Iterator[Sheet], overhear: Overhear) -> Iterator[Sheet]:
    """The same sheets, one after the other."""
    for sheet in sheets:
        yield sheet
        if sheet.is_whole:
            from_thread.run_sync(overhear, state, pair, sheet)


async def _body(request: Request) -> bytes:
    """The body, unless it is absurdly long. Raises: TooMuch."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise TooMuch(f"at most {MOST_BYTES} bytes at once", field="", value=None)
    return bytes(body)


_ASK_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": TypeAdapter(Query | list[Query] | AskSupposing).json_schema(
                    ref_template="#/components/schemas/{model}"
                )
            }
        },
    }
}
