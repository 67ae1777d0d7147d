"""A slow judge of sight that shares no code with the referee: it proves yes by a line and no by closing every cell.

The two ends of a line run along the rims of the two bases. A cell is a square of both; every line of a cell passes
within the cell's half size of its middle line. So a cell is closed when its middle line lies that deep inside a
blocker, and opened when its middle line is clear. Cells that are neither are cut in four. Distances come from shapely.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shapely

from referee.sight import End, Obstacle, Wood

FINEST_MM = 2e-3
Judge = Callable[[np.ndarray, np.ndarray, float], tuple[np.ndarray, np.ndarray]]


class Undecided(Exception):
    """Too many cells, or too small ones: the table hangs on less than the oracle can see in its time."""


@dataclass(frozen=True)
class Rim:
    """A closed curve of this length."""

    points: np.ndarray
    arc_of: np.ndarray
    centre: tuple[float, float]
    radius: float
    starts: np.ndarray
    length: float

    def at(self, s: np.ndarray) -> np.ndarray:
        """Points (N, 2) at these lengths along the curve."""
        s = np.mod(s, self.length) if self.length > 0 else np.zeros_like(s)
        piece = np.clip(np.searchsorted(self.starts, s, side="right") - 1, 0, len(self.starts) - 1)
        a, b = self.points[piece], self.points[(piece + 1) % len(self.points)]
        extent = np.append(self.starts[1:], self.length)[piece] - self.starts[piece]
        share = ((s - self.starts[piece]) / np.where(extent > 0, extent, 1.0))[:, None]
        straight = a + share * (b - a)
        angle = np.arctan2(a[:, 1] - self.centre[1], a[:, 0] - self.centre[0]) + (s - self.starts[piece]) / max(
            self.radius, 1e-12
        )
        curved = np.stack([np.cos(angle), np.sin(angle)], axis=1) * self.radius + np.array(self.centre)
        return np.where(self.arc_of[piece][:, None], curved, straight)


def rim_of(end: End) -> Rim:
    """The rim of what is left of an end, worked out anew."""
    if len(end.shape.points) > 1:
        return _polygon_rim(end)
    (cx, cy), r = end.shape.points[0], end.shape.radius_mm
    if end.normal is None:
        return _disc_rim(cx, cy, r)
    height = end.offset_mm - (cx * end.normal[0] + cy * end.normal[1])
    if height <= -r:
        return _disc_rim(cx, cy, r)
    facing, half = math.atan2(end.normal[1], end.normal[0]), math.acos(min(1.0, height / r))
    corners = np.array(
        [
            (cx + r * math.cos(facing - half), cy + r * math.sin(facing - half)),
            (cx + r * math.cos(facing + half), cy + r * math.sin(facing + half)),
        ]
    )
    arc = 2 * half * r
    return Rim(corners, np.array([True, False]), (cx, cy), r, np.array([0.0, arc]), arc + 2 * r * math.sin(half))


def _disc_rim(cx: float, cy: float, r: float) -> Rim:
    return Rim(np.array([(cx + r, cy)]), np.array([True]), (cx, cy), r, np.array([0.0]), math.tau * r)


def _polygon_rim(end: End) -> Rim:
    polygon = shapely.Polygon(end.shape.points)
    if end.normal is not None:
        (nx, ny), far = end.normal, 1e5
        x, y = nx * end.offset_mm, ny * end.offset_mm
        half_plane = [(x - ny * far, y + nx * far), (x + ny * far, y - nx * far)]
        half_plane += [(px + nx * far, py + ny * far) for px, py in reversed(half_plane)]
        polygon = shapely.intersection(polygon, shapely.Polygon(half_plane))
    corners = np.array(polygon.exterior.coords)[:-1]
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    starts = np.concatenate([[0.0], np.cumsum(lengths)[:-1]])
    return Rim(corners, np.zeros(len(corners), bool), (0.0, 0.0), 0.0, starts, float(lengths.sum()))


class Oracle:
    """One table with everything grown by `growth_mm`."""

    def __init__(
        self, start: End, stop: End, obstacles: tuple[Obstacle, ...], woods: tuple[Wood, ...], growth_mm: float
    ) -> None:
        self.rims = rim_of(start), rim_of(stop)
        self.discs = [
            (o.area.parts[0].points[0], o.area.parts[0].radius_mm + growth_mm)
            for o in obstacles
            if not o.area.outline and o.area.parts[0].radius_mm + growth_mm > 0
        ]
        self.solids = [
            (solid, o.from_share, o.to_share)
            for o in obstacles
            if o.area.outline and not (solid := Solid(o.area.outline, growth_mm)).is_gone()
        ]
        self.woods = [(grown, w.depth_mm) for w in woods if not (grown := _grown(w.area.outline, growth_mm)).is_empty]

    def sees(self, *, cells: int = 25_000) -> bool:
        """Whether a line exists, proved with at most so many cells. Raises: Undecided."""
        n = 24
        size = max(rim.length for rim in self.rims) / n
        grid = [np.arange(0.0, max(rim.length, size / 2), size) + size / 2 for rim in self.rims]
        s, t = (axis.ravel() for axis in np.meshgrid(*grid))
        while len(s):
            if (cells := cells - len(s)) < 0:
                raise Undecided(f"{len(s)} cells of {size:.4f} mm are left")
            open_, clear = self._judge(s, t, size / 2)
            if clear.any():
                return True
            s, t, size = s[open_], t[open_], size / 2
            if len(s) and size < FINEST_MM:
                raise Undecided(f"{len(s)} cells of {size:.4f} mm are left")
            shift = size / 2
            s, t = (np.concatenate([s + i * shift for i in (-1, 1) for _ in (0, 1)]),
                    np.concatenate([t + j * shift for _ in (0, 1) for j in (-1, 1)]))  # fmt: skip
        return False

    def _judge(self, s: np.ndarray, t: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
        """Which cells no blocker closes, and whether the middle line of any of those is clear of all."""
        p, q = self.rims[0].at(s), self.rims[1].at(t)
        left, clear = np.arange(len(s)), np.ones(len(s), bool)
        for blocker in (self._disc(d) for d in self.discs):
            left, clear = _kept(left, clear, *blocker(p[left], q[left], half))
        for blocker in (self._solid(d) for d in self.solids):
            left, clear = _kept(left, clear, *blocker(p[left], q[left], half))
        for grown, depth in self.woods:
            left, clear = _kept(left, clear, *_wood(p[left], q[left], grown, depth, half))
        open_ = np.zeros(len(s), bool)
        open_[left] = True
        return open_, clear[left]

    def _disc(self, disc: tuple[tuple[float, float], float]) -> Judge:
        def judge(p: np.ndarray, q: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
            away = shapely.distance(_lines(p, q), shapely.Point(disc[0])) - disc[1]
            return away <= -half, away > 0

        return judge

    def _solid(self, stretch: tuple["Solid", float, float]) -> Judge:
        solid, first, last = stretch

        def judge(p: np.ndarray, q: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
            return solid.judge(_lines(p + first * (q - p), p + last * (q - p)), half)

        return judge


class Solid:
    """A polygon grown by so much (distances are taken from the polygon as it is), or what is left of it."""

    def __init__(self, outline: tuple[tuple[float, float], ...], growth_mm: float) -> None:
        whole = shapely.Polygon(outline)
        self.core = whole if growth_mm >= 0 else whole.buffer(growth_mm, quad_segs=64)
        self.rim, self.growth = self.core.boundary, max(0.0, growth_mm)

    def is_gone(self) -> bool:
        return bool(self.core.is_empty)

    def judge(self, lines: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
        away = shapely.distance(lines, self.core)
        deep = away <= 0
        if deep.any():
            middle = shapely.line_interpolate_point(
                _longest(shapely.intersection(lines[deep], self.core)), 0.5, normalized=True
            )
            away[deep] = -np.nan_to_num(shapely.distance(middle, self.rim))
        return away - self.growth <= -half, away > self.growth


def _lines(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return shapely.linestrings(np.stack([p, q], axis=1))


def _kept(left: np.ndarray, clear: np.ndarray, closed: np.ndarray, passed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    clear[left] &= passed
    return left[~closed], clear


def _grown(outline: tuple[tuple[float, float], ...], growth: float) -> shapely.Geometry:
    return shapely.Polygon(outline).buffer(growth, quad_segs=48)


def _longest(pieces: np.ndarray) -> np.ndarray:
    """The longest line of each crossing."""
    parts, owner = shapely.get_parts(pieces, return_index=True)
    order = np.argsort(shapely.length(parts), kind="stable")
    longest = np.full(len(pieces), shapely.LineString())
    longest[owner[order]] = parts[order]
    return longest


def _wood(
    p: np.ndarray, q: np.ndarray, grown: shapely.Geometry, depth: float, half: float
) -> tuple[np.ndarray, np.ndarray]:
    """Whether every line within `half` of each line is closed, and whether the line itself passes.

    What lies deeper than `half` inside on the middle line lies inside on all of them.
    """
    lines = _lines(p, q)
    inside = shapely.length(shapely.intersection(lines, grown))
    out = np.minimum(shapely.distance(shapely.points(p), grown), shapely.distance(shapely.points(q), grown))
    passes = (inside <= 0) | ((out <= 0) & (inside <= depth))
    core = shapely.length(shapely.intersection(lines, grown.buffer(-half)))
    length = np.hypot(*(q - p).T)
    too_long = core / np.maximum(length, 1e-9) * (length - 2 * half) > depth
    return ~passes & (core > 0) & (too_long | (out > half)), passes
