"""Asking over HTTP: one question, a list, or everything about a pair."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from threading import Lock
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from api.errors import NoTableYet, TooMuch
from api.hub import Hub
from api.pair import Ask, Pair, Sheet, sheet_of
from models.queries import QUERIES, QUERY
from models.reading import read_queries
from models.state import TableState
from models.verdict import Verdict

MOST_BYTES = 1_000_000
MOST_QUESTIONS = 200
REMEMBERED_SHEETS = 256  # several phones ask about the same pair, and players swap A and B back and forth


def questions(hub: Hub, *, ask: Ask) -> APIRouter:
    """The routes that answer questions about the hub's table."""
    router = APIRouter(prefix="/api/v1", tags=["questions"])
    router.post("/ask", response_model=Verdict | list[Verdict], openapi_extra=_ASK_BODY)(_ask_route(hub, ask))
    router.post("/ask-pair", response_model=Sheet)(_pair_route(hub, ask))
    router.get("/queries")(query_schemas)
    return router


def query_schemas() -> dict[str, Any]:
    """Every question kind with its fields, as JSON Schema; `EDITIONS` says who answers it."""
    return {
        kind: cls.model_json_schema() | {"asks": cls.title(), "editions": sorted(cls.EDITIONS)}
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


def _pair_route(hub: Hub, ask: Ask) -> Callable[[Pair], Sheet]:
    known: OrderedDict[tuple[str, Pair], Sheet] = OrderedDict()
    one_at_a_time = Lock()  # phones that ask about the same pair at once then share one answer

    def ask_about_pair(pair: Pair) -> Sheet:
        """Answer everything about two miniatures, the most argued-about first."""
        state = table_of(hub)
        key = (state.state_id, pair)
        with one_at_a_time:
            if key not in known:
                known[key] = sheet_of(state, pair, ask=ask)
            while len(known) > REMEMBERED_SHEETS:
                known.popitem(last=False)
            return known[key]

    return ask_about_pair


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
