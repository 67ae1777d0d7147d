"""Block pose: the shift of a whole block that explains its sides best, before its members are fitted one by one."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Floats32, Mask
from vision.native import library
from vision.ranked.block_pose_native import SideEvidence, align_sides_native
from vision.ranked.side_layers import (
    BLURS_PX,
    FIRM,
    RELATIVE_MM,
    SHIFTS_MM,
    WIDTHS_MM,
    LayerEvidence,
    LayerFit,
    SideKind,
    fit_layers,
    render_side,
)
from vision.ranked.side_profiles import OFFSETS_MM, STEP_MM, RectProfile, SampledSides

_MOST_PARTS = 16.0  # of sides that lie alike; more are no surer of what they show
# A log odds for each unit of what is left unexplained: sides err together, far more than their pixels do. So chosen
# that the 95 % ellipse holds 93 to 97 % of drawn members (`python -m benchmarks.detection.ranked_units`).
_LOG_ODDS_PER_RESIDUAL = 0.04
_FRONT_COST = 5.0  # of taking a side for painted
# More than so much is unexplained where a side, or one between neighbours, shows something else.
_STRANGE, _STRANGE_INSIDE = 12.0, 50.0
_RIM_MM, _RIM_SPREAD_MM = 0.8, 0.5  # how wide rims usually are
_PAINT_SPREAD_MM = 0.4  # by which the paint on a front, which covers a rim, is wider or narrower than rims
# Within the rim most bases lie lower than its top: where they are seen aslant, the rim beyond shows its inner wall.
_SUNK_MM = 0.2
_HIDDEN_COST, _APART = 4.0, 30.0  # of rims so like the basing, in grey levels
_AGAIN = 2  # times that what is strange is weighed anew
_ALONE_MM = 0.5  # from where the whole block lies to where sides that lie alike would by themselves


@dataclass(frozen=True)
class BlockSides:
    """The sampled sides of a block: `classes` are sides (N, 4) that lie alike, with the direction each faces (0 to 3)
    and whether no neighbours stand there; `front_sides`: those at which a front may be painted."""

    sampled_sides: SampledSides
    profile: RectProfile
    is_free: Mask
    front_sides: tuple[int, ...] = (0, 1, 2, 3)

    @property
    def classes(self) -> list[tuple[Mask, int, bool]]:
        found = []
        for way in range(4):
            for free in (True, False):
                chosen = (self.is_free == free) & (np.arange(4) == way)
                if chosen.any():
                    found.append((chosen, way, free))
        return found

    @property
    def top_mm(self) -> Floats:
        """Offsets of the top edges, (N, 4, P)."""
        return self.sampled_sides.slope * self.profile.top_mm - self.profile.inset_mm

    @property
    def is_part(self) -> Mask:
        """Mask of the parts there are, (4, P)."""
        return np.isfinite(self.sampled_sides.along_mm)

    @property
    def colours_around_top(self) -> Floats32:
        """Colours at `RELATIVE_MM` from the top edges, (N, 4, P, R, 3)."""
        at = np.rint((self.top_mm[..., None] + RELATIVE_MM - OFFSETS_MM[0]) / STEP_MM).astype(np.intp)
        return np.take_along_axis(self.sampled_sides.colours, at.clip(0, len(OFFSETS_MM) - 1)[..., None], axis=3)


@dataclass(frozen=True)
class Face:
    """Sides that lie alike: their parts (N, 4, P), the direction they face, and their rendered profile (shifts, R, 3)
    where they end so much farther out, `SHIFTS_MM`, than the whole block's shift puts them."""

    parts: Mask
    direction: int
    is_free: bool
    is_painted: bool
    shown: Floats
    own_shift_mm: float = 0.0  # how far from where the whole block puts them they would lie by themselves


@dataclass(frozen=True)
class FrontLogOdds:
    """Log odds of a front painted on the sides of each of the four directions, against none; -inf where none may be."""

    by_side: tuple[float, ...]


