"""MQTT: a broker hears how the table is, and what happens; Home Assistant finds the table by itself.

TOPIC/status      online, or offline by the broker's own word once the table is gone; kept
TOPIC/state       how the table is, as JSON, whenever that changes; kept
TOPIC/event       each cue, as JSON
homeassistant/device/ID/config   what Home Assistant makes of these; kept
"""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, get_args
from urllib.parse import unquote, urlsplit

from api.backoff import backoff_waits
from api.overlay.cues import Cue, NotDelivered, Topic, is_cancelled
from models.errors import BadInput
from models.frozen import Frozen

if TYPE_CHECKING:
    import aiomqtt

log = logging.getLogger(__name__)

LOOK_S = 2.0
_SCHEMES = {"mqtt": 1883, "mqtts": 8883}
_EVENTS = ("line-on-air", "ruling-on-air", "off-air", "move", "ruling", "call", "alarm", "score")


@dataclass(frozen=True)
class BrokerAddress:
    """A broker, as `mqtt://user:password@host:1883` names it."""

    host: str
    port: int
    is_tls: bool
    user: str | None
    password: str | None


def parse_broker(url: str, password: str | None = None) -> BrokerAddress:
    """The broker at this address; a `password` of its own comes before one in it. Raises: BadInput."""
    parts = urlsplit(url)
    try:
        port = parts.port or _SCHEMES[parts.scheme]
    except (KeyError, ValueError) as wrong:
        raise BadInput(
            f"mqtt {url!r} is none of mqtt://HOST:PORT, mqtts://HOST:PORT", field="mqtt", value=url
        ) from wrong
    if not parts.hostname:
        raise BadInput(f"mqtt {url!r} names no host", field="mqtt", value=url)
    user, inside = (None if part is None else unquote(part) for part in (parts.username, parts.password))
    return BrokerAddress(parts.hostname, port, parts.scheme == "mqtts", user, password or inside)


def topic_of(title: str) -> str:
    """The topic of a table without one of its own: MQTT gives `+`, `#` and `/` a meaning."""
    return f"tableside/{re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-') or 'table'}"


class MqttBroker:
    """Keeps a connection to the broker for as long as the server runs, and comes back when it was lost."""

    name = "mqtt"
    topics = get_args(Topic)

    def __init__(
        self, broker: BrokerAddress, topic: str, *, random: Random | None = None, look_s: float = LOOK_S
    ) -> None:
        self._broker, self._topic = broker, topic
        self._random, self._look_s = random or Random(), look_s
        self._client: aiomqtt.Client | None = None

    async def deliver(self, cue: Cue) -> None:
        import aiomqtt  # with the extra `mqtt` alone

        if self._client is None:
            raise NotDelivered("the broker does not answer")
        try:
            await self._client.publish(f"{self._topic}/event", cue.model_dump_json(), qos=1)
        except aiomqtt.MqttError as wrong:
            raise NotDelivered(str(wrong)) from wrong

    async def follow(self, facts: Callable[[], Frozen]) -> None:
        """Tell how the table is whenever that changes."""
        import aiomqtt

        waits = backoff_waits(self._random, first_s=0.5)
        while not is_cancelled():
            try:
                async with self._connect() as client:
                    await self._introduce(client, facts())
                    self._client, waits = client, backoff_waits(self._random, first_s=0.5)
                    try:
                        await _run_first(self._tell_changes(client, facts), _listen(client))
                    finally:  # who leaves in order leaves no last will
                        with suppress(aiomqtt.MqttError, TimeoutError):
                            await asyncio.wait_for(self._say(client, "offline"), LOOK_S)
            except aiomqtt.MqttError as wrong:
                log.warning("broker lost host=%s why=%s", self._broker.host, wrong)
            finally:
                self._client = None
            await asyncio.sleep(next(waits))

    def _connect(self) -> "aiomqtt.Client":
        import aiomqtt

        return aiomqtt.Client(
            self._broker.host,
            self._broker.port,
            username=self._broker.user,
            password=self._broker.password,
            tls_params=aiomqtt.TLSParameters() if self._broker.is_tls else None,
            will=aiomqtt.Will(f"{self._topic}/status", "offline", qos=1, retain=True),
        )

    async def _introduce(self, client: "aiomqtt.Client", facts: Frozen) -> None:
        id_ = self._topic.replace("/", "_")
        config = json.dumps(discovery(self._topic, id_, title=str(getattr(facts, "title", self._topic))))
        await client.publish(f"homeassistant/device/{id_}/config", config, qos=1, retain=True)
        await self._say(client, "online")

    async def _say(self, client: "aiomqtt.Client", status: str) -> None:
        await client.publish(f"{self._topic}/status", status, qos=1, retain=True)

    async def _tell_changes(self, client: "aiomqtt.Client", facts: Callable[[], Frozen]) -> None:
        said = None
        while not is_cancelled():
            now = facts().model_dump_json(exclude={"age_s", "line"})
            if now != said:
                await client.publish(f"{self._topic}/state", now, qos=1, retain=True)
                said = now
            await asyncio.sleep(self._look_s)


async def _listen(client: "aiomqtt.Client") -> None:
    """Nothing is subscribed to; that the connection is lost is heard here first. Raises: aiomqtt.MqttError."""
    async for _ in client.messages:
        pass


async def _run_first(*works: Coroutine[Any, Any, None]) -> None:
    """Until one of these ends, which is how it ends."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def discovery(topic: str, id_: str, *, title: str) -> dict[str, Any]:
    """What Home Assistant makes of a table. Source: its MQTT integration, "Device discovery payload"."""

    def value(name: str) -> str:
        return f"{{{{ value_json.{name} }}}}"

    def entity(name: str, platform: str, label: str, **more: Any) -> dict[str, Any]:
        return {
            "platform": platform,
            "unique_id": f"{id_}_{name}",
            "name": label,
            "state_topic": f"{topic}/state",
        } | more

    problem = "{{ 'ON' if value_json.problem or value_json.alarms else 'OFF' }}"
    spoken = "{{ {'event_type': value_json.event, 'lines': value_json.lines, 'who': value_json.who} | tojson }}"
    return {
        "device": {"identifiers": [id_], "name": title, "manufacturer": "Tableside"},
        "origin": {"name": "Tableside"},
        "availability_topic": f"{topic}/status",
        "components": {
            "miniatures": entity("miniatures", "sensor", "Miniatures", value_template=value("miniatures")),
            "source": entity("source", "sensor", "Camera", value_template=value("source")),
            "round": entity("round", "sensor", "Round", value_template=value("round")),
            "points_a": entity("points_a", "sensor", "Points A", value_template=value("points_a")),
            "points_b": entity("points_b", "sensor", "Points B", value_template=value("points_b")),
            "problem": entity("problem", "binary_sensor", "Problem", value_template=problem, device_class="problem"),
            "event": entity(
                "event",
                "event",
                "Event",
                state_topic=f"{topic}/event",
                event_types=list(_EVENTS),
                value_template=spoken,
            ),
        },
    }
