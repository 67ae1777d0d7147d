"""What keeps people from using a page, found by axe-core: contrast, names, sizes of targets, structure."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "api" / "web" / "node_modules" / "axe-core" / "axe.min.js"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def violations(page: Page) -> list[str]:
    """What breaks WCAG 2.2 AA on the page as it is now: the rule, and where."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_source())
    found = page.evaluate("tags => axe.run({ runOnly: tags })", _TAGS)
    return [f"{one['id']}: {node['html'][:160]}" for one in found["violations"] for node in one["nodes"]]


@cache
def _source() -> str:
    return _AXE.read_text(encoding="utf-8")
