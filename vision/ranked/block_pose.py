"""Block pose: the shift of a whole block that explains its sides best, before its members are fitted one by one."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Floats32, Mask
from vision.native import library
from vision.native.library import Double, address, kernel
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
REWEIGHTINGS = 2  # of what is strange
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
        classes = []
        for direction in range(4):
            for free in (True, False):
                chosen = (self.is_free == free) & (np.arange(4) == direction)
                if chosen.any():
                    classes.append((chosen, direction, free))
        return classes

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
class SideClass:
    """The usual colours (R, 3), less the mean of all, across sides that lie alike, and how well they are explained."""

    parts: Mask
    direction: int
    is_free: bool
    kind: SideKind
    seen: Floats
    weight: float
    fits: Mapping[SideKind, LayerFit]  # plain, and when painted

    def fit_with_blur(self, blur_mm: float) -> "SideClass":
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

    def with_fronts(self, fronts: list["Front"]) -> "SideClass":
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
    painted = (Front(side.direction, not side.is_free) for side in plain if side.direction in look.front_sides)
    fronts = [Front(), *painted]
    sides = [side.with_fronts(fronts) for side in plain]
    hypotheses = [_search_shifts([(side, side.at_front(front)) for side in sides], front, near_mm) for front in fronts]
    best = min(hypotheses, key=lambda hypothesis: float(hypothesis.residual.min()))
    return _marginalise(best, hypotheses, mean)


_SideFits = list[tuple[SideClass, LayerFit]]  # classes, and how well each place explains them


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
    sides = [(side, fit.evidence if side.direction < 2 else fit.evidence.mirror()) for side, fit in shown]
    left, colours = align_sides(sides, prior)
    return _FrontHypothesis(left + _hidden_rim_cost(colours), front, colours, shown)


def align_sides(sides: list[tuple[SideClass, LayerEvidence]], prior: Floats) -> tuple[Floats, Floats]:
    """Residuals of all sides (widths, shifts ahead, shifts left), reweighted, and the shared colours (3, 3).

    `prior`: what each place costs of itself. Raises: MemoryError.
    """
    held = [[np.ascontiguousarray(array) for array in (e.residual, e.projection, e.gram)] for _, e in sides]
    structures = [
        library.SideEvidence(
            *(array.ctypes.data for array in arrays), side.weight, side.strange, len(arrays[0]), side.axis
        )
        for (side, _), arrays in zip(sides, held, strict=True)
    ]
    residual, colours = np.empty(prior.shape), np.empty((3, 3))
    widths, shifts, _ = prior.shape
    is_done = kernel().align_sides(
        (library.SideEvidence * len(sides))(*structures), len(sides), widths, shifts, REWEIGHTINGS, Double(FIRM),
        address(prior), address(residual), address(colours),
    )  # fmt: skip
    if not is_done:
        raise MemoryError
    return residual, colours


def _hidden_rim_cost(colours: Floats) -> float:
    """What it costs to take rims for of the same colour as the basing: they seldom are, and then might be anywhere."""
    apart = float(np.linalg.norm(colours[1] - colours[0]))
    return _HIDDEN_COST / _LOG_ODDS_PER_RESIDUAL * float(np.exp(-((apart / _APART) ** 2)))


def _argmin(left: Floats) -> tuple[int, int, int]:
    a, b, c = np.unravel_index(int(left.argmin()), left.shape)
    return int(a), int(b), int(c)


def _fit_side_classes(look: BlockSides, around: Floats32, mean: Floats) -> list[SideClass]:
    """The classes with the blur that suits them best."""
    sides = [_side_class(look, around, mean, *parts) for parts in look.classes]
    fitted = [[side.fit_with_blur(blur_px * look.sampled_sides.mm_per_px) for side in sides] for blur_px in BLURS_PX]
    return min(fitted, key=lambda sides: sum(side.weight * side.fits[side.kind].deviance for side in sides))


def _side_class(
    look: BlockSides, around: Floats32, mean: Floats, chosen: Mask, direction: int, is_free: bool
) -> SideClass:
    """Sharp, and not explained."""
    parts = chosen[..., None] & look.is_part
    seen = np.median(around[parts], axis=0).astype(np.float64) - mean
    beyond = float((np.maximum(look.top_mm, 0.0) - look.top_mm)[parts].mean())
    aslant_mm = _SUNK_MM * float(look.sampled_sides.slope[parts].mean())
    sunk_mm = {"wider_mm": max(aslant_mm, 0.0), "next_wider_mm": max(-aslant_mm, 0.0)}
    weight = float(np.sqrt(min(parts.sum(), _MOST_PARTS)))
    kind = SideKind.of(beyond, 0.0, is_inner=not is_free, **sunk_mm)
    return SideClass(parts, direction, is_free, kind, seen, weight, {})


def _marginalise(best: _FrontHypothesis, hypotheses: list[_FrontHypothesis], mean: Floats) -> BlockPose:
    """The place that is off least, as far as it is known which of the places it is."""
    rivals = np.min([hypothesis.residual.min(axis=0) for hypothesis in hypotheses], axis=0)
    chance = np.exp(-_LOG_ODDS_PER_RESIDUAL * (rivals - rivals.min()))
    chance /= chance.sum()
    shift = np.array([chance.sum(axis=1) @ SHIFTS_MM, chance.sum(axis=0) @ SHIFTS_MM])
    width = _argmin(best.residual)[0]
    faces = tuple(_render_face(side, fit, best, width, shift, mean) for side, fit in best.side_fits)
    return BlockPose(
        shift, float(WIDTHS_MM[width]), _front_log_odds(hypotheses), faces, _placement_covariance(chance, shift)
    )


def _front_log_odds(hypotheses: list[_FrontHypothesis]) -> FrontLogOdds:
    left: dict[int | None, float] = defaultdict(lambda: np.inf)
    for hypothesis in hypotheses:
        direction = hypothesis.front.direction
        left[direction] = min(left[direction], float(hypothesis.residual.min()))
    return FrontLogOdds(tuple(_LOG_ODDS_PER_RESIDUAL * (left[None] - left[direction]) for direction in range(4)))


def _render_face(
    side: SideClass, fit: LayerFit, best: _FrontHypothesis, width: int, shift: Floats, mean: Floats
) -> Face:
    """What the class shows, drawn where by itself it would lie, not far from the whole block."""
    kind, shared, outward = side.kind_at(best.front), best.colours, side.outward_shift(shift)
    left = (
        _LOG_ODDS_PER_RESIDUAL * side.weight * fit.evidence.misfit_of(shared)[width]
        + ((SHIFTS_MM - outward) / _ALONE_MM) ** 2 / 2
    )
    place = int(left.argmin())
    at_mm = float(SHIFTS_MM[place]) + _parabola_vertex(left, place)
    # Of paint, as wide as suits the side where the whole block puts it.
    wide = int(fit.widths[width, int(np.abs(SHIFTS_MM - outward).argmin())])
    shown = render_side(
        kind, side.seen, shared, width_mm=kind.widths_mm[wide], at_mm=at_mm,
        option_mm=kind.options_mm[fit.options[width, place]], from_mm=outward,
    )  # fmt: skip
    return Face(side.parts, side.direction, side.is_free, kind.is_painted, shown + mean, at_mm - outward)


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
