"""Looks at a page as axe-core does, which knows the accessibility guidelines."""

from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "api" / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await axe.run(document, { runOnly: { type: "tag", values: tags } });
  const told = (wrong) => wrong.nodes.map((node) => `${wrong.id}: ${node.target.join(" ")}: ${node.failureSummary}`);
  return violations.flatMap(told);
}"""


def violations(page: Page) -> list[str]:
    """What breaks WCAG 2.2 AA on the page as it is now, an element a line."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=_AXE)
    return list(page.evaluate(_RUN))
