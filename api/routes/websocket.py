"""WebSocket: hello, a snapshot, then changes; the same as server-sent events for those who only listen."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import get_args

from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.sse import EventSourceResponse, format_sse_event
from pydantic import ValidationError
from starlette.requests import HTTPConnection

from api.http.openapi import media_response
from api.http.problems import tellable
from api.http.sse_broadcast import EVENTS, RETRY_MS, stream_events
from api.live.broadcast import Subscriber
from api.live.hub import Hub
from api.live.messages import CLIENT_MESSAGE, AskSnapshot, Hello, MessageRefused, Problem, WantPictures
from api.routes.auth import seat_of, seats_of, token_of
from api.routes.services import Table
from api.seats.permissions import RIGHTS, Right
from models.errors import BadInput

log = logging.getLogger(__name__)

_KNOWN = {get_args(cls.model_fields["type"].annotation)[0] for cls in (AskSnapshot, WantPictures)}
_BEGINS = '{"type":"'  # each message does: its type is its first field


router = APIRouter(prefix="/api/v1")


@router.websocket("/live")
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


@router.get("/events", tags=["table"], response_class=Response, responses=media_response(EVENTS))
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
    return Hello(seat=seat, rights=rights, has_joined=has_joined, **traits)


async def events(hub: Hub, first: Hello) -> AsyncIterator[bytes]:
    """Every message as an event, until the listener leaves or the server ends."""
    subscriber = hub.broadcast.subscribe()
    try:
        yield format_sse_event(event="hello", data_str=first.model_dump_json(), retry=RETRY_MS)
        while not hub.broadcast.is_closed:
            text = await subscriber.next()
            yield format_sse_event(event=_type_of(text), data_str=text)
    finally:
        hub.unsubscribe(subscriber)


def _type_of(text: str) -> str:
    return text[len(_BEGINS) : text.index('"', len(_BEGINS))]


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
