"""The bases of a block measured together: each by its own edges, all as of one make, in an order that is a hint.

Unknown are each base's place and turn, and for the block the height of its rims, their width, and how far paint and
light move the edges of all sides that lie alike. One robust least squares answers for all of them.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.camera import Camera, CameraPose
from vision.candidates import Picture
from vision.ranked.edges import Aligned, Look, Measured, aligned, elsewhere_mm2, outline_edges, rim_edges, rim_of
from vision.ranked.finding import Block
from vision.ranked.patch import axes_of
from vision.ranked.sides import Make, normals_of, sampled

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Cell = tuple[int, int]

MAKE = Make(top_mm=3.3, inset_mm=0.4)
_TOP_SIGMA_MM = 0.35  # between makers
_EDGE_SIGMA_MM = 0.15  # of one part of a side: texture, sculpts, shadow
_RIM_BIAS_MM = 0.1  # how far paint and blur move inner edges of sides that lie alike, between neighbours
_FREE_BIAS_MM = 0.5  # where no neighbour stands, and the step to the ground is near
_OUTLINE_BIAS_MM = 0.45  # and outlines, which shadows widen
_PAINTED_BIAS_MM = 1.5  # and where the rim is painted otherwise than on most sides
_START_SIGMA_MM = 3.0
_TURN_SIGMA_RAD = np.radians(1.5)  # of the members of a block, against each other
_OUTLIER = 2.0
_ALIGNING = 2  # looks that only shift the whole block
_REACHES_MM = (1.0, 0.8, 0.6)  # how far off an edge is looked for, look by look
_LEAST_SPREAD_MM, _MOST_SPREAD_MM = 0.2, 1.5  # of the members round a regular order
_SPREAD_SHARE = 1.5
_OFF_MM = 0.7  # a base so far from its place says little of the order
_GAP_MM, _GAP_SIGMA_MM = 0.5, 0.35  # between neighbours: they cannot overlap, and hands push them together
_FEWEST_IN_ORDER = 4
STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass(frozen=True)
class FittedBlock:
    """The block measured. `covariance` (N, 3, 3): x, y in mm and turn in radians; `support` (N,): the share of each
    base's parts of sides that showed an edge where one should be."""

    block: Block
    at_mm: Floats
    turns_rad: Floats
    covariance: Floats
    support: Floats
    rim_mm: float
    make: Make
    look: Look


@dataclass(frozen=True)
class _Equations:
    """Rows of a least squares problem, few of whose entries are not zero: `values` (R, K) of the unknowns `columns`.

    Unknown are three things of each base, then those of the block.
    """

    columns: NDArray[np.intp]
    values: Floats
    found: Floats
    sigma: Floats

    @classmethod
    def joined(cls, parts: "list[_Equations]") -> "_Equations":
        widest = max(part.columns.shape[1] for part in parts)
        wide = [((0, 0), (0, widest - part.columns.shape[1])) for part in parts]
        return cls(
            np.concatenate([np.pad(part.columns, pad) for part, pad in zip(parts, wide, strict=True)]),
            np.concatenate([np.pad(part.values, pad) for part, pad in zip(parts, wide, strict=True)]),
            np.concatenate([part.found for part in parts]),
            np.concatenate([part.sigma for part in parts]),
        )

    def residual(self, state: Floats) -> Floats:
        """In sigmas."""
        return np.asarray((self.found - (self.values * state[self.columns]).sum(axis=1)) / self.sigma)

    def normal(self, felt: Floats, size: int) -> tuple[Floats, Floats]:
        """The information (size, size) and its right side, each row weighted by `felt`."""
        weight = felt / self.sigma**2
        pairs = weight[:, None, None] * self.values[:, :, None] * self.values[:, None, :]
        at = self.columns[:, :, None] * size + self.columns[:, None, :]
        information = np.bincount(at.ravel(), pairs.ravel(), size * size).reshape(size, size)
        right = np.bincount(self.columns.ravel(), (self.values * (weight * self.found)[:, None]).ravel(), size)
        return np.asarray(information, np.float64), np.asarray(right, np.float64)


