"""What a phone's page receives: the first load, then in play and at rest, by kind, and how much that is an hour.

    python -m benchmarks.server.phone_bytes [--seconds 30] [--taps]

Opens the player's page in Chromium on a phone's screen, through a proxy that counts what really crosses the line. Play
is the shipped game, again and again, in which a hand moves something most of the time; rest is its first picture with
a camera's noise in each frame. `--taps` also picks a pair in play every ten seconds, as a player who asks much.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import av
from playwright.sync_api import Browser, CDPSession, Page

from api.cli.serve import SHIPPED, shipped_camera
from api.storage.files import write_whole
from benchmarks.harness import run
from benchmarks.server.hall.phone import still_bases
from benchmarks.server.hall.server import Server, run_demo, start_table
from benchmarks.server.many_phones import format_load
from benchmarks.server.stream_fixtures import SIZES, noisy_frames, scratch_folder
from tests.api.pages.player_page import clear, pick_pair
from tests.chromium import PHONE, launch_chromium

FPS = 5
SETTLE_S = 12.0  # the page is loaded and the table is measured
TAP_EACH_S = 10.0
_KINDS = ("pictures", "state", "page", "answers")


@dataclass
class Line:
    """All bytes towards the phone, as they crossed the line, and those of HTTP by kind."""

    crossed: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)
    pictures: int = 0

    def since(self, before: "Line") -> "Line":
        return Line(self.crossed - before.crossed, self.by_kind - before.by_kind, self.pictures - before.pictures)

    def copy(self) -> "Line":
        return Line(self.crossed, Counter(self.by_kind), self.pictures)


@contextmanager
def counted_line(server: Server, line: Line) -> Iterator[str]:
    """An address that leads to the server; all that comes back through it is counted."""
    told: queue.Queue[tuple[str, Callable[[], object]]] = queue.Queue()
    thread = threading.Thread(target=lambda: asyncio.run(_carry_lines(server, line, told.put)))
    thread.start()
    address, close = told.get(timeout=10)
    try:
        yield address
    finally:
        close()
        thread.join(10)


async def _carry_lines(server: Server, line: Line, tell: Callable[[tuple[str, Callable[[], object]]], None]) -> None:
    target, loop, closing = urlsplit(server.url), asyncio.get_running_loop(), asyncio.Event()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await asyncio.open_connection(target.hostname, target.port)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(_pump(reader, up_writer, None), _pump(up_reader, writer, line))

    listening = await asyncio.start_server(carry, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/"
    tell((address, lambda: loop.call_soon_threadsafe(closing.set)))
    await closing.wait()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: Line | None) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            if line is not None:
                line.crossed += len(data)
            writer.write(data)
            await writer.drain()
    writer.close()


def count_kinds(session: CDPSession, line: Line) -> None:
    """Count what each answer over HTTP took, headers included, as Chromium says; the socket has the rest."""
    kinds: dict[str, str] = {}

    def note(told: dict[str, object]) -> None:
        kinds[str(told["requestId"])] = _kind_of(str(told["response"]["url"]))  # type: ignore[index]

    def finish(told: dict[str, object]) -> None:
        kind = kinds.pop(str(told["requestId"]), "page")
        line.by_kind[kind] += int(str(told["encodedDataLength"]).partition(".")[0])
        line.pictures += kind == "pictures"

    session.on("Network.responseReceived", note)
    session.on("Network.loadingFinished", finish)
    session.send("Network.enable")


def _kind_of(url: str) -> str:
    path = urlsplit(url).path
    if "picture" in path:
        return "pictures"
    return "answers" if "/api/v1/" in path else "page"


def watch_page(browser: Browser, server: Server, *, seconds: float, taps: bool = False) -> tuple[Line, Line]:
    """What the first load took, and what came in these seconds afterwards."""
    line = Line()
    with counted_line(server, line) as address:
        context = browser.new_context(viewport=PHONE, device_scale_factor=3, has_touch=True, is_mobile=True)
        page = context.new_page()
        count_kinds(context.new_cdp_session(page), line)
        page.goto(address)
        page.locator(".base").nth(11).wait_for(state="attached")
        page.wait_for_timeout(1000 * SETTLE_S)
        loaded = line.copy()
        _spend(page, seconds, taps=taps)
        received = line.copy().since(loaded)
        context.close()
    return loaded, received


def _spend(page: Page, seconds: float, *, taps: bool) -> None:
    until_s = time.monotonic() + seconds
    while (left_s := until_s - time.monotonic()) > 0:
        page.wait_for_timeout(1000 * min(left_s, TAP_EACH_S))
        if taps and (pairs := list(pairwise(still_bases(page)))):
            pick_pair(page, *pairs[0])
            clear(page)


def film_rest(folder: Path, *, seconds: float) -> Path:
    """A film of the shipped table at rest, with a camera's noise in every frame."""
    path, size = folder / "rest.mp4", SIZES["1080p"]
    with av.open(str(path), "w") as film:
        stream = film.add_stream("libx264", rate=FPS)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.options = {"preset": "veryfast", "crf": "20"}
        for shown in noisy_frames(size, first=10, count=1, times=round(seconds * FPS)):
            film.mux(stream.encode(av.VideoFrame.from_ndarray(shown, format="bgr24")))
        film.mux(stream.encode())
    return path


@contextmanager
def serve_rest(*, seconds: float) -> Iterator[Server]:
    """A server that watches the table at rest."""
    with scratch_folder() as folder:
        film = film_rest(folder, seconds=seconds + 3 * SETTLE_S)
        camera = folder / "camera.json"
        write_whole(camera, shipped_camera().model_dump_json())
        with start_table(
            "serve", "--source", str(film), "--camera", str(camera), "--layout", str(SHIPPED / "layout.json")
        ) as table:
            yield table.server


def print_received(what: str, line: Line, seconds: float) -> None:
    """A line of kilobytes a second and megabytes an hour, by kind."""
    http = line.by_kind.total()
    kinds = line.by_kind | Counter(state=max(0, line.crossed - http))
    parts = ", ".join(f"{kind} {kinds[kind] / seconds * 3600 / 1e6:.1f}" for kind in _KINDS)
    print(
        f"{what}: {line.crossed / seconds / 1000:.2f} kB/s, {line.crossed / seconds * 3600 / 1e6:.1f} MB an hour "
        f"({parts}); {line.pictures / seconds:.2f} pictures a second"
    )


def main(seconds: float = 30, taps: bool = False) -> None:
    """Read the command line."""
    with launch_chromium() as browser:
        with run_demo() as server:
            loaded, play = watch_page(browser, server, seconds=seconds, taps=taps)
        with serve_rest(seconds=seconds) as server:
            _, rest = watch_page(browser, server, seconds=seconds)
    print(f"page of the first load: {loaded.by_kind['page'] / 1000:.1f} kB")
    print_received("in play", play, seconds)
    print_received("at rest", rest, seconds)
    print(format_load())


if __name__ == "__main__":
    run(main)
