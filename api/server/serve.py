"""Serve: bind a socket, print the addresses, run until interrupted."""

import asyncio
import contextlib
import errno
import gc
import json
import logging
import signal
import socket
import ssl
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

import h11
import segno
import typer
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from api.malloc import configure_malloc
from api.seats import permissions
from api.server.bind import LOOPBACK, NO_NETWORK, UNREACHED, ListenOptions, is_loopback
from api.server.certificates import CERTIFICATE, add_trust_page, secure_context
from api.supervision import SaidOnce
from models.errors import BadInput

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


_ACCEPT_FAULTS = SaidOnce("socket.accept() out of system resource")


def limits_of_system(proxies: Collection[str] = ()) -> ConnectionLimits:
    """As many lines as the descriptors of this process allow."""
    logging.getLogger("asyncio").addFilter(_ACCEPT_FAULTS)
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


SecureSocket = tuple[socket.socket, ssl.SSLContext]

TURN_S = 0.001  # who only passes news on waits no longer than this for somebody's long question
LONGEST_SAID_BYTES = 65_536  # a phone says a few words; more is not for us
_ANYWHERE = {"0.0.0.0", "::", ""}
_PRIVATE = "10.254.254.254"  # never reached: connecting a datagram socket only picks a route, it sends nothing


def serve(app: FastAPI, listen: ListenOptions, *, codes: Mapping[permissions.Door, str] | None = None) -> None:
    """Serve until interrupted; `codes` open the seats. Raises: BadInput when the address cannot be had."""
    listening = _bind(listen.host, listen.port)
    secure = _open_secure(listen, listening.getsockname()[1])
    # The server stops in good order on SIGTERM and then raises it again; without this it would kill us on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    sys.setswitchinterval(TURN_S)
    configure_malloc()
    gc.freeze()  # what was made on the way here stays: it need not be looked through for rubbish again and again
    _announce(listen, urls(listen.host, listening.getsockname()[1]), codes or {}, secure)
    config = server_config(app, proxies=listen.proxies)
    server = StreamEndingServer(config, endings=getattr(app.state, "endings", ()), secure=secure)
    app.state.server = server
    if listen.authority is not None:
        add_trust_page(app, listen.authority / CERTIFICATE)
    with contextlib.suppress(KeyboardInterrupt), listening, _announced(listen, listening.getsockname()[1]):
        server.run(sockets=[listening])


@contextlib.contextmanager
def _announced(listen: ListenOptions, port: int) -> Iterator[None]:
    """The network is told of the server while it runs, where that is wished."""
    if listen.announce_as is None:
        yield
        return
    from api.server.announcement import announced  # with zeroconf, an extra

    kind, title = listen.announce_as
    host = lan_address() or "127.0.0.1" if listen.host in _ANYWHERE else listen.host
    address = str(socket.getaddrinfo(host, port)[0][4][0])
    with announced(kind, title, [address], port, interfaces=[address]) as named:
        if named is not None and not listen.as_json:
            typer.echo(f"By its name:        {named}")
        yield


def stop(app: FastAPI) -> None:
    app.state.server.should_exit = True


def server_config(
    app: FastAPI, limits: ConnectionLimits | None = None, *, proxies: Sequence[str] = ()
) -> uvicorn.Config:
    """How uvicorn serves the app, with limits on lines; who asks through a proxy is believed of these alone."""
    http, ws = limited_protocols(limits or limits_of_system(proxies))
    return uvicorn.Config(
        app,
        log_level="warning",
        http=http,
        ws=ws,
        ws_max_size=LONGEST_SAID_BYTES,
        timeout_graceful_shutdown=2,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        server_header=False,
    )


