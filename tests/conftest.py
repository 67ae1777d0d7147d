"""What all tests share: the browser that drives the pages, and a quiet Hypothesis."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Page, expect

from tests.chromium import PATIENCE_MS, PHONE, NoChromium, launch_chromium
from tests.plugins import example_package as example_package
from tests.plugins import install as install

expect.set_options(timeout=PATIENCE_MS)

# A busy machine makes an example slow, not wrong. The same code meets the same examples, so that a change is judged by
# what it changed; `make test-search` looks at others every time.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("table", settings.get_profile("search"), derandomize=True)
settings.load_profile("table")


LONGEST = (
    "house/test_wheel.py", "api/pages/player/test_pair_sheet.py", "api/pages/setup/test_setup_page.py",
    "calibration/intrinsics/test_calibrate_camera.py", "referee/test_small_worlds.py", "vision/test_recording.py",
    "referee/test_untold.py", "vision/tracking/test_tracker.py", "api/pages/player/test_setup_panel.py",
    "api/pages/player/test_army_lists.py", "api/live/test_camera_supervisor.py",
    "calibration/setup/test_solve_setup.py",
    "api/pages/hall/test_hall_page.py", "api/pages/judge/test_judge_page.py", "api/pages/player/test_tools.py",
    "referee/editions/warmachine/test_stated_doubt.py", "api/corrections/test_told_facts.py",
    "api/http/test_openapi.py",
    "api/pages/player/test_demo.py", "referee/editions/warhammer_9/test_laws.py",
    "referee/test_sight_oracle.py",
    "api/pages/player/test_restricted_measuring.py", "api/evaluation/test_worker_pool.py", "api/cli/test_calibrate.py",
    "referee/test_hostile_states.py", "api/hall/test_hub_app.py", "referee/editions/warhammer_9/test_house_rules.py",
)  # fmt: skip
"""Files of ten seconds and more, the longest first: each goes to one worker whole, and none may be begun last."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first; all else stays in its order."""
    rank = {Path(__file__).parent / name: k for k, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path, len(rank)))


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
