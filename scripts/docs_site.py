"""Hooks of MkDocs: pages that lie beside docs/ become pages of the site. `mkdocs.yml` names this file."""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from scripts.docs_cookbook import COOKBOOK, page_of

_ROOT = Path(__file__).parents[1]
# What lies beside docs/, by its place seen from there, and its name on the site.
_BESIDE = {"../CHANGELOG.md": "changelog.md", "../SECURITY.md": "security.md"}
_HOME = {"../README.md": "index.md", "../changelog.d/README.md": "changelog.md"}
_LINK = re.compile(r"\]\(([^)\s#:]+\.md)((?:#[^)\s]*)?)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages beside docs/ among the files, with links as if they lay there."""
    for place, name in _BESIDE.items():
        text = (_ROOT / "docs" / place).resolve().read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=text.replace("](docs/", "](")))
    for notebook in sorted(COOKBOOK.glob("*.ipynb")):
        page, pictures = page_of(notebook)
        files.append(File.generated(config, f"cookbook/{notebook.stem}.md", content=page))
        for name, picture in pictures.items():
            files.append(File.generated(config, f"cookbook/{name}", content=picture))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links out of docs/ lead to the pages that stand for what they name."""
    folder = posixpath.dirname(page.file.src_uri)

    def lead(found: re.Match[str]) -> str:
        place = posixpath.normpath(posixpath.join(folder, found[1]))
        name = (_BESIDE | _HOME).get(place)
        return found[0] if name is None else f"]({posixpath.relpath(name, folder or '.')}{found[2]})"

    return _LINK.sub(lead, markdown)
