"""Programs of a studio hear what goes on air: signed, tried again, and never waited for."""

import asyncio
import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from random import Random
from typing import Any

import msgpack
import pytest
from websockets.asyncio.server import ServerConnection, serve

from api.answers.pair_sheet import Pair, pair_sheet
from api.live.alarms import Alarms
from api.live.hub import Hub
from api.overlay.cues import MOST_TRIES, MOST_WAITING, SIGNATURE, Cue, Cues, NotDelivered, ObsCue, Topic, Webhook
from api.overlay.schemas import Production
from api.overlay.service import OverlayService
from api.supervision import Supervisor
from tests.api.fakes import ask
from tests.api.worlds import skirmish

RULED = Cue(event="ruling-on-air", at_s=7.0, table="Table 4", id=3, who=("Anna", "Ben"), lines=("A sees B: Blocked",))
PASSWORD, SALT, CHALLENGE = "tape", "c2FsdA==", "Y2hhbGxlbmdl"


@contextmanager
def listening(*answers: int) -> Iterator[tuple[str, list[tuple[dict[str, str], bytes]]]]:
    """An address that answers like this, one after the other, and what it was sent."""
    left, sent = list(answers), []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            sent.append((dict(self.headers), body))
            self.send_response(left.pop(0) if len(left) > 1 else left[0])
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", sent
    server.shutdown()
    thread.join()
    server.server_close()


class Noted:
    """Takes cues, after so many refusals; `told` hears when all that are awaited have come."""

    name = "noted"
    topics: tuple[Topic, ...] = ("air",)

    def __init__(self, *, refuses: int = 0, awaits: int = 1) -> None:
        self.took: list[Cue] = []
        self.tries = 0
        self.told = asyncio.Event()
        self._refuses, self._awaits = refuses, awaits

    async def deliver(self, cue: Cue) -> None:
        self.tries += 1
        if self.tries <= self._refuses:
            raise NotDelivered("not now")
        self.took.append(cue)
        if len(self.took) == self._awaits:
            self.told.set()


async def deliver(cues: Cues, *sent: Cue, until: asyncio.Event) -> None:
    async with cues.run(Supervisor(Alarms(changed=lambda: None))):
        for cue in sent:
            cues.send(cue)
        await asyncio.wait_for(until.wait(), 120)


def test_a_webhook_signs_what_it_sends_and_when() -> None:
    with listening(204) as (url, sent):
        asyncio.run(Webhook(url, "secret", clock=lambda: 1700.9).deliver(RULED))

    ((headers, body),) = sent
    signature = hmac.new(b"secret", b"1700." + body, "sha256").hexdigest()
    assert headers[SIGNATURE] == f"t=1700,v1={signature}"
    assert Cue.model_validate_json(body) == RULED


@pytest.mark.parametrize(("answer", "wrong"), [(503, NotDelivered), (429, NotDelivered), (410, ValueError)])
def test_a_webhook_is_tried_again_where_that_may_help(answer: int, wrong: type[Exception]) -> None:
    with listening(answer) as (url, sent), pytest.raises(wrong):
        asyncio.run(Webhook(url, None).deliver(RULED))

    assert SIGNATURE not in sent[0][0]


def test_what_was_not_taken_is_tried_again_and_given_up_after_some_tries() -> None:
    async def play(*, refuses: int, awaits: int) -> int:
        receiver = Noted(refuses=refuses, awaits=awaits)
        cues = Cues([receiver], random=Random(1), first_s=0.001)
        await deliver(cues, RULED, RULED, until=receiver.told)
        return receiver.tries

    assert asyncio.run(play(refuses=MOST_TRIES - 1, awaits=2)) == MOST_TRIES + 1
    assert asyncio.run(play(refuses=MOST_TRIES, awaits=1)) == MOST_TRIES + 1, "the next one is delivered all the same"


def test_nobody_waits_for_a_studio_that_does_not_answer() -> None:
    async def play() -> list[int | None]:
        slow = Noted(awaits=MOST_WAITING)
        cues = Cues([slow])
        for n in range(3 * MOST_WAITING):
            cues.send(Cue(event="line-on-air", at_s=n, table="Table 4", id=n))  # returns at once: nobody delivers yet
        await deliver(cues, until=slow.told)
        return [cue.id for cue in slow.took]

    assert asyncio.run(play()) == list(range(2 * MOST_WAITING, 3 * MOST_WAITING)), "the oldest are dropped"


