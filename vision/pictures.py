"""Pictures from bytes: whole ones only."""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.errors import BadFile

Picture = NDArray[np.uint8]

_JPEG, _JPEG_END = b"\xff\xd8", b"\xff\xd9"
_PNG, _PNG_END = b"\x89PNG", b"IEND"


def decoded(data: bytes, *, field: str, name: str) -> Picture:
    """The picture in BGR, upright as its camera meant it.

    Raises: BadFile naming `field` and the file's `name` when this is no picture, or one that is cut off.
    """
    if _is_cut_off(data):
        raise BadFile(f"{name}: the picture is cut off", field=field, value=name)
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if image is None:
        raise BadFile(f"{name}: this is no picture", field=field, value=name)
    return np.asarray(image, np.uint8)


def untouched(data: bytes) -> Picture:
    """The same as the sensor gave it, whichever way up the camera was held; for data that `decoded` took."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    return np.asarray(image, np.uint8)


def _is_cut_off(data: bytes) -> bool:
    """A decoder fills what is missing with grey and says nothing, and grey would be measured."""
    late = data[len(data) // 2 :]  # an earlier end mark is that of a thumbnail
    if data.startswith(_JPEG):
        return _JPEG_END not in late
    return data.startswith(_PNG) and _PNG_END not in late
