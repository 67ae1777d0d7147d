"""Table layout: the pages' corner marks -> the table's frame and size, and its fiducials with covariance.

Pages 1 and 2 lie outside the near edge, their top edge along it; 3 and 4 outside the far edge, turned about. The mark
of each, at one end of its top edge, lies at a corner of the table: near-left, near-right, far-right, far-left.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from calibration.arrays import Floats
from calibration.setup.joint_adjustment import PAGE_VALUES, JointSolution, place_points
from calibration.setup.pages import DEPTH_MM, DICTIONARY, MARKER_MM, PAGES, WIDTH_MM, setup_pages
from models.errors import BadInput
from models.layout import Fiducials, Layout, Marker

MARK_MM = 10.0  # from the pattern's corner to the mark, both ways
_LAID_SIGMA_MM = 2.0  # how well somebody lays a mark at a corner
_MOST_OFF_MM = 40.0
_PLACE_SIGMA_MM = 0.05


@dataclass(frozen=True)
class CornerMarks:
    """The cross that each page has printed for its corner of the table: where it lies in printed mm, and how surely."""

    places_mm: Floats
    """(4, 3)."""
    covariance_mm2: Floats
    """(12, 12)."""

    def distance_mm(self, a: int, b: int) -> tuple[float, float]:
        """From the cross of page `a` to that of page `b`, both from 0, and its sigma."""
        apart = self.places_mm[b] - self.places_mm[a]
        length = float(np.linalg.norm(apart))
        slope = np.zeros((len(self.places_mm), 3))
        slope[b], slope[a] = apart / length, -apart / length
        return length, float(np.sqrt(slope.ravel() @ self.covariance_mm2 @ slope.ravel()))


@dataclass(frozen=True)
class TableFit:
    """The layout in the table's frame, and where that frame lies in the frame of the first page (4, 4)."""

    layout: Layout
    pages_from_table: Floats
    marks: CornerMarks | None
    """None where the layout was known, so that nobody asks."""
    remarks: tuple[str, ...]
    marks_scale: float
    """Of the printed millimetre, as the marks and the table's size have it; 1 where the size was not told."""


def mark_of(page: int) -> Floats:
    """The corner mark in the page's frame (3,)."""
    side = -1.0 if page in (0, 2) else 1.0
    return np.array([side * (WIDTH_MM / 2 + MARK_MM), DEPTH_MM / 2 + MARK_MM, 0.0])


def fit_table(solution: JointSolution, table_mm: tuple[float, float] | None, *, scale: float = 1.0) -> TableFit:
    """The table's frame by the marks, in printed millimetres, of which a true one is 1 / `scale`.

    Raises: BadInput saying which pages are swapped, of which size the table is, or which page lies at no corner of it.
    """
    marks = np.array([place_points(mark_of(k)[None], solution.state.pages[k])[0, :2] for k in range(PAGES)])
    width, depth = scale_size(table_mm, 1 / scale) if table_mm else _measured_size(marks)
    corners = np.array([[0, 0], [width, 0], [width, depth], [0, depth]])
    turn, shift = _rigid_2d(corners, marks)
    back = (marks - shift) @ turn
    off = np.linalg.norm(back - corners, axis=1)
    if off.max() > _MOST_OFF_MM:
        says = _describe_misplaced(marks, solution.state.pages[:, :2], off, table_mm, scale)
        raise BadInput(says, field="table_mm", value=list(scale_size((width, depth), scale)))
    rigid = np.eye(4)
    rigid[:2, :2], rigid[:2, 3] = turn, shift
    worst = int(np.argmax(off))
    remarks = (
        (f"the mark of page {worst + 1} lies {off[worst]:.0f} mm from its corner of the table",)
        if off[worst] > 4 * _LAID_SIGMA_MM
        else ()
    )
    layout = _layout(solution, rigid, (width, depth))
    return TableFit(layout, rigid, _corner_marks(solution), remarks, _marks_scale(marks, (width, depth)))


def _corner_marks(solution: JointSolution) -> CornerMarks:
    pages = solution.state.pages
    places = np.concatenate([place_points(mark_of(k)[None], pages[k]) for k in range(PAGES)])
    slope = np.concatenate([_place_slopes(mark_of(k), k, pages[k], np.eye(4)) for k in range(PAGES)])
    return CornerMarks(places, slope @ solution.pages_covariance() @ slope.T)


def _marks_scale(marks: Floats, size: tuple[float, float]) -> float:
    width, depth = _measured_size(marks)
    return (size[0] + size[1]) / (width + depth)


def _measured_size(marks: Floats) -> tuple[float, float]:
    across = (np.linalg.norm(marks[1] - marks[0]) + np.linalg.norm(marks[2] - marks[3])) / 2
    along = (np.linalg.norm(marks[3] - marks[0]) + np.linalg.norm(marks[2] - marks[1])) / 2
    return float(across), float(along)


