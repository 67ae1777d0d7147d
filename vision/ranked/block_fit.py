"""Block fit: the bases of a block in one robust least squares, each by its own edges, the lattice as a weak prior.

Unknown are each base's place and turn, and for the block the height of its rims, their width, and how far paint and
light move the edges of all sides that lie alike. Edges come from profile registration: the offset of each part of a
side against the profile that sides like it show.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Image, Indices, Mask
from models.camera import Camera, CameraPose
from vision.ranked.block import STEPS, Block, Cell, axes_of
from vision.ranked.block_pose import BlockSides, Face, FrontLogOdds, estimate_block_pose
from vision.ranked.side_layers import RELATIVE_MM, SHIFTS_MM
from vision.ranked.side_profiles import RectProfile, normals_of, sample_sides, symmetry_turns

_LEAST_NOISE = 3.0  # grey levels
_OWN_MM = 0.2  # from its top edge all is the base's own
_ALIKE = 11.0  # colours of one part that say about the same
_HALF_CONFIDENCE = 12.0  # grey levels of what is seen, usual between ground and rim, that are half believed
PROFILE = RectProfile(top_mm=3.3, inset_mm=0.4)
_TOP_SIGMA_MM = 0.35  # between makers
_EDGE_SIGMA_MM = 0.15  # of one part of a side: texture, sculpts, shadow
_RIM_BIAS_MM = 0.1  # how far paint and blur move sides that lie alike, between neighbours,
_FREE_BIAS_MM = 0.2  # where no neighbour stands, and shadows fall on the ground,
_PAINTED_BIAS_MM = 0.7  # and where the rim is painted otherwise than on most sides
_START_SIGMA_MM = 3.0
_ASKEW_RAD = np.radians(0.15)  # a block turned by so much is measured again: networks tell its turn roughly
_TURN_SIGMA_RAD = np.radians(1.5)  # of the members of a block, against each other
_OUTLIER = 2.0
_FAR_MM = 1.4  # a block that lay so far off was not yet seen whole: what that look doubts says nothing
_REACHES_MM = (1.0, 0.6, 0.5)  # how far off an edge is looked for, look by look
_AGAIN_MM = (0.6, 0.5)  # and when it is measured again: it lies near by then
LATER_ROUNDS = (
    2  # the first is from where the block was taken to lie; of the others the one that doubts most is believed
)
_SEEN_RIMS, _UNSEEN_RIMS = 0.1, 0.08  # shares of the rims of a block: they tell where it lies, or hardly do,
_UNSEEN_MM = 1.8  # and it may lie so far off, as a sigma
_LEAST_SPREAD_MM, _MOST_SPREAD_MM = 0.2, 1.5  # of the members round a regular order
_SPREAD_SHARE = 1.5
_OFF_MM = 0.7  # a base so far from its place says little of the order
_ASIDE, _NO_ORDER_MM = 0.25, 1e3  # of a base's shorter side: who is off by more stands in no order
_GAP_MM, _GAP_SIGMA_MM = 0.5, 0.35  # between neighbours: they cannot overlap, and hands push them together
_FEWEST_IN_ORDER = 4


@dataclass(frozen=True)
class Registration:
    """Registered parts, (N, 4, P) each: their offset outward, its standard deviation, and the confidence, 0 to 1, in
    the part and in its rim alone."""

    off_mm: Floats
    sigma_mm: Floats
    confidence: Floats
    rim_confidence: Floats


def register_profiles(look: BlockSides, faces: tuple[Face, ...], *, within_mm: float) -> Registration:
    """Registers every part of the sides, each within about so much."""
    around = look.colours_around_top.astype(np.float64)
    off, sigma, felt, rim = (np.zeros(around.shape[:3]) for _ in range(4))
    for face in faces:
        seen = around[face.parts]
        registration = _register_parts(seen.reshape(len(seen), -1), face.shown.reshape(len(SHIFTS_MM), -1), within_mm)
        off[face.parts], sigma[face.parts], felt[face.parts], rim[face.parts] = registration
    return Registration(off, sigma, felt, rim)


def _register_parts(seen: Floats, shown: Floats, within_mm: float) -> tuple[Floats, Floats, Floats, Floats]:
    left = (seen**2).sum(axis=1)[:, None] - 2 * seen @ shown.T + (shown**2).sum(axis=1)  # (M, shifts)
    count = seen.shape[1]
    noise = np.maximum(left.min(axis=1) / count, _LEAST_NOISE**2)[:, None]
    best = (left / (2 * noise * _ALIKE) + (SHIFTS_MM / within_mm) ** 2 / 2).argmin(axis=1).clip(1, len(SHIFTS_MM) - 2)
    before, here, after = (left[np.arange(len(seen)), best + k] for k in (-1, 0, 1))
    step = SHIFTS_MM[1] - SHIFTS_MM[0]
    curve = np.maximum(before - 2 * here + after, 1e-6)
    off = SHIFTS_MM[best] + np.clip(0.5 * (before - after) / curve, -1, 1) * step
    sigma = np.sqrt(2 * noise[:, 0] * _ALIKE * step**2 / (2 * curve))
    middle = shown[len(shown) // 2].reshape(-1, 3)
    contrast = float(np.sqrt(((middle - middle.mean(axis=0)) ** 2).mean()))
    strange = here / count / max(contrast, 1e-6) ** 2
    return off, sigma, contrast / (contrast + _HALF_CONFIDENCE) / (1 + strange), _rim_agreement(seen, shown[best])


def _rim_agreement(seen: Floats, shown: Floats) -> Floats:
    """(M,): how much of what changes from basing to rim is seen to change so."""
    inside = np.repeat(RELATIVE_MM <= _OWN_MM, 3)
    mine, usual = seen[:, inside], shown[:, inside].reshape(len(shown), -1, 3)
    changes = ((usual - usual.mean(axis=1, keepdims=True)) ** 2).sum(axis=(1, 2))
    left = ((mine - shown[:, inside]) ** 2).sum(axis=1)
    return np.asarray((1 - left / np.maximum(changes, 1e-6)).clip(0, 1))


@dataclass(frozen=True)
class FittedBlock:
    """A fitted block: place, turn and covariance of its members.

    `covariance` (N, 3, 3): x, y in mm and turn in radians; `support` and `rims` (N,): how far each base's sides, and
    the rims alone, are what they should be; `fronts`: log odds of fronts, round by round; `log_odds` that it is one of
    bases, once that is judged.
    """

    block: Block
    at_mm: Floats
    turns_rad: Floats
    covariance: Floats
    support: Floats
    rims: Floats
    rim_width_mm: float
    fronts: tuple[FrontLogOdds, ...]
    sides: BlockSides
    log_odds: float = 0.0


@dataclass(frozen=True)
class _Equations:
    """Rows of a least squares problem, few of whose entries are not zero: `values` (R, K) of the unknowns `columns`.

    Unknown are three things of each base, then those of the block.
    """

    columns: Indices
    values: Floats
    found: Floats
    sigma: Floats

    @classmethod
    def stack(cls, parts: "list[_Equations]") -> "_Equations":
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

    def normal_equations(self, felt: Floats, size: int) -> tuple[Floats, Floats]:
        """The information (size, size) and its right side, each row weighted by `felt`."""
        weight = felt / self.sigma**2
        pairs = weight[:, None, None] * self.values[:, :, None] * self.values[:, None, :]
        at = self.columns[:, :, None] * size + self.columns[:, None, :]
        information = np.bincount(at.ravel(), pairs.ravel(), size * size).reshape(size, size)
        right = np.bincount(self.columns.ravel(), (self.values * (weight * self.found)[:, None]).ravel(), size)
        return np.asarray(information, np.float64), np.asarray(right, np.float64)


_TOP, _ORDER = 0, 1  # then a bias of each face
_SHARED = 7  # among them the six by which the regular order may shift, turn and stretch


def fit_block(image: Image, block: Block, *, camera: Camera, pose: CameraPose) -> FittedBlock:
    """Fits each member by its own edges, and a little by the lattice of the others.

    One that proves to be turned otherwise than it was taken to be is measured once more as it is turned: its sides
    were looked for askew.
    """
    fitted = _fit_iteratively(image, block, camera=camera, pose=pose, reaches_mm=_REACHES_MM)
    turned = _block_as_fitted(fitted)
    if abs(turned.turn_rad - block.turn_rad) < _ASKEW_RAD:
        return fitted
    return _fit_iteratively(image, turned, camera=camera, pose=pose, reaches_mm=_AGAIN_MM)


def _block_as_fitted(fitted: FittedBlock) -> Block:
    """The block as its members were found to be turned, on the whole, and where they were found."""
    block, off = fitted.block, fitted.turns_rad - fitted.block.turn_rad
    turn = block.turn_rad + float(np.median((off + np.pi / 4) % (np.pi / 2) - np.pi / 4))
    members = (
        replace(member, at_mm=(x, y), turn_rad=turn)
        for member, (x, y) in zip(block.members, fitted.at_mm.tolist(), strict=True)
    )
    return replace(block, members=tuple(members), turn_rad=turn)


def _fit_iteratively(
    image: Image, block: Block, *, camera: Camera, pose: CameraPose, reaches_mm: Sequence[float]
) -> FittedBlock:
    at_mm = np.array([member.at_mm for member in block.members])
    order = _fit_lattice(block, at_mm, fewest=2)
    at_mm = at_mm + order.off_mm if order else at_mm
    turns = np.full(len(at_mm), block.turn_rad)

    def seen() -> BlockSides:
        base, ground_mm = block.members[0].base, block.members[0].ground.surface_mm
        sides = sample_sides(image, base, at_mm, turns, ground_mm=ground_mm, camera=camera, pose=pose)
        return BlockSides(sides, PROFILE, _free_sides(block.cells), symmetry_turns(base))

    doubts: list[Floats] = []
    fronts: list[FrontLogOdds] = []
    for reach in reaches_mm:
        look = seen()
        whole = estimate_block_pose(look, near_mm=reach)
        fronts.append(whole.front_log_odds)
        doubts = [*doubts, whole.placement_mm2] if np.abs(whole.shift_mm).max() < _FAR_MM else []
        at_mm = at_mm + whole.shift_mm @ axes_of(block.turn_rad)
        at_mm, turns, solved = _solve_members(look, at_mm, turns, whole.faces, _fit_lattice(block, at_mm), reach)
    covariance = solved.covariance.copy()
    axes, elsewhere = axes_of(block.turn_rad), (doubts or [whole.placement_mm2])[-LATER_ROUNDS:]
    covariance[:, :2, :2] += axes.T @ max(elsewhere, key=np.trace) @ axes
    covariance[:, :2, :2] += _hidden_rim_sigma_mm(float(solved.rims.mean())) ** 2 * np.eye(2)
    return FittedBlock(
        block, at_mm, turns, covariance, solved.support, solved.rims, whole.rim_width_mm, tuple(fronts), look
    )


def _hidden_rim_sigma_mm(rims: float) -> float:
    """How far off a block may lie, as a sigma, where so few of its rims are seen: of such units on own rendered tables
    a quarter lay three millimetres off and more, at figures that stand in a row."""
    return _UNSEEN_MM * float(np.clip((_SEEN_RIMS - rims) / (_SEEN_RIMS - _UNSEEN_RIMS), 0.0, 1.0))


def _free_sides(cells: tuple[Cell, ...]) -> Mask:
    """(N, 4): at which sides no neighbour stands."""
    taken = set(cells)
    return np.array([[(x + dx, y + dy) not in taken for dx, dy in STEPS] for x, y in cells])


@dataclass(frozen=True)
class _Solution:
    """Each base's covariance (N, 3, 3), and how far (N,) its parts, and their rims, are what they should be."""

    covariance: Floats
    support: Floats
    rims: Floats


