"""Rescaled camera: the same lens for pictures that were made smaller or larger as a whole."""

import numpy as np

from models.camera import Camera
from models.errors import BadInput


def rescale_camera(camera: Camera, size: tuple[int, int]) -> Camera:
    """Camera for pictures of this size. Raises: BadInput when they have another shape: they were cropped.

    True only when the camera shrinks its whole picture; a camera that crops to the same shape is found out by what
    the fiducials leave over.
    """
    (width, height), (old_width, old_height) = size, camera.image_size
    if abs(width * old_height - height * old_width) > max(old_width, old_height):
        raise BadInput(
            f"the picture is {width}x{height}, another shape than the {old_width}x{old_height} that was calibrated",
            field="image_size",
            value=[width, height],
            calibrated=[old_width, old_height],
        )
    scale = width / old_width
    (fx, _, cx), (_, fy, cy), _ = camera.K
    facts = camera.model_dump() | {
        "image_size": size,
        "K": (
            (fx * scale, 0.0, _rescale_coordinate(cx, scale)),
            (0.0, fy * scale, _rescale_coordinate(cy, scale)),
            (0.0, 0.0, 1.0),
        ),
        "covariance": _rescale_covariance(camera, scale),
        "rms_px": camera.rms_px * scale,
        "heldout_px": None if camera.heldout_px is None else camera.heldout_px * scale,
    }
    return Camera.model_validate(facts)


def _rescale_coordinate(at_px: float, scale: float) -> float:
    """Integer coordinates are pixel centres: the picture's border, at -0.5, stays."""
    return (at_px + 0.5) * scale - 0.5


def _rescale_covariance(camera: Camera, scale: float) -> list[list[float]]:
    """Of focal length and centre; the distortion has no pixels in it."""
    covariance = np.array(camera.covariance)
    by = np.ones(len(covariance))
    by[:4] = scale
    return [[float(value) for value in row] for row in covariance * np.outer(by, by)]
