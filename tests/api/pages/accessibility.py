"""What keeps people from using a page, found by axe-core: contrast, names, sizes of targets, structure."""

from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parents[3] / "api" / "web" / "node_modules" / "axe-core" / "axe.min.js"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RUN = """async (tags) => {
  const { violations } = await axe.run(document, { runOnly: { type: "tag", values: tags } });
  const lines = ({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`);
  return violations.flatMap(lines);
}"""


def violations(page: Page) -> list[str]:
    """What breaks WCAG 2.2 AA on the page as it is now, an element a line."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))  # past the policy that lets no page bring scripts
    return list(page.evaluate(_RUN, _TAGS))
