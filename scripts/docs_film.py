"""The 20-second film of the demo on the documentation's home page: `python scripts/docs_film.py`, or `make film`."""

import base64
import sys
import time
from bisect import bisect_right
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.api.pages.player_page import middle, open_table, tap
from tests.api.serving import call_api, serve_table
from tests.chromium import PATIENCE_MS, launch_chromium

WRITTEN = Path(__file__).parent.parent / "docs" / "film" / "demo.mp4"
_FILM_S, _RATE, _POSTER_S = 20, 10, 9
_TABLE = ViewportSize(width=720, height=720)
_PHONE = ViewportSize(width=390, height=720)
_BASES = 16
# When each tap falls, in seconds of the film.
_ONE_S, _TWO_S, _WHAT_IF_S, _STEP_S = 1.5, 5.5, 10.5, 12.5

Shot = NDArray[np.uint8]


class Screencast:
    """What a page shows from now on, by the time at which it was drawn."""

    def __init__(self, page: Page) -> None:
        self._times_s: list[float] = []
        self._shots: list[bytes] = []
        self._session = page.context.new_cdp_session(page)
        self._session.on("Page.screencastFrame", self._keep)
        self._session.send("Page.startScreencast", {"format": "jpeg", "quality": 90})

    def _keep(self, event: dict[str, Any]) -> None:
        self._times_s.append(event["metadata"]["timestamp"])
        self._shots.append(base64.b64decode(event["data"]))
        self._session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    def began_s(self) -> float:
        """When the first picture was drawn."""
        return self._times_s[0]

    def shot_at(self, time_s: float, size: ViewportSize) -> Shot:
        """The newest picture at this time."""
        shot = self._shots[max(bisect_right(self._times_s, time_s) - 1, 0)]
        image = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        return np.asarray(cv2.resize(image, (size["width"], size["height"]), interpolation=cv2.INTER_AREA), np.uint8)


def main() -> int:
    """Play, film, write."""
    expect.set_options(timeout=PATIENCE_MS)
    with serve_table("demo") as address, launch_chromium() as browser:
        phone = _open_phone(browser, address)
        table = _open_table_picture(browser, address)
        casts = Screencast(table), Screencast(phone)
        _play(phone, address)
    _write(*casts)
    print(f"{WRITTEN}: {_FILM_S} s, {WRITTEN.stat().st_size / 1e6:.1f} MB")
    return 0


def _open_phone(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport=_PHONE, has_touch=True, color_scheme="dark").new_page()
    open_table(page, address, bases=_BASES)
    expect(page.locator(".picker")).to_contain_text("Dame Marl")
    return page


def _open_table_picture(browser: Browser, address: str) -> Page:
    """The camera's view, as programs for streams take it."""
    page = browser.new_context(viewport=_TABLE).new_page()
    page.goto(f"{address}api/v1/stream.mjpeg", wait_until="commit")
    page.wait_for_function("document.images[0]?.naturalWidth > 0")
    return page


def _play(phone: Page, address: str) -> None:
    """What a player does, each tap at its time."""
    ids = {one["name"]: one["id"] for one in call_api(address, "state")["miniatures"] if one.get("name")}
    began_s = time.monotonic()

    def wait_for(time_s: float) -> None:
        phone.wait_for_timeout(max(began_s + time_s - time.monotonic(), 0) * 1000)

    wait_for(_ONE_S)
    tap(phone, ids["Bog Witch"])
    wait_for(_TWO_S)
    tap(phone, ids["Slinger"])
    wait_for(_WHAT_IF_S)
    phone.get_by_role("navigation", name="Tools").get_by_role("button", name="What if").tap()
    wait_for(_STEP_S)
    x, y = middle(phone, ids["Bog Witch"])
    phone.touchscreen.tap(x + 30, y - 30)
    wait_for(_FILM_S + 1)


def _write(table: Screencast, phone: Screencast) -> None:
    began_s = max(table.began_s(), phone.began_s())
    WRITTEN.parent.mkdir(exist_ok=True)
    with av.open(str(WRITTEN), "w", options={"movflags": "+faststart"}) as out:
        stream = out.add_stream("libx264", rate=Fraction(_RATE), options={"crf": "30", "preset": "veryslow"})
        stream.width, stream.height = _TABLE["width"] + _PHONE["width"], _TABLE["height"]
        stream.pix_fmt = "yuv420p"
        for number in range(_FILM_S * _RATE):
            at_s = began_s + number / _RATE
            image = np.hstack([table.shot_at(at_s, _TABLE), phone.shot_at(at_s, _PHONE)])
            if number == _POSTER_S * _RATE:
                cv2.imwrite(str(WRITTEN.with_suffix(".jpg")), image, [cv2.IMWRITE_JPEG_QUALITY, 80])
            out.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        out.mux(stream.encode())


if __name__ == "__main__":
    sys.exit(main())