_TOP, _RIM, _ORDER = 0, 1, 2  # then biases of inner edge and outline for each of the classes of sides
_SHARED = 8  # among them the six by which the regular order may shift, turn and stretch


def fit_block(image: Picture, block: Block, *, camera: Camera, pose: CameraPose) -> FittedBlock:
    """The block with each member where its own edges, and a little the order of the others, put it."""
    at_mm = np.array([one.at_mm for one in block.members])
    order = _ordered(block, at_mm)
    at_mm = at_mm + order.off_mm if order else at_mm
    turns, make = np.full(len(at_mm), block.turn_rad), MAKE

    def seen() -> Look:
        base, ground_mm = block.members[0].base, block.members[0].ground.surface_mm
        sides = sampled(image, base, at_mm, turns, ground_mm=ground_mm, camera=camera, pose=pose)
        return Look(sides, make, _free_sides(block.cells))

    for _ in range(_ALIGNING):
        at_mm = at_mm + aligned(seen()).shift_mm @ axes_of(block.turn_rad)
    whole = aligned(seen())
    for reach in _REACHES_MM:
        look = seen()
        solved = _solved(look, turns, whole, _ordered(block, at_mm), reach)
        moved = solved.state[: 3 * len(at_mm)].reshape(-1, 3)
        at_mm, turns = at_mm + moved[:, :2], turns + moved[:, 2]
        make = replace(make, top_mm=float(np.clip(make.top_mm + solved.state[3 * len(at_mm) + _TOP], 2.0, 5.0)))
    each = np.array([solved.covariance[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] for k in range(len(at_mm))])
    axes = axes_of(block.turn_rad)
    each[:, :2, :2] += axes.T @ elsewhere_mm2(whole) @ axes
    return FittedBlock(block, at_mm, turns, each, solved.support, whole.inward_mm, make, look)


def _free_sides(cells: tuple[Cell, ...]) -> Flags:
    """(N, 4): at which sides no neighbour stands."""
    taken = set(cells)
    return np.array([[(x + dx, y + dy) not in taken for dx, dy in STEPS] for x, y in cells])


@dataclass(frozen=True)
class _Solved:
    state: Floats
    covariance: Floats
    support: Floats


def _solved(look: Look, turns: Floats, whole: Aligned, order: "_Order | None", reach_mm: float) -> _Solved:
    count, outline = len(turns), outline_edges(look, whole, within_mm=reach_mm)
    edges, biases = [], []
    for chosen, way, free in look.classes:
        rim = rim_of(look, chosen, whole, is_painted=free and way == whole.painted)
        edges += [rim_edges(look, chosen, rim, within_mm=reach_mm), outline.only(chosen)]
        biases += [_PAINTED_BIAS_MM if rim.is_odd else _FREE_BIAS_MM if free else _RIM_BIAS_MM, _OUTLINE_BIAS_MM]
    parts = [_equations(look, turns, one, k) for k, one in enumerate(edges)]
    measured_rows = sum(len(one.found) for one in parts)
    size = 3 * count + _SHARED + len(biases)
    equations = _Equations.joined([*parts, *_priors(count, biases, whole.inward_mm, order)])
    state, covariance = _robust(equations, size, measured_rows)
    return _Solved(state, covariance, _support(look, edges))


def _equations(look: Look, turns: Floats, measured: Measured, number: int) -> _Equations:
    """One row for each part of a side at which an edge was found. Even numbers: inner edges; odd ones: outlines."""
    n, side, part = np.nonzero(measured.weight > 0.02)
    normals, slope = normals_of(turns)[n, side], look.sampled.slope[n, side, part]
    is_rim = number % 2 == 0
    of_top = slope * (is_rim | (slope * look.make.top_mm > look.make.inset_mm))
    ones, shared = np.ones(len(n)), 3 * len(turns)
    columns = [3 * n, 3 * n + 1, 3 * n + 2, *(ones * (shared + k) for k in (_TOP, _RIM, _SHARED + number))]
    values = [normals[:, 0], normals[:, 1], -look.sampled.along_mm[side, part], of_top, ones * is_rim, ones]
    sigma = _EDGE_SIGMA_MM / np.sqrt(measured.weight[n, side, part])
    return _Equations(
        np.column_stack(columns).astype(np.intp), np.column_stack(values), measured.off_mm[n, side, part], sigma
    )


