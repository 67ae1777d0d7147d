"""Opening the door: bind, print the address, serve until interrupted."""

import contextlib
import gc
import json
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Mapping

import segno
import typer
import uvicorn
from fastapi import FastAPI

from api.address import urls
from api.door import Door
from api.heap import keep_no_holes
from api.seats import seat
from models.errors import BadInput

TURN_S = 0.001  # who only passes news on waits no longer than this for somebody's long question
LONGEST_SAID_BYTES = 65_536  # a phone says a few words; more is not for us


def serve(app: FastAPI, door: Door, *, codes: Mapping[seat.Door, str] | None = None) -> None:
    """Serve until interrupted; `codes` open the seats. Raises: BadInput when the address cannot be had."""
    listening = _bound(door)
    # The server stops in good order on SIGTERM and then raises it again; without this it would kill us on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    sys.setswitchinterval(TURN_S)
    keep_no_holes()
    gc.freeze()  # what was made on the way here stays: it need not be looked through for rubbish again and again
    _announce(door, urls(door.host, listening.getsockname()[1]), codes or {})
    config = uvicorn.Config(
        app, log_level="warning", ws="websockets-sansio", ws_max_size=LONGEST_SAID_BYTES, timeout_graceful_shutdown=2
    )
    with contextlib.suppress(KeyboardInterrupt), listening:
        _Server(config, endings=getattr(app.state, "endings", ())).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Tells open streams to end before it waits for them."""

    def __init__(self, config: uvicorn.Config, *, endings: Iterable[Callable[[], None]]) -> None:
        super().__init__(config)
        self._endings = endings

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for end in self._endings:
            end()
        await super().shutdown(sockets)


def _bound(door: Door) -> socket.socket:
    family = socket.AF_INET6 if ":" in door.host else socket.AF_INET
    try:
        return socket.create_server((door.host, door.port), family=family, backlog=128)
    except (OSError, OverflowError) as wrong:
        raise BadInput(f"cannot listen on {door.host}:{door.port}: {wrong}", field="port", value=door.port) from wrong


def _announce(door: Door, addresses: tuple[str, ...], codes: Mapping[seat.Door, str]) -> None:
    join = {opens: f"{addresses[0]}j/{code}" for opens, code in codes.items()}
    if door.as_json:
        typer.echo(json.dumps({"urls": addresses, "join": join, "pages": pages_of(addresses[0], codes)}))
        return
    if door.qr and sys.stdout.isatty():
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


def pages_of(address: str, codes: Mapping[seat.Door, str]) -> dict[str, str]:
    """The other pages of a table. The judge's opens with a code; what is on air anybody may see."""
    if not codes:
        return {}
    return {"Judge": f"{address}j/{codes['judge']}", "Stream overlay": f"{address}overlay"}


def _draw_qr(address: str) -> None:
    """Draw the address for a phone's camera, unless the terminal has no blocks to draw with."""
    with contextlib.suppress(UnicodeEncodeError):
        segno.make(address, error="m").terminal(compact=True)
