"""Where the server listens, and how it says so."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Door:
    """Where to listen and how to say so."""

    host: str
    port: int
    qr: bool = True
    as_json: bool = False
