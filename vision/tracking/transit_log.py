"""Transit log: small pictures taken while hands are over the table, to tell who cannot be whom.

Kept are small pictures, a few a second. A base that is seen in its old place all along until a new place has been
taken for good cannot be the one that took it; that alone tells look-alikes apart which are moved one after the other.
In the same pictures a base is looked for on its way. An unconfirmed log keeps what may be a base while only a part of
the table is looked at again.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from calibration.arrays import Image, Indices, Mask
from models.base import RoundBase
from models.timeline import Waypoint
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import Point
from vision.candidates import Box
from vision.measurement.base_fit import BaseFit
from vision.rectification.rectify import Window
from vision.tracking.change_detection import RectifiedView
from vision.tracking.trajectory import BaseTemplate, TimedImage, are_twins, estimate_trajectory

_EVERY_S = 0.12
_MOST = 160  # pictures; of a longer time every other is forgotten
_SMALLER = 2
_SAME = 9.0  # grey levels between two pictures of one thing


class TransitLog:
    """Pictures since the table was last settled."""

    def __init__(self) -> None:
        self._pictures: list[TimedImage] = []
        self._noted_s = -1e9
        self._every_s = _EVERY_S

    def record(self, view: RectifiedView, *, t_s: float) -> None:
        """Keep a small picture of this view, when one is due."""
        if t_s - self._noted_s < self._every_s:
            return
        self._noted_s = t_s
        self._pictures.append(TimedImage(t_s, _halve(view.picture)))
        if len(self._pictures) > _MOST:
            self._pictures = self._pictures[::2]
            self._every_s *= 2

    def clear(self) -> None:
        """The table is settled: forget all pictures."""
        self._pictures, self._every_s = [], _EVERY_S

    def find_exclusions(
        self,
        before: RectifiedView,
        after: RectifiedView,
        window: Window,
        *,
        old: Sequence[BaseFit],
        new: Sequence[BaseFit],
    ) -> Mask:
        """(old, new): whether that old base was still seen in its place when this new place was taken for good."""
        left = [self._departure_index(fit, before.picture, window) for fit in old]
        came = [self._arrival_index(base, after.picture, window) for base in new]
        return np.array(
            [[came[j] < left[i] and _are_apart(a, b) for j, b in enumerate(new)] for i, a in enumerate(old)], np.bool_
        ).reshape(len(old), len(new))

    def trajectories(
        self,
        moved: Mapping[str, tuple[BaseFit, BaseFit]],
        before: RectifiedView,
        after: RectifiedView,
        window: Window,
        *,
        camera_mm: tuple[float, float, float],
    ) -> dict[str, tuple[Waypoint, ...]]:
        """Trajectories of those who moved. `moved`: where it stood, and where it stands.

        Of look-alikes that moved together nothing is told: one may be taken for the other.
        """
        then, now = (_halve(view.picture) for view in (before, after))
        small = replace(window, px_per_mm=window.px_per_mm / _SMALLER)
        seen = {id_: (_make_template(a, then, small), _make_template(b, now, small)) for id_, (a, b) in moved.items()}
        twins = {id_ for a, b in combinations(seen, 2) if are_twins(seen[a][0], seen[b][0]) for id_ in (a, b)}
        waypoints = {}
        for id_, (start, end) in moved.items():
            if id_ not in twins:
                from_, to = (
                    self._departure_index(start, before.picture, window),
                    self._arrival_index(end, after.picture, window),
                )
                waypoints[id_] = estimate_trajectory(self._pictures[from_:to], *seen[id_], small, camera_mm=camera_mm)
        return waypoints

    def _departure_index(self, fit: BaseFit, before: Image, window: Window) -> int:
        """The first picture in which the base is not seen as it stood before."""
        disc, then = _disc_pixels(fit, window, before.shape), _halve(before)
        return next(
            (k for k, picture in enumerate(self._pictures) if not _is_same(picture.picture, then, disc)),
            len(self._pictures),
        )

    def _arrival_index(self, fit: BaseFit, after: Image, window: Window) -> int:
        """The first picture from which on the base is always seen as it stands now."""
        disc, now = _disc_pixels(fit, window, after.shape), _halve(after)
        last = len(self._pictures)
        while last > 0 and _is_same(self._pictures[last - 1].picture, now, disc):
            last -= 1
        return last


def _halve(picture: Image) -> Image:
    """A row or column that is left over at the far end goes: the others lie where the window says."""
    rows, columns = (side // _SMALLER for side in picture.shape[:2])
    whole = picture[: rows * _SMALLER, : columns * _SMALLER]
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def _make_template(fit: BaseFit, picture: Image, window: Window) -> BaseTemplate:
    x, y = window.to_px(np.array([fit.at_mm]))[0].tolist()
    return BaseTemplate(picture, (x, y), fit.inradius_mm * window.px_per_mm)


Pixels = tuple[Indices, ...]  # rows and columns


def _disc_pixels(fit: BaseFit, window: Window, shape: tuple[int, ...]) -> Pixels:
    (x, y) = window.to_px(np.array([fit.at_mm]))[0] / _SMALLER - 0.25
    rows, columns = np.ogrid[: shape[0] // _SMALLER, : shape[1] // _SMALLER]
    reach = fit.inradius_mm * window.px_per_mm / _SMALLER
    return np.nonzero((columns - x) ** 2 + (rows - y) ** 2 <= reach**2)


def _is_same(a: Image, b: Image, disc: Pixels) -> bool:
    """Whether the two look alike there, but for how bright they are."""
    first, second = a[disc].astype(np.float64), b[disc].astype(np.float64)
    if not len(first):
        return False
    gain = (first.mean() + 8) / (second.mean() + 8)
    return bool(0.6 < gain < 1.6 and np.abs(first - second * gain).mean() < _SAME)


def _are_apart(a: BaseFit, b: BaseFit) -> bool:
    """Places that overlap cannot be told from each other in a small picture."""
    return bool(np.hypot(*np.subtract(a.at_mm, b.at_mm)) > 0.9 * (a.inradius_mm + b.inradius_mm))


class UnconfirmedLog:
    """Candidates of all looks so far; each look says again what lies in its boxes."""

    def __init__(self) -> None:
        self._known: tuple[UnconfirmedBase, ...] = ()

    def note(self, seen: Iterable[UnconfirmedBase], boxes: tuple[Box, ...] | None) -> None:
        """This was seen in these boxes; None: on the whole table."""
        kept = () if boxes is None else tuple(base for base in self._known if not _is_within(base.at_mm, boxes))
        fresh = tuple(base for base in seen if boxes is None or _is_within(base.at_mm, boxes))
        self._known = (*kept, *fresh)

    def apart_from(self, standing: Iterable[BaseFit]) -> tuple[UnconfirmedBase, ...]:
        """Those where nobody stands."""
        fits = tuple(standing)
        return tuple(base for base in self._known if all(_is_apart(base, fit) for fit in fits))


def _is_within(at_mm: Point, boxes: tuple[Box, ...]) -> bool:
    return any(x0 <= at_mm[0] <= x1 and y0 <= at_mm[1] <= y1 for x0, y0, x1, y1 in boxes)


def _is_apart(candidate: UnconfirmedBase, fit: BaseFit) -> bool:
    """Whether neither's middle lies within the other's inner circle."""
    base = candidate.base
    own_mm = base.radius_mm if isinstance(base, RoundBase) else min(base.width_mm, base.depth_mm) / 2
    return math.dist(candidate.at_mm, fit.at_mm) >= max(own_mm, fit.inradius_mm)
