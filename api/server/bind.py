"""Bind: where a server listens, and how it says so; apart from `serve`, so that no command waits for a web server."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ListenOptions:
    """Host and port, and whether the addresses are told as a code to scan or as JSON.

    `names`: what the table is called besides its addresses; `proxies`: who may say for whom he asks; `authority`: the
    folder of the certificate authority by which the same is served over HTTPS too, at the next port.
    """

    host: str
    port: int
    qr: bool = True
    as_json: bool = False
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    authority: Path | None = None
