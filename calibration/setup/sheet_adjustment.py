"""Sheet adjustment: lens, pose and two sheets at opposite corners of a table, by least squares over the edges of both.

Unknown besides lens and pose are all that blurs the sheets as a scale: how they were cut (alike, and each its own way),
how they were laid, how far each is bent, and how much the picture's tone curve lets bright paper grow.

Sheet detection: two taps on opposite corners of a sheet of blank paper -> its four corners in the picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Image, Mask
from calibration.camera_model.distortion import distort, distort_jacobian, distort_terms_jacobian
from calibration.intrinsics.reprojection import Lens
from calibration.least_squares import NormalEquations, ResidualBlock, minimise
from calibration.setup.joint_adjustment import Prior, lens_prior_block
from calibration.setup.paper import CUT_MM, OWN_CUT_MM
from models.errors import BadInput

LAID_MM = 2.0  # how well somebody lays a corner of a sheet at a corner of the table
_LAID_RAD = np.radians(1.0)
_BEND_MM = 1.0
_GROWTH_PX, _SIDE_PX = 0.4, 0.1  # of all edges by the tone curve; of one edge by its shadow and cut
SHEETS, SIDES = 2, 4
LENS, POSE = 9, 6
_TURNS = LENS + POSE
_APART = _TURNS + SHEETS
_CUT = _APART + 1
_OWN = _CUT + 2
_BENDS = _OWN + 2 * SHEETS
_GROWTH = _BENDS + 2 * SHEETS
_SHIFTS = _GROWTH + 1
SIZE = _SHIFTS + SHEETS * SIDES
_STEPS = 25
_STILL = 1e-6


@dataclass(frozen=True)
class SheetEdges:
    """Points (N,) of the sheets' edges: of which sheet and side, at which share of its two sides, and where seen."""

    sheet: NDArray[np.int64]
    side: NDArray[np.int64]
    share: Floats
    seen_px: Floats
    outward: Floats
    """(N, 2), the unit normal in the picture."""
    noise_px: Floats
    """One sigma across the edge."""

    @classmethod
    def joined(cls, parts: Sequence["SheetEdges"]) -> "SheetEdges":
        names = [field.name for field in fields(cls)]
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})

    def count_sides(self) -> int:
        return len(np.unique(SIDES * self.sheet + self.side))


@dataclass(frozen=True)
class SheetState:
    """camera_from_table, the lens and the other unknowns, by their places in one vector."""

    rotation: Floats
    values: Floats

    @property
    def lens(self) -> Lens:
        return Lens(self.values[:LENS], np.zeros(LENS, bool))

    @property
    def shift_mm(self) -> Floats:
        return self.values[LENS + 3 : LENS + POSE]

    def moved(self, step: Floats) -> "SheetState":
        """The turn of the pose is applied and begins at zero again."""
        values = self.values + step
        turn = np.asarray(cv2.Rodrigues(values[LENS : LENS + 3])[0], np.float64)
        values[LENS : LENS + 3] = 0
        return SheetState(turn @ self.rotation, values)


