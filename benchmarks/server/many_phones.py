"""What a full hall does to one server: how long a tap takes, whether anybody misses anything, whether memory grows.

`python -m benchmarks.server.many_phones taps` plays the recording, connects twelve phones that look and tap, and
prints the time from the second tap to the sheet over HTTP, and in a real browser on one more phone. `crowd` connects
200 viewers and 20 overlays for some minutes while two phones play, and prints what was lost and the memory of the
server. `back` kills the server and times a page's way back to the next. Other work on the machine counts: the load it
had is printed.
"""

import asyncio
import os
import statistics
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from benchmarks.harness import run
from benchmarks.server.hall.phone import Overlay, Phone, Viewer
from benchmarks.server.hall.server import Server, run_demo

TARGET_MS = (200, 400)  # median and 95th in a hundred until the sheet can be read
PAUSE_S = 6.0  # players read a sheet for longer
SAMPLE_S = 5.0
FILLED_MIN = 3.0  # what is remembered has filled by then; from then on memory may not grow
FLAT_MB = 0.2  # a minute: an evening of six hours then costs no more than a browser's tab

Samples = list[tuple[float, dict[str, float]]]  # minutes, and what each process has in memory then


def measure_taps(*, phones: int, minutes: float, browser_taps: int) -> None:
    """Print how long twelve phones wait for a sheet, and one real browser beside them."""
    with run_demo() as server:
        wait_for_table(server)
        played = [Phone(number) for number in range(phones)]
        seen = BrowserTimes()
        thread = threading.Thread(target=tap_in_browser, args=(server, browser_taps, seen))
        if browser_taps:
            thread.start()
        before_s = server.busy_s()
        asyncio.run(_all_play(server, played, seconds=60 * minutes))
        busy_s = server.busy_s() - before_s
        if browser_taps:
            thread.join()
    print(f"{phones} phones, {minutes:g} min, a tap each every {PAUSE_S:g} s, the recording running:")
    print(format_times("first part of the sheet over HTTP", [ms for phone in played for ms in phone.first_ms]))
    print(format_times("sheet that can be read over HTTP", [ms for phone in played for ms in phone.readable_ms]))
    print(format_times("whole sheet over HTTP", [ms for phone in played for ms in phone.whole_ms]))
    if browser_taps:
        print(format_times("second tap to the drawn distance in the browser", seen.distance_ms))
        print(format_times("second tap to all but charges drawn in the browser", seen.readable_ms))
        print(format_times("second tap to drawn sheet, charges and all, in the browser", seen.sheet_ms))
        print(f"  taps that met no base, since a hand had taken it: {seen.missed}")
    print(f"  server's own processor time: {busy_s / (0.6 * minutes):.0f} % of a core, all it did for everybody")
    print(f"target: median {TARGET_MS[0]} ms, p95 {TARGET_MS[1]} ms; {format_load()}")


def measure_crowd(*, viewers: int, overlays: int, minutes: float) -> None:
    """Print what so many spectators missed, and what they cost."""
    with run_demo() as server:
        wait_for_table(server)
        watching, airing = [Viewer() for _ in range(viewers)], [Overlay() for _ in range(overlays)]
        memory = asyncio.run(_sample_memory(server, watching, airing, seconds=60 * minutes))
    heard = sum((viewer.heard for viewer in watching), Counter[str]())
    events = Counter(tuple(viewer.events) for viewer in watching)
    print(f"{viewers} viewers and {overlays} overlays for {minutes:g} min, two phones tapping:")
    print(f"  messages heard: {heard.total()} ({', '.join(f'{n} {type_}' for type_, n in heard.most_common())})")
    print(f"  numbers left out: {sum(viewer.gaps for viewer in watching)}")
    print(f"  snapshots instead of changes: {sum(viewer.restarts for viewer in watching)}")
    print(f"  events on the table: {len(watching[0].events)}; viewers that heard the same: {max(events.values())}")
    boards = sorted(overlay.boards for overlay in airing)
    print(f"  boards on each overlay: {boards[0]} to {boards[-1]}; same last one: {_count_alike(airing)} of {overlays}")
    for told_ in format_memory(memory):
        print(told_)
    print(f"  {format_load()}")


def measure_reconnects(*, times: int) -> None:
    """Print how long a page needs to find a server that was killed and started again."""
    from benchmarks.server.hall.reconnect_time import AWAY_S, measure_reconnects_s

    found = measure_reconnects_s(times)
    print(f"killed, {AWAY_S:g} s away, started again {times} times; the page shows the corrected table again after")
    print(f"  {', '.join(f'{s:.1f}' for s in found)} s from the server's first word (target 3 s); {format_load()}")


async def _all_play(server: Server, phones: list[Phone], *, seconds: float) -> None:
    await asyncio.gather(*(phone.play(server, seconds=seconds, pause_s=PAUSE_S) for phone in phones))