def _find_swapped(centres: Floats, size: tuple[float, float] | None) -> list[tuple[int, int]]:
    """Pairs of pages of which either may have changed places, where the others lie at their own.

    Across a diagonal it may be one pair as well as the other: nothing tells which corner is meant to be the first.
    """
    swapped = []
    for pair in combinations(range(PAGES), 2):
        lies = centres.copy()
        lies[list(pair)] = lies[list(pair)[::-1]]
        if _places_off(lies, size or _size_by_centres(lies)).max() < _MOST_OFF_MM:
            swapped.append(pair)
    return swapped


_ASIDE = np.array([WIDTH_MM / 2 + MARK_MM, -DEPTH_MM / 2 - MARK_MM])  # a page's middle from its corner, on page 1


def _places_off(centres: Floats, size: tuple[float, float]) -> Floats:
    """How far each page lies from its place around a table of this size."""
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    places = np.array([[0, 0], [size[0], 0], size, [0, size[1]]]) + signs * _ASIDE
    turn, shift = _rigid_2d(places, centres)
    return np.asarray(np.linalg.norm((centres - shift) @ turn - places, axis=1))


def _size_by_centres(centres: Floats) -> tuple[float, float]:
    """The size of the table around which pages lie so, each at its own corner."""
    width, depth = _measured_size(centres)
    return width + 2 * float(_ASIDE[0]), depth + 2 * float(_ASIDE[1])


def _describe_misplaced(
    marks: Floats, centres: Floats, off: Floats, table_mm: tuple[float, float] | None, scale: float
) -> str:
    printed_mm = None if table_mm is None else scale_size(table_mm, 1 / scale)
    lies = _size_by_centres(centres)
    if table_mm is not None and _places_off(centres, lies).max() < _MOST_OFF_MM:
        return (
            f"the pages lie as around a table of about {_say_size(scale_size(lies, scale))}, and you gave "
            f"{_say_size(table_mm)}: give its size anew, first along pages 1 and 2"
        )
    swapped = _find_swapped(centres, printed_mm) or _find_swapped(centres, None)
    if swapped:
        pairs = ", or ".join(f"{a + 1} and {b + 1}" for a, b in swapped)
        return f"pages {pairs} are swapped: lay each at the corner of its number, 1 to 4 anticlockwise round the table"
    near, side = np.linalg.norm(marks[1] - marks[0]) * scale, np.linalg.norm(marks[3] - marks[0]) * scale
    no_table = "no table" if table_mm is None else f"no table of {_say_size(table_mm)}"
    return (
        f"the marks of pages 1 and 2 lie {near:.0f} mm apart, those of 1 and 4 {side:.0f} mm: {no_table}. Is page "
        f"{int(np.argmax(off)) + 1} at its own corner, and is no picture of another table?"
    )


def _say_size(size_mm: tuple[float, float]) -> str:
    return f"{size_mm[0]:.0f} x {size_mm[1]:.0f} mm"


def scale_size(size: tuple[float, float], scale: float) -> tuple[float, float]:
    return size[0] * scale, size[1] * scale


def _rigid_2d(source: Floats, here: Floats) -> tuple[Floats, Floats]:
    """Turn (2, 2) and shift (2,) with here = there @ turn.T + shift, by least squares (Kabsch)."""
    a, b = source - source.mean(axis=0), here - here.mean(axis=0)
    u, _, vt = np.linalg.svd(a.T @ b)
    flip = np.diag([1.0, np.sign(np.linalg.det(vt.T @ u.T))])
    turn = vt.T @ flip @ u.T
    return turn, here.mean(axis=0) - turn @ source.mean(axis=0)


def _layout(solution: JointSolution, pages_from_table: Floats, size: tuple[float, float]) -> Layout:
    table_from_pages = np.asarray(np.linalg.inv(pages_from_table), np.float64)
    markers, slopes = [], []
    for page in setup_pages():
        state = solution.state.pages[page.number]
        for id_, corners in zip(page.marker_ids, page.markers_mm, strict=True):
            placed = place_points(corners, state) @ table_from_pages[:3, :3].T + table_from_pages[:3, 3]
            markers.append(Marker(id=id_, corners_mm=tuple(tuple(map(float, row)) for row in placed)))
            slopes.append(_place_slopes(np.asarray(corners.mean(axis=0)), page.number, state, table_from_pages))
    slope = np.concatenate(slopes)
    covariance = slope @ solution.pages_covariance() @ slope.T
    return Layout(
        table_mm=size,
        fiducials=Fiducials(
            dictionary=DICTIONARY,
            marker_mm=MARKER_MM,
            markers=tuple(markers),
            sigma_mm=_PLACE_SIGMA_MM,
            covariance_mm2=tuple(tuple(map(float, row)) for row in (covariance + covariance.T) / 2),
        ),
    )


def _place_slopes(place_mm: Floats, number: int, page: Floats, table_from_pages: Floats) -> Floats:
    """d a place of a page / d all pages' values, (3, 5P)."""
    out = np.zeros((3, PAGE_VALUES * PAGES))
    for k in range(PAGE_VALUES):
        step = 1e-4 if k == 2 else 1e-2
        moved = page.copy()
        moved[k] += step
        change = place_points(place_mm[None], moved)[0] - place_points(place_mm[None], page)[0]
        out[:, PAGE_VALUES * number + k] = table_from_pages[:3, :3] @ change / step
    return out
