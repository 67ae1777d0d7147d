"""How a whole block lies by what its sides show, before its members are looked at one by one."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import compiled
from vision.compiled import Side
from vision.ranked.layers import (
    BLURS_PX,
    FIRM,
    RELATIVE_MM,
    SHIFTS_MM,
    WIDTHS_MM,
    Explained,
    Kind,
    Weighed,
    drawn,
    explained,
)
from vision.ranked.sides import OFFSETS_MM, STEP_MM, Make, Sampled

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_MOST_PARTS = 16.0  # of sides that lie alike; more are no surer of what they show
# A log odds for each unit of what is left unexplained: sides err together, far more than their pixels do. So chosen
# that the 95 % ellipse holds 93 to 97 % of drawn members (`python -m benchmarks.ranks`).
_TELLS = 0.04
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
class Look:
    """What is seen of a block's sides: `classes` are sides (N, 4) that lie alike, with the way each faces (0 to 3)
    and whether no neighbours stand there; `ways`: those at which a front may be painted."""

    sampled: Sampled
    make: Make
    is_free: Flags
    ways: tuple[int, ...] = (0, 1, 2, 3)

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

    @property
    def around(self) -> NDArray[np.float32]:
        """(N, 4, P, R, 3): the colours at `RELATIVE_MM` from the top edges."""
        at = np.rint((self.top_mm[..., None] + RELATIVE_MM - OFFSETS_MM[0]) / STEP_MM).astype(np.intp)
        return np.take_along_axis(self.sampled.colours, at.clip(0, len(OFFSETS_MM) - 1)[..., None], axis=3)


@dataclass(frozen=True)
class Face:
    """Sides that lie alike: which parts of them (N, 4, P), the way they face, and what they show (shifts, R, 3)
    where they end so much farther out, `SHIFTS_MM`, than the whole block's shift puts them."""

    parts: Flags
    way: int
    is_free: bool
    is_painted: bool
    shown: Floats
    alone_mm: float = 0.0  # how far from where the whole block puts them they would lie by themselves


@dataclass(frozen=True)
class Told:
    """How much likelier (log odds) than nowhere fronts are painted at the sides that face each of the four ways; -inf
    where none may be."""

    each: tuple[float, ...]


@dataclass(frozen=True)
class Aligned:
    """How far the whole block lies ahead and to the left of where it was taken to be, and how its sides look."""

    shift_mm: Floats
    rim_mm: float
    front: Told
    faces: tuple[Face, ...]
    elsewhere_mm2: Floats


@dataclass(frozen=True)
class _Class:
    """The usual colours (R, 3), less the mean of all, across sides that lie alike, and how well they are explained."""

    parts: Flags
    way: int
    is_free: bool
    kind: Kind
    seen: Floats
    weight: float
    explained: Mapping[Kind, Explained]  # plain, and when painted

    def blurred(self, blur_mm: float) -> "_Class":
        """As the picture is, and explained."""
        kind = self.kind.blurred(blur_mm)
        return replace(self, kind=kind, explained={kind: explained(kind, self.seen)})

    def kind_at(self, front: "Front") -> Kind:
        """What it is when fronts are painted there."""
        is_own = front.way == self.way and (self.is_free or front.is_every)
        is_next = front.is_every and not self.is_free and front.way == (self.way + 2) % 4
        return replace(self.kind, is_painted=is_own, is_next_painted=is_next)

    @property
    def axis(self) -> int:
        return self.way % 2

    def outward(self, shift_mm: Floats) -> float:
        return float(shift_mm[self.axis]) * (1 if self.way < 2 else -1)

    @property
    def strange(self) -> float:
        return _STRANGE if self.is_free else _STRANGE_INSIDE

    def felt(self, misfit: Floats) -> Floats:
        """The misfit, which counts the less the more a side shows something else."""
        return np.asarray(self.strange * np.log1p(misfit / self.strange))

    def with_fronts(self, fronts: list["Front"]) -> "_Class":
        kinds = {self.kind_at(front) for front in fronts} - set(self.explained)
        return replace(self, explained={**self.explained, **{kind: explained(kind, self.seen) for kind in kinds}})

    def at_front(self, front: "Front") -> Explained:
        """How well each shift explains it when fronts are painted there."""
        kind = self.kind_at(front)
        if not kind.is_painted:
            return self.explained[kind]
        off = (kind.widths_mm - WIDTHS_MM[:, None]) / _PAINT_SPREAD_MM
        return self.explained[kind].of_best_width(off**2 / (2 * _TELLS * self.weight))


