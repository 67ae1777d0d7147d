"""A picture is whole and of a camera's size, or it is none; whatever a decoder thinks of, it is a problem."""

import zlib

import cv2
import numpy as np
import pytest

from models.errors import BadFile
from vision.capture.image_decoding import decode_image


def photograph() -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)
    return bytes(cv2.imencode(".jpg", cv2.GaussianBlur(noise, (0, 0), 2))[1].tobytes())


def png_header(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims this size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\x00\x00\x00"
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    )


def test_a_whole_photograph_is_decoded() -> None:
    assert decode_image(photograph(), field="photograph", name="p").shape == (120, 160, 3)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_half_a_jpeg_with_an_end_mark_is_not_believed(share: float) -> None:
    whole = photograph()

    with pytest.raises(BadFile, match="cut off"):
        decode_image(whole[: int(share * len(whole))] + b"\xff\xd9", field="photograph", name="p")


def test_a_photograph_with_a_hole_in_it_is_not_believed() -> None:
    whole = photograph()
    middle = len(whole) // 2

    with pytest.raises(BadFile, match="cut off"):
        decode_image(whole[:middle] + whole[middle + 900 :], field="photograph", name="p")


def test_padding_behind_a_whole_photograph_is_no_damage() -> None:
    """Some cameras fill up their last block."""
    whole = photograph()

    assert decode_image(whole[:-2] + b"\0\0\0" + whole[-2:], field="photograph", name="p").shape == (120, 160, 3)


@pytest.mark.parametrize("size", [(60_000, 60_000), (9_000, 9_000), (2**31 - 1, 2**31 - 1)])
def test_a_small_file_that_claims_a_huge_picture_is_not_decoded(size: tuple[int, int]) -> None:
    with pytest.raises(BadFile) as refused:
        decode_image(png_header(*size), field="photograph", name="p")

    assert refused.value.field == "photograph"


@pytest.mark.parametrize("raised", [cv2.error("no"), MemoryError()])
def test_whatever_a_decoder_thinks_of_is_a_problem(raised: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr(cv2, "imdecode", fail)

    with pytest.raises(BadFile):
        decode_image(photograph(), field="photograph", name="p")
