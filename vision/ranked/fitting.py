"""The bases of a block measured together: each by its own edges, all as of one make, in an order that is a hint.

Unknown are each base's place and turn, and for the block the height of its rims, their width, and how far paint and
light move the edges of all sides that lie alike. One robust least squares answers for all of them.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.camera import Camera, CameraPose
from vision.candidates import Picture
from vision.ranked.edges import Aligned, Look, Measured, aligned, outline_edges, rim_edges, rim_of
from vision.ranked.finding import Block
from vision.ranked.patch import axes_of
from vision.ranked.sides import Make, normals_of, sampled

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Cell = tuple[int, int]

MAKE = Make(top_mm=3.3, inset_mm=0.4)
_TOP_SIGMA_MM = 0.35  # between makers
_EDGE_SIGMA_MM = 0.3  # of one part of a side: texture, sculpts, shadow
_OUTLINE_BIAS_MM = 0.15  # how far light and blur move all outlines of a block
_RIM_BIAS_MM = 0.15  # the inner edges of sides that lie alike
_PAINTED_BIAS_MM = 1.5  # and where the rim is painted otherwise than on most sides
_START_SIGMA_MM = 3.0
_TURN_SIGMA_RAD = np.radians(1.5)  # of the members of a block, against each other
_OUTLIER = 2.0
_ALIGNING = 2  # looks that only shift the whole block
_REACHES_MM = (0.0, 0.0, 1.0, 0.8, 0.6)  # how far off an edge is looked for, look by look
_LEAST_SPREAD_MM, _MOST_SPREAD_MM = 0.2, 1.5  # of the members round a regular order
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
    rms: float
    felt: float
    look: Look


@dataclass(frozen=True)
class _Equations:
    """Weighted rows of a least squares problem: N bases of three unknowns each, then those of the block."""

    rows: Floats
    found: Floats
    sigma: Floats


_TOP, _OUTLINE, _RIM = 0, 1, 2  # then a bias for each of the classes of sides
_SHARED = 3


def fit_block(image: Picture, block: Block, *, camera: Camera, pose: CameraPose) -> FittedBlock:
    """The block with each member where its own edges, and a little the order of the others, put it."""
    base, ground = block.members[0].base, block.members[0].ground
    at_mm = np.array([one.at_mm for one in block.members])
    order = _ordered(block.cells, at_mm)
    at_mm = at_mm + order[0] if order else at_mm
    turns = np.full(len(at_mm), block.turn_rad)
    make, is_free = MAKE, _free_sides(block.cells)
    for look_number, reach in enumerate(_REACHES_MM):
        seen = sampled(image, base, at_mm, turns, ground_mm=ground.surface_mm, camera=camera, pose=pose)
        look = Look(seen, make, is_free)
        whole = aligned(look)
        if look_number < _ALIGNING:
            at_mm = at_mm + whole.shift_mm @ axes_of(float(turns[0]))
            continue
        solved = _solved(look, turns, whole, _ordered(block.cells, at_mm), reach)
        moved = solved.state[: 3 * len(at_mm)].reshape(-1, 3)
        at_mm, turns = at_mm + moved[:, :2], turns + moved[:, 2]
        make = replace(make, top_mm=float(np.clip(make.top_mm + solved.state[3 * len(at_mm) + _TOP], 2.0, 5.0)))
    each = np.array([solved.covariance[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] for k in range(len(at_mm))])
    return FittedBlock(block, at_mm, turns, each, solved.support, whole.inward_mm, make, solved.rms, whole.felt, look)


def _free_sides(cells: tuple[Cell, ...]) -> Flags:
    """(N, 4): at which sides no neighbour stands."""
    taken = set(cells)
    return np.array([[(x + dx, y + dy) not in taken for dx, dy in STEPS] for x, y in cells])


@dataclass(frozen=True)
class _Solved:
    state: Floats
    covariance: Floats
    support: Floats
    rms: float


def _solved(look: Look, turns: Floats, whole: Aligned, order: tuple[Floats, Floats] | None, reach_mm: float) -> _Solved:
    classes = [chosen for chosen, _, _ in look.classes]
    rims = [rim_of(look, one, whole) for one in classes]
    edges = [(outline_edges(look, within_mm=reach_mm), -1)]
    edges += [
        (rim_edges(look, one, rim, within_mm=reach_mm), k)
        for k, (one, rim) in enumerate(zip(classes, rims, strict=True))
    ]
    parts = [_equations(look, turns, measured, k, len(classes)) for measured, k in edges]
    measured_rows = sum(len(one.rows) for one in parts)
    parts.append(_priors(len(turns), [rim.is_odd for rim in rims], whole.inward_mm, order))
    rows, found, sigma = (np.concatenate([getattr(one, name) for one in parts]) for name in ("rows", "found", "sigma"))
    state, covariance, residual = _robust(rows, found, sigma, measured_rows)
    rms = float(np.sqrt(np.mean(np.minimum(residual[:measured_rows] ** 2, 9.0)))) if measured_rows else 0.0
    return _Solved(state, covariance, _support(look, edges), rms)


def _equations(look: Look, turns: Floats, measured: Measured, class_: int, classes: int) -> _Equations:
    """One row for each part of a side at which an edge was found. `class_` -1: outlines."""
    n, side, part = np.nonzero(measured.weight > 0.02)
    rows = np.zeros((len(n), 3 * len(turns) + _SHARED + classes))
    at = np.arange(len(n))
    normals = normals_of(turns)[n, side]
    rows[at, 3 * n], rows[at, 3 * n + 1] = normals[:, 0], normals[:, 1]
    rows[at, 3 * n + 2] = -look.sampled.along_mm[side, part]
    shared = rows[:, 3 * len(turns) :]
    slope = look.sampled.slope[n, side, part]
    if class_ < 0:
        is_top = slope * look.make.top_mm > look.make.inset_mm
        shared[:, _TOP], shared[:, _OUTLINE] = slope * is_top, 1.0
    else:
        shared[:, _TOP], shared[:, _RIM], shared[:, _SHARED + class_] = slope, 1.0, 1.0
    return _Equations(rows, measured.off_mm[n, side, part], _EDGE_SIGMA_MM / np.sqrt(measured.weight[n, side, part]))


def _priors(count: int, is_odd: list[bool], rim_mm: float, order: tuple[Floats, Floats] | None) -> _Equations:
    """What is known before looking: about where each base stands, and how bases are made."""
    size = 3 * count + _SHARED + len(is_odd)
    rows, found, sigma = np.eye(size), np.zeros(size), np.full(size, _START_SIGMA_MM)
    sigma[2 : 3 * count : 3] = _TURN_SIGMA_RAD
    if order is not None:
        found[: 3 * count].reshape(-1, 3)[:, :2], spread = order
        sigma[: 3 * count].reshape(-1, 3)[:, :2] = spread
    shared = slice(3 * count, size)
    biases = [_PAINTED_BIAS_MM if odd else _RIM_BIAS_MM for odd in is_odd]
    sigma[shared] = [_TOP_SIGMA_MM, _OUTLINE_BIAS_MM, 1.0, *biases]
    found[3 * count + _RIM] = -rim_mm
    return _Equations(rows, found, sigma)


def _robust(rows: Floats, found: Floats, sigma: Floats, measured: int) -> tuple[Floats, Floats, Floats]:
    """State, covariance, and residuals in sigmas; what lies far off counts less and less."""
    felt = np.ones(len(found))
    for _ in range(5):
        weight = felt / sigma**2
        information = (rows * weight[:, None]).T @ rows
        state = np.linalg.solve(information, (rows * weight[:, None]).T @ found)
        residual = (found - rows @ state) / sigma
        felt[:measured] = 1 / (1 + (residual[:measured] / _OUTLIER) ** 2)
    return np.asarray(state), np.asarray(np.linalg.inv(information)), residual


def _support(look: Look, edges: list[tuple[Measured, int]]) -> Floats:
    """(N,): the share of parts of sides at which some edge is believed."""
    felt = np.max([measured.weight for measured, _ in edges], axis=0)
    real = np.isfinite(look.sampled.along_mm)
    return np.asarray((felt * real).sum(axis=(1, 2)) / real.sum())


def _ordered(cells: tuple[Cell, ...], at_mm: Floats) -> tuple[Floats, Floats] | None:
    """For each base how far it is from its place in a regular block, (N, 2) mm, and how far bases usually are."""
    if len(cells) < _FEWEST_IN_ORDER:
        return None
    design = np.column_stack([np.ones(len(cells)), np.array(cells, np.float64)])
    felt = np.ones(len(cells))
    for _ in range(8):
        roots = np.sqrt(felt)[:, None]
        plane = np.linalg.lstsq(design * roots, at_mm * roots, rcond=1e-6)[0]
        off = design @ plane - at_mm
        felt = 1 / (1 + (np.linalg.norm(off, axis=1) / 0.7) ** 2)
    spread = 1.48 * np.median(np.abs(off))
    return off, np.full(off.shape, float(np.clip(spread * 1.5, _LEAST_SPREAD_MM, _MOST_SPREAD_MM)))
