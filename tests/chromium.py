"""Chromium for whoever drives a page: tests and benchmarks open the same browser in the same way."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

PHONE = ViewportSize(width=390, height=844)

# How long anybody waits for what must come on a page. A busy machine answers late, not wrongly.
PATIENCE_MS = 120_000

# The first draws no window, and so needs half of the processor time of the others.
_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


class NoChromium(Exception):
    """There is no Chromium on this machine."""

    def __init__(self) -> None:
        super().__init__("no Chromium here: install one, or name it in the environment variable CHROMIUM")


def chromium_path() -> Path | None:
    """The browser of this machine: the one `CHROMIUM` names, else one on the path, else one in a usual place."""
    named = os.environ.get("CHROMIUM")
    found = [named] if named else [shutil.which(name) for name in _NAMES] + list(_PLACES)
    return next((Path(one) for one in found if one and Path(one).exists()), None)


@contextmanager
def launch_chromium() -> Iterator[Browser]:
    """A headless Chromium, for as long as it is needed. Raises: NoChromium."""
    path = chromium_path()
    if path is None:
        raise NoChromium
    with sync_playwright() as playwright:
        # --no-sandbox: Chromium refuses its sandbox to root, and a container's shared memory is small.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        browser.on("context", lambda context: context.set_default_timeout(PATIENCE_MS))
        yield browser
        browser.close()
