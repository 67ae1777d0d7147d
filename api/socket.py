"""The live socket: first a snapshot, then changes."""

import asyncio
import logging

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from api.hub import Hub
from api.listener import Listener
from api.live import SAID, AskSnapshot, Problem, Refused
from models.errors import BadInput

log = logging.getLogger(__name__)


def live(hub: Hub) -> APIRouter:
    """The route a phone keeps open."""
    router = APIRouter(prefix="/api/v1")

    @router.websocket("/live")
    async def listen(socket: WebSocket) -> None:
        await socket.accept()
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

    return router


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
        try:
            said = SAID.validate_json(text if text is not None else heard.get("bytes") or b"")
        except ValidationError as wrong:
            listener.put(_refusal(wrong).model_dump_json())
            continue
        if isinstance(said, AskSnapshot):
            listener.start_over()
        else:
            hub.want_pictures(listener, wanted=said.wanted)


def _refusal(wrong: ValidationError) -> Refused:
    first = wrong.errors(include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    value = first["input"] if isinstance(first["input"], str | int | float | bool | None) else None
    problem = BadInput(f"{field or '(whole)'}: {first['msg']}", field=field, value=value).problem()
    return Refused(problem=Problem.model_validate(problem))
