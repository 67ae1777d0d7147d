"""EXIF: what it says of the lens, and when it says nothing."""

import io

import pytest
from PIL import Image

from vision.capture.photo_exif import PhotoExif, read_exif

PHONE = (4032, 3024)


def _photograph(tags: dict[int, object]) -> bytes:
    exif = Image.Exif()
    exif.get_ifd(0x8769).update(tags)
    out = io.BytesIO()
    Image.new("RGB", (40, 30)).save(out, "JPEG", exif=exif)
    return out.getvalue()


def test_focal_length_zoom_and_size_are_read() -> None:
    exif = read_exif(_photograph({0xA405: 26, 0xA404: 2.0, 0xA002: 4032, 0xA003: 3024, 0xA434: "back camera"}))

    assert exif == PhotoExif(26.0, None, 2.0, "back camera", PHONE)
    assert exif.describe_lens() == "back camera, 26 mm, digital zoom 2x"


@pytest.mark.parametrize("data", [b"", b"no picture", _photograph({})])
def test_silent_or_broken_files_say_nothing(data: bytes) -> None:
    assert read_exif(data) == PhotoExif()


def test_26_mm_are_3029_px_on_a_phone_of_12_megapixels() -> None:
    focal, sigma = PhotoExif(26.0, taken_px=PHONE).focal_px(PHONE) or (0, 0)

    assert focal == pytest.approx(3028.7, abs=0.1)
    assert sigma == 0.04
    assert PhotoExif(26.0).focal_px((3024, 4032)) == pytest.approx((focal, sigma))


def test_a_picture_of_film_shape_is_cut_out_and_less_sure() -> None:
    assert (PhotoExif(26.0).focal_px((3840, 2160)) or (0, 0))[1] == 0.12


def test_cropped_and_zoomed_pictures_do_not_tell_their_focal_length() -> None:
    assert PhotoExif(26.0, taken_px=PHONE).is_cropped((2000, 2000))
    assert PhotoExif(26.0, taken_px=PHONE).focal_px((2000, 2000)) is None
    assert PhotoExif(26.0, zoom=2.0).focal_px(PHONE) is None
    assert PhotoExif().focal_px(PHONE) is None
    assert not PhotoExif(26.0, taken_px=PHONE).is_cropped((2016, 1512))