@dataclass(frozen=True)
class SheetProblem:
    """Edges of two sheets, whose sides (2, 2) mm lie along the table's near side and along its left side."""

    edges: SheetEdges
    sides_mm: Floats
    table_mm: tuple[float, float]
    prior: Prior

    @property
    def diagonal_mm(self) -> float:
        return float(np.hypot(*self.table_mm))

    def start(self, rotation: Floats, shift_mm: Floats, lens: Floats) -> SheetState:
        """Sheets that lie as they should."""
        values = np.zeros(SIZE)
        values[:LENS], values[LENS + 3 : LENS + POSE] = lens, shift_mm
        values[_APART] = self.diagonal_mm
        return SheetState(rotation, values)

    def places(self, values: Floats, sheet: NDArray[np.int64] | int, share: Floats) -> Floats:
        """Points (N, 3) mm on the table, each at these shares of the sides of its sheet."""
        sheets = np.broadcast_to(sheet, len(share))
        sides, turns = self.sides_mm.copy(), values[_TURNS:_APART] + np.pi * np.arange(SHEETS)
        own = values[_OWN:_BENDS].reshape(SHEETS, 2)
        for k in range(SHEETS):
            sides[k] += _in_order(values[_CUT:_OWN] + own[k], sides[k])
        flat = share * sides[sheets]
        c, s = np.cos(turns)[sheets], np.sin(turns)[sheets]
        corner = self._corners(values)[sheets]
        bends = values[_BENDS:_GROWTH].reshape(SHEETS, 2)[sheets]
        rise = np.sum((1 - (2 * share - 1) ** 2) * bends, axis=1)
        x, y = flat[:, 0] * c - flat[:, 1] * s, flat[:, 0] * s + flat[:, 1] * c
        return np.stack([corner[:, 0] + x, corner[:, 1] + y, rise], axis=1)

    def cost(self, state: SheetState) -> float:
        return float(np.sum(self.edge_residuals(state) ** 2)) + self._prior_block(state.values).cost

    def moved(self, state: SheetState, step: Floats) -> SheetState:
        return state.moved(step)

    def equations(self, state: SheetState) -> NormalEquations:
        edges = ResidualBlock(self.edge_residuals(state), self.edge_slopes(state))
        return NormalEquations.of([edges, self._prior_block(state.values)], SIZE)

    def edge_residuals(self, state: SheetState) -> Floats:
        """Residuals (N,) of the edges across them, in sigmas."""
        values, edges = state.values, self.edges
        turn = np.asarray(cv2.Rodrigues(values[LENS : LENS + 3])[0], np.float64)
        placed = self.places(values, edges.sheet, edges.share) @ (turn @ state.rotation).T
        predicted = state.lens.project(placed + values[LENS + 3 : LENS + POSE])
        off = np.sum(edges.outward * (edges.seen_px - predicted), axis=1)
        off -= values[_GROWTH] + values[_SHIFTS + SIDES * edges.sheet + edges.side]
        return np.asarray(off / edges.noise_px)

    def edge_slopes(self, state: SheetState) -> Floats:
        """d predicted / d unknowns, (N, SIZE), in sigmas."""
        values, edges = state.values, self.edges
        turned = self.places(values, edges.sheet, edges.share) @ state.rotation.T
        seen, dist = turned + state.shift_mm, list(map(float, values[4:LENS]))
        by_seen = distort_jacobian(seen, dist, fisheye=False) * values[:2, None]
        out = np.zeros((len(seen), 2, SIZE))
        out[:, 0, 0], out[:, 1, 1] = distort(seen, dist, fisheye=False).T
        out[:, 0, 2] = out[:, 1, 3] = 1
        out[:, :, 4:LENS] = distort_terms_jacobian(seen, dist, fisheye=False) * values[:2, None]
        out[:, :, LENS : LENS + 3] = np.cross(turned[:, None], by_seen)
        out[:, :, LENS + 3 : _TURNS] = by_seen
        out[:, :, _TURNS:_GROWTH] = by_seen @ state.rotation @ self._place_slopes(values)
        rows = np.sum(edges.outward[:, :, None] * out, axis=1)
        rows[:, _GROWTH] = 1
        rows[np.arange(len(rows)), _SHIFTS + SIDES * edges.sheet + edges.side] = 1
        return np.asarray(rows / edges.noise_px[:, None])

    def _place_slopes(self, values: Floats) -> Floats:
        """d places (N, 3, ...) / d what lies between the pose and the picture's growth."""
        sheet, share = self.edges.sheet, self.edges.share
        rows, out = np.arange(len(share)), np.zeros((len(share), 3, _GROWTH))
        arm = self.places(values, sheet, share)[:, :2] - self._corners(values)[sheet]
        out[rows, 0, _TURNS + sheet], out[rows, 1, _TURNS + sheet] = -arm[:, 1], arm[:, 0]
        out[:, :2, _APART] = sheet[:, None] * np.array(self.table_mm) / self.diagonal_mm
        turns = values[_TURNS:_APART][sheet] + np.pi * sheet
        axes = np.stack([np.cos(turns), np.sin(turns), -np.sin(turns), np.cos(turns)], axis=1).reshape(-1, 2, 2)
        is_across = self.sides_mm[sheet, 0] < self.sides_mm[sheet, 1]
        for k in (0, 1):
            axis = np.where(is_across, 1 - k, k)
            moved = share[rows, axis][:, None] * axes[rows, axis]
            for place in (np.full(len(share), _CUT + k), _OWN + 2 * sheet + k):
                out[rows, 0, place], out[rows, 1, place] = moved.T
            out[rows, 2, _BENDS + 2 * sheet + k] = 1 - (2 * share[:, k] - 1) ** 2
        return out[:, :, _TURNS:]

    def _corners(self, values: Floats) -> Floats:
        """Of the sheets, at the table's (2, 2)."""
        return np.outer((0.0, values[_APART] / self.diagonal_mm), self.table_mm)

    def _prior_block(self, values: Floats) -> ResidualBlock:
        """How far off what is known beforehand is, in sigmas: of the lens, then of all unknowns after the pose."""
        of_lens = lens_prior_block(self.prior, values[:LENS])
        others = values[_TURNS:].copy()
        others[_APART - _TURNS] -= self.diagonal_mm
        count = len(of_lens.residuals)
        slopes = np.zeros((count + SIZE - _TURNS, SIZE))
        slopes[:count, :LENS] = of_lens.slopes
        slopes[count:, _TURNS:] = np.diag(1 / _sigmas())
        return ResidualBlock(np.concatenate([of_lens.residuals, -others / _sigmas()]), slopes)


