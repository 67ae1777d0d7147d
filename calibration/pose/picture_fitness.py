"""Picture fitness: blur, noise and light of the table in a picture, whatever way its pose was found.

Blur by the gradient ratio: an edge that is blurred once more by a known amount loses the more of its slope the sharper
it was; thin rims pass for sharper than they are, by seven tenths at most. Noise by what differs between neighbours on
the calmest ground.
"""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Floats32, Image, Mask
from calibration.image import to_gray
from calibration.pose.mat_sides import corners_mm
from calibration.view import View
from models.errors import TooBlurred

_AGAIN_PX = 1.0  # blurred once more by so much
_EDGES = 99.0  # percentile of slopes from which a pixel lies on an edge
_LEAST_SLOPE, _NOISE_SLOPE = 2.0, 0.8  # grey levels a pixel, and of the noise: what rises less is no edge
_SHARPEST = 30.0  # percentile of all edges' blurs: shadows are soft in a sharp picture too
_CELL_PX, _CALMEST = 16, 20.0  # noise is that of the calmest of all cells
_MOST_BLUR_PX, _MOST_BLUR_MM = 1.2, 0.8
_MOST_NOISE, _LEAST_LIGHT, _LIGHTEST = 9.0, 60.0, 95.0
_USELESS_BLUR_PX, _USELESS_BLUR_MM, _USELESS_NOISE, _USELESS_LIGHT = 4.0, 3.0, 45.0, 14.0


@dataclass(frozen=True)
class PictureFitness:
    """Blur of the sharpest edges on the table (sigma, px and mm; None where there are none), noise (sigma, grey levels)
    and how bright its brightest twentieth is."""

    blur_px: float | None
    blur_mm: float | None
    noise: float
    light: float

    @property
    def is_useless(self) -> bool:
        """Whether no rim can be told from what is around it."""
        is_soft = min((self.blur_px or 0.0) / _USELESS_BLUR_PX, (self.blur_mm or 0.0) / _USELESS_BLUR_MM) > 1.0
        return is_soft or self.noise > _USELESS_NOISE or self.light < _USELESS_LIGHT

    def warnings(self) -> tuple[str, ...]:
        """What makes bases be missed, with its number and what to do; nothing when all is well."""
        said = []
        if self.light < _LEAST_LIGHT:
            said.append(f"the table is dark, {self.light:.0f} of 255 where it is brightest: give it more light")
        if self.noise > _MOST_NOISE:
            said.append(f"the picture is noisy, {self.noise:.0f} grey levels: more light, or a lower ISO number")
        if (self.blur_px or 0.0) > _MOST_BLUR_PX and (self.blur_mm or 0.0) > _MOST_BLUR_MM:
            said.append(
                f"edges are blurred by {self.blur_mm:.1f} mm on the table ({self.blur_px:.1f} px) at least, and bases "
                "are missed: focus the lens on the table, wipe it, and hold it still"
            )
        return tuple(said)


def check_picture(image: Image, *, view: View) -> tuple[str, ...]:
    """The warnings of the picture. Raises: TooBlurred where nothing measured in it can be trusted."""
    fitness = judge_picture(image, view=view)
    says = fitness.warnings()
    if fitness.is_useless:
        raise TooBlurred(f"nothing can be measured in this picture: {'; '.join(says)}", field="picture", value=None)
    return says


def judge_picture(image: Image, *, view: View) -> PictureFitness:
    """Fitness of the part of the picture that shows the table."""
    outline = view.project(corners_mm(view.table_mm))
    table = np.zeros(image.shape[:2], np.uint8)
    if np.isfinite(outline).all():
        cv2.fillPoly(table, [np.round(outline.clip(-30_000, 30_000)).astype(np.int32)], 1)
    inside = table > 0 if table.any() else np.ones(image.shape[:2], np.bool_)
    gray = to_gray(image).astype(np.float32)
    noise = _noise(gray, inside)
    blur_px = _blur_px(gray, inside, noise)
    middle_mm = (view.table_mm[0] / 2, view.table_mm[1] / 2)
    middle_px, beside_px = view.project([[*middle_mm, 0.0], [middle_mm[0] + 10.0, middle_mm[1], 0.0]])
    mm_per_px = 10.0 / max(math.dist(middle_px, beside_px), 1e-6)
    return PictureFitness(
        blur_px=blur_px, blur_mm=None if blur_px is None else blur_px * mm_per_px, noise=noise,
        light=float(np.percentile(gray[inside], _LIGHTEST)),
    )  # fmt: skip


def _blur_px(gray: Floats32, inside: Mask, noise: float) -> float | None:
    """Gaussian blur of the sharpest edges."""
    calm = cv2.GaussianBlur(gray, (0, 0), 0.7)  # against noise; taken off again below
    first, second = _slopes(calm), _slopes(cv2.GaussianBlur(calm, (0, 0), _AGAIN_PX))
    edge = inside & (first > max(_LEAST_SLOPE, _NOISE_SLOPE * noise, float(np.percentile(first[inside], _EDGES))))
    ridge = edge & (first >= cv2.dilate(first, np.ones((3, 3), np.uint8)))
    if ridge.sum() < 30:
        return None
    ratio = np.maximum(first[ridge] / np.maximum(second[ridge], 1e-6), 1.001)
    variance = _AGAIN_PX**2 / (ratio**2 - 1) - 0.7**2
    return math.sqrt(max(0.0, float(np.percentile(variance, _SHARPEST))))


def _slopes(gray: Any) -> Floats32:
    across, down = (cv2.Sobel(gray, cv2.CV_32F, *axis, scale=0.125) for axis in ((1, 0), (0, 1)))
    return np.asarray(np.hypot(across, down), np.float32)


def _noise(gray: Floats32, inside: Mask) -> float:
    """By the second differences both ways, which a slope does not touch (Immerkaer 1996), of the calmest cells."""
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    rough = np.where(inside, np.abs(cv2.filter2D(gray, cv2.CV_32F, kernel)), np.nan)
    rows, columns = (side // _CELL_PX * _CELL_PX for side in gray.shape)
    cells = rough[:rows, :columns].reshape(rows // _CELL_PX, _CELL_PX, columns // _CELL_PX, _CELL_PX)
    means = cells.mean(axis=(1, 3))
    known = means[np.isfinite(means)]
    return math.sqrt(math.pi / 2) / 6 * float(np.percentile(known, _CALMEST)) if known.size else 0.0
