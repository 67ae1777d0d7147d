"""Errand of one photograph in a real browser with touch: taps and seconds from the picture to "may A see B".

    python -m benchmarks.server.photograph_errand

Draws a photograph with a base that the eye misses, serves `tableside setup`, and walks from its first page to the
answer about that base. Prints how many taps and seconds each station is away from the first page; a tap comes as soon
as the page is ready for it, so the seconds are the program's alone.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import expect

from tests.api.pages.photograph_errand import walk, write_photograph
from tests.api.serving import folders_of_user, read_addresses, start_program
from tests.chromium import PHONE, launch_chromium

_PATIENCE_MS = 120_000  # of a machine that does other work beside


def main() -> None:
    expect.set_options(timeout=_PATIENCE_MS)
    with launch_chromium() as browser, tempfile.TemporaryDirectory() as folder:
        photograph = Path(folder) / "game.jpg"
        write_photograph(photograph)
        page = browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True).new_page()
        with start_program("setup", environment=folders_of_user(Path(folder))) as program:
            finger = walk(page, read_addresses(program)["join"]["players"], photograph)
        print("station     taps  seconds")
        for station, taps, after_s in finger.stations:
            print(f"{station:10s}{taps:6d}{after_s:9.1f}")


if __name__ == "__main__":
    main()
