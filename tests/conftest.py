"""What all tests share: the browser that drives the pages, and a quiet Hypothesis."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

PHONE = ViewportSize(width=390, height=844)

# A busy machine makes an example slow, not wrong. The same code meets the same examples, so that a change is judged by
# what it changed; `make test-search` looks at others every time.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("table", settings.get_profile("search"), derandomize=True)
settings.load_profile("table")

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


def chromium_path() -> Path | None:
    """The browser of this machine: the one `CHROMIUM` names, else one on the path, else one in a usual place."""
    named = os.environ.get("CHROMIUM")
    found = [named] if named else [shutil.which(name) for name in _NAMES] + list(_PLACES)
    return next((Path(one) for one in found if one and Path(one).exists()), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium. Without one the test fails: a page nobody opened was not tested."""
    path = chromium_path()
    if path is None:
        pytest.fail("no Chromium here: install one, or name it in the environment variable CHROMIUM")
    with sync_playwright() as playwright:
        # --no-sandbox: Chromium refuses its sandbox to root, and a container's shared memory is small.
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield started
        started.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page as large as a phone's, with touch. The test fails when a script on it does."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert not wrong, wrong
