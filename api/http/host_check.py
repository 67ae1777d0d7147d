"""Host check: a page of another site whose name was pointed at this machine (DNS rebinding) is answered nothing.

Starlette's `TrustedHostMiddleware` knows no addresses and refuses in plain text. An address as such is safe: no name
was looked up for it. Names are those by which a table is really called.
"""

import ipaddress
import socket
from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from api.errors import UnknownHost
from api.http.problems import problem_response

_LOCAL = ("localhost", "testserver")  # the second is what Starlette's client for tests calls every server


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
        told = Headers(scope=scope).get("host", "")
        if is_own_name(told, self._names):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            wrong = UnknownHost(
                "This table is not called so; start it with --name for a name of your own.", field="host", value=told
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
