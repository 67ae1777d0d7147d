"""A phone's pictures as a stream: the newest comes through, one phone at a time, for who has the key."""

import asyncio
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest

from api.camera.live_source import live_frames
from api.camera.phone_camera import HELD_S, PhoneCamera
from api.errors import CameraTaken
from models.errors import BadFile
from tests.streams import jpeg, numbered


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@asynccontextmanager
async def no_camera() -> AsyncIterator[None]:
    yield


def run_with(phone: PhoneCamera, work: Coroutine[Any, Any, Any]) -> Any:
    """What the work comes to while the stream is served."""

    async def both() -> Any:
        async with phone.feed(no_camera)():
            return await asyncio.wait_for(work, 120)

    return asyncio.run(both())


async def send_until(phone: PhoneCamera, reading: "asyncio.Future[Any]") -> Any:
    """Send pictures as a phone does, until what reads them has what it wants."""
    number = 0
    while not reading.done():
        await phone.take(jpeg(numbered(number)), sender="phone-one")
        number += 1
        await asyncio.wait([reading], timeout=0.05)
    return await reading


def test_pictures_that_a_phone_sends_are_read_like_any_stream() -> None:
    phone = PhoneCamera()

    async def read() -> Any:
        frames = live_frames(phone.address)
        reading = asyncio.ensure_future(asyncio.to_thread(lambda: (next(frames), next(frames), frames.close())))
        return await send_until(phone, reading)

    first, second, _ = run_with(phone, read())

    assert first.image.shape == numbered(0).shape
    assert second.t_s > first.t_s
    assert np.ptp(first.image.mean(axis=2)) < 20  # a plain ground with faint noise, whichever number it was


def test_who_does_not_know_the_key_gets_nothing() -> None:
    phone = PhoneCamera()

    def fetch() -> int:
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(phone.address.rsplit("/", 1)[0] + "/other.mjpg", timeout=120)
        refused.value.close()
        return int(refused.value.code)

    assert run_with(phone, asyncio.to_thread(fetch)) == 404


def test_a_second_phone_waits_until_the_first_is_gone() -> None:
    clock = Clock()
    phone = PhoneCamera(clock=clock)

    async def take() -> None:
        await phone.take(jpeg(numbered(1)), sender="phone-one")
        with pytest.raises(CameraTaken):
            await phone.take(jpeg(numbered(2)), sender="phone-two")
        clock.now_s += HELD_S
        await phone.take(jpeg(numbered(2)), sender="phone-two")
        with pytest.raises(CameraTaken):
            await phone.take(jpeg(numbered(3)), sender="phone-one")

    run_with(phone, take())


@pytest.mark.parametrize(
    "data", [b"", b"no picture", jpeg(numbered(1))[:-40], b"\xff\xd8\xff" + b"\0" * 40 + b"\xff\xd9"]
)
def test_what_is_no_whole_picture_is_refused(data: bytes) -> None:
    phone = PhoneCamera()

    async def take() -> None:
        with pytest.raises(BadFile):
            await phone.take(data, sender="phone-one")

    run_with(phone, take())
