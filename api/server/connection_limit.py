"""Connection limit: how many lines one client may hold, how many there may be, and how long a request may take to come.

uvicorn's own `limit_concurrency` counts everybody as one and answers in plain text, and it waits for ever for a request
that never comes whole. So its protocols are told here when a line begins, when its request is there, and when it ends.
"""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Collection
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

log = logging.getLogger(__name__)

MOST_FROM_ONE = 256  # a hall behind one router: a hundred watchers and their pages
MOST_ALTOGETHER = 2000
SPARE_DESCRIPTORS = 256  # for the journal, the workers, the camera and a burst of newcomers that are turned away
HEADER_S, BODY_S = 10.0, 120.0
_NO_REQUEST = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n"
_SAID_AGAIN_S = 60.0


class ConnectionLimits:
    """Counts lines by the address they come from."""

    def __init__(
        self,
        *,
        from_one: int = MOST_FROM_ONE,
        altogether: int = MOST_ALTOGETHER,
        header_s: float = HEADER_S,
        body_s: float = BODY_S,
        proxies: Collection[str] = (),
    ) -> None:
        """`proxies` may hold as many lines as there are: many clients ask through each."""
        self._proxies = frozenset(proxies)
        self.header_s, self.body_s = header_s, body_s
        self._from_one, self._altogether = from_one, altogether
        self._lines: dict[asyncio.BaseTransport, str] = {}
        self._counted: Counter[str] = Counter()
        self._said_s = -_SAID_AGAIN_S

    def admit(self, line: asyncio.BaseTransport) -> bool:
        """Whether there is room for this line, which then has it."""
        address = _address_of(line)
        is_full = address not in self._proxies and self._counted[address] >= self._from_one
        if len(self._lines) >= self._altogether or is_full:
            self._say(address)
            return False
        self._lines[line] = address
        self._counted[address] += 1
        return True

    def release(self, line: asyncio.BaseTransport) -> None:
        """The line has ended."""
        address = self._lines.pop(line, None)
        if address is not None:
            self._counted[address] -= 1
            if not self._counted[address]:
                del self._counted[address]

    def _say(self, address: str) -> None:
        """Once a minute: who fills the lines shall not fill the log too."""
        if time.monotonic() - self._said_s >= _SAID_AGAIN_S:
            self._said_s = time.monotonic()
            log.warning("lines are refused: too many are open from=%s of_it=%d", address, self._counted[address])


def raise_descriptor_limit() -> int:
    """How many descriptors this process may have open; as many as the system lets it."""
    try:
        import resource
    except ImportError:  # Windows knows no such limit
        return MOST_ALTOGETHER + SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_ALTOGETHER + SPARE_DESCRIPTORS
    if soft < wanted and (hard == resource.RLIM_INFINITY or hard > soft):
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft


def limits_of_system(proxies: Collection[str] = ()) -> ConnectionLimits:
    """As many lines as the descriptors of this process allow."""
    room = max(64, raise_descriptor_limit() - SPARE_DESCRIPTORS)
    return ConnectionLimits(from_one=min(MOST_FROM_ONE, room), altogether=min(MOST_ALTOGETHER, room), proxies=proxies)


class LimitedHttp(H11Protocol):
    """HTTP over a counted line; a request that does not come whole in time ends it."""

    limits: ClassVar[ConnectionLimits]
    _deadline: asyncio.TimerHandle | None = None
    _awaited: Any = None
    _is_refused = False
    _is_socket = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        if not self.limits.admit(transport):
            self._is_refused = True
            transport.write(_FULL)
            transport.close()
            return
        super().connection_made(transport)
        self._await(h11.IDLE)

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        super().data_received(data)
        if not (self._is_socket or self.transport.is_closing()):
            self._await(self.conn.their_state)

    def on_response_complete(self) -> None:
        self._await(None)  # until the next request begins uvicorn's own time-out counts
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._is_socket = True  # another protocol's from here on; to h11 its body is still to come
        self._await(None)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._is_refused:
            return
        self._await(None)
        self.limits.release(self.transport)
        super().connection_lost(exc)

    def _await(self, state: Any) -> None:
        """What is awaited of the client: a request's head, its body, or nothing."""
        if state is self._awaited and self._deadline is not None:
            return  # the clock runs from the first byte, however slowly others trickle in
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._awaited = state
        seconds = {h11.IDLE: self.limits.header_s, h11.SEND_BODY: self.limits.body_s}.get(state)
        if seconds is not None:
            self._deadline = self.loop.call_later(seconds, self._end_late)

    def _end_late(self) -> None:
        if not self.transport.is_closing():
            if self._awaited is h11.IDLE:
                self.transport.write(_NO_REQUEST)
            self.transport.close()


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A socket over the line that its request came by."""

    limits: ClassVar[ConnectionLimits]

    def connection_lost(self, exc: Exception | None) -> None:
        self.limits.release(self.transport)
        super().connection_lost(exc)


def limited_protocols(limits: ConnectionLimits) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """uvicorn's protocols for HTTP and WebSocket, with these limits."""
    shared = {"limits": limits}
    return type("LimitedHttp", (LimitedHttp,), shared), type("LimitedWebSocket", (LimitedWebSocket,), shared)


def _address_of(line: asyncio.BaseTransport) -> str:
    peer = line.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else ""
