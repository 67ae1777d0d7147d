"""Table routes: the table as it is and was, its pictures, and the live socket."""

import asyncio
import io
import json
import logging
import re
from collections.abc import AsyncIterator
from typing import Annotated, get_args

import segno
from anyio import to_thread
from fastapi import APIRouter, Header, Path, Query, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.sse import EventSourceResponse, format_sse_event
from pydantic import Field, ValidationError
from starlette.requests import HTTPConnection

from api.errors import JournalFailed, NoPicture
from api.http.openapi import media_response, problem_responses
from api.http.problems import tellable
from api.http.sse_broadcast import EVENTS, RETRY_MS, stream_events
from api.journal.signature import newest_key
from api.live.alarms import Alarm
from api.live.annotated_video import MJPEG, SizedPicture, Wanted, annotate_picture, stream_frames
from api.live.broadcast import Subscriber
from api.live.hub import Hub
from api.live.messages import CLIENT_MESSAGE, AskSnapshot, Freshness, Hello, MessageRefused, Problem, WantPictures
from api.live.moments import MOST_AT_ONCE, Moment
from api.routes.auth import Judge, seat_of, seats_of, token_of
from api.routes.services import AskedTable, Table
from api.seats.permissions import RIGHTS, Right, Seat
from api.tables.schemas import MOST_ASKED, OpenDispute, Tables, TablesListed, TableSummary
from models.errors import BadInput
from models.frozen import Frozen
from models.state import TableState

LONGEST_SAID = 800
_JPEG = media_response("image/jpeg") | problem_responses(NoPicture)
_VIDEO = media_response("multipart/x-mixed-replace") | problem_responses(NoPicture)
_SVG = media_response("image/svg+xml")
_UNKEPT = {"Cache-Control": "no-store"}
After = Annotated[int, Query(ge=0, description="only what stands on later lines")]
AtMost = Annotated[int, Query(ge=1, le=MOST_AT_ONCE)]
# Versions begin anew with each start of the server, so a picture that was kept might be another game's.
Since = Annotated[str, Query(max_length=40, description="the version of the picture that the page holds")]

router = APIRouter(prefix="/api/v1", tags=["table"])
tables_router = APIRouter(prefix="/api/v1", tags=["tables"])
"""For a judge who looks after several tables."""
qr_router = APIRouter(prefix="/api/v1", tags=["table"])


WEBP = "image/webp"
Width = Annotated[int | None, Query(ge=1, le=10_000, description="how many pixels it has on the screen; else all")]
Accept = Annotated[str, Header(include_in_schema=False)]
log = logging.getLogger(__name__)
_KNOWN = {get_args(cls.model_fields["type"].annotation)[0] for cls in (AskSnapshot, WantPictures)}
_BEGINS = '{"type":"'  # each message does: its type is its first field


def picture_response(picture: SizedPicture, *, kept: str, version: str | None = None) -> Response:
    """The picture; a part says in `Picture-Place` where its corner lies and how large the whole is."""
    headers = {"Cache-Control": kept, "Vary": "Accept"}
    if version is not None:
        headers["Picture-Version"] = version
    if picture.whole_px != (0, 0):
        headers["Picture-Place"] = f"{picture.left_px} {picture.top_px} {picture.whole_px[0]} {picture.whole_px[1]}"
    return Response(picture.content, media_type=picture.media_type, headers=headers)


class Health(Frozen):
    """Whether the server lives, and what it knows."""

    seq: int
    title: str
    fresh: Freshness
    problem: Problem | None
    alarms: tuple[Alarm, ...] = Field(description="what is not as it should be with the server itself")


@router.get("/state", response_model=TableState)
def state(state: AskedTable) -> JSONResponse:
    """The whole state, as `tableside ask` reads it."""
    return JSONResponse(state.model_dump(mode="json", exclude_none=True))


@router.get("/health")
async def health(table: Table) -> Health:
    """Whether the server lives, and what it knows."""
    now = table.hub.snapshot()
    return Health(seq=now.seq, title=now.title, fresh=now.fresh, problem=now.problem, alarms=now.alarms)


