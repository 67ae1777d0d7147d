"""Image decoding from bytes: whole images only, and none larger than any camera takes."""

import warnings
from io import BytesIO

import cv2
import numpy as np
import pi_heif
import simplejpeg
from PIL import Image as HeaderReader
from PIL import ImageOps

from calibration.arrays import Image
from models.errors import BadFile

MOST_PIXELS = 64_000_000  # 200 MB of pixels; a small file may claim a hundred times as many

_SMALLEST = 8  # an eighth of each side is read all the same, and costs the least
_PADDING = "extraneous bytes before marker 0xd9"  # as some cameras write behind a whole picture
_JPEG, _JPEG_END = b"\xff\xd8", b"\xff\xd9"
_PNG, _PNG_END = b"\x89PNG", b"IEND"
_UNTURN = {2: 2, 3: 3, 4: 4, 5: 5, 6: 8, 7: 7, 8: 6}  # the EXIF orientation that undoes each
_ORIENTATION = 0x0112

pi_heif.register_heif_opener(thumbnails=False)


def decode_image(data: bytes, *, field: str, name: str) -> Image:
    """Decode an image to BGR, upright as its camera meant it.

    Raises: BadFile naming `field` and the file's `name` when this is no picture, or one that is cut off.
    """
    if _lacks_end(data):
        raise BadFile(f"{name}: the picture is cut off", field=field, value=name)
    if data:
        check_size(data, field=field, name=name)
    if data.startswith(_JPEG) and _has_gaps(data):
        raise BadFile(f"{name}: the picture is cut off", field=field, value=name)
    image = (_decode_heif(data) if is_heif(data) else _decode(data, cv2.IMREAD_COLOR)) if data else None
    if image is None:
        raise BadFile(f"{name}: this is no picture", field=field, value=name)
    return image


def decode_for_size(data: bytes, image_size: tuple[int, int], *, field: str, name: str) -> Image:
    """Decode as a camera of pictures of this size took it: upright, or as the sensor gave it where that is its shape.

    Raises: BadFile.
    """
    image = decode_image(data, field=field, name=name)
    height, width = image.shape[:2]
    is_turned = (width > height) != (image_size[0] > image_size[1])
    return decode_unrotated(data) if is_turned else image


def decode_unrotated(data: bytes) -> Image:
    """Decode as the sensor gave it, whichever way up it was held; for data that `decode_image` took."""
    if is_heif(data):
        image = _decode_heif(data, upright=False)
        assert image is not None
        return image
    image = _decode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    assert image is not None
    return image


def _decode(data: bytes, how: int) -> Image | None:
    """The pixels; None when the decoder fails, in whatever way."""
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except (cv2.error, MemoryError):
        return None
    return None if image is None else np.asarray(image, np.uint8)


def is_heif(data: bytes) -> bool:
    """Whether this is HEIF, as iPhones write by default (HEIC)."""
    return data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")


def _decode_heif(data: bytes, *, upright: bool = True) -> Image | None:
    """The pixels; its library turns them upright, and keeps what EXIF said of that."""
    try:
        picture = HeaderReader.open(BytesIO(data))
        pixels = picture.convert("RGB")
    except Exception:  # its reader raises whatever a broken file makes it
        return None
    turned = picture.info.get("original_orientation")
    if not upright and turned in _UNTURN:
        pixels.getexif()[_ORIENTATION] = _UNTURN[turned]
        pixels = ImageOps.exif_transpose(pixels)
    return np.ascontiguousarray(np.asarray(pixels, np.uint8)[:, :, ::-1])


def check_size(data: bytes, *, field: str, name: str) -> None:
    """Read the size from the header, before anything is decoded. Raises: BadFile."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HeaderReader.DecompressionBombWarning)
            width, height = HeaderReader.open(BytesIO(data)).size
    except HeaderReader.DecompressionBombError:
        width, height = MOST_PIXELS, MOST_PIXELS
    except Exception as wrong:  # its readers raise whatever a broken header makes them
        raise BadFile(f"{name}: this is no picture", field=field, value=name) from wrong
    if not width * height:
        raise BadFile(f"{name}: this is no picture", field=field, value=name)
    if width * height > MOST_PIXELS:
        raise BadFile(f"{name}: more than {MOST_PIXELS // 10**6} million pixels", field=field, value=name)


def _lacks_end(data: bytes) -> bool:
    """A decoder fills what is missing with grey and says nothing, and grey would be measured."""
    late = data[len(data) // 2 :]  # an earlier end mark is that of a thumbnail
    if data.startswith(_JPEG):
        return _JPEG_END not in late
    return data.startswith(_PNG) and _PNG_END not in late


def _has_gaps(jpeg: bytes) -> bool:
    """Whether data is missing before the end mark: libjpeg warns of it, and OpenCV fills in grey."""
    try:
        simplejpeg.decode_jpeg(jpeg, "GRAY", min_height=1, min_width=1, min_factor=_SMALLEST, strict=True)
    except ValueError as wrong:  # for a kind of JPEG it does not know too; OpenCV may
        says = str(wrong)
        return ("Corrupt" in says or "Premature" in says) and _PADDING not in says
    return False