def _sigmas() -> Floats:
    """Of all unknowns after the pose."""
    return np.array(
        [_LAID_RAD] * SHEETS + [LAID_MM * np.sqrt(2)] + [CUT_MM] * 2 + [OWN_CUT_MM] * 2 * SHEETS
        + [_BEND_MM] * 2 * SHEETS + [_GROWTH_PX] + [_SIDE_PX] * SHEETS * SIDES
    )  # fmt: skip


def _in_order(cut: Floats, sides_mm: Floats) -> Floats:
    """The errors of the long and of the short side, as this sheet's sides lie."""
    return cut if sides_mm[0] >= sides_mm[1] else cut[::-1]


@dataclass(frozen=True)
class SheetSolution:
    """The best state, the covariance of lens and pose (15, 15), and what is left, as a sum of squares in sigmas."""

    state: SheetState
    covariance: Floats
    cost: float
    freedom: int


def adjust_sheets(problem: SheetProblem, start: SheetState) -> SheetSolution | None:
    """The best state from this first guess; None where the sheets come to lie behind the camera."""
    # Focal length and height are nearly one unknown here: undamped steps along both would leave the lens.
    state = minimise(problem, start, damping=1e-3, least_damping=1e-9, steps=_STEPS, still=_STILL)
    with np.errstate(all="ignore"):
        cost, equations = problem.cost(state), problem.equations(state)
    if not (np.isfinite(cost) and np.all(np.isfinite(equations.matrix))):
        return None
    covariance = equations.covariance()[: LENS + POSE, : LENS + POSE]
    return SheetSolution(state, covariance, cost, len(problem.edges.share))


_WORKED_PX = 400.0  # the sheet is sought in a picture in which its taps lie so far apart
_WINDOW = 0.95  # half the window's side, of the distance between the taps
_LEAST_APART_PX = 40.0
_TAP_SHARE, _TAP_PX = 0.25, 12.0  # how far from a corner a finger may be: of that distance, and at least
_LEAST_FILLED = 0.965  # of its four-sided hull
_LEAST_SIZE = 0.2  # of the square over the taps: a sheet seen from a low angle
_PATCH = 9
_MOUSE_HOLE = 5
_LEAST_BRIGHTER = 12.0  # of 255, than what is around it

SheetTaps = tuple[Sequence[float], Sequence[float]]


def find_sheet(image: Image, taps: SheetTaps, *, numbers: tuple[int, int]) -> Floats:
    """The corners (4, 2) px from the first tap on, anticlockwise as seen from above.

    `numbers` of the taps are for what is said. Raises: BadInput when no sheet lies between the taps.
    """
    first, second = (np.asarray(tap, np.float64) for tap in taps)
    apart = float(np.linalg.norm(second - first))
    if apart < _LEAST_APART_PX:
        raise _bad(
            f"taps {numbers[0]} and {numbers[1]} lie {apart:.0f} px apart: tap a corner of a sheet, then the opposite "
            "corner of the same sheet; come nearer when the sheet is that small",
            [first.tolist(), second.tolist()],
        )
    scale = min(1.0, _WORKED_PX / apart)
    middle, half = (first + second) / 2, _WINDOW * apart
    low = np.maximum(np.floor(middle - half), 0).astype(int)
    high = np.ceil(middle + half).astype(int)
    part = image[low[1] : high[1] + 1, low[0] : high[0] + 1]
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    blob = _segment_paper(np.asarray(small, np.uint8), (middle - low) * scale, numbers)
    corners = _four_corners(blob, numbers) / scale + low
    return _order_corners(corners, first, second, numbers)


