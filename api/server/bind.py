"""Bind: where a server listens, and how it says so; apart from `serve`, so that no command waits for a web server."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

NO_NETWORK = "this machine is in no network: join the phones' Wi-Fi, or open a hotspot here, and start again"
LOOPBACK = "no other machine reaches this address: leave out --host, so that phones do"
UNREACHED = (
    "where one does not: a guests' Wi-Fi keeps devices apart, and this machine's firewall has to let the port through"
)


def is_loopback(host: str) -> bool:
    """Whether only this machine itself reaches a server there."""
    return host in ("localhost", "::1") or host.startswith("127.")


@dataclass(frozen=True)
class ListenOptions:
    """Host and port, and whether the addresses are told as a code to scan or as JSON.

    `names`: what the table is called besides its addresses; `proxies`: who may say for whom he asks; `authority`: the
    folder of the certificate authority by which the same is served over HTTPS too, at the next port. `announce_as`:
    what the network is told of it by DNS-SD, `("table", "Table 4")`; None: nothing.
    """

    host: str
    port: int
    qr: bool = True
    as_json: bool = False
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    authority: Path | None = None
    announce_as: tuple[Literal["table", "hub"], str] | None = None
