"""Every page of a game, walked by two players, a judge and a producer at one table, as pictures to be looked at.

    python -m benchmarks.server.page_journeys --output FOLDER [--only TEXT] [--large-text]
    python -m benchmarks.server.page_journeys --faults [--only TEXT] [--language de]

Takes a picture of each station in six sizes, phone to desk, into the folder: `SIZE-ROLE-STATION.png`; the stream's
overlay in both sizes of a stream. `--only`: those whose name holds this text. `--large-text`: in letters of twice the
size. `--faults`: instead of pictures, what axe-core finds in both themes and what people see wrong at every station, in
all sizes and, where none is named, in all languages.
"""

import argparse
import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, expect

from tests.api.pages.accessibility import violations
from tests.api.pages.player_page import wait_for_frame
from tests.api.pages.stations import STATIONS, Game, play, rule_and_air, settle
from tests.api.pages.visible_faults import ALL_SIZES, faults_at
from tests.chromium import PATIENCE_MS, launch_chromium

SIZES = ((390, 844), (360, 640), (844, 390), (820, 1180), (1440, 900), (1920, 1080))
STREAMS = ((1920, 1080), (1280, 720))
TEXT_PX = 32
LANGUAGES = ("en", "de", "fr", "es")
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def take_pictures(browser: Browser, game: Game, folder: Path, *, only: str, is_large: bool) -> int:
    """A picture of each station in each size, into the folder."""
    count = 0
    for station in STATIONS:
        sizes = STREAMS if station.role == "overlay" else SIZES
        names = {size: f"{size[0]}x{size[1]}-{station.role}-{station.name}" for size in sizes}
        wanted = [size for size in sizes if only in names[size]]
        if not wanted:
            continue
        page = game.open(browser, station, wanted[0])
        if is_large:
            page.evaluate(f"document.documentElement.style.fontSize = '{TEXT_PX}px'")
        settle(page, station)
        for width, height in wanted:
            page.set_viewport_size({"width": width, "height": height})
            wait_for_frame(page)
            wait_for_frame(page)
            page.screenshot(path=folder / f"{names[width, height]}.png", animations="disabled")
            count += 1
        page.context.close()
        game.end_dispute()
    return count


def find_faults(browser: Browser, game: Game, language: str, *, only: str) -> int:
    """How much is wrong at every station in this language; each is printed."""
    count = 0
    for station in (one for one in STATIONS if only in f"{one.role}-{one.name}"):
        is_stream = station.role == "overlay"  # nobody taps there, and its words lie on a video
        page = game.open(browser, station, STREAMS[0] if is_stream else SIZES[0], locale=language)
        settle(page, station)
        found = [] if is_stream else faults_at(page, ALL_SIZES)
        for theme in THEMES:  # one has other colours than the other, and nothing else
            page.emulate_media(color_scheme=theme)
            wait_for_frame(page)
            found += [f"{theme}: {one}" for one in violations(page)]
        for one in found:
            print(f"{language}: {station.role}-{station.name}: {one}", flush=True)
        count += len(found)
        page.context.close()
        game.end_dispute()
    return count


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--large-text", action="store_true")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--language", choices=LANGUAGES)
    given = parser.parse_args()
    if given.output is None and not given.faults:
        parser.error("--output FOLDER, or --faults")
    expect.set_options(timeout=PATIENCE_MS)
    with launch_chromium() as browser, play() as game:
        rule_and_air(browser, game)
        if given.faults:
            spoken = [given.language] if given.language else LANGUAGES
            counts = {language: find_faults(browser, game, language, only=given.only) for language in spoken}
            print(", ".join(f"{language} {count}" for language, count in counts.items()), "faults")
            return 1 if any(counts.values()) else 0
        given.output.mkdir(parents=True, exist_ok=True)
        count = take_pictures(browser, game, given.output, only=given.only, is_large=given.large_text)
        print(f"{given.output}: {count} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
