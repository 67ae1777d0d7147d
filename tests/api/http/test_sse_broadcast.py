"""A value that many are sent is written once; what has changed nobody gets as it was."""

import asyncio
from collections.abc import AsyncIterator

from api.http.sse_broadcast import SseBroadcast
from api.live.broadcast import Broadcast
from models.frozen import Frozen


class Counted(Frozen):
    """Says how often it has been made."""

    made: int


class Source:
    def __init__(self) -> None:
        self.made = 0

    def whole(self) -> Counted:
        self.made += 1
        return Counted(made=self.made)


async def _read(events: list[AsyncIterator[bytes]]) -> list[str]:
    return [(await anext(one)).decode() for one in events]


def test_many_who_come_at_once_are_sent_one_text_and_a_change_to_all() -> None:
    source = Source()

    async def main() -> tuple[list[str], list[str]]:
        broadcast = SseBroadcast(source.whole)
        events = [broadcast.events() for _ in range(50)]
        await _read(events)  # how soon to come again
        first = await _read(events)
        broadcast.publish()
        return first, await _read(events)

    first, then = asyncio.run(main())

    assert source.made < 50
    assert max(first) < min(then)


def test_a_snapshot_that_has_not_changed_is_written_once() -> None:
    held = [Counted(made=1)]

    async def main() -> list[str]:
        broadcast = Broadcast(lambda: held[0])
        texts = [await broadcast.subscribe().next() for _ in range(2)]
        held[0] = Counted(made=2)
        return [*texts, await broadcast.subscribe().next()]

    first, second, third = asyncio.run(main())

    assert first is second
    assert third == '{"made":2}'
