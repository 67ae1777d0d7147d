"""Phone camera: pictures that a phone sends one by one become a stream on this machine.

The camera process reads it as it reads any MJPEG camera, so a phone that sleeps, stalls or comes back is told of and
followed like every other source. The stream is this machine's own, behind a key that no one else knows.
"""

import asyncio
import contextlib
import secrets
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from api.errors import CameraTaken
from models.errors import BadFile
from vision.capture.image_decoding import check_size

SOURCE = "phone"
HELD_S = 5.0
"""Who has sent nothing for so long is the camera no more."""

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\nConnection: close\r\n\r\n"
_NOT_HERE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_BEGINS, _ENDS = b"\xff\xd8\xff", b"\xff\xd9"

Runner = Callable[..., AbstractAsyncContextManager[None]]


class PhoneCamera:
    """Takes the pictures of one phone at a time, and streams the newest."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._path = f"/{secrets.token_urlsafe(24)}.mjpg"
        self._arrived = asyncio.Condition()
        self._newest, self._number = b"", 0
        self._sender, self._sent_s = "", -HELD_S
        self._readers: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """Where the camera process finds the stream."""
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}{self._path}"

    def close(self) -> None:
        """Give the stream's port back; for who never lets it run."""
        self._listening.close()

    def feed(self, camera: Runner) -> Runner:
        """The camera, with its stream for as long as it runs."""

        @asynccontextmanager
        async def run(*arguments: object) -> AsyncIterator[None]:
            async with self._stream(), camera(*arguments):
                yield

        return run

    async def take(self, jpeg: bytes, *, sender: str) -> None:
        """The newest picture. Raises: BadFile, CameraTaken while another phone is the camera."""
        now_s = self._clock()
        if sender != self._sender and now_s - self._sent_s < HELD_S:
            raise CameraTaken("Another phone is the camera of this table; stop it there first.")
        if not (jpeg.startswith(_BEGINS) and jpeg.rstrip(b"\0").endswith(_ENDS)):
            raise BadFile("this is no whole JPEG", field="picture", value=len(jpeg))
        check_size(jpeg, field="picture", name="this picture")
        self._sender, self._sent_s = sender, now_s
        async with self._arrived:
            self._newest, self._number = jpeg, self._number + 1
            self._arrived.notify_all()

    @asynccontextmanager
    async def _stream(self) -> AsyncIterator[None]:
        server = await asyncio.start_server(self._answer, sock=self._listening)
        try:
            yield
        finally:
            server.close()
            readers = [*self._readers]
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)

    async def _answer(self, asked: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._readers.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                head = await asked.readuntil(b"\r\n\r\n")
                if self._path.encode() in head.split(b"\r\n", 1)[0].split(b" "):
                    await self._send_pictures(answer)
                answer.write(_NOT_HERE)
                await answer.drain()
        except asyncio.CancelledError:
            answer.transport.abort()  # who does not read shall not hold the server up
            raise
        finally:
            self._readers.discard(task)
            answer.close()
            with contextlib.suppress(OSError):
                await answer.wait_closed()

    async def _send_pictures(self, answer: asyncio.StreamWriter) -> None:
        """Each picture that is new, until the line is cut."""
        answer.write(_HEAD)
        sent = 0
        while True:
            async with self._arrived:
                while self._number == sent:
                    await self._arrived.wait()
                sent, jpeg = self._number, self._newest
            answer.write(b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg))
            answer.write(jpeg + b"\r\n")
            await answer.drain()