class Studio:
    """As much of obs-websocket 5 as OBS speaks to a program that tells it something."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []

    async def serve_client(self, socket: ServerConnection) -> None:
        hello = {"obsWebSocketVersion": "5.5.2", "rpcVersion": 1}
        await self._send(socket, 0, hello | {"authentication": {"challenge": CHALLENGE, "salt": SALT}})
        identify = msgpack.unpackb(await socket.recv())
        secret = base64.b64encode(hashlib.sha256((PASSWORD + SALT).encode()).digest())
        right = base64.b64encode(hashlib.sha256(secret + CHALLENGE.encode()).digest()).decode()
        if identify["op"] != 1 or identify["d"]["authentication"] != right:
            return await socket.close(4009, "Authentication failed.")
        await self._send(socket, 2, {"negotiatedRpcVersion": 1})
        async for text in socket:
            asked = msgpack.unpackb(text)["d"]
            self.asked.append((asked["requestType"], asked["requestData"]))
            is_known = asked["requestData"].get("sceneName") in (None, "Verdict")
            status = {"result": is_known, "code": 100 if is_known else 600, "comment": "No source was found."}
            told = {name: asked[name] for name in ("requestType", "requestId")}
            await self._send(socket, 7, told | {"requestStatus": status})
        return None

    async def _send(self, socket: ServerConnection, op: int, told: dict[str, Any]) -> None:
        await socket.send(msgpack.packb({"op": op, "d": told}))

    def hear(self, cue: Cue, *, password: str = PASSWORD, scene: str | None = None) -> None:
        async def play() -> None:
            server = await serve(self.serve_client, "127.0.0.1", 0, subprotocols=["obswebsocket.msgpack"])  # type: ignore[list-item]
            async with server:
                port = server.sockets[0].getsockname()[1]
                await ObsCue(f"ws://127.0.0.1:{port}", password, scene=scene).deliver(cue)

        asyncio.run(play())


def test_obs_hears_a_ruling_and_turns_to_the_scene() -> None:
    studio = Studio()
    studio.hear(RULED, scene="Verdict")

    event, scene = studio.asked
    told = {"realm": "tableside", **json.loads(RULED.model_dump_json())}
    assert event == ("BroadcastCustomEvent", {"eventData": told})
    assert scene == ("SetCurrentProgramScene", {"sceneName": "Verdict"})


def test_obs_keeps_its_scene_when_something_is_taken_off() -> None:
    studio = Studio()
    studio.hear(Cue(event="off-air", at_s=9.0, table="Table 4"), scene="Verdict")

    assert [kind for kind, _ in studio.asked] == ["BroadcastCustomEvent"]


def test_a_scene_that_obs_does_not_know_is_not_tried_again() -> None:
    with pytest.raises(ValueError, match="No source was found"):
        Studio().hear(RULED, scene="Nothing of that name")


def test_obs_that_is_not_there_is_tried_again() -> None:
    with pytest.raises(NotDelivered):
        asyncio.run(ObsCue("ws://127.0.0.1:9", PASSWORD).deliver(RULED))


def test_the_overlay_says_what_goes_on_air_and_nothing_of_what_is_held_back() -> None:
    hub, said = Hub(title="Table 4"), []
    hub.show(skirmish())
    overlay = OverlayService(hub, changed=lambda: None)
    overlay.cue = said.append
    assert hub.state is not None
    lines = pair_sheet(hub.state, Pair(a="m8", b="m14"), ask=ask).lines[:1]

    overlay.put_on(hub.state, lines, a="m8", b="m14")
    overlay.set_production(Production(hide_until_resolved=True))
    held = overlay.put_on(hub.state, lines, a="m8", b="m14")
    assert [cue.event for cue in said] == ["line-on-air"]
    overlay.resolve(held.id, ruling="Blocked")
    overlay.take_off()

    assert [cue.event for cue in said] == ["line-on-air", "ruling-on-air", "off-air"]
    assert said[1].lines[-1] == "Blocked"
    assert said[1].who == tuple(m.name for id_ in ("m8", "m14") for m in hub.state.miniatures if m.id == id_)
