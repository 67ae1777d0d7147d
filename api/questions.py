"""Asking over HTTP: one question, a list, or everything about a pair."""

from collections.abc import Awaitable, Callable, Iterator
from itertools import chain
from typing import Annotated, Any

from anyio import from_thread
from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.concurrency import run_in_threadpool

from api.errors import NoTableYet, TooMuch
from api.hub import Hub
from api.memory import Ask
from api.pair import Pair, Sheet, sheets_of
from api.seats.asking import seat_of
from api.seats.seat import RIGHTS, Right
from models.queries import QUERIES, QUERY
from models.reading import read_queries
from models.state import TableState
from models.verdict import Verdict

MOST_BYTES = 1_000_000
MOST_QUESTIONS = 200
GROWING = "application/x-ndjson"


Overhear = Callable[[TableState, Pair, Sheet], None]


def questions(hub: Hub, *, ask: Ask, overhear: Overhear) -> APIRouter:
    """The routes that answer questions about the hub's table; whole sheets are overheard on the server's loop."""
    router = APIRouter(prefix="/api/v1", tags=["questions"])
    router.post("/ask", response_model=Verdict | list[Verdict], openapi_extra=_ASK_BODY)(_ask_route(hub, ask))
    router.post("/ask-pair", response_model=Sheet)(_pair_route(hub, ask, overhear))
    router.get("/queries")(query_schemas)
    return router


def query_schemas() -> dict[str, Any]:
    """Every question kind with its fields, as JSON Schema; `EDITIONS` says who answers it."""
    return {
        kind: cls.schema_of_fields() | {"asks": cls.title(), "editions": sorted(cls.EDITIONS)}
        for kind, cls in QUERIES.items()
    }


def table_of(hub: Hub) -> TableState:
    """The table as it is now. Raises: NoTableYet."""
    if hub.state is None:
        raise NoTableYet("The camera has not seen the whole table at rest yet.")
    return hub.state


def _ask_route(hub: Hub, ask: Ask) -> Callable[[Request], Awaitable[JSONResponse]]:
    async def ask_about_table(request: Request) -> JSONResponse:
        """Answer one question or a list of them; a list is checked whole first."""
        asked, is_list = read_queries(await _body(request))
        if len(asked) > MOST_QUESTIONS:
            raise TooMuch(f"at most {MOST_QUESTIONS} questions at once", field="", value=len(asked))
        state = table_of(hub)
        verdicts = await run_in_threadpool(lambda: [ask(state, query).model_dump(mode="json") for query in asked])
        return JSONResponse(verdicts if is_list else verdicts[0])

    return ask_about_table


def _pair_route(hub: Hub, ask: Ask, overhear: Overhear) -> Callable[..., Any]:
    def ask_about_pair(request: Request, pair: Pair, accept: Annotated[str, Header()] = "") -> Any:
        """Answer everything about two miniatures, the most argued-about first.

        Who accepts `application/x-ndjson` gets a sheet a line, each with an answer more than the one before.
        """
        state = table_of(hub)
        sheets = sheets_of(state, pair, ask=ask)
        if Right.CORRECT in RIGHTS[seat_of(request)]:  # who only watches does not feed the stream
            sheets = _overheard(state, pair, sheets, overhear)
        if GROWING not in accept:
            (*_, whole) = sheets
            return whole
        first = next(sheets)  # here, so that a bad pair is a problem and no broken stream
        lines = (f"{sheet.model_dump_json()}\n" for sheet in chain([first], sheets))
        return StreamingResponse(lines, media_type=GROWING)

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
        "content": {"application/json": {"schema": QUERY.json_schema(ref_template="#/components/schemas/{model}")}},
    }
}
