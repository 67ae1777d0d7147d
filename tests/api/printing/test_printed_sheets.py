"""Printed sheets, looked at as a printer draws them: are they as large as they say?"""

import json
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from api.cli import app
from api.printing.paper import EDGE_MM, Paper, PaperName, orientations
from api.printing.pdf_document import OVERLAP_MM
from api.printing.pen import RULER_HEIGHT_MM
from calibration.arrays import Floats, Floats32, Image
from calibration.intrinsics import board_detection as boards
from models.board import BoardFile
from models.layout import Layout

DPI = 300
MM = DPI / 25.4  # px
FINER = 4  # where hundredths of a millimetre are looked at
A4, A4_WIDE = orientations(PaperName.A4)


def _print_pages(folder: Path, *words: object) -> list[Image]:
    """The pages of a sheet, grey, at 300 dots an inch."""
    app(["print", *map(str, words), "-o", str(folder / "sheet.pdf")], standalone_mode=False)
    document = pypdfium2.PdfDocument(folder / "sheet.pdf")
    pages = [np.array(page.render(scale=DPI / 72, grayscale=True).to_numpy()).squeeze() for page in document]
    document.close()
    return pages


def _cut(page: Image, x: float, y: float, width: float, height: float) -> Image:
    """A piece of the page: its lower left corner and size in millimetres, y up."""
    rows, _ = page.shape
    return page[round(rows - (y + height) * MM) : round(rows - y * MM), round(x * MM) : round((x + width) * MM)]


def _ticks_mm(strip: Image) -> Floats:
    """Where the lines across a strip lie, each by the middle of its ink."""
    ink = (255.0 - strip).mean(axis=0)
    dark = np.concatenate([[False], ink > 8, [False]])
    starts, ends = np.flatnonzero(~dark[:-1] & dark[1:]), np.flatnonzero(dark[:-1] & ~dark[1:])
    return np.array([np.average(np.arange(s, e), weights=ink[s:e]) for s, e in zip(starts, ends, strict=True)]) / MM


@pytest.mark.parametrize("name", list(PaperName))
def test_both_rulers_are_a_hundred_millimetres_on_every_paper(name: PaperName, tmp_path: Path) -> None:
    (page,) = _print_pages(tmp_path, "fiducials", "--ids", "1", "--paper", name)
    paper = next(one for one in orientations(name) if abs(page.shape[1] - one.width_mm * MM) < 2)
    left, foot = paper.corner_mm
    level = _enlarge(tmp_path, paper, left - 1, foot - 4 - RULER_HEIGHT_MM + 0.4, 102, 0.9)
    upright = np.rot90(_enlarge(tmp_path, paper, left - 4 - 1.3, foot - 1, 0.9, 102), -1)

    for strip in (level, upright):
        ticks = _ticks_mm(np.asarray(strip, np.uint8)) / FINER
        assert len(ticks) == 101
        assert ticks[-1] - ticks[0] == pytest.approx(100, abs=0.01)
        assert np.diff(ticks) == pytest.approx(1, abs=0.02)


def _enlarge(folder: Path, paper: Paper, x: float, y: float, width: float, height: float) -> Image:
    """A piece of the first page as `_cut` has it, in finer dots."""
    beside = (x, y, paper.width_mm - x - width, paper.height_mm - y - height)
    crop = tuple(side * 72 / 25.4 for side in beside)
    page = pypdfium2.PdfDocument(folder / "sheet.pdf")[0]
    return np.array(page.render(scale=FINER * DPI / 72, crop=crop, grayscale=True).to_numpy()).squeeze()


@pytest.mark.parametrize(
    ("dictionary", "number"),
    [("APRILTAG_36h11", cv2.aruco.DICT_APRILTAG_36h11), ("DICT_4X4_50", cv2.aruco.DICT_4X4_50)],
)
def test_markers_are_read_and_are_as_large_as_the_layout_says(dictionary: str, number: int, tmp_path: Path) -> None:
    pages = _print_pages(tmp_path, "fiducials", "--ids", "2,5-7", "--dictionary", dictionary, "--marker-mm", "63.5")
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(number))
    layout = Layout.model_validate_json((tmp_path / "sheet.layout.json").read_bytes())
    sizes = {}
    for page in pages:
        quads, ids, _ = detector.detectMarkers(page)
        sizes |= {int(i): _black_square_mm(page, quad[0]) for i, quad in zip(np.ravel(ids), quads, strict=True)}

    assert sorted(sizes) == [2, 5, 6, 7] == [marker.id for marker in layout.fiducials.markers]
    assert layout.fiducials.marker_mm == 63.5
    assert np.array(list(sizes.values())) == pytest.approx(63.5, abs=0.05)


