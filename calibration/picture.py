"""Pictures as the camera gives them: grey values of the whole, or of the part around a few points."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Camera
from models.errors import BadInput

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Patch:
    """A grey piece of a picture; `origin_px` is where its first pixel lies in the whole."""

    gray: Image
    origin_px: Floats


def gray(image: Image) -> Image:
    """One grey value a pixel, from BGR or grey."""
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def patch(image: Image, points_px: Floats, *, margin_px: float) -> Patch | None:
    """The piece around these points, or None when they are not in the picture."""
    height, width = image.shape[:2]
    low = np.maximum(np.floor(points_px.min(axis=0) - margin_px), 0).astype(int)
    high = np.minimum(np.ceil(points_px.max(axis=0) + margin_px) + 1, (width, height)).astype(int)
    if np.any(high - low < 8):
        return None
    return Patch(gray(image[low[1] : high[1], low[0] : high[0]]), low.astype(np.float64))


def check_size(image: Image, camera: Camera) -> None:
    """Raises: BadInput when the picture is not of the size that the camera was calibrated at."""
    height, width = image.shape[:2]
    if (width, height) != camera.image_size:
        wanted = "x".join(map(str, camera.image_size))
        raise BadInput(
            f"the picture is {width}x{height}, but the camera was calibrated at {wanted}",
            field="image_size",
            value=[width, height],
            calibrated=list(camera.image_size),
        )