def _solve_members(
    look: BlockSides,
    at_mm: Floats,
    turns: Floats,
    faces: tuple[Face, ...],
    order: "_LatticeResiduals | None",
    reach_mm: float,
) -> tuple[Floats, Floats, _Solution]:
    """Where all lie and how they are turned after one more look."""
    count, registration = len(turns), register_profiles(look, faces, within_mm=reach_mm)
    biases = [_bias_mm(face) for face in faces]
    parts = [_equations(look, turns, registration, face, k) for k, face in enumerate(faces)]
    size = 3 * count + _SHARED + len(biases)
    equations = _Equations.stack([*parts, *_priors(count, biases, order)])
    state, covariance = _solve_robust(equations, size, sum(len(part.found) for part in parts))
    moved = state[: 3 * count].reshape(-1, 3)
    each = np.array([covariance[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] for k in range(count)])
    felt, rims = (
        (confidence * look.is_part).sum(axis=(1, 2)) / look.is_part.sum()
        for confidence in (registration.confidence, registration.rim_confidence)
    )
    return at_mm + moved[:, :2], turns + moved[:, 2], _Solution(each, felt, rims)


def _bias_mm(face: Face) -> float:
    usual = _PAINTED_BIAS_MM if face.is_painted else _FREE_BIAS_MM if face.is_free else _RIM_BIAS_MM
    return float(np.hypot(usual, face.own_shift_mm))


