"""Overlay routes: a stream of boards to draw, and what judge and producer may do to them."""

import json
from pathlib import Path
from string import Template
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi import Path as Param
from fastapi.sse import EventSourceResponse
from starlette.concurrency import run_in_threadpool

from api.answers.answer_line import Line, answer_line
from api.answers.one_word import OneWord, ask_question, mark_told
from api.answers.pair_sheet import Pair, pair_sheets
from api.errors import JournalFailed, NoSuchMoment, NoSuchWidget, NoTableYet, NotAllowed, NotOnAir
from api.evaluation.cache import Ask
from api.evidence.schemas import TablePart
from api.http.openapi import media_response, problem_responses
from api.http.security_headers import add_page
from api.http.sse_broadcast import EVENTS, stream_events
from api.overlay.schemas import Board, OnAirItem, Production, PutOnAir, Resolution
from api.overlay.service import FIRST, pair_of, threat_line
from api.routes.auth import Producer
from api.routes.services import Table
from api.storage.plugins import load_plugins
from models.errors import BadQuery
from models.parsing import parse_query
from models.queries import BaseQuery
from models.state import TableState

router = APIRouter(prefix="/api/v1/overlay", tags=["overlay"])
_JPEG, _SCRIPT = media_response("image/jpeg"), media_response("text/javascript")


@router.get("")
async def board(table: Table) -> Board:
    """What is on air, and how the stream is fed."""
    return table.bench.overlay.board()


@router.get("/stream", response_class=Response, responses=media_response(EVENTS))
async def stream(table: Table) -> EventSourceResponse:
    """The board, whole, each time it changes and every few seconds, as server-sent events."""
    return stream_events(table.bench.board_stream.events())


@router.get("/air/{id_}.jpg", response_class=Response, responses=_JPEG | problem_responses(NotOnAir))
async def picture(id_: int, table: Table) -> Response:
    """The table from above, as it was when this was put on air."""
    jpeg = table.bench.overlay.picture_of(id_)
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "max-age=600"})


@router.get("/widgets")
async def widgets() -> tuple[str, ...]:
    """Names of the widgets that other packages bring: what `/overlay?widgets=NAME` may name beside those that ship."""
    return tuple(load_plugins("tableside.overlay_widgets").loaded)


@router.get("/widgets/{name}.js", response_class=Response, responses=_SCRIPT | problem_responses(NoSuchWidget))
def widget(name: Annotated[str, Param(max_length=60, pattern=r"^[A-Za-z0-9][\w.-]*$")]) -> Response:
    """A widget of another package: a module whose default export draws a board into an element."""
    file = load_plugins("tableside.overlay_widgets").loaded.get(name)
    try:
        script = None if file is None else Path(file).read_bytes()
    except (OSError, TypeError) as wrong:
        raise NoSuchWidget(f"the widget {name} cannot be read: {wrong}", field="name", value=name) from wrong
    if script is None:
        raise NoSuchWidget(f"no package brings a widget {name}", field="name", value=name)
    return Response(script, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@router.put("/production", responses=problem_responses(JournalFailed))
async def produce(production: Production, _: Producer, table: Table) -> Board:
    """Feed the stream like this from now on."""
    table.bench.overlay.set_production(production)
    return table.bench.overlay.board()


@router.post("/air", status_code=201, responses=problem_responses(NoTableYet, NoSuchMoment))
async def put_on_air(wanted: PutOnAir, _: Producer, table: Table) -> OnAirItem:
    """Ask the referee, and put the answer on air."""
    if sum(subject is not None for subject in (wanted.pair, wanted.query, wanted.threat_of)) != 1:
        raise BadQuery("give a pair, a query, or one whose threat is shown", field="query", value=None)
    state, referee = table.moments.table(wanted.at), table.referee.about(wanted.at)
    word = table.open_facts.word(wanted.at)
    overlay, lay_lines = table.bench.overlay, table.bench.rulings.lay_lines
    if wanted.pair is not None:
        lines = await run_in_threadpool(_choose_lines, state, wanted.pair, wanted.slots, referee, word)
        lines = lay_lines(lines, wanted.at)
        return overlay.put_on(state, lines, a=wanted.pair.a, b=wanted.pair.b, stays=wanted.stays, at=wanted.at)
    if wanted.threat_of is not None:
        line = await run_in_threadpool(threat_line, state, wanted.threat_of, ask=referee, word=word)
        return overlay.put_on(state, (line,), a=wanted.threat_of, b=None, stays=wanted.stays, at=wanted.at)
    query = parse_query(wanted.query or {})
    line = await run_in_threadpool(_answer, state, query, referee, word)
    a, b = pair_of(query)
    return overlay.put_on(state, lay_lines((line,), wanted.at), a=a, b=b, stays=wanted.stays, at=wanted.at)


@router.delete("/air")
async def take_off(_: Producer, table: Table) -> Board:
    """Take everything off air."""
    table.bench.overlay.take_off()
    return table.bench.overlay.board()


@router.post("/air/{id_}/resolved", responses=problem_responses(NotOnAir))
async def resolve(id_: int, how: Resolution, _: Producer, table: Table) -> OnAirItem:
    """The players have settled it, or the judge has ruled: it may be shown."""
    return table.bench.overlay.resolve(id_, ruling=how.ruling)


@router.get("/air/{id_}/part.jpg", response_class=Response, responses=_JPEG | problem_responses(NotOnAir, NotAllowed))
def part(id_: int, wanted: Annotated[TablePart, Query()], _: Producer, table: Table) -> Response:
    """A part of the table from above, as finely as the camera saw it when this was measured; never the room."""
    rest, evidence = table.bench.overlay.rest_of(id_), table.bench.evidence
    jpeg = None if rest is None or evidence is None else evidence.part(rest.n, wanted)
    if jpeg is None:
        raise NotOnAir(f"of what is numbered {id_} the camera's picture is not kept", field="id", value=id_)
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=600"})


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


# A browser source that was opened before the server shows an error page and never looks again. This file lies on the
# streaming machine, so it is always there: it waits for the server and then holds the overlay. No color-scheme is
# named, or the frame would not be transparent.
_LOADER = Template("""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tableside overlay</title>
<style>
  html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0; display: block; }
  html, body, iframe { background: transparent; overflow: hidden; }
</style>
<body>
<script>
  const overlay = new URL($address);
  const again_ms = 1500;
  async function look() {
    try {
      await fetch(new URL("/api/v1/health", overlay), { mode: "no-cors", cache: "no-store" });
    } catch {
      setTimeout(look, again_ms);
      return;
    }
    const frame = document.createElement("iframe");
    frame.title = "Overlay";
    frame.src = overlay.href;
    document.body.replaceChildren(frame);
  }
  look();
</script>
""")


def add_overlay_page(app: FastAPI) -> None:
    """Serve the page at `/overlay`, and the file to download at `/overlay/loader.html`."""
    add_page(app, "/overlay", "overlay.html")

    @app.get("/overlay/loader.html", include_in_schema=False)
    def loader(request: Request) -> Response:
        """A file that opens the overlay at this address, with the parameters it was asked for with."""
        address = request.url.replace(path="/overlay")
        return Response(
            loader_of(str(address)),
            media_type="text/html",
            headers={"Content-Disposition": 'attachment; filename="tableside-overlay.html"'},
        )


def loader_of(address: str) -> str:
    """The file's text; `<` is escaped so that nothing in the address can end the script."""
    return _LOADER.substitute(address=json.dumps(address).replace("<", "\\u003c"))
