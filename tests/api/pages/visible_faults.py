"""Faults that people see on a page and axe-core does not: covered buttons, cut text, labels on labels."""

from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Page

SIZES = {
    "phone": (390, 844),
    "small phone": (360, 640),
    "phone on its side": (844, 390),
    "tablet": (820, 1180),
    "laptop": (1440, 900),
    "large screen": (1920, 1080),
}
LARGE_TEXT = "text at 200 %"
"""A phone on which all text is twice as large."""
QUICK_SIZES = ("small phone", "laptop", LARGE_TEXT)
"""Where words have least room, and where there is most."""
ALL_SIZES = (*SIZES, LARGE_TEXT)

TARGET_PX = 44
_SETTLED = """() => new Promise((done) => {
  let [was, still] = ["", 0];
  const look = () => {
    const now = [...document.querySelectorAll("main, .lower, .base .rim, .sheet")].map((one) => {
      const box = one.getBoundingClientRect();
      return [box.x, box.y, box.width, box.height].map(Math.round).join(" ");
    }).join();
    still = now === was ? still + 1 : 0;
    was = now;
    if (still === 4) done();
    else requestAnimationFrame(look);
  };
  look();
})"""

_FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").split("\n", 1)[1]


def visible_faults(page: Page) -> list[str]:
    """What is wrong with the page as it is now, a fault a line."""
    page.evaluate(_SETTLED)
    return list(page.evaluate(_FAULTS, TARGET_PX))


def faults_at(page: Page, sizes: Iterable[str]) -> list[str]:
    """The same at each of these sizes; the page has its own size again afterwards."""
    before = page.viewport_size
    assert before is not None
    faults = [f"{size}: {fault}" for size in sizes for fault in _faults_of(page, size)]
    _take_size(page, before["width"], before["height"])
    return faults


def _faults_of(page: Page, size: str) -> list[str]:
    width, height = SIZES["phone" if size == LARGE_TEXT else size]
    _take_size(page, width, height, percent=200 if size == LARGE_TEXT else 100)
    return visible_faults(page)


def _take_size(page: Page, width: int, height: int, *, percent: int = 100) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("size => { document.documentElement.style.fontSize = size }", "" if percent == 100 else f"{percent}%")
