"""Why a set-up failed: in one sentence, and the true one."""

import re

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.setup.picture_intake import Intake, read_pages
from calibration.setup.print_scale import solve_intake_to_scale
from calibration.setup.solve_setup import solve_intake, solve_views
from models.errors import BadInput
from tests.calibration.scene import pose_towards
from tests.calibration.setup.drawn_pages import SMALL_TABLE_MM, draw_picture
from tests.calibration.setup.sweeps import TABLE_MM, Sweep, pages_on, phone, walk_around

WIDER_MM = (1828.8, 1219.2)
CAMERA = phone(focal=1210.0, size=(1600, 1200), dist=(0.0, 0.0, 0.0, 0.0, 0.0))


def photograph(aim_mm: tuple[float, float], *, height_mm: float = 1100.0) -> Image:
    """What a phone sees that is held above this place, a little before it."""
    x, y = aim_mm
    return draw_picture(pages_on(SMALL_TABLE_MM), CAMERA, pose_towards([x, y - 300, height_mm], [x, y, 0.0]))


@pytest.fixture(scope="module")
def whole() -> Image:
    """All four pages."""
    return photograph((SMALL_TABLE_MM[0] / 2, SMALL_TABLE_MM[1] / 2), height_mm=1400.0)


@pytest.mark.parametrize("blur_px", [1.6, 3.0, 5.0, 9.0, 16.0])
def test_photographs_that_are_all_blurred(whole: Image, blur_px: float) -> None:
    soft = np.asarray(cv2.GaussianBlur(whole, (0, 0), blur_px), np.uint8)

    with pytest.raises(BadInput, match=r"no picture shows two set-up pages \(all 3: it is too blurred: hold still"):
        read_pages([(f"{k}.jpg", soft) for k in range(3)])


def cut_at(picture: Image, *, column_of_page: int, off_px: int) -> Image:
    """The part of the picture at the right of the page's middle, or at its left for a negative offset."""
    view = next(view for view in read_pages([("whole", picture)]).views if view.page == column_of_page)
    column = int(view.seen_px[:, 0].mean()) + off_px
    return np.ascontiguousarray(picture[:, column:] if off_px > 0 else picture[:, :column])


def test_pages_that_the_edge_of_a_picture_cuts(whole: Image) -> None:
    intake = Intake()
    intake.add("near.jpg", cut_at(whole, column_of_page=1, off_px=25))

    assert intake.unused == {
        "near.jpg": "pages 2 and 3 are cut by the picture's edge: step back until two pages are wholly in sight"
    }


def test_a_page_that_the_edge_of_every_picture_cuts(whole: Image) -> None:
    with pytest.raises(BadInput, match="page 2 is cut by the edge of every picture that shows it: step back") as wrong:
        solve_intake(read_pages([("a.jpg", cut_at(whole, column_of_page=1, off_px=-25))]))
    assert wrong.value.value == 2


@pytest.mark.parametrize("ruler_mm", [None, 97.0])
def test_a_table_of_another_size(ruler_mm: float | None) -> None:
    printed = 1.0 if ruler_mm is None else ruler_mm / 100
    larger = (WIDER_MM[0] / printed, WIDER_MM[1] / printed)
    sweep = Sweep(phone(), pages_on(larger, seed=1), walk_around(larger, seed=1), seed=1)
    intake = Intake([f"{k}.jpg" for k in range(12)], sweep.views(), sweep.camera.image_size)

    with pytest.raises(BadInput) as wrong:
        solve_intake_to_scale(intake, table_mm=TABLE_MM, ruler_mm=ruler_mm)
    lies, given = re.findall(r"(\d+) x (\d+) mm", wrong.value.detail)
    assert wrong.value.detail.startswith("the pages lie as around a table of about ")
    assert tuple(map(int, lies)) == pytest.approx(WIDER_MM, abs=4)
    assert given == ("1219", "1219")


@pytest.mark.parametrize("table_mm", [TABLE_MM, WIDER_MM, None])
@pytest.mark.parametrize(
    ("swapped", "says"),
    [
        ((0, 2), "pages 1 and 3, or 2 and 4 are swapped"),
        ((1, 3), "pages 1 and 3, or 2 and 4 are swapped"),
        ((0, 1), "pages 1 and 2 are swapped"),
        ((1, 2), "pages 2 and 3 are swapped"),
    ],
)
def test_swapped_pages(swapped: tuple[int, int], says: str, table_mm: tuple[float, float] | None) -> None:
    """Across a diagonal either pair may be meant: turned half about, one is the other."""
    size = table_mm or WIDER_MM
    sweep = Sweep(phone(), pages_on(size, seed=4), walk_around(size, seed=4, pictures=6), seed=4)
    sweep.pages[list(swapped)] = sweep.pages[list(swapped[::-1])]

    with pytest.raises(BadInput, match=f"{says}: lay each at the corner of its number"):
        solve_views([f"{k}.jpg" for k in range(6)], sweep.views(), sweep.camera.image_size, table_mm=table_mm)


def test_pixels_that_a_program_turned(whole: Image) -> None:
    turned = np.ascontiguousarray(np.rot90(whole))

    with pytest.raises(BadInput, match=r"b is 1200 x 1600, .* a program turned the pixels of it or of those before"):
        read_pages([("a", whole), ("b", turned)])
