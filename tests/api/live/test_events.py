"""The live news for those who only listen."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from api.live.hub import Hub
from api.live.messages import Hello
from api.routes.table import events
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

HELLO = Hello(title="test table", seat="viewer", rights=())


async def heard(stream: AsyncIterator[bytes]) -> tuple[str, Any]:
    """Name and content of the next event."""
    lines = [line for line in (await anext(stream)).decode().splitlines() if line and not line.startswith("retry")]
    assert [line.split(": ")[0] for line in lines] == ["event", "data"]
    return lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: "))


def test_events_are_hello_a_snapshot_and_then_what_changes() -> None:
    async def listen() -> None:
        hub = Hub(title="test table")
        hub.show(skirmish())
        stream = events(hub, HELLO)
        first, second = await heard(stream), await heard(stream)
        hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m3", (55.5, 700.25)))))
        third = await heard(stream)
        await stream.aclose()  # type: ignore[attr-defined]

        assert [name for name, _ in (first, second, third)] == ["hello", "snapshot", "change"]
        assert [m["id"] for m in third[1]["changed"]] == ["m3"]

    asyncio.run(listen())


def test_a_server_that_ends_ends_the_stream() -> None:
    """Else it would wait for whoever listens."""

    async def listen() -> list[bytes]:
        hub = Hub(title="test table")
        stream = events(hub, HELLO)
        await heard(stream)
        hub.broadcast.close()
        return [event async for event in stream]

    assert len(asyncio.run(listen())) <= 1
