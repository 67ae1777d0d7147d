"""Template matching: where a base stands that no finder sees, by the look of its crop from above, turned every way.

A place is weighed by how well the turned crop correlates with what is seen there, and by how alike their colours are.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.view import View
from models.base import Base, OvalBase, RectBase, RoundBase
from models.vocabulary import Point
from vision.candidates import Box
from vision.measurement.base_fit import BaseFit, inradius_mm
from vision.rectification.rectify import Window, rectification_maps, rectify_filtered

_SIDE_PX = 36.0  # about as wide as the crop is matched
_FINEST_PX_PER_MM, _COARSEST_PX_PER_MM = 1.2, 0.4
_RIM_SPARE_MM = 1.0  # beyond the foot, of the rim's own shade on the ground
_TURNS = 24
_MOST_PEAKS = 4  # of one box
_LEAST_CORRELATION = 0.2


@dataclass(frozen=True)
class LookTemplate:
    """Crop of a confirmed base, straightened at the height of its rim, and which of its pixels the base fills."""

    picture: Image
    filled: Floats32  # 1 on the base
    px_per_mm: float
    base: Base


@dataclass(frozen=True)
class TemplateMatch:
    """A place that looks like the template: how well it correlates there, and by how much it was turned since."""

    at_mm: Point
    turned_rad: float
    correlation: float


def learn_template(image: Image, fit: BaseFit, *, view: View) -> LookTemplate:
    """The crop of this base as the picture shows it."""
    reach_mm = half_diagonal_mm(fit.base) + _RIM_SPARE_MM
    px_per_mm = float(np.clip(_SIDE_PX / (2 * reach_mm), _COARSEST_PX_PER_MM, _FINEST_PX_PER_MM))
    (x, y) = fit.at_mm
    window = Window(x - reach_mm, y - reach_mm, x + reach_mm, y + reach_mm, px_per_mm)
    picture = _straighten(image, window, fit, view=view)
    height, width = picture.shape[:2]
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    at_mm = window.to_mm(np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)) - fit.at_mm
    filled = _is_on_base(fit.base, fit.turn_rad, at_mm).reshape(height, width)
    return LookTemplate(picture, filled.astype(np.float32), px_per_mm, fit.base)


def match_template(
    image: Image, template: LookTemplate, fit: BaseFit, boxes: Iterable[Box], *, view: View
) -> tuple[TemplateMatch, ...]:
    """Places within these boxes that look most like it, best first, no two upon each other. `fit`: as it stood."""
    matches = [match for box in boxes for match in _match_in_box(image, template, fit, box, view=view)]
    kept: list[TemplateMatch] = []
    for match in sorted(matches, key=lambda match: -match.correlation):
        if all(math.dist(match.at_mm, other.at_mm) >= fit.inradius_mm for other in kept):
            kept.append(match)
    return tuple(kept)


def half_diagonal_mm(base: Base) -> float:
    """How far its outline reaches from its middle."""
    if isinstance(base, RoundBase):
        return base.radius_mm
    sides_mm = base.width_mm / 2, base.depth_mm / 2
    return math.hypot(*sides_mm) if isinstance(base, RectBase) else max(sides_mm)


def _match_in_box(
    image: Image, template: LookTemplate, fit: BaseFit, box: Box, *, view: View
) -> Iterator[TemplateMatch]:
    spare_mm = half_diagonal_mm(template.base) + 2 * _RIM_SPARE_MM
    x0, y0, x1, y1 = box
    window = Window(x0 - spare_mm, y0 - spare_mm, x1 + spare_mm, y1 + spare_mm, template.px_per_mm)
    picture = _straighten(image, window, fit, view=view)
    turns_rad = [0.0] if _TURNS == 1 else [k * math.tau / _TURNS for k in range(_TURNS)]
    layers = np.stack([_correlate(picture, template, turn_rad) for turn_rad in turns_rad])
    best = layers.max(axis=0)
    apart_px = max(1, round(inradius_mm(template.base) * template.px_per_mm))
    half = np.array([template.picture.shape[1] - 1, template.picture.shape[0] - 1]) / 2
    for _ in range(_MOST_PEAKS):
        row, column = np.unravel_index(int(best.argmax()), best.shape)
        correlation = float(best[row, column])
        if correlation < _LEAST_CORRELATION:
            return
        x, y = window.to_mm(np.array([[column, row]]) + half)[0].tolist()
        yield TemplateMatch((x, y), turns_rad[int(layers[:, row, column].argmax())], correlation)
        best[max(0, row - apart_px) : row + apart_px + 1, max(0, column - apart_px) : column + apart_px + 1] = -1.0


def _straighten(image: Image, window: Window, fit: BaseFit, *, view: View) -> Image:
    z_mm = fit.ground.surface_mm + fit.profile.top_mm
    return rectify_filtered(image, rectification_maps(window, camera=view.camera, pose=view.pose, z_mm=z_mm))


def _correlate(picture: Image, template: LookTemplate, turned_rad: float) -> Floats:
    """Normalised correlation of the template, turned anticlockwise, at each place where it fits in."""
    height, width = template.picture.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), math.degrees(turned_rad), 1.0)
    turned = cv2.warpAffine(template.picture, turn, (width, height), flags=cv2.INTER_LINEAR)
    filled = np.asarray(cv2.warpAffine(template.filled, turn, (width, height), flags=cv2.INTER_NEAREST), np.float32)
    mask = np.repeat(filled[..., None], 3, axis=2)
    scores = cv2.matchTemplate(picture.astype(np.float32), turned.astype(np.float32), cv2.TM_CCOEFF_NORMED, mask=mask)
    return np.where(np.isfinite(scores) & (np.abs(scores) <= 1.01), scores, -1.0)


def _is_on_base(base: Base, turn_rad: float, at_mm: Floats) -> Floats:
    """Which of these places (N, 2) from its middle lie on the base."""
    cosine, sine = math.cos(turn_rad), math.sin(turn_rad)
    along, aside = np.abs(at_mm @ (cosine, sine)), np.abs(at_mm @ (-sine, cosine))
    if isinstance(base, RoundBase):
        return np.asarray(np.hypot(along, aside) <= base.radius_mm)
    if isinstance(base, OvalBase):
        return np.asarray(np.hypot(along * 2 / base.depth_mm, aside * 2 / base.width_mm) <= 1)
    return np.asarray((along <= base.depth_mm / 2) & (aside <= base.width_mm / 2))