@dataclass(frozen=True)
class BlockPose:
    """Pose of a block: how far it lies ahead and to the left of where it was taken to be, and the profiles of its
    sides."""

    shift_mm: Floats
    rim_width_mm: float
    front_log_odds: FrontLogOdds
    faces: tuple[Face, ...]
    placement_mm2: Floats


@dataclass(frozen=True)
class _SideClass:
    """The usual colours (R, 3), less the mean of all, across sides that lie alike, and how well they are explained."""

    parts: Mask
    direction: int
    is_free: bool
    kind: SideKind
    seen: Floats
    weight: float
    fits: Mapping[SideKind, LayerFit]  # plain, and when painted

    def fit_with_blur(self, blur_mm: float) -> "_SideClass":
        """As the picture is, and explained."""
        kind = self.kind.with_blur(blur_mm)
        return replace(self, kind=kind, fits={kind: fit_layers(kind, self.seen)})

    def kind_at(self, front: "Front") -> SideKind:
        """What it is when fronts are painted there."""
        is_own = front.direction == self.direction and (self.is_free or front.is_every)
        is_next = front.is_every and not self.is_free and front.direction == (self.direction + 2) % 4
        return replace(self.kind, is_painted=is_own, is_next_painted=is_next)

    @property
    def axis(self) -> int:
        return self.direction % 2

    def outward_shift(self, shift_mm: Floats) -> float:
        return float(shift_mm[self.axis]) * (1 if self.direction < 2 else -1)

    @property
    def strange(self) -> float:
        return _STRANGE if self.is_free else _STRANGE_INSIDE

    def robust_cost(self, misfit: Floats) -> Floats:
        """The misfit, which counts the less the more a side shows something else."""
        return np.asarray(self.strange * np.log1p(misfit / self.strange))

    def with_fronts(self, fronts: list["Front"]) -> "_SideClass":
        kinds = {self.kind_at(front) for front in fronts} - set(self.fits)
        return replace(self, fits={**self.fits, **{kind: fit_layers(kind, self.seen) for kind in kinds}})

    def at_front(self, front: "Front") -> LayerFit:
        """How well each shift explains it when fronts are painted there."""
        kind = self.kind_at(front)
        if not kind.is_painted:
            return self.fits[kind]
        off = (kind.widths_mm - WIDTHS_MM[:, None]) / _PAINT_SPREAD_MM
        return self.fits[kind].at_best_width(off**2 / (2 * _LOG_ODDS_PER_RESIDUAL * self.weight))


@dataclass(frozen=True)
class Front:
    """A front hypothesis: the direction that painted edges face, if any: of the front rank, or of every base."""

    direction: int | None = None
    is_every: bool = False


def estimate_block_pose(look: BlockSides, *, near_mm: float) -> BlockPose:
    """Estimates the shift that explains all sides best, marginalised over which of them is painted as the front.

    It is looked for about so near.
    """
    around = look.colours_around_top
    mean = around[np.broadcast_to(look.is_part, around.shape[:3])].mean(axis=(0, 1), dtype=np.float64)
    plain = _fit_side_classes(look, around, mean)
    fronts = [Front(), *(Front(one.direction, not one.is_free) for one in plain if one.direction in look.front_sides)]
    classes = [one.with_fronts(fronts) for one in plain]
    found = [_search_shifts([(one, one.at_front(front)) for one in classes], front, near_mm) for front in fronts]
    best = min(found, key=lambda one: float(one.residual.min()))
    return _marginalise(best, found, mean)


_SideFits = list[tuple[_SideClass, LayerFit]]  # classes, and how well each place explains them


@dataclass(frozen=True)
class _FrontHypothesis:
    """What all sides leave unexplained (widths, shifts ahead, shifts left) when the front is painted there, or not."""

    residual: Floats
    front: Front
    colours: Floats
    side_fits: _SideFits


