"""A slow judge of sight that shares no code with the referee: it proves yes by a line and no by closing every cell.

The two ends of a line run along the rims of the two bases, or through all of them where the length of the line or its
slope matters: in woods, and past what is low. A cell is a box of these parameters; every line of a cell passes within
the cell's half size of its middle line. So a cell is closed when its middle line lies that deep inside a blocker, and
opened when its middle line is clear. Cells that are neither are cut in halves every way. Distances come from shapely.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shapely

from referee.line_of_sight import End, Obstacle, Wood

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


@dataclass(frozen=True)
class _Cells:
    """Boxes of lines, (N, 4): where along either rim the line passes it, and how far on from there either end lies.

    The lines of a box lie within `aside` of its middle line, their ends within `onward` of its ends along it.
    """

    at: np.ndarray
    aside: float
    onward: float

    @classmethod
    def along_rims(cls, rims: tuple[Rim, Rim]) -> "_Cells":
        size = max(rim.length for rim in rims) / 24
        along = [np.arange(0.0, max(rim.length, size / 2), size) + size / 2 for rim in rims]
        return cls(_grid(*along, np.zeros(1), np.zeros(1)), size / 2, 0.0)

    @classmethod
    def through(cls, rims: tuple[Rim, Rim]) -> "_Cells":
        flat, widest = cls.along_rims(rims), max(rim.length for rim in rims) / 2
        out = (np.arange(2) + 0.5) / 2 * widest
        at = np.concatenate([flat.at + np.array([0.0, 0.0, u, v]) for u in out for v in out])
        return cls(at, flat.aside, widest / 4)

    def lines(self, rims: tuple[Rim, Rim]) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
        """Where the middle lines pass the rims, and where their ends lie."""
        p, q = rims[0].at(self.at[:, 0]), rims[1].at(self.at[:, 1])
        way = (q - p) / np.maximum(np.hypot(*(q - p).T), 1e-12)[:, None]
        return (p, q), (p - self.at[:, 2:3] * way, q + self.at[:, 3:4] * way)

    def only(self, kept: np.ndarray) -> "_Cells":
        return _Cells(self.at[kept], self.aside, self.onward)

    def halved(self) -> "_Cells":
        """Every cell cut in four: along the rims, or along the line where that is the longer."""
        onward = self.onward > 2 * self.aside
        step = (self.onward if onward else self.aside) / 2
        ways = np.array([[i * step, j * step] for i in (-1, 1) for j in (-1, 1)])
        steps = np.hstack([np.zeros((4, 2)), ways] if onward else [ways, np.zeros((4, 2))])
        at = (self.at[:, None, :] + steps[None, :, :]).reshape(-1, 4)
        return _Cells(at, self.aside if onward else step, step if onward else self.onward)


def _grid(*axes: np.ndarray) -> np.ndarray:
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)


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
        self.filled = bool(woods) or any((o.from_share, o.to_share) != (0.0, 1.0) for o in obstacles)
        self.ends = start, stop
        self.woods = [(grown, w.depth_mm) for w in woods if not (grown := _grown(w.area.outline, growth_mm)).is_empty]

    def sees(self, *, cells: int = 25_000) -> bool:
        """Whether a line exists, proved with at most so many cells. Raises: Undecided."""
        try:
            if self._search(_Cells.along_rims(self.rims), cells):
                return True
        except Undecided:
            if not self.filled:
                raise
        return self.filled and self._search(_Cells.through(self.rims), cells // 2)

    def _search(self, cells: "_Cells", most: int) -> bool:
        while len(cells.at):
            if (most := most - len(cells.at)) < 0:
                raise Undecided(f"{len(cells.at)} cells of {cells.aside:.4f} mm are left")
            open_, clear = self._judge(cells)
            if clear.any():
                return True
            if open_.any() and cells.aside < FINEST_MM:
                raise Undecided(f"{open_.sum()} cells of {cells.aside:.4f} mm are left")
            cells = cells.only(open_).halved()
        return False

    def _judge(self, cells: "_Cells") -> tuple[np.ndarray, np.ndarray]:
        """Which cells no blocker closes, and whether the middle line of any of those is clear of all."""
        near, far = cells.lines(self.rims)
        left, clear = np.arange(len(cells.at)), np.ones(len(cells.at), bool)
        if cells.onward:
            for end, at in zip(self.ends, far, strict=True):
                beyond = _outside(end, at)
                left, clear = _kept(left, clear, beyond[left] > cells.aside + cells.onward, beyond[left] <= 0)
        for disc in self.discs:
            closed = self._disc(disc)(near[0][left], near[1][left], cells.aside)[0]
            left, clear = _kept(left, clear, closed, self._disc(disc)(far[0][left], far[1][left], cells.aside)[1])
        for stretch in self.solids:
            p, q = far[0][left], far[1][left]
            closed, passed = self._solid(stretch)(p, q, cells.aside)
            if cells.onward and stretch[1:] == (0.0, 1.0):  # what lies between the rims is part of every line
                closed = self._solid(stretch)(near[0][left], near[1][left], cells.aside)[0]
            elif cells.onward:
                closed = self._solid(stretch, short=cells.onward)(p, q, cells.aside)[0]
            left, clear = _kept(left, clear, closed, passed)
        for grown, depth in self.woods:
            p, q = far[0][left], far[1][left]
            left, clear = _kept(left, clear, *_wood(p, q, grown, depth, cells.aside, cells.onward))
        open_ = np.zeros(len(cells.at), bool)
        open_[left] = True
        return open_, clear[left]

    def _disc(self, disc: tuple[tuple[float, float], float]) -> Judge:
        def judge(p: np.ndarray, q: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
            away = shapely.distance(_lines(p, q), shapely.Point(disc[0])) - disc[1]
            return away <= -half, away > 0

        return judge

    def _solid(self, stretch: tuple["Solid", float, float], short: float = 0.0) -> Judge:
        """Judges the stretch of each line, at both ends shorter by so much: what every line of a cell has of it."""
        solid, first, last = stretch

        def judge(p: np.ndarray, q: np.ndarray, half: float) -> tuple[np.ndarray, np.ndarray]:
            a, b = _shorter(p + first * (q - p), p + last * (q - p), short)
            closed, passed = solid.judge(_lines(a, b), half)
            return closed & (np.hypot(*(q - p).T) * (last - first) > 2 * short), passed

        return judge


def _outside(end: End, at: np.ndarray) -> np.ndarray:
    """How far points lie outside an end, at least; not above zero for those in it."""
    if len(end.shape.points) > 1:
        outside = shapely.distance(shapely.points(at), shapely.Polygon(end.shape.points))
    else:
        outside = np.hypot(*(at - np.array(end.shape.points[0])).T) - end.shape.radius_mm
    return outside if end.normal is None else np.maximum(outside, end.offset_mm - at @ np.array(end.normal))


def _shorter(a: np.ndarray, b: np.ndarray, by: float) -> tuple[np.ndarray, np.ndarray]:
    length = np.maximum(np.hypot(*(b - a).T), 1e-12)[:, None]
    step = (b - a) / length * np.minimum(by, length / 2)
    return a + step, b - step


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
    p: np.ndarray, q: np.ndarray, grown: shapely.Geometry, depth: float, aside: float, onward: float
) -> tuple[np.ndarray, np.ndarray]:
    """Whether every line of each cell is closed, and whether its middle line passes.

    What lies deeper than `aside` inside on the middle line, and not within `onward` of its ends, lies inside on all.
    """
    lines = _lines(p, q)
    inside = shapely.length(shapely.intersection(lines, grown))
    out = np.minimum(shapely.distance(shapely.points(p), grown), shapely.distance(shapely.points(q), grown))
    passes = (inside <= 0) | ((out <= 0) & (inside <= depth))
    core = shapely.length(shapely.intersection(_lines(*_shorter(p, q, onward)), grown.buffer(-aside)))
    length = np.hypot(*(q - p).T)
    too_long = core / np.maximum(length, 1e-9) * (length - 2 * aside) > depth
    real = (core > 0) & (length > 2 * onward)
    return ~passes & real & (too_long | (out > aside + onward)), passes
