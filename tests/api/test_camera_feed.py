import asyncio
import os
import time
from multiprocessing.connection import Connection
from typing import Any

from api.camera_feed import CameraFeed, wishes
from api.hub import Hub
from api.sighting import Failed
from models.errors import SourceLost
from tests.api.worlds import settled, sighting, skirmish

PATIENCE_S = 30.0


def dies_at_once(_job: Any, _out: Connection, _wanted: Any) -> None:
    os._exit(9)


def sees_and_dies(_job: Any, out: Connection, _wanted: Any) -> None:
    out.send(sighting(settled(skirmish())))
    os._exit(9)


def loses_its_source(_job: Any, out: Connection, _wanted: Any) -> None:
    out.send(Failed(SourceLost("the stream went away", field="source", value="cam7").problem()))


def looks_forever(_job: Any, out: Connection, _wanted: Any) -> None:
    out.send(sighting(settled(skirmish())))
    time.sleep(600)


async def _until_trouble(target: Any) -> Hub:
    wanted = wishes()
    hub = Hub(title="fed", wishes=wanted)
    async with CameraFeed(target, None, wanted)(hub), asyncio.timeout(PATIENCE_S):
        while hub.problem is None:
            await asyncio.sleep(0.02)
    return hub


def test_a_camera_that_dies_is_noticed() -> None:
    hub = asyncio.run(_until_trouble(dies_at_once))

    assert hub.problem is not None
    assert hub.problem.type == "world/camera_failed"


def test_what_a_dying_camera_saw_stays() -> None:
    hub = asyncio.run(_until_trouble(sees_and_dies))

    assert hub.state == skirmish()
    assert hub.freshness().source == "lost"


def test_a_lost_source_is_told_in_its_own_words() -> None:
    hub = asyncio.run(_until_trouble(loses_its_source))

    assert hub.problem is not None
    assert (hub.problem.type, hub.problem.value) == ("world/source_lost", "cam7")


def test_the_camera_stops_when_the_server_does() -> None:
    async def serve_a_moment() -> float:
        wanted = wishes()
        hub = Hub(title="fed", wishes=wanted)
        async with CameraFeed(looks_forever, None, wanted)(hub), asyncio.timeout(PATIENCE_S):
            while hub.state is None:
                await asyncio.sleep(0.02)
            began = asyncio.get_running_loop().time()
        return asyncio.get_running_loop().time() - began

    assert asyncio.run(serve_a_moment()) < 5
