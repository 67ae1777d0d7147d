"""Widest lane: the line that stays clear of everything by the most, and by how much, by the compiled kernel.

Few things hold a lane: a lane that is widest among some things and comes no nearer to any other is widest among all.
Among those, climbing finds the best line near the one at hand, and then a wider one is sought: critical lines at a
growth a hair larger tell whether there is any (`critical_lines`), and where heights or woods are among what holds the
lane, cells of lines are closed one by one, unless what closes whole lines leaves no wider one anyway. `kernel/` takes
these steps; property tests compare it with the same in Python.
"""

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from models.vocabulary import Point
from referee.geometry.containment import reach_into
from referee.geometry.shapes import Area, RoundedShape
from referee.line_of_sight.boundary_curve import pieces_of
from referee.line_of_sight.scene import End, Obstacle, Wood

_LIBRARY = __file__.removesuffix("widest_lane.py") + "kernel.so"
_HOLDS_MM = 1e-4  # what is no farther than this beyond the margin holds the lane
_SOLID, _WOOD, _LENGTH, _SPARE = range(4)  # what the kernel asks of a thing: to be kept clear of, or to be measured
_DUST_MM = 1e-6  # heights closer than this are the same: inches do not convert exactly


@dataclass(frozen=True)
class Lane:
    """The best line. `margin_mm`: what everything could grow (must shrink) before the answer flips; inf if nothing can.

    `slack_mm` holds the same for each thing by id; `held_by` names those that decide.
    """

    margin_mm: float
    start: Point
    stop: Point
    slack_mm: dict[str, float]
    held_by: tuple[str, ...]


def widest_lane(
    start: End,
    stop: End,
    obstacles: tuple[Obstacle, ...] = (),
    woods: tuple[Wood, ...] = (),
    *,
    wider_than_mm: float = -math.inf,
) -> Lane:
    """The line between two ends with the largest margin; where none is `wider_than_mm`, any line.

    Both ends must have something left of them.
    """
    margin, x0, y0, x1, y1, _, *slacks = _FlatScene(start, stop, obstacles, woods).solve(wider_than_mm)
    ids = [*(o.id for o in obstacles), *(w.id for w in woods)]
    return lane_of(margin, (x0, y0), (x1, y1), slacks, ids)


def lane_between(
    start: End,
    stop: End,
    obstacles: tuple[Obstacle, ...] = (),
    woods: tuple[Wood, ...] = (),
    *,
    wider_than_mm: float = -math.inf,
) -> Lane:
    """The widest lane where ends may move too: no wood leaves more than a line with an end in it does of its depth.

    Such a line grows by what its ends move apart, even where it does not as the wood grows: between two ends in one
    wood the growth that flips the answer is far larger than the move that does.
    """
    lane = widest_lane(start, stop, obstacles, woods, wider_than_mm=wider_than_mm)
    slack = dict(lane.slack_mm)
    for wood in woods:
        room = _room_mm(start, stop, wood)
        if room is not None:
            slack[wood.id] = min(slack[wood.id], room) if room >= 0 else max(slack[wood.id], room)
    if slack == lane.slack_mm:
        return lane
    return lane_of(min(slack.values()), lane.start, lane.stop, list(slack.values()), list(slack))


def lane_of(margin_mm: float, start: Point, stop: Point, slacks_mm: Sequence[float], ids: Sequence[str]) -> Lane:
    """The lane with its slacks by id, of things that share one the least, and with those that hold it."""
    slack: dict[str, float] = {}
    for id_, value in zip(ids, slacks_mm, strict=True):
        slack[id_] = min(value, slack.get(id_, math.inf))
    held = tuple(id_ for id_, value in slack.items() if value <= margin_mm + _HOLDS_MM)
    return Lane(margin_mm, start, stop, slack, held)


def _room_mm(start: End, stop: End, wood: Wood) -> float | None:
    """What the least line leaves of the depth; None where it has no end in the wood, or none of it is there."""
    if wood.end_inside is False or all(reach_into(end.shape, wood.area) < 0 for end in (start, stop)):
        return None
    flat = _FlatScene(start, stop, (), (wood,))
    flat.kinds = [_LENGTH]
    value, x0, y0, x1, y1, *_ = flat.solve()
    ends = (RoundedShape(((x0, y0),)), RoundedShape(((x1, y1),)))
    is_any_inside = any(reach_into(end, wood.area) >= -_HOLDS_MM for end in ends)
    return wood.depth_mm + value if value < -_HOLDS_MM and is_any_inside else None


def least_length_mm(start: End, stop: End, wood: Wood) -> float:
    """The least length of a line between the ends that lies in the wood."""
    flat = _FlatScene(start, stop, (), (wood,))
    flat.kinds = [_LENGTH]
    return -flat.solve()[0]


