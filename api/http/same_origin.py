"""Request checks against other sites: cross-site request forgery (CSRF) and DNS rebinding.

A site that somebody has open in the same browser must not play at the table, and a page whose name was pointed at
this machine is answered nothing. Starlette's `TrustedHostMiddleware` knows no addresses and refuses in plain text. An
address as such is safe: no name was looked up for it. Names are those by which a table is really called.
"""

import ipaddress
import socket
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from api.errors import CrossOriginRequest, UnknownHost
from api.http.problems import problem_response

_READS = {"GET", "HEAD", "OPTIONS"}
_OTHER_SITES = {"cross-site", "same-site"}  # the second is another port, or another name, of this machine
_LOCAL = ("localhost", "testserver")  # the second is what Starlette's client for tests calls every server


class SameOrigin:
    """Refuses what would change something, and the live socket, when a browser says that another site asks.

    It says so by `Sec-Fetch-Site`, by `Origin`, or, where it keeps both back, by `Referer`. Programs send none of them,
    and are let through.
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
    if headers.get("sec-fetch-site", "").lower() in _OTHER_SITES:
        return True
    origin = headers.get("origin", headers.get("referer"))
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


class HostCheck:
    """Refuses what is asked of another name than the table's; `names` are given by who started the server."""

    def __init__(self, app: ASGIApp, *, names: Collection[str] = ()) -> None:
        self._app = app
        machine = socket.gethostname().lower()
        self._names = {*_LOCAL, machine, machine.partition(".")[0], *map(str.lower, names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")
        if is_own_name(host, self._names):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            wrong = UnknownHost(
                "This table is not called so; start it with --name for a name of your own.", field="host", value=host
            )
            await problem_response(wrong.problem())(scope, receive, send)


def is_own_name(host: str, names: Collection[str]) -> bool:
    """Whether this is an address, a name of the local network, or one of these; a program may name none at all."""
    name = _without_port(host.strip().lower()).rstrip(".")
    if not name:
        return not host
    if name in names or name.endswith((".local", ".localhost")):
        return True
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host
