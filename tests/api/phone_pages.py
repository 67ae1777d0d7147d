"""What a player does on the page, and how long the page takes."""

import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, expect

SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"

TARGET_MS = 300  # what a player does not notice; printed beside what was measured
PATIENCE_MS = 20_000  # a tap that met no base never paints a sheet
LIMIT_MS = 1000  # what fails: this machine may be running much else at the same time

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


class Took(NamedTuple):
    """Milliseconds from the second tap to the painted distance, to all but charges, and to the whole sheet."""

    distance_ms: float
    readable_ms: float
    sheet_ms: float


def told(name: str, times: Sequence[Took]) -> str:
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
    expect(page.locator(".base").nth(bases - 1)).to_be_attached(timeout=60_000)


def middle(page: Page, id_: str) -> tuple[float, float]:
    """Where the middle of a base is on the screen."""
    box = page.locator(f'.base[data-id="{id_}"] .rim').bounding_box()
    assert box is not None, id_
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap(page: Page, id_: str) -> None:
    """Tap the middle of a base, as a finger does."""
    page.touchscreen.tap(*middle(page, id_))


def pick_pair(page: Page, a: str, b: str) -> Took:
    """Pick A then B, and wait for the whole sheet."""
    tap(page, a)
    expect(page.locator(f'.base[data-id="{a}"]')).to_have_attribute("aria-pressed", "true")
    page.evaluate(_STOPWATCH, PATIENCE_MS)
    tap(page, b)
    return Took(*page.evaluate("window.painted_ms"))


def clear(page: Page) -> None:
    """Let the pair go and see the whole table again."""
    page.get_by_role("button", name="Clear the pair").tap()
    page.get_by_role("button", name="Show the whole table").tap()
    expect(page.get_by_role("button", name="Show the whole table")).to_have_count(0)


def keep_screenshot(page: Page, name: str) -> None:
    """Save what the phone shows into a folder that git ignores."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")


def at_rest(page: Page, *, for_ms: float = 700.0) -> list[str]:
    """Ids of the bases that stand alone and stay where they are, left to right: nobody taps what is in a hand."""
    before = _alone(page)
    page.wait_for_timeout(for_ms)
    return [id_ for id_, at in _alone(page).items() if id_ in before and math.dist(at, before[id_]) < 1]


def _alone(page: Page, *, apart_px: float = 34.0) -> dict[str, tuple[float, float]]:
    """Bases that a finger on the whole table cannot mistake for another, left to right, and where they are on it."""
    rims = page.locator(".base").evaluate_all(
        "all => all.map((one) => { const box = one.querySelector('.rim').getBoundingClientRect();"
        " return [one.dataset.id, box.x + box.width / 2, box.y + box.height / 2]; })"
    )
    near = [min(math.dist(one[1:], other[1:]) for other in rims if other is not one) for one in rims]
    found = [one for one, gap in zip(rims, near, strict=True) if gap > apart_px]
    return {id_: (x, y) for id_, x, y in sorted(found, key=lambda one: one[1])}
