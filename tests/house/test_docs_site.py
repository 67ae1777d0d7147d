"""The documentation as a site: it builds strictly, is searchable, and fetches nothing from elsewhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT

READERS = ("players", "judges", "streamers", "developers")
_FETCHED = re.compile(r'<(?:script|img|video|iframe)[^>]* src="(?:https?:)?//|<link[^>]*stylesheet[^>]*href="http')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; a broken link, an orphan or a missing anchor ends the build."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(build, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_the_home_page_leads_each_reader_to_a_start(site: Path) -> None:
    home = (site / "index.html").read_text(encoding="utf-8")

    assert [reader for reader in READERS if f'href="start/{reader}.html"' not in home] == []


def test_the_home_page_shows_the_film_of_the_demo(site: Path) -> None:
    home = (site / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'<video[^>]* src="([^"]+)"[^>]* poster="([^"]+)"|$', home)[0]

    assert [name for name in named if not name or not (site / name).is_file()] == []


def test_each_question_of_an_edition_can_be_searched(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    places = {entry["location"] for entry in index["docs"]}

    assert len([place for place in places if place.startswith("editions/warmachine-prime.html#")]) > 50
    assert {"changelog.html", "security.html"} <= places


def test_the_site_fetches_nothing_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))

    assert len(pages) > 25
    assert [page.name for page in pages if _FETCHED.search(page.read_text(encoding="utf-8"))] == []


def test_every_picture_of_the_site_is_there(site: Path) -> None:
    wrong = [
        f"{page.relative_to(site)}: {source}"
        for page in site.rglob("*.html")
        for source in re.findall(r"""<(?:img|video)[^>]* src="([^":]+)\"""", page.read_text(encoding="utf-8"))
        if page.name != "404.html" and not (page.parent / source).is_file()
    ]

    assert wrong == []


def test_the_readme_is_short_enough_to_be_read() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 80
