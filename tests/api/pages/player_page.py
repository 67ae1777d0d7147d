"""What a player does on the page, and how long the page takes."""

import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, TimeoutError, expect

from tests.chromium import PATIENCE_MS

SCREENSHOTS = Path(__file__).parents[3] / "build" / "screenshots"

REACTION_S = 0.7  # longer than a finger is on its way to what it saw
_LOST_TAP_MS = 10_000  # a tap that was taken shows by then, on a machine in use too
TARGET_MS = 300  # what a player does not notice; printed beside what was measured

# The clock runs from the finger's lift to the second frame after something stands in the page: by then it is painted.
_STOPWATCH = """(patience_ms) => {
  let lifted = 0;
  addEventListener("pointerup", (event) => { lifted = event.timeStamp; }, { capture: true });
  const painted = (what) => new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`nothing like ${what} was painted`)), patience_ms);
    const seen = new MutationObserver(() => {
      if (!lifted || !document.querySelector(what)) return;
      seen.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - lifted)));
    });
    seen.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  window.painted_ms = Promise.all([
    painted('.sheet [data-slot="distance"]:not([aria-busy])'),
    painted('.sheet[data-state="ready"] [data-slot="sight"]'),
    painted('.sheet[data-whole] [data-slot="sight"]'),
  ]);
}"""


# The page's own clock stands still and goes on when a test says so. Timers and frames go on by themselves.
_HELD_CLOCK = """{
  let now_ms = performance.now();
  performance.now = () => now_ms;
  window.passTime = (ms) => { now_ms += ms; };
}"""
_DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"

# Where the middle of something is, once it has been in the same place for a few frames.
_MIDDLE = """([what, frames]) => new Promise((done) => {
  let [was, still] = ["", 0];
  const look = () => {
    const box = document.querySelector(what)?.getBoundingClientRect();
    const now = box ? [box.x, box.y, box.width, box.height].join(" ") : "";
    still = box && now === was ? still + 1 : 0;
    was = now;
    if (still === frames) done([box.x + box.width / 2, box.y + box.height / 2]);
    else requestAnimationFrame(look);
  };
  look();
})"""
_STILL_FRAMES = 4

_LASTING_NEWS = """() => {
  const later = window.setTimeout;
  window.setTimeout = (act, ms, ...more) => later(act, ms === 6000 ? 600_000 : ms, ...more);
}"""
_DOORS = dict.fromkeys(("Lists", "Army", "Who"), "My army") | dict.fromkeys(
    ("Steps", "Terrain", "Rules", "Past"), "The table"
)


class PaintTimes(NamedTuple):
    """Milliseconds from the second tap to the painted distance, to all but charges, and to the whole sheet."""

    distance_ms: float
    readable_ms: float
    sheet_ms: float


def describe_times(name: str, times: Sequence[PaintTimes]) -> str:
    """The medians, in a line to be printed."""
    distance, readable, sheet = (statistics.median(column) for column in zip(*times, strict=True))
    each = ", ".join(f"{took.sheet_ms:.0f}" for took in times)
    return (
        f"\n{name}: second tap to distance {distance:.0f} ms, to all but charges {readable:.0f} ms, "
        f"to the whole sheet {sheet:.0f} ms (medians; "
        f"sheets {each}; target {TARGET_MS})"
    )


def open_table(page: Page, address: str, *, bases: int) -> None:
    """Open the page and wait until this many bases are drawn."""
    page.goto(address)
    expect(page.locator(".base").nth(bases - 1)).to_be_attached()


def hold_clock(page: Page) -> None:
    """From the next load on, the page's clock goes on only by `pass_time`."""
    page.add_init_script(_HELD_CLOCK)


def pass_time(page: Page, seconds: float) -> None:
    """Let the held clock of the page go on, and wait until the page is drawn as of then."""
    page.evaluate("ms => window.passTime(ms)", 1000 * seconds)
    wait_for_frame(page)


def wait_for_frame(page: Page) -> None:
    """Wait until the page is drawn as its state is now."""
    page.evaluate(_DRAWN)


def wait_until(page: Page, holds: Callable[[], bool], what: str) -> None:
    """Wait for what no locator can tell; `what` is said when it never comes."""
    until_s = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < until_s, f"{what} never came"
        wait_for_frame(page)


def middle(page: Page, id_: str) -> tuple[float, float]:
    """Where the middle of a base is on the screen, once it lies still there."""
    rim = f'.base[data-id="{id_}"] .rim'
    expect(page.locator(rim)).to_be_attached()
    return still_middle(page, rim)


def still_middle(page: Page, what: str) -> tuple[float, float]:
    """Where the middle of what this selector finds is, once it lies still."""
    x, y = page.evaluate(_MIDDLE, [what, _STILL_FRAMES])
    return x, y


def tap(page: Page, id_: str) -> None:
    """Tap the middle of a base, as a finger does."""
    page.touchscreen.tap(*middle(page, id_))


def pick(page: Page, id_: str) -> None:
    """Tap a base until it is picked: once more where the page moved under the finger."""
    picked = page.locator(f'.base[data-id="{id_}"][aria-pressed="true"]')
    tap(page, id_)
    try:
        picked.wait_for(state="attached", timeout=_LOST_TAP_MS)
    except TimeoutError:
        tap(page, id_)
        picked.wait_for(state="attached")


def pick_pair(page: Page, a: str, b: str) -> PaintTimes:
    """Pick A then B, and wait for the whole sheet."""
    pick(page, a)
    page.evaluate(_STOPWATCH, PATIENCE_MS)
    tap(page, b)
    return PaintTimes(*page.evaluate("window.painted_ms"))


def hold_news(page: Page) -> None:
    """From now on news stays for as long as a test needs to look."""
    page.evaluate(_LASTING_NEWS)


def open_section(page: Page, name: str) -> None:
    """Turn to this part of the set-up, through its door; the first behind a door needs no tap of its own."""
    page.get_by_role("navigation", name="Tools").get_by_role("button", name="Table").tap()
    page.get_by_role("radio", name=_DOORS.get(name, name), exact=True).tap()
    if name in _DOORS and name not in ("Lists", "Steps"):
        page.get_by_role("radio", name=name, exact=True).tap()


def undo_newest(page: Page, says: str) -> None:
    """Take back the newest step, which says this, once a finger has had time to find it. Needs a held clock."""
    open_section(page, "Steps")
    newest = page.locator(".step").first
    expect(newest).to_contain_text(says)
    expect(newest).to_have_class("other step ")
    pass_time(page, REACTION_S)
    newest.locator(".mend").tap()
    expect(newest).to_have_class("other step undone")


def clear(page: Page) -> None:
    """Let the pair go and see the whole table again."""
    page.get_by_role("button", name="Clear the pair").tap()
    expect(page.get_by_role("button", name="Show the whole table")).to_have_count(0)


def keep_screenshot(page: Page, name: str) -> None:
    """Save what the phone shows into a folder that git ignores."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")
