"""Printed set-up pages, looked at as a printer draws them: the pattern and the mark that the solver expects."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from api.cli import app
from api.printing.boards import mark_on_paper
from api.printing.paper import PaperName, orientations
from calibration.arrays import Floats, Image
from calibration.setup.pages import detect_pages
from calibration.setup.table_layout import mark_of

MM = 300 / 25.4  # px
_WHITE_MM = 3.9
PAPERS = [PaperName.A4, PaperName.LETTER]


def _print(folder: Path, paper: PaperName) -> list[Image]:
    app(["print", "setup", "-o", str(folder / "setup.pdf"), "--paper", paper], standalone_mode=False)
    document = pypdfium2.PdfDocument(folder / "setup.pdf")
    return [np.array(page.render(scale=MM * 25.4 / 72, grayscale=True).to_numpy()).squeeze() for page in document]


def _fit_mm(seen_mm: Floats, known_mm: Floats) -> tuple[Floats, Floats]:
    """Turn and shift that lay what is known on what is seen, without any stretching."""
    a, b = known_mm - known_mm.mean(axis=0), seen_mm - seen_mm.mean(axis=0)
    u, _, vt = np.linalg.svd(a.T @ b)
    return u @ vt, seen_mm.mean(axis=0) - known_mm.mean(axis=0) @ u @ vt


@pytest.mark.parametrize("paper", PAPERS)
def test_each_page_has_its_corners_and_its_mark_where_the_solver_expects_them(paper: PaperName, tmp_path: Path) -> None:
    pages = _print(tmp_path, paper)
    _, held = orientations(paper)

    assert len(pages) == 4
    for number, page in enumerate(pages):
        (view,) = detect_pages(0, page)
        assert (view.page, len(view.points_mm)) == (number, 24)
        seen = np.stack([(view.seen_px[:, 0] + 0.5) / MM, (len(page) - 0.5 - view.seen_px[:, 1]) / MM], axis=1)
        turn, shift = _fit_mm(seen, view.points_mm[:, :2])
        assert np.abs(view.points_mm[:, :2] @ turn + shift - seen).max() < 0.05
        assert mark_of(number)[:2] @ turn + shift == pytest.approx(mark_on_paper(held, number), abs=0.05)
        # thin lines are drawn to the nearest dot of 0.085 mm
        assert _cross_mm(page, mark_on_paper(held, number)) == pytest.approx(mark_on_paper(held, number), abs=0.085)


def _cross_mm(page: Image, near: tuple[float, float]) -> tuple[float, float]:
    """The middle of the cross's two lines, by their ink between circle and ends."""
    x, y = near[0] * MM, len(page) - near[1] * MM
    ink = 255.0 - page
    upright = ink[round(y + 1.8 * MM) : round(y + 2.8 * MM), round(x - MM) : round(x + MM)].sum(axis=0)
    level = ink[round(y - MM) : round(y + MM), round(x - 2.8 * MM) : round(x - 1.8 * MM)].sum(axis=1)
    across = round(x - MM) + 0.5 + np.average(np.arange(len(upright)), weights=upright)
    down = round(y - MM) + 0.5 + np.average(np.arange(len(level)), weights=level)
    return across / MM, (len(page) - down) / MM


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_is_printed_where_printers_leave_white(paper: PaperName, tmp_path: Path) -> None:
    margin = round(_WHITE_MM * MM)
    for page in _print(tmp_path, paper):
        inside = page[margin:-margin, margin:-margin]
        assert (page < 200).sum() == (inside < 200).sum()


def test_words_and_ruler_are_on_each_page(tmp_path: Path) -> None:
    _print(tmp_path, PaperName.A4)
    for number, page in enumerate(pypdfium2.PdfDocument(tmp_path / "setup.pdf"), start=1):
        words = page.get_textpage().get_text_range()
        assert f"Page {number}: " in words
        assert "100 mm" in words


def test_four_pages_side_by_side_are_told_apart(tmp_path: Path) -> None:
    pages = [
        cv2.resize(page, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA) for page in _print(tmp_path, PAPERS[0])
    ]
    both = np.vstack([np.hstack([pages[0], pages[3]]), np.hstack([pages[2], pages[1]])])

    assert [view.page for view in detect_pages(0, np.asarray(both, np.uint8))] == [0, 1, 2, 3]
