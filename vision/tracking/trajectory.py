"""Trajectory: where a base was seen between one settled place and the next.

In the small pictures of the time before the table settled, the base is looked for as it stood before and as it stands
now, on ground that had changed. What is not clearly it is left out: under a hand nobody knows where it is.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
from shapely import LineString

from calibration.arrays import Floats32, Image
from models.timeline import Waypoint
from models.vocabulary import Point
from vision.rectification.rectify import Window

_LIKE, _CLEARER = 0.87, 0.25  # of 1: so alike, and so much more than anything farther off than a base
_CLOSE_PX = (-0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75)
_TWINS = 0.75  # look-alikes that were both moved may be taken for each other
_CHANGED, _STEP = 0.5, 16  # of its ground must have changed by so many grey levels
_AROUND_MM = 160.0  # how far from the straight way it is looked for
_APART_MM = 4.0  # from one waypoint to the next, and from either end
_SIGMA_MM = 1.5  # of one waypoint on the table
_LIFTED_MM = 20.0  # sigma of how high it may be held
_FASTEST_MM_S = 3000.0  # a hand


class TimedImage(NamedTuple):
    """Small picture of the table, and when it was taken."""

    t_s: float
    picture: Image


@dataclass(frozen=True)
class BaseTemplate:
    """Template of one base in a small picture of a settled table: its middle, and how far it reaches."""

    picture: Image
    at_px: tuple[float, float]
    reach_px: float

    def crop(self) -> Image:
        """The square of the picture around the base."""
        side = 2 * math.ceil(self.reach_px) + 1
        return np.asarray(cv2.getRectSubPix(self.picture, (side, side), self.at_px), np.uint8)

    def disc(self) -> Floats32:
        """Weights of that square: 1 on the base, else 0."""
        reach = math.ceil(self.reach_px)
        rows, columns = np.ogrid[-reach : reach + 1, -reach : reach + 1]
        return np.asarray(rows**2 + columns**2 <= self.reach_px**2, np.float32)


def are_twins(a: BaseTemplate, b: BaseTemplate) -> bool:
    """Whether the one template may be taken for the other."""
    if math.ceil(a.reach_px) != math.ceil(b.reach_px):
        return False
    return bool(_match_score(a.crop(), b.crop(), a.disc())[0, 0] > _TWINS)


def estimate_trajectory(
    noted: Sequence[TimedImage],
    start: BaseTemplate,
    end: BaseTemplate,
    window: Window,
    *,
    camera_mm: tuple[float, float, float],
) -> tuple[Waypoint, ...]:
    """Waypoints at which the base was seen, in the order of time. `window` is that of the small pictures.

    Places are those of a base on the table; one that is held over it stands nearer to the point under the camera, which
    is in the sigma.
    """
    waypoints: list[Waypoint] = []
    ends = tuple(_to_mm(window, sight.at_px) for sight in (start, end))
    for sighting in noted:
        at_px = _match_template(sighting.picture, start, end, window)
        if at_px is None:
            continue
        at_mm = _to_mm(window, at_px)
        last = waypoints[-1].at_mm if waypoints else ends[0]
        if min(math.dist(at_mm, last), *(math.dist(at_mm, place) for place in ends)) < _APART_MM:
            continue
        if not waypoints or math.dist(at_mm, last) < _FASTEST_MM_S * (sighting.t_s - waypoints[-1].t_s):
            waypoints.append(Waypoint(t_s=sighting.t_s, at_mm=at_mm, sigma_mm=_sigma_mm(at_mm, camera_mm)))
    return tuple(waypoints)


def path_length_mm(start_mm: Point, waypoints: Sequence[Waypoint], end_mm: Point) -> float:
    """Least length of a path through these points, within their doubt, straight where nothing was seen."""
    line = LineString([start_mm, *(waypoint.at_mm for waypoint in waypoints), end_mm])
    return float(line.simplify(2 * max((waypoint.sigma_mm for waypoint in waypoints), default=0.0)).length)


def _match_template(
    picture: Image, start: BaseTemplate, end: BaseTemplate, window: Window
) -> tuple[float, float] | None:
    """The one place in the picture that looks like the base and did not look so before."""
    rows, columns = _search_area(picture.shape, start, end, window)
    part, before = picture[rows, columns], start.picture[rows, columns]
    disc = start.disc()
    if min(part.shape[:2]) < len(disc):
        return None
    fresh = (cv2.absdiff(part, before).max(axis=2) > _STEP).astype(np.float32)
    share = cv2.matchTemplate(fresh, disc, cv2.TM_CCORR) / disc.sum()
    like = np.maximum(*(_match_score(part, sample.crop(), disc) for sample in (start, end)))
    like[share < _CHANGED] = -1.0
    row, column = np.unravel_index(int(like.argmax()), like.shape)
    rest = like.copy()
    y, x = np.ogrid[: like.shape[0], : like.shape[1]]
    rest[(y - row) ** 2 + (x - column) ** 2 < (2 * start.reach_px) ** 2] = -1.0
    reach = len(disc) // 2
    middle = float(column + reach), float(row + reach)
    best, along, down = max(_refine_match(part, sample.crop(), disc, middle) for sample in (start, end))
    if best < max(_LIKE, rest.max() + _CLEARER):
        return None
    return columns.start + middle[0] + along, rows.start + middle[1] + down


def _refine_match(
    picture: Image, template: Image, disc: Floats32, at_px: tuple[float, float]
) -> tuple[float, float, float]:
    """The best likeness within a pixel of the place, and how far along and down from it."""
    side, (x, y) = (len(disc), len(disc)), at_px
    tried = []
    for along, down in product(_CLOSE_PX, repeat=2):
        cut = np.asarray(cv2.getRectSubPix(picture, side, (x + along, y + down)), np.uint8)
        tried.append((float(_match_score(cut, template, disc)[0, 0]), along, down))
    return max(tried)


def _match_score(picture: Image, template: Image, disc: Floats32) -> Floats32:
    """How alike each place of the picture is to the template within the disc, -1 to 1; evenly coloured: -1."""
    mask = np.repeat(disc[:, :, None], 3, axis=2)
    like = cv2.matchTemplate(picture.astype(np.float32), template.astype(np.float32), cv2.TM_CCOEFF_NORMED, mask=mask)
    return np.asarray(np.where(np.abs(like) <= 1.001, like, -1.0), np.float32)


def _search_area(shape: tuple[int, ...], start: BaseTemplate, end: BaseTemplate, window: Window) -> tuple[slice, slice]:
    """Rows and columns around the straight way."""
    return tuple(
        slice(max(0, int(min(ends) - grow)), max(0, min(most, int(max(ends) + grow) + 1)))
        for ends, most, grow in (
            ((start.at_px[axis], end.at_px[axis]), shape[1 - axis], start.reach_px * 2 + _AROUND_MM * window.px_per_mm)
            for axis in (1, 0)
        )
    )  # type: ignore[return-value]


def _to_mm(window: Window, at_px: tuple[float, float]) -> Point:
    x, y = window.to_mm(np.array([at_px]))[0].tolist()
    return round(x, 1), round(y, 1)


def _sigma_mm(at_mm: Point, camera_mm: tuple[float, float, float]) -> float:
    cast = math.dist(at_mm, camera_mm[:2]) / camera_mm[2]
    return round(math.hypot(_SIGMA_MM, _LIFTED_MM * cast), 1)