@dataclass(frozen=True)
class Front:
    """The way that painted edges face, if there are any: of the front rank, or of every base."""

    way: int | None = None
    is_every: bool = False


def aligned(look: Look, *, near_mm: float) -> Aligned:
    """The shift that explains best what all sides show, when one of them may be painted as the front.

    It is looked for about so near.
    """
    around = look.around
    mean = around[np.broadcast_to(look.is_part, around.shape[:3])].mean(axis=(0, 1), dtype=np.float64)
    plain = _classes(look, around, mean)
    fronts = [Front(), *(Front(one.way, not one.is_free) for one in plain if one.way in look.ways)]
    classes = [one.with_fronts(fronts) for one in plain]
    found = [_searched([(one, one.at_front(front)) for one in classes], front, near_mm) for front in fronts]
    best = min(found, key=lambda one: float(one.left.min()))
    return _told(best, found, mean)


_Shown = list[tuple[_Class, Explained]]  # classes, and how well each place explains them


@dataclass(frozen=True)
class _Search:
    """What all sides leave unexplained (widths, shifts ahead, shifts left) when the front is painted there, or not."""

    left: Floats
    front: Front
    colours: Floats
    shown: _Shown


def _searched(shown: _Shown, front: Front, near_mm: float) -> _Search:
    """A side unlike the others, as at a tray's lip, counts less and less."""
    far = (SHIFTS_MM[:, None] ** 2 + SHIFTS_MM**2) / (2 * _TELLS * near_mm**2) + _FRONT_COST * (front.way is not None)
    prior = ((WIDTHS_MM - _RIM_MM) / _RIM_SPREAD_MM)[:, None, None] ** 2 / (2 * _TELLS) + far
    sides = [(one, side.weighed if one.way < 2 else side.weighed.mirrored()) for one, side in shown]
    left, colours = (_weighed if compiled.KERNEL is None else _weighed_quickly)(sides, prior)
    return _Search(left + _hidden(colours), front, colours, shown)


def _weighed_quickly(sides: list[tuple[_Class, Weighed]], prior: Floats) -> tuple[Floats, Floats]:
    told = [Side(found.left, found.told, found.inner, one.weight, one.strange, one.axis) for one, found in sides]
    return compiled.aligned(told, prior, firm=FIRM, times=_AGAIN)


def _weighed(sides: list[tuple[_Class, Weighed]], prior: Floats) -> tuple[Floats, Floats]:
    """What all leave unexplained, and the shared colours."""
    sums = [sum((found.times(one.weight) for one, found in sides if one.axis == axis), _nothing()) for axis in (0, 1)]
    both = sums[0].along(0) + sums[1].along(1)
    left = both.misfit + prior
    colours = both.at(*_least(left)).colours
    for _ in range(_AGAIN):
        rows = [np.zeros((1, 1)), np.zeros((1, 1))]
        for one, found in sides:
            rows[one.axis] = rows[one.axis] + one.weight * one.felt(found.misfit_of(colours))
        left = rows[0][:, :, None] + rows[1][:, None] + prior
        colours = _colours(sides, colours, _least(left))
    return left, colours


def _hidden(colours: Floats) -> float:
    """What it costs to take rims for of the same colour as the basing: they seldom are, and then might be anywhere."""
    apart = float(np.linalg.norm(colours[1] - colours[0]))
    return _HIDDEN_COST / _TELLS * float(np.exp(-((apart / _APART) ** 2)))


def _colours(sides: list[tuple[_Class, Weighed]], colours: Floats, at: tuple[int, int, int]) -> Floats:
    """The shared colours that suit the sides best that they suit already."""
    here = [(one, found.at(min(at[0], len(found.left) - 1), at[1 + one.axis])) for one, found in sides]
    felt = [found.times(one.weight / (1 + float(found.misfit_of(colours)) / one.strange)) for one, found in here]
    return sum(felt[1:], felt[0]).colours


def _least(left: Floats) -> tuple[int, int, int]:
    a, b, c = np.unravel_index(int(left.argmin()), left.shape)
    return int(a), int(b), int(c)


def _nothing() -> Weighed:
    shape = len(WIDTHS_MM), len(SHIFTS_MM)
    return Weighed(np.zeros(shape), np.zeros((*shape, 3, 3)), np.zeros((*shape, 3, 3)))


