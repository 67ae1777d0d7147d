"""Transport: how a table reaches its hub; HTTP and NATS are two of one shape."""

from collections.abc import Sequence
from typing import Any, Protocol

from pydantic import Field

from api.hall.envelope import Envelope
from models.frozen import Frozen


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

    async def close(self) -> None:
        """Let go of the connection."""
        ...
