"""Every notebook of the cookbook runs to its end: half a minute of processor, since each starts a Python of its own."""

from pathlib import Path
from typing import Any

import nbformat
import pytest

from scripts.docs_cookbook import COOKBOOK, page_of, run_notebook

NOTEBOOKS = sorted(COOKBOOK.glob("*.ipynb"))


def test_there_are_six() -> None:
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_kept_of_it(path: Path) -> None:
    """Not to the last digit of a picture, but each cell that showed something shows something of the same kind."""
    kept, now = (_kinds(notebook) for notebook in (nbformat.read(path, 4), run_notebook(path)))

    assert now == kept
    assert any(now)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_shows_every_picture_of_its_notebook(path: Path) -> None:
    page, pictures = page_of(path)

    assert page.startswith("# ")
    assert all(f"]({name})" in page and picture for name, picture in pictures.items())


def _kinds(notebook: Any) -> list[list[str]]:
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [sorted(kind for output in cell.outputs for kind in output.get("data", {})) for cell in cells]