def _equations(look: BlockSides, turns: Floats, registration: Registration, face: Face, number: int) -> _Equations:
    """One row for each part of the sides of a face."""
    n, side, part = np.nonzero(face.parts)
    normals, slope = normals_of(turns)[n, side], look.sampled_sides.slope[n, side, part]
    ones, shared = np.ones(len(n)), 3 * len(turns)
    columns = [3 * n, 3 * n + 1, 3 * n + 2, *(ones * (shared + k) for k in (_TOP, _SHARED + number))]
    values = [
        normals[:, 0],
        normals[:, 1],
        -look.sampled_sides.along_mm[side, part],
        np.maximum(slope, 0.5 * slope),
        ones,
    ]
    sigma = np.hypot(registration.sigma_mm[n, side, part], _EDGE_SIGMA_MM)
    return _Equations(
        np.column_stack(columns).astype(np.intp), np.column_stack(values), registration.off_mm[n, side, part], sigma
    )


def _priors(count: int, biases: list[float], order: "_LatticeResiduals | None") -> list[_Equations]:
    """What is known before looking: about where each base stands, how bases are made, and that ranks are regular."""
    size = 3 * count + _SHARED + len(biases)
    targets, sigma = np.zeros(size), np.full(size, _START_SIGMA_MM)
    sigma[2 : 3 * count : 3] = _TURN_SIGMA_RAD
    sigma[3 * count + _TOP] = _TOP_SIGMA_MM
    sigma[3 * count + _SHARED :] = biases
    each = _Equations(np.arange(size)[:, None], np.ones((size, 1)), targets, sigma)
    return [each] if order is None else [each, *(_lattice_equations(order, axis) for axis in (0, 1))]


