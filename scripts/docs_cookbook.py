"""The cookbook: notebooks of docs/cookbook run anew (`make notebooks`), and written as pages of the site."""

import base64
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

COOKBOOK = Path(__file__).parents[1] / "docs" / "cookbook"
PATIENCE_S = 300
_MOST_CHARACTERS = 2000  # of a text that nobody reads to its end
_PICTURES = {"image/svg+xml": "svg", "image/png": "png"}


def main() -> int:
    """Run every notebook, and keep what came out beside its cells."""
    for path in sorted(COOKBOOK.glob("*.ipynb")):
        path.write_text(nbformat.writes(run_notebook(path)) + "\n", encoding="utf-8")
        print(path)
    return 0


def run_notebook(path: Path) -> Any:
    """The notebook as it comes out now, in a folder of its own with the files that lie beside it.

    Raises: CellExecutionError naming the cell that failed.
    """
    notebook = nbformat.read(path, 4)
    with tempfile.TemporaryDirectory() as folder:
        for beside in COOKBOOK.iterdir():
            if beside.suffix != ".ipynb":
                shutil.copy(beside, folder)
        NotebookClient(notebook, timeout=PATIENCE_S, resources={"metadata": {"path": folder}}).execute()
    return without_traces(notebook)


def without_traces(notebook: Any) -> Any:
    """The same without times, and what only this run's Python knows."""
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    for cell in notebook.cells:
        cell.metadata = {}
    return notebook


def page_of(path: Path) -> tuple[str, dict[str, bytes]]:
    """A notebook as Markdown, and the pictures that it names."""
    pictures: dict[str, bytes] = {}
    parts = [f"[Take this notebook]({path.name})\n"]
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source + "\n")
            continue
        parts.append(f"```python\n{cell.source}\n```\n")
        for output in cell.outputs:
            parts.extend(_shown(output, path.stem, pictures))
    title, *others = parts[1:]
    return "\n".join((title, parts[0], *others)), pictures


def _shown(output: Any, stem: str, pictures: dict[str, bytes]) -> Iterator[str]:
    data = output.get("data", {})
    for kind, suffix in _PICTURES.items():
        if kind in data:
            name = f"{stem}-{len(pictures)}.{suffix}"
            text = data[kind]
            pictures[name] = text.encode() if suffix == "svg" else base64.b64decode(text)
            yield f"![What the cell shows]({name})\n"
            return
    if "text/html" in data:
        yield data["text/html"] + "\n"
    elif text := data.get("text/plain") or output.get("text"):
        yield f"```text\n{text[:_MOST_CHARACTERS].rstrip()}\n```\n"


if __name__ == "__main__":
    sys.exit(main())
