"""How soon a phone that never saw the page can use it, over a slow line.

    python -m benchmarks.server.page_load [--loads 5] [--mbit 1.5] [--delay-ms 150]

Opens the page with an empty cache through Chromium's throttle, and takes the time until every base of a table of
seventeen is drawn. The throttle holds for what is fetched; Chromium
does not slow a socket, so its share of the bytes, which is printed, is added to the time at the line's speed, with one
delay for the hand-shake.
"""

import gzip
import re
import statistics
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.harness import run
from tests.api.serving import serve_table
from tests.api.worlds import SKIRMISH
from tests.chromium import PHONE, launch_chromium

DIST = Path(__file__).parents[2] / "api" / "web" / "dist"
TARGET_S = 2.0
MOST_SCRIPT_BYTES = 150_000
_USABLE = """() => {
  window.usable_ms = new Promise((done) => {
    const isDrawn = () => document.querySelectorAll(".base").length >= 17;
    const look = () => (isDrawn() ? done(performance.now()) : requestAnimationFrame(look));
    look();
  });
}"""


def script_bytes(page: str = "index.html", dist: Path = DIST) -> int:
    """All script that this page loads first, compressed as it is sent."""
    found = re.findall(r'(?:src|href)="\./(assets/[^"]+\.js)"', (dist / page).read_text())
    return sum(len(gzip.compress((dist / name).read_bytes(), compresslevel=6)) for name in found)


def usable_s(browser: Browser, url: str, *, mbit: float, delay_ms: float) -> tuple[float, int]:
    """Seconds until every base is drawn, and the bytes that came over the socket until then."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True)
    page = context.new_page()
    heard = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: heard.append(len(text))))
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    speed = mbit * 1e6 / 8
    throttle = {"offline": False, "latency": delay_ms, "downloadThroughput": speed, "uploadThroughput": speed}
    line.send("Network.emulateNetworkConditions", throttle)
    page.add_init_script(f"({_USABLE})()")
    page.goto(url, wait_until="commit")
    took_ms = float(page.evaluate("window.usable_ms"))
    told = sum(heard)
    context.close()
    return (took_ms + delay_ms) / 1000 + told / speed, told


def main(loads: int = 5, mbit: float = 1.5, delay_ms: float = 150) -> None:
    print(
        f"script of the first load: {script_bytes() / 1000:.1f} kB compressed (at most {MOST_SCRIPT_BYTES / 1000:.0f})"
    )
    with serve_table("serve", "--state", str(SKIRMISH)) as url, launch_chromium() as browser:
        waits = [usable_s(browser, url, mbit=mbit, delay_ms=delay_ms) for _ in range(loads)]
    each = ", ".join(f"{took:.2f}" for took, _ in waits)
    middle = statistics.median(took for took, _ in waits)
    line = f"at {mbit} Mbit/s, {delay_ms:.0f} ms delay"
    print(f"usable after {middle:.2f} s (median of {each}; target {TARGET_S} s) {line}")
    print(f"of which the socket told {waits[-1][1] / 1000:.1f} kB")


if __name__ == "__main__":
    run(main)