def _lattice_equations(order: "_LatticeResiduals", axis: int) -> _Equations:
    """Each base stands about where the order, wherever that may lie, puts it along this axis."""
    count = len(order.design)
    of_order = np.broadcast_to(3 * count + _ORDER + 3 * axis + np.arange(3), (count, 3))
    columns = np.column_stack([3 * np.arange(count) + axis, of_order])
    values = np.column_stack([np.ones(count), -order.design])
    return _Equations(columns, values, order.off_mm[:, axis], order.spread_mm)


def _solve_robust(equations: _Equations, size: int, measured: int) -> tuple[Floats, Floats]:
    """State and covariance; what lies far off counts less and less."""
    felt = np.ones(len(equations.found))
    for _ in range(5):
        information, right = equations.normal_equations(felt, size)
        state = np.asarray(np.linalg.solve(information, right), np.float64)
        residual = equations.residual(state)
        felt[:measured] = 1 / (1 + (residual[:measured] / _OUTLIER) ** 2)
    return state, np.asarray(np.linalg.inv(information))


@dataclass(frozen=True)
class _LatticeResiduals:
    """How far bases are (N, 2) from their places in a regular block, and usually so (N,); who stands half a base aside
    is in no order. `design` (N, 3): 1, and column and row from the middle."""

    design: Floats
    off_mm: Floats
    spread_mm: Floats


def _fit_lattice(block: Block, at_mm: Floats, *, fewest: int = _FEWEST_IN_ORDER) -> _LatticeResiduals | None:
    count = len(block.cells)
    if count < fewest:
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
    is_in = np.linalg.norm(off, axis=1) < _ASIDE * min(base.width_mm, base.depth_mm)
    spread_mm = float(np.clip(spread, _LEAST_SPREAD_MM, _MOST_SPREAD_MM))
    return _LatticeResiduals(middle, np.where(is_in[:, None], off, 0.0), np.where(is_in, spread_mm, _NO_ORDER_MM))
