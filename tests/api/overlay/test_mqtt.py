"""A real mosquitto hears of a table, and says that it is gone when it is."""

import asyncio
import json
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from api.live.alarms import Alarms
from api.live.hub import Hub
from api.overlay.cues import Cue, Cues
from api.overlay.mqtt import BrokerAddress, MqttBroker, discovery, parse_broker, topic_of
from api.server.table_facts import table_facts
from api.supervision import Supervisor
from models.errors import BadInput
from tests.api.worlds import frame_report, skirmish, state_line

PATIENCE_S = 120
MOVED = Cue(event="move", at_s=7.0, table="Table 4", who=("Anna",), lines=("moved",), details={"n": 12})


class Mosquitto:
    """The broker in a folder of its own; it can be ended and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
        assert program, "mosquitto is missing: scripts/ensure-hall-servers"
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        (folder / "mosquitto.conf").write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n")
        self._command = [program, "-c", str(folder / "mosquitto.conf")]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stderr=subprocess.DEVNULL)

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE_S)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    yield broker
    broker.end()


def table() -> Hub:
    hub = Hub(title="Table 4")
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


@asynccontextmanager
async def telling(broker: Mosquitto, hub: Hub) -> AsyncIterator[Cues]:
    """A table that tells this broker, as long as it is served."""
    receiver = MqttBroker(BrokerAddress("127.0.0.1", broker.port, False, None, None), "club/table 4", look_s=0.02)
    cues = Cues([receiver], first_s=0.01)
    async with cues.run(Supervisor(Alarms(changed=lambda: None)), lambda: table_facts(hub, None)):
        yield cues


@asynccontextmanager
async def listening(broker: Mosquitto) -> AsyncIterator[aiomqtt.Client]:
    """Somebody who hears everything; the broker may be starting still."""
    while True:
        try:
            async with aiomqtt.Client("127.0.0.1", broker.port) as client:
                await client.subscribe("#")
                yield client
                return
        except aiomqtt.MqttError:
            await asyncio.sleep(0.02)


async def hear(client: aiomqtt.Client, topic: str, *, until: Any = None) -> Any:
    """What comes next by this topic, or what comes until it is this."""
    async with asyncio.timeout(PATIENCE_S):
        async for message in client.messages:
            assert isinstance(message.payload, bytes)
            said = message.payload.decode()
            if message.topic.matches(topic) and until in (None, said):
                return said
    raise AssertionError("the broker ended")


def test_a_broker_hears_how_the_table_is_and_what_happens(broker: Mosquitto) -> None:
    async def play() -> tuple[Any, Any, Any, Any]:
        hub = table()
        async with listening(broker) as client, telling(broker, hub) as cues:
            config = json.loads(await hear(client, "homeassistant/device/club_table 4/config"))
            first = json.loads(await hear(client, "club/table 4/state"))
            hub.alarms.sound("disk", "The disk is full.")
            second = json.loads(await hear(client, "club/table 4/state"))
            cues.send(MOVED)
            return config, first, second, json.loads(await hear(client, "club/table 4/event"))

    config, first, second, event = asyncio.run(play())
    assert config["device"]["name"] == "Table 4"
    assert (first["miniatures"], first["source"], first["alarms"]) == (17, "playing", [])
    assert second["alarms"] == ["The disk is full."]
    assert (event["event"], event["who"], event["details"]) == ("move", ["Anna"], {"n": 12})


def test_home_assistant_reads_only_topics_and_fields_that_are_sent() -> None:
    config = discovery("club/4", "club_4", title="Table 4")
    facts = table_facts(table(), None).model_dump()

    assert config["availability_topic"] == "club/4/status"
    for name, component in config["components"].items():
        assert component["state_topic"] in ("club/4/state", "club/4/event")
        assert component["unique_id"] == f"club_4_{name}"
    sensors = [name for name, component in config["components"].items() if component["platform"] == "sensor"]
    assert set(sensors) <= facts.keys()


def test_a_table_that_is_gone_is_offline_and_one_that_comes_back_online(broker: Mosquitto) -> None:
    async def play() -> list[str]:
        heard = []
        async with listening(broker) as client:
            async with telling(broker, table()):
                heard.append(await hear(client, "club/table 4/status"))
            heard.append(await hear(client, "club/table 4/status"))
        return heard

    assert asyncio.run(play()) == ["online", "offline"]


def test_a_broker_that_was_away_hears_of_the_table_again(broker: Mosquitto) -> None:
    async def play() -> str:
        async with telling(broker, table()):
            async with listening(broker) as client:
                await hear(client, "club/table 4/status", until="online")
            await asyncio.to_thread(broker.end)
            broker.start()
            async with listening(broker) as client:
                return str(await hear(client, "club/table 4/status", until="online"))

    assert asyncio.run(play()) == "online"


@pytest.mark.parametrize(
    ("url", "password", "address"),
    [
        ("mqtt://broker.local", None, BrokerAddress("broker.local", 1883, False, None, None)),
        ("mqtts://anna:p%40ss@10.0.0.2", None, BrokerAddress("10.0.0.2", 8883, True, "anna", "p@ss")),
        ("mqtt://anna:old@10.0.0.2:1999", "new", BrokerAddress("10.0.0.2", 1999, False, "anna", "new")),
    ],
)
def test_a_broker_is_named_by_its_address(url: str, password: str | None, address: BrokerAddress) -> None:
    assert parse_broker(url, password) == address


@pytest.mark.parametrize("url", ["http://broker", "mqtt://", "mqtt://broker:99999", "broker"])
def test_an_address_that_is_no_brokers_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="mqtt"):
        parse_broker(url)


@pytest.mark.parametrize(("title", "topic"), [("Table <4>+#/", "tableside/table-4"), ("卓", "tableside/table")])
def test_a_title_becomes_a_topic_without_what_mqtt_gives_a_meaning(title: str, topic: str) -> None:
    assert topic_of(title) == topic
