"""Preview: a small picture of what a camera sees, by which somebody tells it from another; kept nowhere."""

from collections.abc import Callable

import cv2

from api.camera.live_source import image_grabber
from calibration.arrays import Image
from models.errors import BadInput
from vision.capture.source_name import is_device

WIDTH_PX = 480
_QUALITY = 80


def grab_allowed(allowed: str | None) -> Callable[[str], Image]:
    """The newest picture of a camera by number or address, and of the one `allowed` file; of no other file.

    What is returned raises SourceLost, BadFile, BadInput.
    """

    def grab(source: str) -> Image:
        if not (is_device(source) or source.startswith(("http://", "https://", "rtsp://")) or source == allowed):
            raise BadInput(
                "this is neither a camera's number or path nor an address that begins with rtsp:// or http://",
                field="source",
                value=source[:80],
            )
        return image_grabber(source)()

    return grab


def encode_preview(image: Image) -> bytes:
    height, width = image.shape[:2]
    scale = min(1.0, WIDTH_PX / width)
    small = cv2.resize(
        image, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=cv2.INTER_AREA
    )
    _, encoded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return bytes(encoded.tobytes())
