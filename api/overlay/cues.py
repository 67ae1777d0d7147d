"""Cues: other programs hear what goes on air and what happens in the game, without the table ever waiting for them.

A webhook takes each as signed JSON; OBS as a custom event of obs-websocket 5, and a scene while something is on air.
"""

import asyncio
import hmac
import logging
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from random import Random
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import Field, JsonValue

from api.backoff import backoff_waits
from api.supervision import Supervisor
from models.frozen import Frozen

log = logging.getLogger(__name__)

MOST_WAITING = 32  # of what nobody took in time the oldest is dropped: late cues cut to the wrong picture
MOST_TRIES = 5
PATIENCE_S = 5.0
SIGNATURE = "Tableside-Signature"
ON_AIR: "tuple[Topic, ...]" = ("air",)
REALM = "tableside"  # of custom events in OBS


Topic = Literal["air", "move", "ruling", "call", "alarm", "score"]
"""What a receiver may ask to hear of."""


_TOPICS: dict[str, Topic] = {
    "line-on-air": "air", "ruling-on-air": "air", "off-air": "air", "move": "move", "ruling": "ruling", "call": "call",
    "alarm": "alarm", "score": "score",
}  # fmt: skip


class Cue(Frozen):
    """What has just happened, in words; of the game with what a program needs besides, by the kind of event."""

    event: Literal["line-on-air", "ruling-on-air", "off-air", "move", "ruling", "call", "alarm", "score"]
    at_s: float
    table: str
    id: int | None = None
    who: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    details: dict[str, JsonValue] = Field({}, description="of an event of the game: its line of the journal, and more")

    @property
    def topic(self) -> Topic:
        return _TOPICS[self.event]


class NotDelivered(Exception):
    """The receiver cannot be reached, or could not take it; worth another try."""


class Receiver(Protocol):
    """A program that cues of some topics are delivered to."""

    name: str

    @property
    def topics(self) -> Collection[Topic]: ...

    async def deliver(self, cue: Cue) -> None:
        """Raises: NotDelivered; ValueError when it takes no such cue, and never will."""
        ...


@runtime_checkable
class Follower(Protocol):
    """A receiver that is also told how the table is, for as long as the server runs."""

    name: str

    async def follow(self, facts: Callable[[], Frozen]) -> None: ...


class Cues:
    """Delivers cues to each receiver in order, each by itself; what fails is tried again, later and later."""

    def __init__(
        self, receivers: Sequence[Receiver] = (), *, random: Random | None = None, first_s: float = 0.5
    ) -> None:
        self._random = random or Random()
        self._first_s = first_s
        self._waiting = [(receiver, asyncio.Queue[Cue](MOST_WAITING)) for receiver in receivers]

    def send(self, cue: Cue) -> None:
        """Let everybody know; returns at once. On the server's event loop."""
        for receiver, queue in self._waiting:
            if cue.topic not in receiver.topics:
                continue
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(cue)

    @asynccontextmanager
    async def run(self, tasks: Supervisor, facts: Callable[[], Frozen] | None = None) -> AsyncIterator[None]:
        """Deliver for as long as the server runs; `facts` tell followers how the table is."""
        works = {
            f"cues-{n}-{receiver.name}": partial(self._deliver_all, receiver, queue)
            for n, (receiver, queue) in enumerate(self._waiting, 1)
        }
        if facts is not None:
            followers = [receiver for receiver, _ in self._waiting if isinstance(receiver, Follower)]
            works |= {
                f"follow-{n}-{follower.name}": partial(follower.follow, facts)
                for n, follower in enumerate(followers, 1)
            }
        async with tasks.keep(works):
            yield

    async def _deliver_all(self, receiver: Receiver, queue: "asyncio.Queue[Cue]") -> None:
        while not is_cancelled():
            await self._deliver(receiver, await queue.get())

    async def _deliver(self, receiver: Receiver, cue: Cue) -> None:
        waits = backoff_waits(self._random, first_s=self._first_s)
        for k in range(MOST_TRIES):
            try:
                await receiver.deliver(cue)
                return
            except (NotDelivered, ValueError) as wrong:
                log.warning("cue not taken by=%s event=%s try=%d why=%s", receiver.name, cue.event, k + 1, wrong)
                if isinstance(wrong, ValueError):
                    return
            await asyncio.sleep(next(waits))