class StreamEndingServer(uvicorn.Server):
    """Tells open streams to end before it waits for them; may listen for HTTPS beside."""

    def __init__(
        self, config: uvicorn.Config, *, endings: Iterable[Callable[[], None]], secure: "SecureSocket | None" = None
    ) -> None:
        super().__init__(config)
        self._endings = endings
        self._secure = secure

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._secure is not None:
            loop = asyncio.get_running_loop()
            listening, context = self._secure
            self.servers.append(await loop.create_server(self._open_line, sock=listening, ssl=context, backlog=128))

    def _open_line(self) -> asyncio.Protocol:
        protocol = cast("Callable[..., asyncio.Protocol]", self.config.http_protocol_class)
        return protocol(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for end in self._endings:
            end()
        await super().shutdown(sockets)


_WHERE_TAKEN = "; stop what holds it, or give this table another one: --port 8018"


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError) as wrong:
        what_to_do = _WHERE_TAKEN if isinstance(wrong, OSError) and wrong.errno == errno.EADDRINUSE else ""
        raise BadInput(f"cannot listen on {host}:{port}: {wrong}{what_to_do}", field="port", value=port) from wrong


def _open_secure(listen: ListenOptions, port: int) -> "SecureSocket | None":
    """Where HTTPS is spoken, one port further on. Raises: BadInput, BadFile."""
    if listen.authority is None:
        return None
    context = secure_context(listen.authority, [name for name in (listen.host, lan_address(), *listen.names) if name])
    return _bind(listen.host, port + 1 if listen.port else 0), context


def _announce(
    listen: ListenOptions,
    addresses: tuple[str, ...],
    codes: Mapping[permissions.Door, str],
    secure: "SecureSocket | None",
) -> None:
    join = {opens: f"{addresses[0]}j/{code}" for opens, code in codes.items()}
    secure_addresses = () if secure is None else urls(listen.host, secure[0].getsockname()[1], scheme="https")
    if listen.as_json:
        pages = pages_of(addresses[0], codes)
        typer.echo(json.dumps({"urls": addresses, "join": join, "pages": pages, "secure": secure_addresses}))
        return
    if listen.qr and sys.stdout.isatty():
        _draw_qr(join.get("players", addresses[0]))
    typer.echo(f"Open on your phone: {addresses[0]}")
    for other in addresses[1:]:
        typer.echo(f"On this machine:    {other}")
    typer.echo(f"From a phone:       {advise_phones(listen.host, lan_address())}")
    if codes:
        typer.echo(f"Codes to join:      {', '.join(f'{opens} {code}' for opens, code in codes.items())}")
        typer.echo(f"Type them at:       {addresses[0]}join")
    for name, page in pages_of(addresses[0], codes).items():
        typer.echo(f"{name}:".ljust(20) + page)
    for address in secure_addresses[:1]:
        typer.echo(f"With camera:         {address} (first {addresses[0]}trust on that phone)")
    typer.echo("Stop with Ctrl-C.")


def pages_of(address: str, codes: Mapping[permissions.Door, str]) -> dict[str, str]:
    """The other pages of a table. The judge's opens with its code; what is on air anybody may see."""
    if "judge" not in codes:
        return {}
    return {"Judge": f"{address}j/{codes['judge']}", "Stream overlay": f"{address}overlay"}


def lan_address() -> str | None:
    """The address other machines on this network know us by; None when there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_PRIVATE, 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") or address in _ANYWHERE else address


def advise_phones(host: str, lan: str | None) -> str:
    """Whether phones reach a server that listens there, and what to do where they do not."""
    if is_loopback(host):
        return LOOPBACK
    return NO_NETWORK if lan is None else f"those on the same network reach it; {UNREACHED}"


def urls(host: str, port: int, *, scheme: str = "http") -> tuple[str, ...]:
    """Addresses to open, the one for a phone first."""
    if host not in _ANYWHERE:
        return (_url(host, port, scheme),)
    lan = lan_address()
    return (*((_url(lan, port, scheme),) if lan else ()), _url("localhost", port, scheme))


def _url(host: str, port: int, scheme: str) -> str:
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"


def _draw_qr(address: str) -> None:
    """Draw the address for a phone's camera, unless the terminal has no blocks to draw with."""
    with contextlib.suppress(UnicodeEncodeError):
        segno.make(address, error="m").terminal(compact=True)
