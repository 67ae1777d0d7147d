"""Same-origin check: a site somebody has open in the same browser must not play at the table."""

from typing import Any
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from api.errors import CrossOriginRequest
from api.http.problems import problem_response

_READS = {"GET", "HEAD", "OPTIONS"}


class SameOrigin:
    """Refuses what would change something, and the live socket, when a browser says that another site asks.

    Programs name no origin, and are let through.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and _is_elsewhere(scope):
            await _refuse(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _is_elsewhere(scope: Scope) -> bool:
    if scope["type"] == "http" and scope["method"] in _READS:
        return False
    headers = HTTPConnection(scope).headers
    origin = headers.get("origin")
    return origin is not None and _netloc(origin) != headers.get("host", "").lower()


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    wrong: dict[str, Any] = CrossOriginRequest("Another site asked for this; open the table's own page.").problem()
    await problem_response(wrong)(scope, receive, send)
