"""Serve: bind a socket, print the addresses, run until interrupted."""

import contextlib
import gc
import json
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

import segno
import typer
import uvicorn
from fastapi import FastAPI

from api.malloc import configure_malloc
from api.seats import permissions
from api.server.bind import ListenOptions
from api.server.connection_limit import ConnectionLimits, limited_protocols, limits_of_system
from models.errors import BadInput

TURN_S = 0.001  # who only passes news on waits no longer than this for somebody's long question
LONGEST_SAID_BYTES = 65_536  # a phone says a few words; more is not for us
_ANYWHERE = {"0.0.0.0", "::", ""}
_PRIVATE = "10.254.254.254"  # never reached: connecting a datagram socket only picks a route, it sends nothing


def serve(app: FastAPI, listen: ListenOptions, *, codes: Mapping[permissions.Door, str] | None = None) -> None:
    """Serve until interrupted; `codes` open the seats. Raises: BadInput when the address cannot be had."""
    listening = _bind(listen)
    # The server stops in good order on SIGTERM and then raises it again; without this it would kill us on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    sys.setswitchinterval(TURN_S)
    configure_malloc()
    gc.freeze()  # what was made on the way here stays: it need not be looked through for rubbish again and again
    _announce(listen, urls(listen.host, listening.getsockname()[1]), codes or {})
    config = server_config(app, proxies=listen.proxies)
    server = StreamEndingServer(config, endings=getattr(app.state, "endings", ()))
    app.state.server = server
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
    """Tells open streams to end before it waits for them."""

    def __init__(self, config: uvicorn.Config, *, endings: Iterable[Callable[[], None]]) -> None:
        super().__init__(config)
        self._endings = endings

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for end in self._endings:
            end()
        await super().shutdown(sockets)


def _bind(listen: ListenOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    try:
        return socket.create_server((listen.host, listen.port), family=family, backlog=128)
    except (OSError, OverflowError) as wrong:
        raise BadInput(
            f"cannot listen on {listen.host}:{listen.port}: {wrong}", field="port", value=listen.port
        ) from wrong


def _announce(listen: ListenOptions, addresses: tuple[str, ...], codes: Mapping[permissions.Door, str]) -> None:
    join = {opens: f"{addresses[0]}j/{code}" for opens, code in codes.items()}
    if listen.as_json:
        typer.echo(json.dumps({"urls": addresses, "join": join, "pages": pages_of(addresses[0], codes)}))
        return
    if listen.qr and sys.stdout.isatty():
        _draw_qr(join.get("players", addresses[0]))
    typer.echo(f"Open on your phone: {addresses[0]}")
    for other in addresses[1:]:
        typer.echo(f"On this machine:    {other}")
    if codes:
        typer.echo(f"Codes to join:      {', '.join(f'{opens} {code}' for opens, code in codes.items())}")
        typer.echo(f"Type them at:       {addresses[0]}join")
    for name, page in pages_of(addresses[0], codes).items():
        typer.echo(f"{name}:".ljust(20) + page)
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
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith("127.") or found in _ANYWHERE else found


def urls(host: str, port: int) -> tuple[str, ...]:
    """Addresses to open, the one for a phone first."""
    if host not in _ANYWHERE:
        return (_url(host, port),)
    lan = lan_address()
    return (*((_url(lan, port),) if lan else ()), _url("localhost", port))


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _draw_qr(address: str) -> None:
    """Draw the address for a phone's camera, unless the terminal has no blocks to draw with."""
    with contextlib.suppress(UnicodeEncodeError):
        segno.make(address, error="m").terminal(compact=True)