def _search_shifts(shown: _SideFits, front: Front, near_mm: float) -> _FrontHypothesis:
    """A side unlike the others, as at a tray's lip, counts less and less."""
    far = (SHIFTS_MM[:, None] ** 2 + SHIFTS_MM**2) / (2 * _LOG_ODDS_PER_RESIDUAL * near_mm**2) + _FRONT_COST * (
        front.direction is not None
    )
    prior = ((WIDTHS_MM - _RIM_MM) / _RIM_SPREAD_MM)[:, None, None] ** 2 / (2 * _LOG_ODDS_PER_RESIDUAL) + far
    sides = [(one, side.evidence if one.direction < 2 else side.evidence.mirror()) for one, side in shown]
    left, colours = _align_sides(sides, prior)
    return _FrontHypothesis(left + _hidden_rim_cost(colours), front, colours, shown)


def _align_sides(sides: list[tuple[_SideClass, LayerEvidence]], prior: Floats) -> tuple[Floats, Floats]:
    """What all leave unexplained, and the shared colours."""
    if library.KERNEL is None:
        return _align_sides_numpy(sides, prior)
    given = [
        SideEvidence(found.residual, found.projection, found.gram, one.weight, one.strange, one.axis)
        for one, found in sides
    ]
    return align_sides_native(given, prior, firm=FIRM, times=_AGAIN)


def _align_sides_numpy(sides: list[tuple[_SideClass, LayerEvidence]], prior: Floats) -> tuple[Floats, Floats]:
    """What all leave unexplained, and the shared colours."""
    sums = [
        sum((found.scale(one.weight) for one, found in sides if one.axis == axis), _zero_evidence()) for axis in (0, 1)
    ]
    both = sums[0].broadcast_along(0) + sums[1].broadcast_along(1)
    left = both.misfit + prior
    colours = both.at(*_argmin(left)).colours
    for _ in range(_AGAIN):
        rows = [np.zeros((1, 1)), np.zeros((1, 1))]
        for one, found in sides:
            rows[one.axis] = rows[one.axis] + one.weight * one.robust_cost(found.misfit_of(colours))
        left = rows[0][:, :, None] + rows[1][:, None] + prior
        colours = _shared_colours(sides, colours, _argmin(left))
    return left, colours


def _hidden_rim_cost(colours: Floats) -> float:
    """What it costs to take rims for of the same colour as the basing: they seldom are, and then might be anywhere."""
    apart = float(np.linalg.norm(colours[1] - colours[0]))
    return _HIDDEN_COST / _LOG_ODDS_PER_RESIDUAL * float(np.exp(-((apart / _APART) ** 2)))


def _shared_colours(sides: list[tuple[_SideClass, LayerEvidence]], colours: Floats, at: tuple[int, int, int]) -> Floats:
    """The shared colours that suit the sides best that they suit already."""
    here = [(one, found.at(min(at[0], len(found.residual) - 1), at[1 + one.axis])) for one, found in sides]
    felt = [found.scale(one.weight / (1 + float(found.misfit_of(colours)) / one.strange)) for one, found in here]
    return sum(felt[1:], felt[0]).colours


def _argmin(left: Floats) -> tuple[int, int, int]:
    a, b, c = np.unravel_index(int(left.argmin()), left.shape)
    return int(a), int(b), int(c)


def _zero_evidence() -> LayerEvidence:
    shape = len(WIDTHS_MM), len(SHIFTS_MM)
    return LayerEvidence(np.zeros(shape), np.zeros((*shape, 3, 3)), np.zeros((*shape, 3, 3)))


def _fit_side_classes(look: BlockSides, around: Floats32, mean: Floats) -> list[_SideClass]:
    """The classes with the blur that suits them best."""
    classes, mm_per_px = [_side_class(look, around, mean, *one) for one in look.classes], look.sampled_sides.mm_per_px
    found = [[one.fit_with_blur(blur_px * mm_per_px) for one in classes] for blur_px in BLURS_PX]
    return min(found, key=lambda classes: sum(one.weight * one.fits[one.kind].deviance for one in classes))