def low_stretch(
    top_start_mm: float, top_stop_mm: float, height_mm: float, *, touch_blocks: bool
) -> tuple[float, float]:
    """The shares of a line from top to top between which it is at or below this height; (1, 0) when it never is."""
    lowest = height_mm + _DUST_MM if touch_blocks else height_mm - _DUST_MM
    low_start, low_stop = top_start_mm < lowest, top_stop_mm < lowest
    if low_start and low_stop:
        return (0.0, 1.0)
    if not low_start and not low_stop:
        return (1.0, 0.0)
    share = (height_mm - top_start_mm) / (top_stop_mm - top_start_mm)
    share = min(1.0, max(0.0, share))
    return (0.0, share) if low_start else (share, 1.0)


def height_to_spare_mm(
    start: End, stop: End, tops_mm: tuple[float, float], solids: tuple[tuple[Area, float], ...]
) -> float | None:
    """By how much the best line from top to top passes over these solids (negative: below); None if none is crossed."""
    flat = _FlatScene(start, stop, [Obstacle("", area) for area, _ in solids], ())
    flat.share = [top for _ in solids for top in tops_mm]
    flat.wood = [number for _, height in solids for number in (height, -1.0)]
    flat.kinds = [_SPARE] * len(solids)
    spare_mm = flat.solve()[0]
    return spare_mm if math.isfinite(spare_mm) else None


class _FlatScene:
    """The scene as plain arrays."""

    def __init__(self, start: End, stop: End, obstacles: Sequence[Obstacle], woods: Sequence[Wood]) -> None:
        self.ends: list[float] = []
        self.counts: list[int] = []
        self.corners: list[float] = []
        self.pieces: list[float] = []
        for end in (start, stop):
            self._add_end(end)
        self.things = len(obstacles) + len(woods)
        self.part_start, self.points, self.radius = [0], [], []  # type: ignore[var-annotated]
        self.first_part, self.outline_start, self.outline = [0], [0], []  # type: ignore[var-annotated]
        self.share: list[float] = []
        for obstacle in obstacles:
            self._add_area(obstacle.area)
            self.share += (obstacle.from_share, obstacle.to_share)
        self.wood: list[float] = [0.0, -1.0] * len(obstacles)
        for wood in woods:
            self._add_area(wood.area)
            self.share += (0.0, 1.0)
            self.wood += (wood.depth_mm, -1.0 if wood.end_inside is None else float(wood.end_inside))
        self.kinds = [_SOLID] * len(obstacles) + [_WOOD] * len(woods)

    def _add_end(self, end: End) -> None:
        pieces = pieces_of(end)
        is_disc = end.shape.is_disc()
        radius = end.shape.radius_mm if is_disc else 0.0
        nx, ny = end.normal or (0.0, 0.0)
        self.ends += (float(is_disc), *end.shape.centre, radius, float(end.normal is not None), nx, ny, end.offset_mm)
        corners = [] if is_disc else [piece.start for piece in pieces]
        self.counts += (len(corners), len(pieces))
        for corner in corners:
            self.corners += (corner.real, corner.imag)
        for p in pieces:
            self.pieces += (p.start.real, p.start.imag, p.along.real, p.along.imag, p.length_mm)
            self.pieces += (p.centre.real, p.centre.imag, p.radius_mm)

    def _add_area(self, area: Area) -> None:
        for part in area.parts:
            for point in part.points:
                self.points += point
            self.part_start.append(len(self.points) // 2)
            self.radius.append(part.radius_mm)
        for point in area.outline:
            self.outline += point
        self.outline_start.append(len(self.outline) // 2)
        self.first_part.append(len(self.radius))

    def solve(self, wider_than_mm: float = -math.inf) -> list[float]:
        """What the kernel writes: margin, both ends of the line, rounds, and the slack of each thing."""
        result = (ctypes.c_double * (6 + self.things))()
        if _kernel().widest_lane(*self._arguments(), ctypes.c_double(wider_than_mm), result):
            raise MemoryError("the sight kernel found no memory")
        return list(result)

    def _arguments(self) -> tuple[object, ...]:
        doubles, ints = _doubles, _ints
        return (
            doubles(self.ends), ints(self.counts), doubles(self.corners), doubles(self.pieces),
            len(self.radius), ints(self.part_start), doubles(self.points), doubles(self.radius),
            self.things, ints(self.first_part), doubles(self.share), ints(self.kinds), doubles(self.wood),
            ints(self.outline_start), doubles(self.outline),
        )  # fmt: skip


def _doubles(values: list[float]) -> ctypes.Array[ctypes.c_double]:
    return (ctypes.c_double * max(1, len(values)))(*values)


def _ints(values: list[int]) -> ctypes.Array[ctypes.c_int]:
    return (ctypes.c_int * max(1, len(values)))(*values)


@cache
def _kernel() -> ctypes.CDLL:
    """The compiled kernel, loaded when it is first asked. Raises: ImportError."""
    try:
        return ctypes.CDLL(_LIBRARY)
    except OSError as error:
        detail = f"{_LIBRARY} is missing or of another machine: install Tableside again"
        raise ImportError(detail) from error