@router.get("/picture.jpg", response_class=Response, responses=_JPEG)
async def picture(table: Table, w: Width = None, since: Since = "", accept: Accept = "") -> Response:
    """The table from above, far edge up; nothing beyond the table's edge is in it.

    As WebP for who accepts it. A page that names the `Picture-Version` it holds gets what changed since, where that
    is known: `Picture-Place` says where it belongs.
    """
    table.hub.note_picture_fetched()
    newest = table.hub.live_picture
    if newest.jpeg is None:
        raise NoPicture("The camera has sent no picture of the table yet.")
    part, name = newest.changed_since(since) if since else None, newest.name
    if part is not None and part.right_px == 0:
        return Response(status_code=204, headers={**_UNKEPT, "Picture-Version": name})
    picture = await table.picture_sizes.fit(newest.jpeg, Wanted(w, WEBP in accept, part))
    return picture_response(picture, kept="no-store", version=name)


@router.get("/annotated.jpg", response_class=Response, responses=_JPEG)
async def annotated_picture(table: Table) -> Response:
    """The same with bases, facings, names and terrain drawn into it."""
    table.hub.note_picture_fetched()
    return Response(await annotate_picture(table.hub), media_type="image/jpeg", headers=_UNKEPT)


@router.get("/stream.mjpeg", response_class=Response, responses=_VIDEO)
async def stream(table: Table) -> StreamingResponse:
    """The annotated picture as video, a new frame whenever something changed."""
    await annotate_picture(table.hub)  # here, so that its lack is a problem and no broken stream
    return StreamingResponse(stream_frames(table.hub), media_type=MJPEG, headers=_UNKEPT)


@router.get("/moments")
def all_moments(table: Table, after: After = 0, most: AtMost = 200) -> tuple[Moment, ...]:
    """What happened at this table, the oldest first. Each may be asked about: `?at=` its number."""
    return tuple(table.moments.all(after=after, most=most))


@router.get("/moments/{at}/picture.jpg", response_class=Response, responses=_JPEG, name="picture")
async def past_picture(table: Table, at: Annotated[int, Path(ge=1)], w: Width = None, accept: Accept = "") -> Response:
    """The table from above as it was at this moment, where its picture is kept; as WebP for who accepts it."""
    evidence = table.bench.evidence
    jpeg = None if evidence is None else await to_thread.run_sync(evidence.picture, at)
    if jpeg is None:
        raise NoPicture(f"No picture of moment {at} is kept.")
    sized = await table.past_picture_sizes.fit(jpeg, Wanted(w, WEBP in accept))
    return picture_response(sized, kept="private, max-age=86400")


