"""Where the edges of a block's bases lie: measured offsets of their outlines and of the inner edges of their rims.

The bases of a block are of one make and painted alike. What a step from basing to rim looks like, and how wide the rim
is, is read from all sides at once, and then found again on each side by itself.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.ranked.sides import OFFSETS_MM, STEP_MM, Make, Sampled

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

RELATIVE_MM = np.arange(-4.4, 3.4 + STEP_MM / 2, STEP_MM)
_WIDEST_MM, _NARROWEST_MM = 2.8, -0.2  # of a rim, inset left out; none is seen as one a little narrower than nothing
_HALF_FELT = 24.0  # grey levels per pixel at which a step is half believed
_CLEAR = 0.4
_NOISE = 3.0
_SHIFTS_MM = np.arange(-1.4, 1.4 + STEP_MM / 2, STEP_MM)
_WIDTHS_MM = np.arange(_NARROWEST_MM, 2.5, 2 * STEP_MM)
_MIDDLE_MM, _AROUND_MM = -1.2, 2.4  # where peaks are looked for
_PEAKS, _PEAK_SHARE, _SAME_WAY = 3, 0.15, 0.95
_PAINTS_MM = np.arange(0.9, 2.6, STEP_MM)  # how wide a front edge is painted
_FRONT_COST = 0.1  # of taking a side for painted
_OUTLINE_SHARE = 1.0  # beside the inner edges
_APART_MM = 0.5  # an inner edge nearer to the outline is not told from it
# A difference in what speaks for them that makes one place e times as likely as the other: so chosen that the 95 %
# ellipse holds 93 to 97 % of drawn members (`python -m benchmarks.ranks`).
_TELLS = 0.055
_ELSEWHERE_MM = 0.5  # nearer by is what the fit itself doubts
_FARTHER = 0.08  # what a shift of a millimetre costs
_NEAR_USUAL_MM = 0.5  # the rim's inner edge on most sides lies so near to the usual place
_UNLIKE = 0.35  # of the strongest step on a side: less of it in the usual direction, and it is painted otherwise


@dataclass(frozen=True)
class Look:
    """What is seen of a block's sides: `classes` are sides (N, 4) that lie alike, with the way each faces (0 to 3)
    and whether neighbours stand there."""

    sampled: Sampled
    make: Make
    is_free: Flags

    @property
    def classes(self) -> list[tuple[Flags, int, bool]]:
        found = []
        for way in range(4):
            for free in (True, False):
                chosen = (self.is_free == free) & (np.arange(4) == way)
                if chosen.any():
                    found.append((chosen, way, free))
        return found

    @property
    def top_mm(self) -> Floats:
        """(N, 4, P): where the top edges show."""
        return self.sampled.slope * self.make.top_mm - self.make.inset_mm

    @property
    def is_part(self) -> Flags:
        """(4, P): which parts there are."""
        return np.isfinite(self.sampled.along_mm)

    def steps_around(self, expected_mm: Floats) -> NDArray[np.float32]:
        """(N, 4, P, R, 3): the steps at `RELATIVE_MM` from where each edge is expected."""
        at = np.rint((expected_mm[..., None] + RELATIVE_MM - OFFSETS_MM[0]) / STEP_MM).astype(np.intp)
        at = at.clip(0, len(OFFSETS_MM) - 1)
        return np.take_along_axis(self.sampled.steps, at[..., None], axis=3)


@dataclass(frozen=True)
class Rim:
    """The inner edge of the rim on sides that lie alike: how far inside the top edge, and which colour step it is."""

    inward_mm: float
    way: Floats
    is_odd: bool


@dataclass(frozen=True)
class Measured:
    """(N, 4, P) each: where an edge was found, outward of where it should be, and how much that counts, 0 to 1."""

    off_mm: Floats
    weight: Floats

    def only(self, chosen: Flags) -> "Measured":
        """What was found on these sides (N, 4)."""
        return Measured(self.off_mm, self.weight * chosen[..., None])


@dataclass(frozen=True)
class Aligned:
    """How far the whole block lies ahead and to the left of where it was taken to be, and how its rims look."""

    shift_mm: Floats
    inward_mm: float
    way: Floats
    painted: int | None  # the free sides, by the way they face, at which the front is painted
    felt: float
    rivals: Floats  # (shifts ahead, shifts left): what speaks for each other place


def aligned(look: Look) -> Aligned:
    """The shift that brings the inner edges of all sides to one distance and one colour step, and outlines to theirs.

    A neighbour's rim steps the other way than one's own, so that it is not taken for it.
    """
    around = look.steps_around(look.top_mm)
    sides = [_Side.of(look, around, *one) for one in look.classes]
    told = _telling(sides)
    fronts = [None, *(side for side in told if side.outline_mm is not None)]
    found = [_searched(sides, way, front) for way in _ways(told) for front in fronts]
    best = max(found, key=lambda one: one.felt)
    return replace(best, rivals=np.max([one.rivals for one in found], axis=0))


@dataclass(frozen=True)
class _Side:
    """The mean colour steps (R, 3) of sides that lie alike, and where their outlines show, if they can be seen."""

    mean: Floats
    count: float
    way: int
    outline_mm: float | None

    @classmethod
    def of(cls, look: Look, around: NDArray[np.float32], chosen: Flags, way: int, free: bool) -> "_Side":
        keep = chosen[..., None] & look.is_part
        beyond = float((np.maximum(look.top_mm, 0.0) - look.top_mm)[keep].mean()) if free else None
        return cls(around[keep].mean(axis=0), float(keep.sum()), way, beyond)

    @property
    def axis(self) -> int:
        return self.way % 2

    @property
    def sign(self) -> int:
        return 1 if self.way < 2 else -1


class _Search:
    """What speaks for each width of the rim and shift along each axis, summed over sides."""

    def __init__(self) -> None:
        self._sums = [np.zeros((1, 1)), np.zeros((1, 1))]
        self._count = 0.0

    def add(self, side: _Side, felt: Floats) -> None:
        """`felt`: (widths or 1, shifts)."""
        self._sums[side.axis] = self._sums[side.axis] + side.count * felt
        self._count += side.count

    @property
    def mean(self) -> Floats:
        """(widths or 1, shifts ahead, shifts left)."""
        return np.asarray((self._sums[0][:, :, None] + self._sums[1][:, None, :]) / max(self._count, 1.0))


def _ways(sides: list[_Side]) -> list[Floats]:
    """The colour steps, each unlike the others, that inner edges of rims may have: the peaks about each side."""
    found: list[Floats] = []
    for side in sides:
        strength = np.where(np.abs(RELATIVE_MM - _MIDDLE_MM) < _AROUND_MM, np.linalg.norm(side.mean, axis=1), 0.0)
        is_peak = (strength[1:-1] > strength[:-2]) & (strength[1:-1] >= strength[2:])
        peaks = np.flatnonzero(is_peak & (strength[1:-1] > _PEAK_SHARE * strength.max())) + 1
        for peak in peaks[np.argsort(-strength[peaks])][:_PEAKS]:
            way = side.mean[peak] / max(float(strength[peak]), 1e-9)
            if all(float(way @ other) < _SAME_WAY for other in found):
                found.append(way)
    return found or [np.array([1.0, 0.0, 0.0])]


def _telling(sides: list[_Side]) -> list[_Side]:
    """Those whose inner edges count: between neighbours they are clearer than where the ground is near."""
    inner = [side for side in sides if side.outline_mm is None]
    return [
        side
        for side in sides
        if side.outline_mm is None or len({one.sign for one in inner if one.axis == side.axis}) < 2
    ]


def _searched(sides: list[_Side], way: Floats, front: _Side | None) -> Aligned:
    """The best width and shift when inner edges are of this colour step, but for those of a painted front."""
    inner, outline = _Search(), _Search()
    for side in sides:
        if side.outline_mm is not None:
            strength = _unlike(side.mean[_index(side.outline_mm + side.sign * _SHIFTS_MM)], way)
            outline.add(side, _clear(strength)[None])
    for side in _telling(sides):
        if side is front:
            inner.add(side, _painted(side))
            continue
        along = np.maximum(side.mean @ way, 0.0)
        is_apart = side.outline_mm is None or side.outline_mm + _WIDTHS_MM[:, None] > _APART_MM
        inner.add(side, is_apart * _clear(along[_index(-_WIDTHS_MM[:, None] + side.sign * _SHIFTS_MM)]))
    far = _FARTHER * (_SHIFTS_MM[:, None] ** 2 + _SHIFTS_MM**2) + (front is not None) * _FRONT_COST
    score = inner.mean + _OUTLINE_SHARE * outline.mean - far
    width, ahead, left = np.unravel_index(int(score.argmax()), score.shape)
    shift = np.array([_SHIFTS_MM[ahead], _SHIFTS_MM[left]])
    painted = None if front is None else front.way
    width_mm, felt = float(_WIDTHS_MM[width % len(_WIDTHS_MM)]), float(score[width, ahead, left])
    return Aligned(shift, width_mm, way, painted, felt, score.max(axis=0))


def elsewhere_mm2(whole: Aligned) -> Floats:
    """(2, 2): the doubt, ahead and left, that the whole block lies in quite another place than where it was put."""
    ahead, left = _SHIFTS_MM[:, None] - whole.shift_mm[0], _SHIFTS_MM[None] - whole.shift_mm[1]
    chance = np.exp((whole.rivals - whole.felt) / _TELLS)
    chance /= chance.sum()
    far = chance * (np.hypot(ahead, left) > _ELSEWHERE_MM)
    away = np.stack(np.broadcast_arrays(ahead, left))
    return np.asarray(np.einsum("ij,aij,bij->ab", far, away, away))


def _unlike(steps: Floats, way: Floats) -> Floats:
    """How strong steps are, of what they are in the way of an inner edge nothing: one is not taken for an outline."""
    along = np.maximum(steps @ way, 0.0)
    return np.asarray(np.linalg.norm(steps - along[..., None] * way, axis=-1))


def _painted(side: _Side) -> Floats:
    """(1, shifts): how clearly paint of some width begins on this side."""
    strength = np.asarray(np.linalg.norm(side.mean, axis=1))
    return np.asarray(
        _clear(strength[_index(-_PAINTS_MM[:, None] + side.sign * _SHIFTS_MM)]).max(axis=0, keepdims=True)
    )


def _index(offsets_mm: Floats) -> NDArray[np.intp]:
    return np.asarray(np.rint((offsets_mm - RELATIVE_MM[0]) / STEP_MM).clip(0, len(RELATIVE_MM) - 1), np.intp)


def _felt(strength: Floats) -> Floats:
    """How far a step is believed, 0 to 1."""
    return np.asarray(strength / (strength + _HALF_FELT))


def _clear(strength: Floats) -> Floats:
    """How far steps along a side's normals are believed where many sides must agree: the strongest of each side about
    alike, however strong it is, and those beside it less."""
    strongest = strength.max()
    share = strength / max(float(strongest), 1e-9)
    return np.asarray(np.minimum(_felt(strongest), _CLEAR) / _CLEAR * share**2 + 0.25 * _felt(strength))


def rim_of(look: Look, chosen: Flags, usual: Aligned, *, is_painted: bool) -> Rim:
    """The rim on these sides: as on the others, unless another colour is painted there."""
    keep = chosen[..., None] & look.is_part
    mean = look.steps_around(look.top_mm)[keep].mean(axis=0)
    like = np.where(np.abs(RELATIVE_MM + usual.inward_mm) <= _NEAR_USUAL_MM, mean @ usual.way, -1.0)
    strength = np.linalg.norm(mean, axis=1)
    inside = np.where((RELATIVE_MM > -_WIDEST_MM) & (RELATIVE_MM < -_NARROWEST_MM), strength, -1.0)
    if not is_painted and like.max() > max(_UNLIKE * inside.max(), _NOISE):
        return Rim(-float(RELATIVE_MM[int(like.argmax())]), usual.way, False)
    best = int(inside.argmax())
    return Rim(-float(RELATIVE_MM[best]), mean[best] / max(float(strength[best]), 1e-9), True)


def rim_edges(look: Look, chosen: Flags, rim: Rim, *, within_mm: float) -> Measured:
    """The inner edges of the rim on the chosen sides, outward of the top edge: about minus the rim's width."""
    along_way = look.steps_around(look.top_mm) @ rim.way
    off, weight = _peaks(np.maximum(along_way, 0.0), -rim.inward_mm, within_mm=within_mm)
    return Measured(off, weight * chosen[..., None] * look.is_part)


