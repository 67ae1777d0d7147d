"""Image sharpness and brightness, judged on the fiducials: is the picture good enough to measure by?"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image, Mask
from calibration.image import to_gray
from calibration.pose.fiducial_residuals import marker_cells
from calibration.view import View
from models.errors import TooBlurred
from models.layout import Marker

_PX_A_CELL = 16
_LEAST_CONTRAST = 60.0  # grey levels between paper and print
_LEAST_WHITE = 90.0
_BURNT_OUT = 253.0  # the print itself looks so: the light is far too bright, or shines back from it
_MOST_BLUR_PX = 1.8
_MOST_BLUR_MM = 1.45  # on the table; the rims of bases are about as wide, and from 1.6 mm on bases are missed


@dataclass(frozen=True)
class Sharpness:
    """Grey values of the fiducials' paper and print, and the blur of their edges (standard deviation, px)."""

    white: float
    black: float
    blur_px: float

    def problems(self) -> tuple[str, ...]:
        """What to mend; nothing when all is well."""
        problems = []
        if self.black > self.white - _LEAST_CONTRAST and self.white > _BURNT_OUT:
            problems.append("the light is too bright, or shines back from the prints: dim it or shade them")
        elif self.white < _LEAST_WHITE or self.white - self.black < _LEAST_CONTRAST:
            problems.append(f"the light is too low: paper looks {self.white:.0f} of 255, print {self.black:.0f}")
        if self.blur_px > _MOST_BLUR_PX:
            problems.append(f"wipe the lens, or focus it on the table: edges are blurred by {self.blur_px:.1f} px")
        return tuple(problems)


def check_sharpness(image: Image, *, view: View) -> None:
    """Raises: TooBlurred when the picture is so soft that bases would be missed in it."""
    seen = measure_sharpness(image, view=view)
    if seen is None:
        return
    blur_mm = seen.blur_px / _px_per_mm(view)
    if blur_mm > _MOST_BLUR_MM:
        raise TooBlurred(
            f"edges are blurred by {blur_mm:.1f} mm on the table ({seen.blur_px:.1f} px), and bases are missed from "
            f"{_MOST_BLUR_MM} mm on: focus the lens on the table, wipe it, and hold it still",
            field="picture", value=round(blur_mm, 2),
        )  # fmt: skip


def _px_per_mm(view: View) -> float:
    """How large a millimetre is where the fiducials lie by which the pose was found."""
    corners = [view.project(marker.corners_mm) for marker in view.used_markers()]
    areas = [cv2.contourArea(quad.astype(np.float32)) for quad in corners if np.all(np.isfinite(quad))]
    return float(np.sqrt(np.median(areas))) / view.layout.fiducials.marker_mm


def measure_sharpness(image: Image, *, view: View) -> Sharpness | None:
    """Median sharpness of the fiducials that the pose was found by; None when none of them is in the picture."""
    gray = to_gray(image)
    looks = (_marker_sharpness(gray, marker, view) for marker in view.used_markers())
    seen = [sharpness for sharpness in looks if sharpness is not None]
    if not seen:
        return None
    white, black, blur = np.median(seen, axis=0).tolist()
    return Sharpness(white, black, blur)


def _marker_sharpness(gray: Image, marker: Marker, view: View) -> tuple[float, float, float] | None:
    cells = marker_cells(view.layout.fiducials.dictionary, marker.id)[1:-1, 1:-1]
    corners = view.project(marker.corners_mm)
    size = len(cells) * _PX_A_CELL
    square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32) - 0.5
    if not np.all(np.isfinite(corners)):
        return None
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    flat = np.asarray(cv2.warpPerspective(gray, warp, (size, size), flags=cv2.INTER_CUBIC), np.float64)
    half = _PX_A_CELL // 2
    middles = flat[half::_PX_A_CELL, half::_PX_A_CELL]
    white, black = float(np.median(middles[cells])), float(np.median(middles[~cells]))
    px_per_flat = float(np.sqrt(cv2.contourArea(corners.astype(np.float32)))) / size
    # A blurred cell is lit by its neighbours; the most extreme cells show what paper and print look like.
    contrast = float(np.percentile(middles[cells], 95) - np.percentile(middles[~cells], 5))
    return white, black, _edge_blur_px(flat, cells, contrast) * px_per_flat


def _edge_blur_px(flat: Floats, cells: Mask, contrast: float) -> float:
    """The steepest rise across each edge between cells gives its blur: a Gaussian's, of this standard deviation."""
    rise = np.abs(np.diff(flat, axis=1))
    row, column = np.nonzero(cells[:, :-1] != cells[:, 1:])
    half = _PX_A_CELL // 2
    across = [
        rise[r * _PX_A_CELL + half, (c + 1) * _PX_A_CELL - half : (c + 1) * _PX_A_CELL + half].max()
        for r, c in zip(row, column, strict=True)
    ]
    steepest = float(np.median(across)) if across else 0.0
    return contrast / max(steepest, 1e-6) / float(np.sqrt(2 * np.pi))