def _priors(count: int, biases: list[float], rim_mm: float, order: "_Order | None") -> list[_Equations]:
    """What is known before looking: about where each base stands, how bases are made, and that ranks are regular."""
    size = 3 * count + _SHARED + len(biases)
    found, sigma = np.zeros(size), np.full(size, _START_SIGMA_MM)
    sigma[2 : 3 * count : 3] = _TURN_SIGMA_RAD
    sigma[3 * count + _TOP], sigma[3 * count + _RIM] = _TOP_SIGMA_MM, 1.0
    sigma[3 * count + _SHARED :] = biases
    found[3 * count + _RIM] = -rim_mm
    each = _Equations(np.arange(size)[:, None], np.ones((size, 1)), found, sigma)
    return [each] if order is None else [each, *(_in_order(order, axis) for axis in (0, 1))]


def _in_order(order: "_Order", axis: int) -> _Equations:
    """Each base stands about where the order, wherever that may lie, puts it along this axis."""
    count = len(order.design)
    of_order = np.broadcast_to(3 * count + _ORDER + 3 * axis + np.arange(3), (count, 3))
    columns = np.column_stack([3 * np.arange(count) + axis, of_order])
    values = np.column_stack([np.ones(count), -order.design])
    return _Equations(columns, values, order.off_mm[:, axis], np.full(count, order.spread_mm))


def _robust(equations: _Equations, size: int, measured: int) -> tuple[Floats, Floats]:
    """State and covariance; what lies far off counts less and less."""
    felt = np.ones(len(equations.found))
    for _ in range(5):
        information, right = equations.normal(felt, size)
        state = np.asarray(np.linalg.solve(information, right), np.float64)
        residual = equations.residual(state)
        felt[:measured] = 1 / (1 + (residual[:measured] / _OUTLIER) ** 2)
    return state, np.asarray(np.linalg.inv(information))


def _support(look: Look, edges: list[Measured]) -> Floats:
    """(N,): the share of parts of sides at which some edge is believed."""
    felt = np.max([measured.weight for measured in edges], axis=0)
    real = np.isfinite(look.sampled.along_mm)
    return np.asarray((felt * real).sum(axis=(1, 2)) / real.sum())


@dataclass(frozen=True)
class _Order:
    """How far bases are (N, 2) from their places in a regular block, and usually so. `design` (N, 3): 1, and column
    and row from the middle."""

    design: Floats
    off_mm: Floats
    spread_mm: float


def _ordered(block: Block, at_mm: Floats) -> _Order | None:
    count = len(block.cells)
    if count < _FEWEST_IN_ORDER:
        return None
    base = block.members[0].base
    side_by_side = axes_of(block.turn_rad) * (np.array([[base.depth_mm], [base.width_mm]]) + _GAP_MM)
    design = np.column_stack([np.ones(count), np.array(block.cells, np.float64)])
    rows, seen = np.concatenate([design, [[0, 1, 0], [0, 0, 1]]]), np.concatenate([at_mm, side_by_side])
    felt = np.append(np.ones(count), np.full(2, (_OFF_MM / _GAP_SIGMA_MM) ** 2))
    for _ in range(8):
        roots = np.sqrt(felt)[:, None]
        plane = np.linalg.lstsq(rows * roots, seen * roots, rcond=None)[0]
        off = design @ plane - at_mm
        felt[:count] = 1 / (1 + (np.linalg.norm(off, axis=1) / _OFF_MM) ** 2)
    spread = _SPREAD_SHARE * 1.48 * np.median(np.abs(off))
    middle = design - [0.0, *design[:, 1:].mean(axis=0)]
    return _Order(middle, np.asarray(off), float(np.clip(spread, _LEAST_SPREAD_MM, _MOST_SPREAD_MM)))