def _side_class(look: BlockSides, around: Floats32, mean: Floats, chosen: Mask, way: int, free: bool) -> _SideClass:
    """Sharp, and not explained."""
    parts = chosen[..., None] & look.is_part
    seen = np.median(around[parts], axis=0).astype(np.float64) - mean
    beyond = float((np.maximum(look.top_mm, 0.0) - look.top_mm)[parts].mean())
    aslant_mm = _SUNK_MM * float(look.sampled_sides.slope[parts].mean())
    sunk_mm = {"wider_mm": max(aslant_mm, 0.0), "next_wider_mm": max(-aslant_mm, 0.0)}
    weight = float(np.sqrt(min(parts.sum(), _MOST_PARTS)))
    return _SideClass(parts, way, free, SideKind.of(beyond, 0.0, is_inner=not free, **sunk_mm), seen, weight, {})


def _marginalise(best: _FrontHypothesis, found: list[_FrontHypothesis], mean: Floats) -> BlockPose:
    """The place that is off least, as far as it is known which of the places it is."""
    rivals = np.min([one.residual.min(axis=0) for one in found], axis=0)
    chance = np.exp(-_LOG_ODDS_PER_RESIDUAL * (rivals - rivals.min()))
    chance /= chance.sum()
    shift = np.array([chance.sum(axis=1) @ SHIFTS_MM, chance.sum(axis=0) @ SHIFTS_MM])
    width = _argmin(best.residual)[0]
    faces = tuple(_render_face(one, side, best, width, shift, mean) for one, side in best.side_fits)
    return BlockPose(
        shift, float(WIDTHS_MM[width]), _front_log_odds(found), faces, _placement_covariance(chance, shift)
    )


def _front_log_odds(found: list[_FrontHypothesis]) -> FrontLogOdds:
    left: dict[int | None, float] = defaultdict(lambda: np.inf)
    for one in found:
        left[one.front.direction] = min(left[one.front.direction], float(one.residual.min()))
    return FrontLogOdds(tuple(_LOG_ODDS_PER_RESIDUAL * (left[None] - left[way]) for way in range(4)))


def _render_face(
    one: _SideClass, side: LayerFit, best: _FrontHypothesis, width: int, shift: Floats, mean: Floats
) -> Face:
    """What the class shows, drawn where by itself it would lie, not far from the whole block."""
    kind, shared, outward = one.kind_at(best.front), best.colours, one.outward_shift(shift)
    left = (
        _LOG_ODDS_PER_RESIDUAL * one.weight * side.evidence.misfit_of(shared)[width]
        + ((SHIFTS_MM - outward) / _ALONE_MM) ** 2 / 2
    )
    place = int(left.argmin())
    at_mm = float(SHIFTS_MM[place]) + _parabola_vertex(left, place)
    # Of paint, as wide as suits the side where the whole block puts it.
    wide = int(side.widths[width, int(np.abs(SHIFTS_MM - outward).argmin())])
    shown = render_side(
        kind, one.seen, shared, width_mm=kind.widths_mm[wide], at_mm=at_mm,
        option_mm=kind.options_mm[side.options[width, place]], from_mm=outward,
    )  # fmt: skip
    return Face(one.parts, one.direction, one.is_free, kind.is_painted, shown + mean, at_mm - outward)


def _parabola_vertex(left: Floats, at: int) -> float:
    """From the least of these to where a parabola through its neighbours has its own."""
    if not 0 < at < len(left) - 1:
        return 0.0
    before, here, after = left[at - 1 : at + 2]
    curve = before - 2 * here + after
    return float(0.5 * (before - after) / curve * (SHIFTS_MM[1] - SHIFTS_MM[0])) if curve > 1e-9 else 0.0


def _placement_covariance(chance: Floats, shift: Floats) -> Floats:
    """(2, 2): the doubt, ahead and left, in which of the places the whole block lies."""
    ahead, side = np.broadcast_arrays(SHIFTS_MM[:, None] - shift[0], SHIFTS_MM[None] - shift[1])
    away = np.stack([ahead, side])
    return np.asarray(np.einsum("ij,aij,bij->ab", chance, away, away))
