"""HEIC as an iPhone writes it: decoded upright, or as the sensor gave it, and its EXIF is read."""

import base64

import pytest

from models.errors import BadFile
from vision.capture.image_decoding import decode_for_size, decode_image, decode_unrotated, is_heif
from vision.capture.photo_exif import read_exif

# 128 x 96 as the sensor gave it, its upper left quarter red; held upright (orientation 6), 26 mm as on film
HEIC = base64.b64decode(
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAaFtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRpbG9jAAAA"
    "AERAAAIAAQAAAAABxQABAAAAAAAAADgAAgAAAAAB/QABAAAAAAAAAEIAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABodmMxAAAAABVpbmZl"
    "AgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAAA4GlwcnAAAADAaXBjbwAAAHhodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH/"
    "/wNwAAADAJAAAAMAAAMAHroCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoBAgYWW6kkprm4CGgwIAAAMAMgAAAwACEGIAAQAHRAHBcrAiQAAAABNj"
    "b2xybmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAACAAAAAYAAAABBwaXhpAAAAAAMICAgAAAAJaXJvdAMAAAAYaXBtYQAAAAAAAAABAAEFgQIDBIUA"
    "AAAaaXJlZgAAAAAAAAAOY2RzYwACAAEAAQAAAIJtZGF0AAAANCgBr1j5DpJf/+zh//1cmQ+XZpnjmGp/+1qYu5Wn+hV82pqiAf/u0345hof8lX12"
    "l5N8SC8AAAAGRXhpZgAATU0AKgAAAAgAAgESAAMAAAABAAYAAIdpAAQAAAABAAAAJgAAAAAAAaQFAAMAAAABABoAAAAAAAA="
)


def test_it_is_decoded_upright() -> None:
    image = decode_image(HEIC, field="file", name="a.heic")

    assert is_heif(HEIC)
    assert image.shape == (128, 96, 3)
    assert image[20, 80, 2] > 150 > 100 > image[20, 10, 2]


def test_it_is_decoded_as_the_sensor_gave_it() -> None:
    image = decode_unrotated(HEIC)

    assert image.shape == (96, 128, 3)
    assert image[10, 10, 2] > 150 > 100 > image[80, 100, 2]


def test_it_is_turned_as_the_camera_was_calibrated() -> None:
    assert decode_for_size(HEIC, (1280, 960), field="file", name="a").shape == (96, 128, 3)
    assert decode_for_size(HEIC, (960, 1280), field="file", name="a").shape == (128, 96, 3)


def test_its_exif_tells_the_focal_length() -> None:
    assert read_exif(HEIC).focal_film_mm == 26


def test_half_of_one_is_no_picture() -> None:
    with pytest.raises(BadFile):
        decode_image(HEIC[: len(HEIC) // 2], field="file", name="a.heic")