def outline_edges(look: Look, usual: Aligned, *, within_mm: float) -> Measured:
    """The outlines against the ground, of sides at which no neighbour stands."""
    strength = _unlike(look.steps_around(np.maximum(look.top_mm, 0.0)).astype(np.float64), usual.way)
    off, weight = _peaks(strength, 0.0, within_mm=within_mm)
    return Measured(off, weight * look.is_free[..., None] * look.is_part)


def _peaks(strength: Floats, expected_mm: float, *, within_mm: float) -> tuple[Floats, Floats]:
    """The strongest step near the expected offset, to a fraction of a sample, and how far it is believed."""
    is_peak = np.zeros(strength.shape, np.bool_)
    is_peak[..., 1:-1] = (strength[..., 1:-1] > strength[..., :-2]) & (strength[..., 1:-1] >= strength[..., 2:])
    near = is_peak * strength * np.exp(-(((RELATIVE_MM - expected_mm) / within_mm) ** 2))
    best = np.clip(near.argmax(axis=-1), 1, len(RELATIVE_MM) - 2)[..., None]
    found = np.take_along_axis(near, best, axis=-1)[..., 0] > 0
    left, peak, right = (np.take_along_axis(strength, best + k, axis=-1)[..., 0] for k in (-1, 0, 1))
    curve = left - 2 * peak + right
    vertex = np.where(found, 0.5 * (left - right) / np.where(found, curve, -1.0), 0.0)
    off = RELATIVE_MM[best[..., 0]] + vertex * STEP_MM
    far = np.exp(-(((off - expected_mm) / within_mm) ** 2))
    return off, np.where(found & (peak > _NOISE), _felt(peak) * far, 0.0)