def is_cancelled() -> bool:
    """Whether this task is to end: `wait_for` of Python 3.11 takes a cancellation in when its result comes with it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class Webhook:
    """Posts cues to `url`; with a `secret` each is signed, so that the receiver knows whose it is and how old."""

    name = "webhook"

    def __init__(
        self,
        url: str,
        secret: str | None,
        *,
        topics: Collection[Topic] = ON_AIR,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.topics = topics
        self._url = url
        self._secret = secret
        self._clock = clock

    async def deliver(self, cue: Cue) -> None:
        await asyncio.to_thread(self._post, cue)

    def _post(self, cue: Cue) -> None:
        body = cue.model_dump_json().encode()
        headers = {"Content-Type": "application/json", "Tableside-Event": cue.event}
        if self._secret is not None:
            headers[SIGNATURE] = sign(body, self._secret, at_s=int(self._clock()))
        asked = urllib.request.Request(self._url, body, headers, method="POST")
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE_S):
                pass
        except urllib.error.HTTPError as wrong:
            wrong.close()
            if wrong.code < HTTPStatus.INTERNAL_SERVER_ERROR and wrong.code != HTTPStatus.TOO_MANY_REQUESTS:
                raise ValueError(f"answered {wrong.code}") from wrong
            raise NotDelivered(f"answered {wrong.code}") from wrong
        except OSError as wrong:
            raise NotDelivered(str(wrong)) from wrong


def sign(body: bytes, secret: str, *, at_s: int) -> str:
    """When it was sent, and the HMAC-SHA256 of that and the body: `t=1764290000,v1=9f86...`."""
    return f"t={at_s},v1={hmac.new(secret.encode(), f'{at_s}.'.encode() + body, 'sha256').hexdigest()}"


class ObsCue:
    """Connects to OBS at `url` for each cue: a studio is restarted, and its password changed, as it likes.

    `scene`: switched to with what goes on air; None: the scene stays, and OBS is told only.
    """

    name = "obs"
    topics = ON_AIR

    def __init__(self, url: str, password: str, *, scene: str | None = None) -> None:
        self._url = url
        self._password = password
        self._scene = scene

    async def deliver(self, cue: Cue) -> None:
        import simpleobsws  # with the extra `streams` alone

        client = simpleobsws.WebSocketClient(url=self._url, password=self._password)
        try:
            await asyncio.wait_for(client.connect(), PATIENCE_S)
            if not await client.wait_until_identified(timeout=PATIENCE_S):
                raise NotDelivered("OBS does not take the password, or does not answer")
            for kind, payload in self._requests(cue):
                answer = await client.call(simpleobsws.Request(kind, payload), timeout=PATIENCE_S)
                if not answer.ok():
                    raise ValueError(f"{kind}: {answer.requestStatus.comment or answer.requestStatus.code}")
        except (OSError, TimeoutError, simpleobsws.MessageTimeout) as wrong:
            raise NotDelivered(str(wrong) or type(wrong).__name__) from wrong
        finally:
            await client.disconnect()

    def _requests(self, cue: Cue) -> list[tuple[str, dict[str, Any]]]:
        payload = {"realm": REALM, **cue.model_dump(mode="json")}
        asked: list[tuple[str, dict[str, Any]]] = [("BroadcastCustomEvent", {"eventData": payload})]
        if self._scene is not None and cue.event != "off-air":
            asked.append(("SetCurrentProgramScene", {"sceneName": self._scene}))
        return asked
