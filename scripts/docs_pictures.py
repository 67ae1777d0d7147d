"""Pictures of the docs, from the demo and a rendered room: `python scripts/docs_pictures.py`, or `make pictures`."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, expect

from api.projector.schemas import LightSettings
from tests.api.pages.player_page import middle, open_table, pick_pair, tap
from tests.api.pages.projector.test_projector_page import lit_room
from tests.api.serving import call_api, serve_table
from tests.chromium import PATIENCE_MS, PHONE, launch_chromium

WRITTEN = Path(__file__).parent.parent / "docs" / "pictures" / "phone.png"
LIGHT = WRITTEN.with_name("projector.jpg")
_GAP_PX = 12
_BASES = 16

Shot = NDArray[np.uint8]


def main() -> int:
    """Take the three pictures side by side, and the table under a projector."""
    expect.set_options(timeout=PATIENCE_MS)
    with serve_table("demo") as address, launch_chromium() as browser:
        shots = [_take(browser, address, shot) for shot in (_around_one, _between_two, _what_if)]
    _write(shots)
    print(f"{WRITTEN}: {len(shots)} pictures")
    with launch_chromium() as browser:
        _write_light(browser)
    print(LIGHT)
    return 0


def _write_light(browser: Browser) -> None:
    """A table as its camera sees it, with a sharp ring, a doubtful one, and a corridor of light."""
    ring = {"type": "circle", "role": "limit", "radius_mm": 203.2}
    lane = {"type": "polygon", "role": "hit", "points_mm": [[720, 300], [1180, 380], [1175, 420], [712, 345]]}
    with lit_room(browser) as room:
        room.light.set_settings(LightSettings(level=0.8))
        room.lay(ring | {"centre_mm": (1250, 760)}, lane, sigma_mm=4.0)
        cv2.imwrite(str(LIGHT), room.scene.photograph(room.shown()), [cv2.IMWRITE_JPEG_QUALITY, 82])


def _take(browser: Browser, address: str, shot: Callable[[Page, dict[str, str]], Shot]) -> Shot:
    """The picture on a phone of its own, once everybody has a name."""
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    open_table(page, address, bases=_BASES)
    expect(page.locator(".picker")).to_contain_text("Dame Marl")
    ids = {one["name"]: one["id"] for one in call_api(address, "state")["miniatures"] if one.get("name")}
    try:
        return shot(page, ids)
    finally:
        context.close()


def _around_one(page: Page, ids: dict[str, str]) -> Shot:
    """Around a miniature: rings of its card, and who threatens it."""
    tap(page, ids["Bog Witch"])
    expect(page.get_by_role("button", name="Hide the ring: Threat on the charge")).to_be_visible()
    return _shoot(page)


def _between_two(page: Page, ids: dict[str, str]) -> Shot:
    """Between two: sight, distance, and what the weapons of their cards reach."""
    pick_pair(page, ids["Reeve Sergeant"], ids["Slinger"])
    return _shoot(page)


def _what_if(page: Page, ids: dict[str, str]) -> Shot:
    """What if it went there: how far it is, what it costs, and everything from where it would end."""
    page.get_by_role("navigation", name="Tools").get_by_role("button", name="What if").tap()
    tap(page, ids["Reeve Sergeant"])
    x, y = middle(page, ids["Reeve Sergeant"])
    page.touchscreen.tap(x + 40, y + 40)
    expect(page.get_by_text("so far")).to_be_visible()
    expect(page.locator(".sheet")).to_contain_text("left")
    return _shoot(page)


def _shoot(page: Page) -> Shot:
    picture = cv2.imdecode(np.frombuffer(page.screenshot(animations="disabled"), np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(picture, np.uint8)


def _write(shots: Sequence[Shot]) -> None:
    gap = np.full((shots[0].shape[0], _GAP_PX, 3), 255, np.uint8)
    parts = [part for shot in shots for part in (gap, shot)][1:]
    cv2.imwrite(str(WRITTEN), np.hstack(parts), [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    sys.exit(main())
