"""HTTP transport: a table hands its lines to the hub itself. Needs nothing that a table does not have."""

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from api.errors import HubAway, HubDisagrees, HubRefused
from api.hall.envelope import BATCH, QUARANTINED, Envelope
from api.hall.keys import TableKey
from api.hall.transport import Order, Tail

PATIENCE_S = 10.0


class HttpTransport:
    """The hub at this address, spoken to with the table's key."""

    def __init__(self, url: str, key: TableKey) -> None:
        self._base = f"{url.rstrip('/')}/api/v1/hall/tables/{key.table}"
        self._token = key.token

    async def read_tail(self) -> Tail | None:
        tail = await self._call("GET", "/journal")
        return None if tail is None else Tail.model_validate(tail)

    async def publish(self, batch: Sequence[Envelope]) -> str | None:
        body = "[" + ",".join(envelope.model_dump_json() for envelope in batch) + "]"
        quarantined = await self._call("POST", "/journal", body, BATCH)
        return None if quarantined is None else str(quarantined)

    async def send_glance(self, glance: dict[str, Any]) -> None:
        await self._call("PUT", "/glance", json.dumps(glance))

    async def read_orders(self, after: int) -> list[Order]:
        return [Order.model_validate(order) for order in await self._call("GET", f"/orders?after={after}")]

    async def close(self) -> None:
        """There is no connection to let go of."""

    async def _call(self, method: str, path: str, body: str | None = None, kind: str = "application/json") -> Any:
        return await asyncio.to_thread(self._ask, method, path, body, kind)

    def _ask(self, method: str, path: str, body: str | None, kind: str) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": kind}
        data = None if body is None else body.encode()
        request = urllib.request.Request(self._base + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.headers[QUARANTINED] if answer.status == 204 else json.loads(answer.read())
        except urllib.error.HTTPError as wrong:
            raise _error_of(wrong) from wrong
        except (OSError, ValueError) as wrong:
            raise HubAway(f"the hub cannot be reached: {wrong}") from wrong


def _error_of(wrong: urllib.error.HTTPError) -> Exception:
    """What the hub's answer means to a table."""
    try:
        detail = str(json.loads(wrong.read())["detail"])
    except (OSError, ValueError, KeyError, TypeError):
        detail = str(wrong)
    if wrong.code == 409:
        return HubDisagrees(detail)
    if wrong.code in (401, 403, 404, 413, 421, 422):
        return HubRefused(detail, field="hub", value=wrong.url)
    return HubAway(detail)
