"""Native kernel, where it was built; `None` means that the plain path answers.

It takes the steps of `lane.py` and must agree with it; a test holds both to each other.
"""

import ctypes
from collections.abc import Sequence

from models.vocabulary import Point
from referee.geometry.shapes import Area
from referee.line_of_sight.boundary_curve import pieces_of
from referee.line_of_sight.scene import End, Obstacle, Wood

_LIBRARY = __file__.removesuffix("native.py") + "kernel.so"


def _load() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(_LIBRARY)
    except OSError:
        return None


KERNEL = _load()


class NativeLane:
    """What the kernel found: margin, both ends of the line, and what each thing leaves it."""

    def __init__(self, result: list[float]) -> None:
        self.margin_mm = result[0]
        self.start: Point = (result[1], result[2])
        self.stop: Point = (result[3], result[4])
        self.rounds = int(result[5])
        self.slacks_mm = result[6:]


def native_widest_lane(
    start: End, stop: End, obstacles: Sequence[Obstacle], woods: Sequence[Wood], *, least_length: bool = False
) -> NativeLane:
    """The widest lane, by the compiled kernel, which must be there; or the line with least length inside the woods."""
    flat = _FlatScene(start, stop, obstacles, woods)
    if least_length:
        flat.is_wood = [2 * kind for kind in flat.is_wood]
    return NativeLane(flat.solve())


def native_height_to_spare(
    start: End, stop: End, tops_mm: tuple[float, float], solids: Sequence[tuple[Area, float]]
) -> float:
    """By how much the best line from top to top passes over these solids; -inf if none is crossed."""
    flat = _FlatScene(start, stop, [Obstacle("", area) for area, _ in solids], ())
    flat.share = [top for _ in solids for top in tops_mm]
    flat.wood = [number for _, height in solids for number in (height, -1.0)]
    flat.is_wood = [3] * len(solids)
    return flat.solve()[0]


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
        self.is_wood = [0] * len(obstacles) + [1] * len(woods)

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

    def solve(self) -> list[float]:
        """What the kernel writes: margin, both ends of the line, rounds, and the slack of each thing."""
        assert KERNEL is not None
        result = (ctypes.c_double * (6 + self.things))()
        if KERNEL.widest_lane(*self._arguments(), result):
            raise MemoryError("the sight kernel found no memory")
        return list(result)

    def _arguments(self) -> tuple[object, ...]:
        doubles, ints = _doubles, _ints
        return (
            doubles(self.ends), ints(self.counts), doubles(self.corners), doubles(self.pieces),
            len(self.radius), ints(self.part_start), doubles(self.points), doubles(self.radius),
            self.things, ints(self.first_part), doubles(self.share), ints(self.is_wood), doubles(self.wood),
            ints(self.outline_start), doubles(self.outline),
        )  # fmt: skip


def _doubles(values: list[float]) -> ctypes.Array[ctypes.c_double]:
    return (ctypes.c_double * max(1, len(values)))(*values)


def _ints(values: list[int]) -> ctypes.Array[ctypes.c_int]:
    return (ctypes.c_int * max(1, len(values)))(*values)


__all__ = ["KERNEL", "NativeLane", "native_widest_lane"]
