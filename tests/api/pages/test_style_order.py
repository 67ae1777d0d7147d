"""Order of a built page's style sheets: what all pages share comes first, so that a page's own rules win."""

import re
from pathlib import Path

import pytest

from api.http.security_headers import BUILT
from tests.house.sources import ROOT

_SHARED = (ROOT / "api/web/src/shared/style.css").read_text(encoding="utf-8")
_LINKED = re.compile(r'rel="stylesheet"[^>]*href="\./([^"]+\.css)"')
PAGES = sorted(path for path in BUILT.glob("*.html") if len(_LINKED.findall(path.read_text(encoding="utf-8"))) > 1)


def test_built_pages_link_more_than_the_shared_sheet() -> None:
    assert {"index", "judge", "overlay", "measure", "projector"} <= {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_shared_style_sheet_is_linked_first(page: Path) -> None:
    first, *others = _LINKED.findall(page.read_text(encoding="utf-8"))

    assert "--raised-more:" in _SHARED
    assert "--raised-more:" in (BUILT / first).read_text(encoding="utf-8")
    assert not any("--raised-more:" in (BUILT / other).read_text(encoding="utf-8") for other in others)
