"""Bind: where a server listens, and how it says so; apart from `serve`, so that no command waits for a web server."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ListenOptions:
    """Host and port, and whether the addresses are told as a code to scan or as JSON.

    `names`: what the table is called besides its addresses; `proxies`: who may say for whom he asks.
    """

    host: str
    port: int
    qr: bool = True
    as_json: bool = False
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