def _segment_paper(small: Image, middle: Floats, numbers: tuple[int, int]) -> Mask:
    """What is of the colour in the middle and hangs together with it. Raises: BadInput where that is no paper."""
    colour = small if small.ndim == 3 else cv2.cvtColor(small, cv2.COLOR_GRAY2BGR)
    lab = cv2.cvtColor(cv2.GaussianBlur(colour, (0, 0), 1.5), cv2.COLOR_BGR2LAB).astype(np.float32)
    x, y = np.round(middle).astype(int)
    patch = lab[max(y - _PATCH, 0) : y + _PATCH + 1, max(x - _PATCH, 0) : x + _PATCH + 1].reshape(-1, 3)
    if not len(patch):
        raise _bad(f"taps {numbers[0]} and {numbers[1]} lie outside the picture", middle.tolist())
    off = np.linalg.norm(lab - np.median(patch, axis=0), axis=2)
    limit, _ = cv2.threshold(np.clip(off, 0, 255).astype(np.uint8), 0, 255, cv2.THRESH_OTSU)
    like = (off <= max(limit, 1)).astype(np.uint8)
    like = cv2.morphologyEx(like, cv2.MORPH_OPEN, np.ones((_MOUSE_HOLE, _MOUSE_HOLE), np.uint8))
    _, labels = cv2.connectedComponents(like)
    own = labels[y, x]
    blob = np.asarray(labels == own) if own else np.zeros_like(like, bool)
    around = lab[..., 0][~blob]
    brighter = float(np.median(lab[..., 0][blob]) - np.median(around)) if blob.any() and len(around) else 0.0
    if brighter < _LEAST_BRIGHTER:
        raise _bad(
            f"between taps {numbers[0]} and {numbers[1]} no sheet stands out: tap a corner of a sheet, then the "
            "opposite corner of the same sheet; on a white mat lay a dark cloth under the paper",
            list(numbers),
        )
    return blob


def _four_corners(blob: Mask, numbers: tuple[int, int]) -> Floats:
    """The corners of a four-sided blob (4, 2). Raises: BadInput for one of another shape."""
    contours, _ = cv2.findContours(blob.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    corners = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), np.float64).reshape(-1, 2)
    area = cv2.contourArea(outline)
    at_rim = blob[0].any() or blob[-1].any() or blob[:, 0].any() or blob[:, -1].any()
    box = cv2.contourArea(corners.astype(np.float32))
    if at_rim or area < _LEAST_FILLED * box or area < _LEAST_SIZE * blob.size / (2 * _WINDOW) ** 2 / 2:
        raise _bad(
            f"what lies between taps {numbers[0]} and {numbers[1]} has not the shape of one sheet: is it covered, or "
            "do two sheets overlap or touch? Lay them apart, each free and flat on something darker",
            list(numbers),
        )
    return corners


def _order_corners(corners: Floats, first: Floats, second: Floats, numbers: tuple[int, int]) -> Floats:
    """From the first tap on. Raises: BadInput for a tap that is at no corner, or not at the opposite one."""
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    if np.sum(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]) > 0:
        corners = corners[::-1]
    reach = max(_TAP_PX, _TAP_SHARE * float(np.linalg.norm(second - first)))
    places = []
    for number, tap in zip(numbers, (first, second), strict=True):
        off = np.linalg.norm(corners - tap, axis=1)
        if off.min() > reach:
            raise _bad(
                f"tap {number} lies {off.min():.0f} px from the nearest corner of the sheet: tap the corner itself, "
                "both times of the same sheet, and lay the sheets apart",
                tap.tolist(),
            )
        places.append(int(np.argmin(off)))
    if (places[0] - places[1]) % 4 != 2:
        raise _bad(f"taps {numbers[0]} and {numbers[1]} are at one side of the sheet: tap opposite corners", places)
    return np.roll(corners, -places[0], axis=0)


def _bad(says: str, value: object) -> BadInput:
    return BadInput(says, field="taps", value=value)
