"""Pictures of the documentation, all from the product: `make pictures`, `python -m scripts.docs_pictures SET ...`."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, expect

from api.books.examples import EXAMPLES
from api.projector.schemas import LightSettings
from scripts import docs_club_night, docs_hall_day
from scripts.docs_album import Album, Shot, open_page, shot_of
from tests.api.pages.photograph_errand import Finger, solve_pose, write_photograph
from tests.api.pages.player_page import middle, open_table, pick, pick_pair, tap
from tests.api.pages.projector.test_projector_page import lit_room
from tests.api.serving import call_api, folders_of_user, read_addresses, serve_table, start_program
from tests.api.worlds import SKIRMISH
from tests.chromium import PATIENCE_MS, PHONE, launch_chromium

ALBUM = Album()
_GAP_PX = 12
_BASES = 16


def main(names: list[str]) -> int:
    """Take the sets of these names, or all."""
    expect.set_options(timeout=PATIENCE_MS)
    with launch_chromium() as browser:
        for name in names or SETS:
            SETS[name](browser)
    return 0


def _take_phones(browser: Browser) -> None:
    """Three phones side by side."""
    with serve_table("demo") as address:
        shots = [_take(browser, address, shot) for shot in (_around_one, _between_two, _what_if)]
    gap = np.full((shots[0].shape[0], _GAP_PX, 3), 255, np.uint8)
    parts = [part for shot in shots for part in (gap, shot)][1:]
    ALBUM.keep(np.hstack(parts), "phone")


def _take_light(browser: Browser) -> None:
    """A table as its camera sees it, with a sharp ring, a doubtful one, and a corridor of light."""
    ring = {"type": "circle", "role": "limit", "radius_mm": 203.2}
    lane = {"type": "polygon", "role": "hit", "points_mm": [[720, 300], [1180, 380], [1175, 420], [712, 345]]}
    with lit_room(browser) as room:
        room.light.set_settings(LightSettings(level=0.8))
        room.lay(ring | {"centre_mm": (1250, 760)}, lane, sigma_mm=4.0)
        ALBUM.keep(room.scene.photograph(room.shown()), "projector")


def _take_photograph(browser: Browser) -> None:
    """One photograph of a game, its corners marked."""
    with tempfile.TemporaryDirectory() as folder:
        write_photograph(Path(folder) / "game.jpg")
        with start_program("setup", environment=folders_of_user(Path(folder))) as program:
            page = open_page(browser, read_addresses(program)["join"]["players"])
            solve_pose(Finger(page), Path(folder) / "game.jpg")
            ALBUM.shoot(page, "photograph")
            page.context.close()


def _take_book(browser: Browser) -> None:
    """Two under a rulebook that somebody wrote: its own questions, in its own words."""
    book = str(EXAMPLES["lantern-street"])
    with serve_table("serve", "--state", str(SKIRMISH), "--open", "--edition", book) as address:
        page = open_page(browser, address)
        expect(page.locator(".base").nth(16)).to_be_attached()
        for id_ in ("m7", "m10"):
            pick(page, id_)
        expect(page.locator('.sheet [data-slot="book-6"]')).to_be_visible()
        ALBUM.shoot(page, "book")
        page.context.close()


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
    return shot_of(page)


def _between_two(page: Page, ids: dict[str, str]) -> Shot:
    """Between two: sight, distance, and what the weapons of their cards reach."""
    pick_pair(page, ids["Reeve Sergeant"], ids["Slinger"])
    return shot_of(page)


def _what_if(page: Page, ids: dict[str, str]) -> Shot:
    """What if it went there: how far it is, what it costs, and everything from where it would end."""
    page.get_by_role("navigation", name="Tools").get_by_role("button", name="What if").tap()
    tap(page, ids["Reeve Sergeant"])
    x, y = middle(page, ids["Reeve Sergeant"])
    page.touchscreen.tap(x + 40, y + 40)
    expect(page.get_by_text("so far")).to_be_visible()
    expect(page.locator(".sheet")).to_contain_text("left")
    return shot_of(page)


SETS: dict[str, Callable[[Browser], None]] = {
    "phones": _take_phones, "light": _take_light, "photograph": _take_photograph, "book": _take_book,
    "club-night": docs_club_night.take, "hall": docs_hall_day.take,
}  # fmt: skip

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