async def _sample_memory(server: Server, viewers: list[Viewer], overlays: list[Overlay], *, seconds: float) -> Samples:
    """What is in memory every few seconds, while all of them watch."""
    watching = [asyncio.create_task(viewer.watch(server)) for viewer in viewers]
    watching += [asyncio.create_task(overlay.watch(server)) for overlay in overlays]
    playing_ = [asyncio.create_task(Phone(n).play(server, seconds=seconds, pause_s=PAUSE_S)) for n in range(2)]
    began, samples = time.monotonic(), Samples()
    while (passed := time.monotonic() - began) < seconds:
        samples.append((passed / 60, server.memory_mb()))
        await asyncio.sleep(SAMPLE_S)
    await asyncio.gather(*playing_)
    await asyncio.sleep(1.0)  # what is on its way may arrive
    broken = [task for task in watching if task.done()]
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    print(f"lines that broke: {len(broken)}")
    return samples


def wait_for_table(server: Server) -> None:
    """Return when the whole table has been seen and half a minute of play has warmed the server up."""
    asyncio.run(Phone(99).play(server, seconds=30, pause_s=1.0))


@dataclass
class BrowserTimes:
    """Milliseconds from the second tap to what was painted, in one real browser."""

    distance_ms: list[float] = field(default_factory=list)
    readable_ms: list[float] = field(default_factory=list)
    sheet_ms: list[float] = field(default_factory=list)
    missed: int = 0


def tap_in_browser(server: Server, times: int, seen: BrowserTimes) -> None:
    """Pick so many pairs on a phone's page in Chromium, and note when each sheet was painted."""
    from playwright.sync_api import Error as PlaywrightError

    from benchmarks.server.hall.phone import still_bases
    from tests.api.pages.player_page import clear, open_table, pick_pair
    from tests.chromium import PHONE, launch_chromium

    with launch_chromium() as browser:
        page = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True).new_page()
        open_table(page, server.url, bases=12)
        while len(seen.sheet_ms) < times:
            for a, b in list(pairwise(still_bases(page)))[: times - len(seen.sheet_ms)]:
                try:
                    took = pick_pair(page, a, b)
                    clear(page)
                except PlaywrightError:
                    seen.missed += 1
                    open_table(page, server.url, bases=12)
                    break
                seen.distance_ms.append(took.distance_ms)
                seen.readable_ms.append(took.readable_ms)
                seen.sheet_ms.append(took.sheet_ms)


def format_times(what: str, times_ms: list[float]) -> str:
    """Median and 95th in a hundred, in a line."""
    if len(times_ms) < 2:
        return f"  {what}: {len(times_ms)} taps, too few to tell"
    p95 = statistics.quantiles(times_ms, n=20)[-1]
    return f"  {what}: median {statistics.median(times_ms):.0f} ms, p95 {p95:.0f} ms ({len(times_ms)} taps)"


def format_memory(samples: Samples) -> list[str]:
    """For each process where memory stood, and how fast it grew once the caches were filled."""
    lasting = set.intersection(*(set(sample) for _, sample in samples))
    return [_format_process(name, [(t, sample[name]) for t, sample in samples]) for name in sorted(lasting)]


def _format_process(name: str, samples: list[tuple[float, float]]) -> str:
    filled = _minute_minima([(t, mb) for t, mb in samples if t >= FILLED_MIN])
    told_ = f"  memory of the {name}: {samples[0][1]:.1f} MB to {samples[-1][1]:.1f} MB"
    if len(filled) < 2:
        return f"{told_}; too short to tell whether it grows"
    slope = statistics.linear_regression(*zip(*filled, strict=True)).slope
    word = "flat" if slope < FLAT_MB else "GROWS"
    return f"{told_}; {slope:+.2f} MB a minute after minute {FILLED_MIN:g}: {word} (limit {FLAT_MB:g})"


def _minute_minima(samples: list[tuple[float, float]]) -> list[tuple[int, float]]:
    """The least of each minute: what is held, and not what one picture or one sheet took for a moment."""
    minutes = sorted({int(t) for t, _ in samples})
    return [(minute, min(mb for t, mb in samples if int(t) == minute)) for minute in minutes]


def format_load() -> str:
    """How busy the machine was with all that ran on it."""
    return f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def _count_alike(overlays: list[Overlay]) -> int:
    """How many overlays show what most of them show, whatever the time in it."""
    shown = Counter(overlay.newest.partition('"title"')[2] for overlay in overlays)
    return max(shown.values())


def main(
    what: Literal["taps", "crowd", "back"], minutes: float = 2.0, phones: int = 12, viewers: int = 200,
    overlays: int = 20, browser_taps: int = 20, times: int = 5,
) -> None:  # fmt: skip
    if what == "taps":
        measure_taps(phones=phones, minutes=minutes, browser_taps=browser_taps)
    elif what == "back":
        measure_reconnects(times=times)
    else:
        measure_crowd(viewers=viewers, overlays=overlays, minutes=minutes)


if __name__ == "__main__":
    run(main)
