"""What all tests share: the browser that drives the pages, and a quiet Hypothesis."""

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Page, expect

from tests.chromium import PATIENCE_MS, PHONE, NoChromium, launch_chromium

expect.set_options(timeout=PATIENCE_MS)

# A busy machine makes an example slow, not wrong. The same code meets the same examples, so that a change is judged by
# what it changed; `make test-search` looks at others every time.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("table", settings.get_profile("search"), derandomize=True)
settings.load_profile("table")


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """A headless Chromium, one for all modules, and the event loop of its driver, which runs in this thread meanwhile.

    Without one the test fails: a page nobody opened was not tested.
    """
    try:
        with launch_chromium() as started:
            loop = asyncio.get_running_loop()
            asyncio._set_running_loop(None)
            yield started, loop
            asyncio._set_running_loop(loop)
    except NoChromium as missing:
        pytest.fail(str(missing))


@pytest.fixture(scope="module")
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The Chromium; its driver's loop counts as running in modules that drive it, so that others may run their own."""
    started, loop = chromium
    asyncio._set_running_loop(loop)
    yield started
    asyncio._set_running_loop(None)


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
