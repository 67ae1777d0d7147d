"""Sheet adjustment: lens, pose and two sheets at opposite corners of a table, by least squares over the edges of both.

Unknown besides lens and pose are all that blurs the sheets as a scale: how they were cut (alike, and each its own way),
how they were laid, how far each is bent, and how much the picture's tone curve lets bright paper grow.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.camera_model.distortion import distort, distort_jacobian, distort_terms_jacobian
from calibration.intrinsics.reprojection import Lens
from calibration.least_squares import NormalEquations, ResidualBlock, minimise
from calibration.setup.joint_adjustment import Prior, lens_prior_block
from calibration.setup.paper import CUT_MM, OWN_CUT_MM

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
