"""Grey image: its values, a patch of it, and edges located in it to hundredths of a pixel."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image, Mask
from models.camera import Camera
from models.errors import BadInput

_STEP_PX = 0.5
_LEAST_CONTRAST = 25.0  # grey levels
_LEAST_BEND_PX = 1.0  # root mean square beside the straightest line: less is a finger's own


@dataclass(frozen=True)
class EdgeOffsets:
    """`offset_px`: from the expected place towards the dark side, (N,); NaN where no such edge is seen."""

    offset_px: Floats
    contrast: Floats


def find_edges(gray: Image, points_px: Floats, dark_px: Floats, *, reach_px: float) -> EdgeOffsets:
    """Sub-pixel edges along the unit directions `dark_px` (from bright to dark) through `points_px`, both (N, 2).

    An edge is where the light has fallen half-way between its own two sides.
    """
    profile, steps = _sample_profiles(gray, points_px, dark_px, reach_px=reach_px)
    ends = max(2, round(0.3 * reach_px / _STEP_PX))
    bright, dark = np.median(profile[:, :ends], axis=1), np.median(profile[:, -ends:], axis=1)
    contrast = bright - dark
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (profile - dark[:, None]) / contrast[:, None] - 0.5
    good = (contrast > _LEAST_CONTRAST) & _is_inside(gray, points_px, reach_px)
    return EdgeOffsets(np.where(good, _zero_crossing(share, steps), np.nan), contrast)


def edge_widths(gray: Image, points_px: Floats, across_px: Floats, *, reach_px: float) -> Floats:
    """Edge blur across these points, (N,) px: the sigma of the blur that would make a step so soft.

    NaN where there is none; never more than about half the reach.
    """
    profile, _ = _sample_profiles(gray, points_px, across_px, reach_px=reach_px)
    height = np.abs(profile[:, -1] - profile[:, 0])
    steepest = np.maximum(np.abs(np.diff(profile, axis=1)).max(axis=1), 1e-9) / _STEP_PX
    good = (height > _LEAST_CONTRAST) & _is_inside(gray, points_px, reach_px)
    return np.where(good, height / (steepest * np.sqrt(2 * np.pi)), np.nan)


def _sample_profiles(gray: Image, points: Floats, dark: Floats, *, reach_px: float) -> tuple[Floats, Floats]:
    steps = np.arange(-reach_px, reach_px + _STEP_PX / 2, _STEP_PX)
    places = (points[:, None, :] + dark[:, None, :] * steps[None, :, None]).astype(np.float32)
    seen = cv2.remap(gray, places[..., 0], places[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.float64).reshape(len(points), len(steps)), steps


def _zero_crossing(share: Floats, steps: Floats) -> Floats:
    """Where the profile falls through zero; NaN when it does so not exactly once."""
    falls = (share[:, :-1] > 0) & (share[:, 1:] <= 0)
    at = np.argmax(falls, axis=1)
    rows = np.arange(len(share))
    before, after = share[rows, at], share[rows, at + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        place = steps[at] + _STEP_PX * before / (before - after)
    return np.where(falls.sum(axis=1) == 1, place, np.nan)


def _is_inside(gray: Image, points: Floats, reach_px: float) -> Mask:
    height, width = gray.shape
    edge = np.array([width, height]) - 1 - reach_px
    return np.asarray(np.all((points >= reach_px) & (points <= edge), axis=1))


@dataclass(frozen=True)
class Patch:
    """A grey patch of an image; `origin_px` is where its first pixel lies in the whole."""

    gray: Image
    origin_px: Floats


def to_gray(image: Image) -> Image:
    """One grey value a pixel, from BGR or grey."""
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def crop_patch(image: Image, points_px: Floats, *, margin_px: float) -> Patch | None:
    """The patch around these points, or None when they are not in the image."""
    height, width = image.shape[:2]
    low = np.maximum(np.floor(points_px.min(axis=0) - margin_px), 0).astype(int)
    high = np.minimum(np.ceil(points_px.max(axis=0) + margin_px) + 1, (width, height)).astype(int)
    if np.any(high - low < 8):
        return None
    return Patch(to_gray(image[low[1] : high[1], low[0] : high[0]]), low.astype(np.float64))


def check_in_picture(at_px: Sequence[float], size_px: tuple[int, int], *, field: str) -> None:
    """Raises: BadInput naming the field where the place lies outside the picture."""
    (x, y), (width, height) = at_px, size_px
    if not (-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5):
        says = f"{field}: {x:.0f}, {y:.0f} px lies outside the picture of {width} x {height}"
        raise BadInput(says, field=field, value=[x, y])


def check_rim(rim_px: Sequence[Sequence[float]], *, field: str) -> None:
    """Raises: BadInput naming the field where the places lie on one line, so that no curve goes through them."""
    places = np.array(rim_px, np.float64)
    off_px = float(np.linalg.svd(places - places.mean(axis=0), compute_uv=False)[-1]) / np.sqrt(len(places))
    if off_px < _LEAST_BEND_PX:
        says = (
            f"{field}: the {len(places)} places lie on one line, {off_px:.1f} px beside it: no rim is known by them; "
            "point at places farther round it"
        )
        raise BadInput(says, field=field, value=places.tolist())


def check_size(image: Image, camera: Camera) -> None:
    """Raises: BadInput when the image is not of the size that the camera was calibrated at."""
    height, width = image.shape[:2]
    if (width, height) != camera.image_size:
        wanted = "x".join(map(str, camera.image_size))
        raise BadInput(
            f"the picture is {width}x{height}, but the camera was calibrated at {wanted}",
            field="image_size",
            value=[width, height],
            calibrated=list(camera.image_size),
        )
