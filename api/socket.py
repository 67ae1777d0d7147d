"""The live socket: hello, a snapshot, then changes; and the same for those who only listen, as server-sent events."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import get_args

from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse
from pydantic import ValidationError
from starlette.requests import HTTPConnection

from api.bulletin import EVENTS, UNKEPT
from api.hub import Hub
from api.listener import Listener
from api.live import SAID, AskSnapshot, Hello, Problem, Refused, WantPictures
from api.openapi import content
from api.seats.asking import seat_of
from api.seats.seat import RIGHTS, Right
from models.errors import BadInput

log = logging.getLogger(__name__)

_KNOWN = {get_args(cls.model_fields["type"].annotation)[0] for cls in (AskSnapshot, WantPictures)}
_BEGINS = '{"type":"'  # each message does: its type is its first field


def live(hub: Hub) -> APIRouter:
    """The route a phone keeps open."""
    router = APIRouter(prefix="/api/v1")

    @router.websocket("/live")
    async def listen(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text(hello(hub, socket).model_dump_json())
        listener = hub.listen()
        talking = asyncio.create_task(_talk(socket, listener))
        try:
            await _hear(socket, hub, listener)
        except WebSocketDisconnect:
            log.debug("a phone left")
        finally:
            hub.leave(listener)
            talking.cancel()
            await asyncio.gather(talking, return_exceptions=True)

    @router.get("/events", tags=["table"], response_class=Response, responses=content(EVENTS))
    async def follow(request: Request) -> StreamingResponse:
        """All that the live socket tells, as server-sent events named by their type, for those who only listen."""
        return StreamingResponse(events(hub, hello(hub, request)), media_type=EVENTS, headers=UNKEPT)

    return router


def hello(hub: Hub, asking: HTTPConnection) -> Hello:
    """The first word to who asks."""
    seat = seat_of(asking)
    rights = tuple(right for right in Right if right in RIGHTS[seat])
    return Hello(title=hub.title, seat=seat, rights=rights)


async def events(hub: Hub, first: Hello) -> AsyncIterator[str]:
    """Every message as an event, until the listener leaves or the server ends."""
    listener = hub.listen()
    try:
        yield f"retry: 1000\nevent: hello\ndata: {first.model_dump_json()}\n\n"
        while not hub.is_closed:
            text = await listener.next()
            yield f"event: {_type_of(text)}\ndata: {text}\n\n"
    finally:
        hub.leave(listener)


def _type_of(text: str) -> str:
    return text[len(_BEGINS) : text.index('"', len(_BEGINS))]


async def _talk(socket: WebSocket, listener: Listener) -> None:
    """Send what waits, until the phone is gone."""
    while True:
        await socket.send_text(await listener.next())


async def _hear(socket: WebSocket, hub: Hub, listener: Listener) -> None:
    """Take in what the phone says; nonsense is answered with a problem and changes nothing."""
    while True:
        heard = await socket.receive()
        if heard["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(heard.get("code", 1005))
        text = heard.get("text")
        if is_unknown(text):
            continue
        try:
            said = SAID.validate_json(text if text is not None else heard.get("bytes") or b"")
        except ValidationError as wrong:
            listener.put(_refusal(wrong).model_dump_json())
            continue
        if isinstance(said, AskSnapshot):
            listener.start_over()
        else:
            hub.want_pictures(listener, wanted=said.wanted)


def is_unknown(text: str | None) -> bool:
    """Whether this is a message of a type that a later version may know; it is passed over."""
    try:
        said = json.loads(text or "")
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and isinstance(said.get("type"), str) and said["type"] not in _KNOWN


def _refusal(wrong: ValidationError) -> Refused:
    first = wrong.errors(include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    value = first["input"] if isinstance(first["input"], str | int | float | bool | None) else None
    problem = BadInput(f"{field or '(whole)'}: {first['msg']}", field=field, value=value).problem()
    return Refused(problem=Problem.model_validate(problem))
