"""Transport: how a table reaches its hub, by HTTP or NATS; and the NATS subjects and messages of an event."""

import re
from collections.abc import Sequence
from typing import Any, Protocol

from pydantic import Field

from api.hall.envelope import Envelope, digest
from api.journal.countersignature import HeadWitness
from models.frozen import Frozen

HUBS = "hub"  # what all hubs of an event call themselves to share its messages
_PREFIX = "ce-"
_DIGITS = re.compile("[0-9]{1,18}")
_NUMBERS = ("line", "after", "lineversion")


class Tail(Frozen):
    """The newest line that the hub holds of a table."""

    journal: str
    line: int
    sha256: str


class Order(Frozen):
    """What the hall asks of a table: once, by its number."""

    number: int = Field(ge=1)
    kind: str
    facts: dict[str, Any]


class Transport(Protocol):
    """A way to the hub. Each raises HubAway while it cannot be reached, and BadInput when it refuses for good."""

    async def read_tail(self) -> Tail | None:
        """The hub's newest line of this table; None when it holds none."""
        ...

    async def publish(self, batch: Sequence[Envelope]) -> str | None:
        """Hand these over, in order; when it returns they are on the hub's disk or the broker's.

        What the hub keeps and cannot read comes back in words, where it answers itself.
        """
        ...

    async def send_glance(self, glance: dict[str, Any]) -> None:
        """How the table is now. It is not kept, and may be lost."""
        ...

    async def read_orders(self, after: int) -> list[Order]:
        """Orders with a higher number, the oldest first."""
        ...

    async def read_witness(self) -> HeadWitness | None:
        """How far the hub has this table's journal, countersigned; None where it signs nothing."""
        ...

    async def close(self) -> None: ...


def stream_of(event: str) -> str:
    return f"TABLESIDE-{event}"


def subject_of(event: str, table: int | str, what: str) -> str:
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