@tables_router.get("/glance")
async def glance(request: Request, response: Response, table: Table) -> TableSummary:
    """What a judge wants to know of this table from afar. Pages of other tables may read it."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cache-Control"] = "no-store"
    seats = seats_of(request)
    return summarise_table(table.hub, devices={} if seats is None else seats.count_devices())


@tables_router.get("/tables")
async def list_tables(table: Table) -> Tables:
    """The tables the judge looks after, as they were last put down here."""
    return _list_tables(table.hub)


@tables_router.put("/tables", responses=problem_responses(JournalFailed))
async def put_down(tables: Tables, seat: Judge, table: Table) -> Tables:
    """Put down the tables the judge looks after."""
    table.hub.journal.write(TablesListed(by=seat, tables=tables.tables))
    return _list_tables(table.hub)


@qr_router.get("/qr.svg", response_class=Response, responses=_SVG)
def draw_code(says: Annotated[str, Query(min_length=1, max_length=LONGEST_SAID)]) -> Response:
    """This text as a QR code, dark on light, as SVG."""
    return Response(draw_qr(says), media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


def draw_qr(says: str) -> bytes:
    out = io.BytesIO()
    segno.make(says, error="m").save(out, kind="svg", dark="#000", light="#fff", border=3, omitsize=True, xmldecl=False)
    return out.getvalue()


def summarise_table(hub: Hub, *, devices: dict[Seat, int]) -> TableSummary:
    state = hub.state
    return TableSummary(
        title=hub.title,
        edition=state.edition if state else None,
        scenario=state.scenario.name if state and state.scenario else None,
        turn=state.turn if state else None,
        miniatures=sum("removed" not in m.status for m in state.miniatures) if state else 0,
        fresh=hub.source.freshness(),
        problem=hub.source.problem,
        devices=devices,
        players={seat: player.name for seat, player in hub.score.board.players.items()},
        clocks=hub.clocks.shown(),
        question=_open_question(hub),
    )


def _open_question(hub: Hub) -> OpenDispute | None:
    """The open dispute with names for its letters."""
    state, dispute = hub.state, hub.disputes.standing(hub.state)
    if state is None or dispute is None:
        return None
    names = {m.id: m.name or m.id for m in state.miniatures}
    letters = {"A": names.get(dispute.a, dispute.a), "B": names.get(dispute.b, dispute.b)}
    asked = re.sub(r"\b[AB]\b", lambda letter: letters[letter[0]], dispute.title)
    return OpenDispute(asked=asked[:MOST_ASKED], at_s=dispute.at_s, is_judge_called=dispute.is_judge_called)


def _list_tables(hub: Hub) -> Tables:
    line = hub.journal.newest(TablesListed)
    return Tables(tables=line.entry.tables if line is not None and isinstance(line.entry, TablesListed) else ())


socket_router = APIRouter(prefix="/api/v1")


@socket_router.websocket("/live")
async def listen(socket: WebSocket, table: Table) -> None:
    """The route that a phone keeps open."""
    hub = table.hub
    await socket.accept()
    await socket.send_text(make_hello(hub, socket).model_dump_json())
    subscriber = hub.broadcast.subscribe()
    talking = asyncio.create_task(_send_messages(socket, subscriber))
    try:
        await _receive_messages(socket, hub, subscriber)
    except WebSocketDisconnect:
        log.debug("a phone left")
    finally:
        hub.unsubscribe(subscriber)
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)


@socket_router.get("/events", tags=["table"], response_class=Response, responses=media_response(EVENTS))
async def follow(request: Request, table: Table) -> EventSourceResponse:
    """All that the live socket tells, as server-sent events named by their type, for those who only listen."""
    return stream_events(events(table.hub, make_hello(table.hub, request)))


def make_hello(hub: Hub, asking: HTTPConnection) -> Hello:
    """The first word to who asks."""
    seat = seat_of(asking)
    rights = tuple(right for right in Right if right in RIGHTS[seat])
    traits = {name: getattr(hub, name) for name in ("title", "by_photograph", "keeps_evidence", "is_replay")}
    seats = seats_of(asking)
    has_joined = seats is not None and seats.is_known(token_of(asking))
    key = newest_key(hub.journal)
    return Hello(seat=seat, rights=rights, has_joined=has_joined, table_key=key, **traits)


async def events(hub: Hub, first: Hello) -> AsyncIterator[bytes]:
    """Every message as an event, until the listener leaves or the server ends."""
    subscriber = hub.broadcast.subscribe()
    try:
        yield format_sse_event(event="hello", data_str=first.model_dump_json(), retry=RETRY_MS)
        while not hub.broadcast.is_closed:
            text = await subscriber.next()
            yield format_sse_event(event=text[len(_BEGINS) : text.index('"', len(_BEGINS))], data_str=text)
    finally:
        hub.unsubscribe(subscriber)


async def _send_messages(socket: WebSocket, subscriber: Subscriber) -> None:
    """Send what waits, until the phone is gone."""
    while True:
        await socket.send_text(await subscriber.next())


async def _receive_messages(socket: WebSocket, hub: Hub, subscriber: Subscriber) -> None:
    """Take in what the phone says; nonsense is answered with a problem and changes nothing."""
    while True:
        heard = await socket.receive()
        if heard["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(heard.get("code", 1005))
        text = heard.get("text")
        if is_unknown(text):
            continue
        try:
            said = CLIENT_MESSAGE.validate_json(text if text is not None else heard.get("bytes") or b"")
        except ValidationError as wrong:
            subscriber.put(_refuse(wrong).model_dump_json())
            continue
        if isinstance(said, AskSnapshot):
            subscriber.start_over()
        else:
            hub.want_pictures(subscriber, wanted=said.wanted)


def is_unknown(text: str | None) -> bool:
    """Whether this is a message of a type that a later version may know; it is passed over."""
    try:
        said = json.loads(text or "")
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and isinstance(said.get("type"), str) and said["type"] not in _KNOWN


def _refuse(wrong: ValidationError) -> MessageRefused:
    first = wrong.errors(include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    value = first["input"] if isinstance(first["input"], str | int | float | bool | None) else None
    problem = BadInput(f"{field or '(whole)'}: {first['msg']}", field=field, value=value).problem()
    return MessageRefused(problem=Problem.model_validate(tellable(problem)))
