"""How long a page needs to find a server that was killed and started again, with the table as it was corrected."""

import json
import re
import tempfile
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from benchmarks.server.hall.server import Server, run_demo
from tests.api.pages.player_page import open_table
from tests.api.worlds import SKIRMISH
from tests.chromium import PHONE, launch_chromium

AWAY_S = 8.0  # long enough that the page waits longest between two tries
NAME = "Come back"


def measure_reconnects_s(times: int) -> list[float]:
    """From the new server's first word to the page that shows the corrected table again, so many times."""
    with tempfile.TemporaryDirectory() as folder, launch_chromium() as browser:
        kept = ("--state", str(SKIRMISH), "--data", str(Path(folder) / "table"))
        page = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True).new_page()
        with run_demo(*kept) as server:
            port = urlsplit(server.url).port or 0
            open_table(page, server.url, bases=17)
            server.kill()
        found = [_reconnect_once(page, kept, port, f"{NAME} {k}") for k in range(times)]
    return found


def _reconnect_once(page: Page, kept: tuple[str, ...], port: int, name: str) -> float:
    """Correct and kill a server that the page had found, then time the page's way back to the next."""
    with run_demo(*kept, port=port) as server:
        expect(page.get_by_role("alert")).to_have_count(0, timeout=30_000)
        _correct_name(server, name)
        server.kill()
    expect(page.get_by_role("alert")).to_contain_text("Reconnecting", timeout=15_000)
    time.sleep(AWAY_S)
    with run_demo(*kept, port=port) as server:
        began = time.monotonic()
        named = re.compile(re.escape(name))
        expect(page.locator('.base[data-id="m3"]')).to_have_attribute("aria-label", named, timeout=30_000)
        expect(page.get_by_role("alert")).to_have_count(0, timeout=30_000)
        took_s = time.monotonic() - began
        server.kill()
    return took_s


def _correct_name(server: Server, name: str) -> None:
    """Name a miniature, as a player does."""
    told = json.dumps({"do": "miniature", "ids": ["m3"], "name": name}).encode()
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{server.url}api/v1/corrections", told, headers), timeout=30):
        pass
