"""NATS subjects of an event, and an envelope as a NATS message."""

import re
from typing import Any

from api.hall.envelope import Envelope, digest
from api.hall.transport import Tail

HUBS = "hub"  # what all hubs of an event call themselves to share its messages
_PREFIX = "ce-"
_DIGITS = re.compile("[0-9]{1,18}")
_NUMBERS = ("line", "after", "lineversion")


def stream_of(event: str) -> str:
    """The stream that keeps the lines of all tables."""
    return f"TABLESIDE-{event}"


def subject_of(event: str, table: int | str, what: str) -> str:
    """Where a table speaks of this: journal, glance or orders; table `*`: every table."""
    return f"tableside.{event}.table.{table}.{what}"


def inbox_of(event: str, table: int) -> str:
    """Where a table is answered, and no other table hears it."""
    return f"_INBOX_{event}_{table}"


def headers_of(envelope: Envelope) -> dict[str, str]:
    """CloudEvents in binary mode: attributes as headers, the line itself as the body."""
    attributes = envelope.model_dump(mode="json", exclude={"data"})
    return {f"{_PREFIX}{name}": str(value) for name, value in attributes.items()}


def body_of(headers: dict[str, str] | None, data: bytes) -> dict[str, Any]:
    """The same message in structured form, for `read_envelope`."""
    attributes: dict[str, Any] = {n[len(_PREFIX) :]: v for n, v in (headers or {}).items() if n.startswith(_PREFIX)}
    numbers = {name: int(attributes[name]) for name in _NUMBERS if _DIGITS.fullmatch(attributes.get(name, ""))}
    return attributes | numbers | {"data": data.decode(errors="replace")}


def tail_from(headers: dict[str, str] | None, data: bytes) -> Tail:
    """The newest line of a table as its stream holds it."""
    body = body_of(headers, data)
    return Tail(journal=body["journal"], line=body["line"], sha256=digest(body["data"]))