def _black_square_mm(page: Image, quad: Floats32) -> tuple[float, float]:
    """Width and height of a marker by the ink of its rim, along lines through the rim's middle."""
    (x0, y0), (x1, y1) = quad.min(axis=0).astype(int), quad.max(axis=0).astype(int)
    rim = (x1 - x0) // 20
    row = 255.0 - page[y0 + rim // 2, x0 - rim : x1 + rim]
    column = 255.0 - page[y0 - rim : y1 + rim, x0 + rim // 2]
    return row.sum() / 255 / MM, column.sum() / 255 / MM


@pytest.mark.parametrize(
    ("kind", "paper"), [("charuco", "a4"), ("charuco", "a3"), ("chessboard", "letter"), ("circles", "a4")]
)
def test_a_board_is_found_whole_by_the_file_beside_it(kind: str, paper: str, tmp_path: Path) -> None:
    (page,) = _print_pages(tmp_path, "charuco", "--pattern", kind, "--paper", paper)
    board = BoardFile.model_validate_json((tmp_path / "sheet.board.json").read_bytes()).board
    view = boards.detect_board("sheet", page, board)

    assert view is not None
    assert len(view.points_mm) == {"charuco": 70, "chessboard": 54, "circles": 44}[kind]
    assert _worst_miss_mm(view) < 0.05


def _worst_miss_mm(view: boards.BoardView) -> float:
    """How far the print's points lie from the board's, laid on each other without any stretching."""
    seen, known = view.seen_px / MM * [1, -1], view.points_mm[:, :2] * [1, -1]
    a, b = seen - seen.mean(axis=0), known - known.mean(axis=0)
    u, _, v = np.linalg.svd(a.T @ b)
    return float(np.linalg.norm(a @ u @ v - b, axis=1).max())


def test_a_board_larger_than_a_page_is_joined_without_a_gap(tmp_path: Path) -> None:
    """Both pages show the strip that they share, and it is the same strip."""
    left, right = _print_pages(tmp_path, "charuco", "--square-mm", "30", "--marker-mm", "22")
    (x, y), (width, height) = A4.corner_mm, A4.field_mm
    shared = [
        _cut(left, x + width - OVERLAP_MM + 0.5, y + 1, OVERLAP_MM - 1, height - 2),
        _cut(right, x + 0.5, y + 1, OVERLAP_MM - 1, height - 2),
    ]

    assert np.abs(cv2.blur(shared[0], (5, 5)).astype(int) - cv2.blur(shared[1], (5, 5))).max() < 60
    assert np.ptp(shared[0]) == 255


@pytest.mark.parametrize(("arc_deg", "base_mm"), [(180, 30), (180, 120), (90, 50)])
def test_a_ring_shows_the_ends_of_the_front_arc_where_they_are(arc_deg: int, base_mm: int, tmp_path: Path) -> None:
    (page,) = _print_pages(tmp_path, "arc-marks", "--bases-mm", base_mm, "--arc-deg", arc_deg)
    radius = base_mm / 2 + 14
    size = (page.shape[1] / MM, page.shape[0] / MM)
    paper = next(one for one in (A4, A4_WIDE) if abs(size[0] - one.width_mm) < 1)
    middle = (paper.corner_mm[0] + radius, size[1] - EDGE_MM - radius)

    assert _rim_mm(page, middle, base_mm / 2) == pytest.approx(base_mm / 2, abs=0.03)
    assert _angles_of_ink(page, middle, base_mm / 2 + 7.5) == pytest.approx(
        [90 - arc_deg / 2, 90 + arc_deg / 2], abs=0.3
    )
    assert _angles_of_ink(page, middle, base_mm / 2 + 3.0)[1] == pytest.approx(90, abs=0.3)


def _along(page: Image, middle: tuple[float, float], radius: NDArray, angle_deg: NDArray) -> Floats:
    angle = np.radians(angle_deg)
    x = (middle[0] + radius * np.cos(angle)) * MM - 0.5
    y = page.shape[0] - (middle[1] + radius * np.sin(angle)) * MM - 0.5
    return 255.0 - cv2.remap(page, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR).ravel()


def _rim_mm(page: Image, middle: tuple[float, float], expected: float) -> float:
    """The radius of the inner circle, where no tick meets it."""
    steps = np.arange(expected - 1, expected + 1, 0.01)
    ink = sum(_along(page, middle, steps, np.full(len(steps), angle)) for angle in (215.0, 250.0, 325.0))
    return float(np.average(steps, weights=ink))


def _angles_of_ink(page: Image, middle: tuple[float, float], radius: float) -> list[float]:
    """Where a circle of this radius crosses ink, degrees anticlockwise from the right."""
    angles = np.arange(-20, 230, 0.05)
    ink = _along(page, middle, np.full(len(angles), radius), angles)
    dark = np.concatenate([[False], ink > 40, [False]])
    starts, ends = np.flatnonzero(~dark[:-1] & dark[1:]), np.flatnonzero(dark[:-1] & ~dark[1:])
    return [float(np.average(angles[s:e], weights=ink[s:e])) for s, e in zip(starts, ends, strict=True)]


@pytest.mark.parametrize("size_in", [3, 4, 5])
def test_a_round_template_has_its_diameter(size_in: int, tmp_path: Path) -> None:
    (page,) = _print_pages(tmp_path, "templates", "--discs-in", size_in, "--no-flame")
    ring = _cut(page, A4.corner_mm[0], page.shape[0] / MM - EDGE_MM - size_in * 25.4 / 2 - 1.5, size_in * 25.4 + 3, 1)
    ticks = _ticks_mm(ring)

    assert ticks[-1] - ticks[0] == pytest.approx(size_in * 25.4, abs=0.05)


def test_the_flame_is_eight_inches_long_and_two_and_a_half_wide(tmp_path: Path) -> None:
    (page,) = _print_pages(tmp_path, "templates", "--discs-in", "3", "--paper", "a3")
    ink = (page < 128).astype(np.uint8)
    _, _, boxes, _ = cv2.connectedComponentsWithStats(ink)
    flame = boxes[np.argmin(np.abs(boxes[:, 2] - 203.2 * MM))]

    assert flame[2:4] / MM == pytest.approx([203.2, 63.5], abs=0.2)


def test_a_spray_is_cut_at_six_eight_and_ten_inches(tmp_path: Path) -> None:
    (page,) = _print_pages(tmp_path, "templates", "--discs-in", "3", "--no-flame", "--spray-widths-mm", "20,60")
    top = EDGE_MM + 76.2 + 2 + 4
    strip = _cut(page, A4_WIDE.corner_mm[0], page.shape[0] / MM - top - 31 - 5, 258, 1)
    ticks = _ticks_mm(strip)

    assert ticks[-4:] - ticks[-4] == pytest.approx([0, 152.4, 203.2, 254], abs=0.05)


def test_the_same_sheet_is_printed_as_the_same_bytes(tmp_path: Path) -> None:
    files = [tmp_path / "one.pdf", tmp_path / "two.pdf"]
    for file in files:
        app(["print", "charuco", "-o", str(file)], standalone_mode=False)

    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_page_says_what_it_is_and_how_to_check_it(tmp_path: Path) -> None:
    _print_pages(tmp_path, "fiducials", "--marker-mm", "40")
    words = pypdfium2.PdfDocument(tmp_path / "sheet.pdf")[0].get_textpage().get_text_range()

    assert "40 x 40 mm" in words
    assert "Print at 100 %" in words
    assert "100 mm long" in words


def test_a_joined_board_says_that_it_will_not_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _print_pages(tmp_path, "charuco", "--pattern", "chessboard", "--square-mm", "40")

    assert "choose larger paper" in capsys.readouterr().out


def test_what_was_made_is_told_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _print_pages(tmp_path, "charuco", "--json")
    told = json.loads(capsys.readouterr().out)

    assert (told["pages"], told["board"]) == (1, str(tmp_path / "sheet.board.json"))
    assert told["drawings"][0]["width_mm"] == 220


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("fiducials", "--ids", "3-x"), "ids"),
        (("fiducials", "--ids", "3,3"), "ids"),
        (("fiducials", "--dictionary", "QR_1"), "fiducials.dictionary"),
        (("fiducials", "--ids", "5000"), "fiducials.markers.id"),
        (("charuco", "--marker-mm", "30", "--square-mm", "20"), "board.marker_mm"),
        (("arc-marks", "--bases-mm", "30,wide"), "bases_mm"),
        (("templates", "--discs-in", "90"), "discs_in"),
        (("templates", "--spray-widths-mm", "20"), "spray_widths_mm"),
        (("templates", "--ids", "3"), "ids"),
        (("charuco", "--pattern", "circles", "--marker-mm", "20"), "marker_mm"),
        (("setup", "--columns", "3"), "columns"),
    ],
)
def test_what_cannot_be_printed_is_named_and_nothing_is_written(
    words: tuple[str, ...], field: str, tmp_path: Path
) -> None:
    with pytest.raises(Exception) as raised:  # noqa: PT011
        app(["print", *words, "-o", str(tmp_path / "sheet.pdf")], standalone_mode=False)

    assert getattr(raised.value, "field", None) == field
    assert list(tmp_path.iterdir()) == []
