"""Serve: bind a socket, print the addresses, run until interrupted."""

import asyncio
import contextlib
import errno
import gc
import json
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

import segno
import typer
import uvicorn
from fastapi import FastAPI

from api.malloc import configure_malloc
from api.seats import permissions
from api.server.bind import LOOPBACK, NO_NETWORK, UNREACHED, ListenOptions, is_loopback
from api.server.certificates import CERTIFICATE, add_trust_page, secure_context
from api.server.connection_limit import ConnectionLimits, limited_protocols, limits_of_system
from models.errors import BadInput

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
    with contextlib.suppress(KeyboardInterrupt), listening:
        server.run(sockets=[listening])


def stop(app: FastAPI) -> None:
    """Have the server of this app end in good order; `serve` then returns."""
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