def _classes(look: Look, around: NDArray[np.float32], mean: Floats) -> list[_Class]:
    """The classes with the blur that suits them best."""
    classes, mm_per_px = [_class(look, around, mean, *one) for one in look.classes], look.sampled.mm_per_px
    found = [[one.blurred(blur_px * mm_per_px) for one in classes] for blur_px in BLURS_PX]
    return min(found, key=lambda classes: sum(one.weight * one.explained[one.kind].unlikely for one in classes))


def _class(look: Look, around: NDArray[np.float32], mean: Floats, chosen: Flags, way: int, free: bool) -> _Class:
    """Sharp, and not explained."""
    parts = chosen[..., None] & look.is_part
    seen = np.median(around[parts], axis=0).astype(np.float64) - mean
    beyond = float((np.maximum(look.top_mm, 0.0) - look.top_mm)[parts].mean())
    aslant_mm = _SUNK_MM * float(look.sampled.slope[parts].mean())
    sunk_mm = {"wider_mm": max(aslant_mm, 0.0), "next_wider_mm": max(-aslant_mm, 0.0)}
    weight = float(np.sqrt(min(parts.sum(), _MOST_PARTS)))
    return _Class(parts, way, free, Kind.of(beyond, 0.0, is_inner=not free, **sunk_mm), seen, weight, {})


def _told(best: _Search, found: list[_Search], mean: Floats) -> Aligned:
    """The place that is off least, as far as it is known which of the places it is."""
    rivals = np.min([one.left.min(axis=0) for one in found], axis=0)
    chance = np.exp(-_TELLS * (rivals - rivals.min()))
    chance /= chance.sum()
    shift = np.array([chance.sum(axis=1) @ SHIFTS_MM, chance.sum(axis=0) @ SHIFTS_MM])
    width = _least(best.left)[0]
    faces = tuple(_face(one, side, best, width, shift, mean) for one, side in best.shown)
    return Aligned(shift, float(WIDTHS_MM[width]), _told_fronts(found), faces, _elsewhere_mm2(chance, shift))


def _told_fronts(found: list[_Search]) -> Told:
    left: dict[int | None, float] = defaultdict(lambda: np.inf)
    for one in found:
        left[one.front.way] = min(left[one.front.way], float(one.left.min()))
    return Told(tuple(_TELLS * (left[None] - left[way]) for way in range(4)))


def _face(one: _Class, side: Explained, best: _Search, width: int, shift: Floats, mean: Floats) -> Face:
    """What the class shows, drawn where by itself it would lie, not far from the whole block."""
    kind, shared, outward = one.kind_at(best.front), best.colours, one.outward(shift)
    left = _TELLS * one.weight * side.weighed.misfit_of(shared)[width] + ((SHIFTS_MM - outward) / _ALONE_MM) ** 2 / 2
    place = int(left.argmin())
    at_mm = float(SHIFTS_MM[place]) + _vertex(left, place)
    # Of paint, as wide as suits the side where the whole block puts it.
    wide = int(side.widths[width, int(np.abs(SHIFTS_MM - outward).argmin())])
    shown = drawn(
        kind, one.seen, shared, width_mm=kind.widths_mm[wide], at_mm=at_mm,
        option_mm=kind.options_mm[side.options[width, place]], from_mm=outward,
    )  # fmt: skip
    return Face(one.parts, one.way, one.is_free, kind.is_painted, shown + mean, at_mm - outward)


def _vertex(left: Floats, at: int) -> float:
    """From the least of these to where a parabola through its neighbours has its own."""
    if not 0 < at < len(left) - 1:
        return 0.0
    before, here, after = left[at - 1 : at + 2]
    curve = before - 2 * here + after
    return float(0.5 * (before - after) / curve * (SHIFTS_MM[1] - SHIFTS_MM[0])) if curve > 1e-9 else 0.0


def _elsewhere_mm2(chance: Floats, shift: Floats) -> Floats:
    """(2, 2): the doubt, ahead and left, in which of the places the whole block lies."""
    ahead, side = np.broadcast_arrays(SHIFTS_MM[:, None] - shift[0], SHIFTS_MM[None] - shift[1])
    away = np.stack([ahead, side])
    return np.asarray(np.einsum("ij,aij,bij->ab", chance, away, away))
