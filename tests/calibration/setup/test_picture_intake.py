"""Picture intake: what a picture is good for, and if for nothing, why, in one sentence."""

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from calibration.setup.pages import opencv_page
from calibration.setup.picture_intake import check_pages, read_pages
from models.errors import BadInput

_SIZE = (1600, 1200)


def _picture(pages: tuple[int, ...] = (0, 1, 2, 3), *, blur_px: float = 0.0) -> Image:
    """Pages lying flat in the four quarters of a picture."""
    image = np.full(_SIZE[::-1], 120, np.uint8)
    for place, page in enumerate(pages):
        drawn = opencv_page(page).generateImage((560, 400), marginSize=12)
        x, y = 100 + 800 * (place % 2), 100 + 550 * (place // 2)
        image[y : y + 400, x : x + 560] = drawn
    return image if not blur_px else np.asarray(cv2.GaussianBlur(image, (0, 0), blur_px), np.uint8)


def test_pictures_that_show_two_pages_are_used() -> None:
    intake = read_pages([("a", _picture((0, 1))), ("b", _picture((1, 2, 3)))])

    assert (intake.names, intake.size, intake.remarks) == (["a", "b"], _SIZE, ())
    assert [(one.picture, one.page) for one in intake.views] == [(0, 0), (0, 1), (1, 1), (1, 2), (1, 3)]


@pytest.mark.parametrize(
    ("useless", "why"),
    [
        (_picture((2,)), "it shows one page only"),
        (_picture(()), "it shows no page"),
        (_picture(blur_px=9.0), "it is too blurred: hold still while you take it"),
    ],
)
def test_a_picture_of_no_use_is_left_out_and_said(useless: Image, why: str) -> None:
    intake = read_pages([("good", _picture()), ("this", useless)])

    assert intake.names == ["good"]
    assert intake.remarks == (f"this is not used: {why}",)


def test_a_mirrored_print_is_named() -> None:
    with pytest.raises(BadInput, match=r"a\.jpg: the pages are printed mirrored"):
        read_pages([("a.jpg", np.ascontiguousarray(_picture()[:, ::-1]))])


def test_pictures_of_two_sizes_are_two_cameras_or_zooms() -> None:
    with pytest.raises(BadInput, match="b is 800 x 600, the pictures before are 1600 x 1200"):
        read_pages([("a", _picture()), ("b", np.ascontiguousarray(_picture()[::2, ::2]))])


def test_a_page_that_no_picture_shows_is_named() -> None:
    with pytest.raises(BadInput, match="page 3 is seen in no picture"):
        check_pages(read_pages([("a", _picture((0, 1, 3)))]).views)


def test_no_picture_with_pages_says_why() -> None:
    with pytest.raises(BadInput, match="no picture shows two set-up pages"):
        read_pages([("a", _picture(()))])
