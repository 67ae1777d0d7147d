"""Layered edge model: what a side shows from within outward: basing, rim, its wall, shadow, ground.

Each layer is about of one colour; basing and rim are the same on all sides of a block, but for a painted front. All
sides are fitted at once: the base's size is known, so what would be a rim on one side must be one on the others too.
"""

import ctypes
import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from calibration.arrays import Floats, Floats32, Indices
from vision.native.library import MOST_SHIFTS, PLACES_BESIDE, Double, LayerModel, address, kernel

Option = tuple[float, float | None]

_STEP_MM, _FINE_MM, _FINE_BLUR_MM = 0.3, 0.2, 0.05
RELATIVE_MM = np.arange(-4.5, 3.3 + _STEP_MM / 2, _STEP_MM)  # outward of where the top edge is expected
SHIFTS_MM = np.arange(-1.5, 1.5 + _STEP_MM / 2, _STEP_MM)  # of the top edge
WIDTHS_MM = np.arange(0.0, 2.2, 0.2)  # of a rim
_PAINTED_MM = np.arange(0.5, 2.6, 0.2)  # of paint on a front edge
_SHADOWS_MM, _GAPS_MM = (0.0, 1.2, 2.4, -0.8, -1.6), (0.0, 0.4, 0.8, 1.2, 1.7, 2.2)  # less than 0: an even shadow
_NEXT_RIMS_MM, _NEXT_PAINTS_MM = (0.5, 0.9, 1.3), (0.5, 1.0, 1.5)  # of neighbours, where one's own is the other
BLURS_PX = (0.55, 0.75, 0.95)
NOISE, LEAST_NOISE = 4.0, 3.0  # grey levels by which a layer differs from one colour
_SHADED = 12.0  # by which a layer differs from side to side, with the light
_WALL = 42.0  # by which a wall differs from the rim above it: it may lie in its own shade
_ANY = 80.0  # by which what is of no known colour may differ from the rest
FIRM = 1 / _ANY**2  # how firmly shared colours are held to the mean of all
ROUGH = 0.1  # of how much a side's colours vary: no layer is that straight
_DEEP = 45.0  # by which what is seen between two neighbours, walls mostly, differs from their rims
_SHADOW_COST = 1.3
# So far within a side, and without, what is seen begins to count less: a sculpt stands there, or the mat has a pattern.
_CLEAR_WITHIN_MM, _CLEAR_WITHOUT_MM, _CLUTTER_MM = 2.0, 1.5, 1.0
_BETWEEN_MM = 1.2  # from a top edge to that of a neighbour, about
SHARED = 3  # layers: basing, rim and the paint of fronts


@dataclass(frozen=True)
class SideKind:
    """A kind of sides that show alike: `beyond_mm`, how far outside the top edge they end; `is_inner`, with a neighbour
    there."""

    beyond_mm: float
    blur_mm: float
    is_inner: bool
    is_painted: bool = False  # its own rim,
    is_next_painted: bool = False  # or that of the neighbours
    wider_mm: float = 0.0  # its own rim shows so much wider than from above,
    next_wider_mm: float = 0.0  # or that of the neighbours

    @classmethod
    def of(
        cls, beyond_mm: float, blur_mm: float, *, is_inner: bool, wider_mm: float = 0.0, next_wider_mm: float = 0.0
    ) -> "SideKind":
        """The nearest of a few kinds."""
        beyond = 0.0 if is_inner else round(round(beyond_mm / _FINE_MM) * _FINE_MM, 1)
        next_wider = round(next_wider_mm, 1) if is_inner else 0.0
        sharp = cls(beyond, 0.0, is_inner, wider_mm=round(wider_mm, 1), next_wider_mm=next_wider)
        return sharp.with_blur(blur_mm)

    def with_blur(self, blur_mm: float) -> "SideKind":
        """The kind with about this blur."""
        return replace(self, blur_mm=max(_FINE_BLUR_MM, round(blur_mm / _FINE_BLUR_MM) * _FINE_BLUR_MM))

    @property
    def widths_mm(self) -> Floats:
        return _PAINTED_MM if self.is_painted else WIDTHS_MM

    @property
    def options_mm(self) -> tuple[Option, ...]:
        """Gaps to the neighbours, and how wide their rims are, None where as wide as one's own; or else shadows on the
        ground."""
        if not self.is_inner:
            return tuple((shadow, None) for shadow in _SHADOWS_MM)
        next_widths_mm = _NEXT_RIMS_MM if self.is_painted else _NEXT_PAINTS_MM if self.is_next_painted else (None,)
        return tuple((gap, next_mm) for gap in _GAPS_MM for next_mm in next_widths_mm)

    def layers(self, width_mm: Floats, shift_mm: Floats, option_mm: Option) -> Floats:
        """Design matrix (..., R, layers): how much of each layer is seen at each offset.

        First of basing, rim and paint all around, then of what this side's own basing, rim and so on differ from those.
        """
        if self.is_inner:
            return self._between_neighbours(width_mm, shift_mm, *option_mm)
        at, inner, end, shadow_mm = (
            shift_mm,
            self._inner_edge(shift_mm, width_mm),
            shift_mm + self.beyond_mm,
            option_mm[0],
        )
        basing, rim, wall, shade, ground = _layer_weights((inner, at, end, end + abs(shadow_mm)), self.blur_mm)
        fading = 1 - (RELATIVE_MM - end[..., None]).clip(0, shadow_mm) / shadow_mm if shadow_mm > 0 else 1.0
        shadow, ground = shade * fading, shade + ground
        shared = (0 * rim, rim) if self.is_painted else (rim + wall, 0 * rim)
        return np.stack([basing, *shared, basing, rim, wall, shadow, ground], axis=-1)

    def _between_neighbours(self, width_mm: Floats, at: Floats, gap_mm: float, next_mm: float | None) -> Floats:
        next_width_mm = (width_mm if next_mm is None else next_mm) + self.next_wider_mm
        edges = (self._inner_edge(at, width_mm), at, at + gap_mm, at + gap_mm + next_width_mm)
        basing, rim, gap, other, beyond = _layer_weights(edges, self.blur_mm)
        paint = (rim if self.is_painted else 0) + (other if self.is_next_painted else 0 * other)
        return np.stack([basing + beyond, rim + gap + other - paint, paint, basing, rim, gap, other, beyond], axis=-1)

    def _inner_edge(self, at: Floats, width_mm: Floats) -> Floats:
        return np.asarray(at - width_mm - self.wider_mm)

    @property
    def counts(self) -> Floats:
        """Weights (shifts, R) of what is seen there.

        Far from the edges anything may lie, and what does shall not hold the side where it happens to lie outside what
        is looked at.
        """
        off = RELATIVE_MM - SHIFTS_MM[:, None]
        within = -off - _CLEAR_WITHIN_MM
        without = off - (_BETWEEN_MM if self.is_inner else self.beyond_mm) - _CLEAR_WITHOUT_MM
        return np.asarray(1 / (1 + (np.maximum(within, without).clip(0) / _CLUTTER_MM) ** 2))

    @property
    def firmness(self) -> Floats:
        """Prior precision with which each of the side's own layers is held to nothing."""
        if self.is_inner:
            return np.asarray(1 / np.array([_SHADED, _SHADED, _DEEP, _SHADED, _SHADED]) ** 2)
        wall = _ANY if self.is_painted else _WALL
        return np.asarray(1 / np.array([_SHADED, _SHADED, wall, _ANY, _ANY]) ** 2)


def _layer_weights(edges: tuple[Floats, ...], blur_mm: float) -> list[Floats]:
    """How much is seen of what lies within the first edge, between each two, and beyond the last."""
    risen = [0.5 + 0.5 * np.tanh(0.8 * (RELATIVE_MM - edge[..., None]) / blur_mm) for edge in edges]
    bounds = [np.ones_like(risen[0]), *risen, np.zeros_like(risen[0])]
    return [a - b for a, b in pairwise(bounds)]


@dataclass(frozen=True)
class LayerEvidence:
    """Normal equations of the shared colours at each place of a side, or of some: `residual` (widths, shifts) is what
    they leave but for `projection` (.., 3, 3), of which the best colours explain the more the less `gram` (.., 3, 3)
    is."""

    residual: Floats
    projection: Floats
    gram: Floats

    def mirror(self) -> "LayerEvidence":
        """With the shifts the other way."""
        return LayerEvidence(self.residual[:, ::-1], self.projection[:, ::-1], self.gram[:, ::-1])

    def at(self, *place: int | Indices) -> "LayerEvidence":
        return LayerEvidence(self.residual[place], self.projection[place], self.gram[place])

    def misfit_of(self, colours: Floats) -> Floats:
        """Residual with these shared colours (3, 3)."""
        own = np.einsum("ic,...ij,jc->...", colours, self.gram, colours)
        return np.asarray(np.maximum(self.residual - 2 * (self.projection * colours).sum(axis=(-1, -2)) + own, 0.0))


@dataclass(frozen=True)
class LayerPlan:
    """What is worked out once for all sides of a kind. `take` (chunks of places, rows, R, places beside each other):
    what is taken of what is seen, first for the shared layers, then for the side's own, last for both; `gram`
    (options, widths, shifts, 3, 3), how much what is seen `counts` (shifts, R), and what each option costs."""

    take: Floats32
    gram: Floats
    counts: Floats
    price: Floats

    @cached_property
    def model(self) -> LayerModel:
        """The same, as the kernel takes it."""
        arrays = (array.ctypes.data for array in (self.take, self.gram, self.counts, self.price))
        own = self.take.shape[1] - 2 * SHARED
        return LayerModel(*arrays, NOISE, LEAST_NOISE, ROUGH, *self.gram.shape[:3], len(RELATIVE_MM), own)


@lru_cache(maxsize=256)
def layer_plan(kind: SideKind) -> LayerPlan:
    """Works out the plan of a kind, once."""
    widths, shifts = np.meshgrid(kind.widths_mm, SHIFTS_MM, indexing="ij")
    counts = np.ascontiguousarray(kind.counts)
    root = np.sqrt(counts)
    both = np.stack([kind.layers(widths, shifts, option) for option in kind.options_mm]) * root[..., None] / NOISE
    turned = np.swapaxes(both, -1, -2)
    square = turned @ both
    less = _inverse_cholesky(square[..., SHARED:, SHARED:] + np.diag(kind.firmness))
    mixed = less @ square[..., SHARED:, :SHARED]
    inner = square[..., :SHARED, :SHARED] - np.swapaxes(mixed, -1, -2) @ mixed
    shared = np.concatenate([np.broadcast_to(np.eye(SHARED), inner.shape), -np.swapaxes(mixed, -1, -2) @ less], axis=-1)
    own = np.concatenate([np.zeros_like(mixed), less], axis=-1)
    alone = _inverse_cholesky(inner + FIRM * np.eye(SHARED)) @ shared
    rows = np.concatenate([shared, own, alone], axis=-2) @ (turned * root[:, None])
    price = np.array([_SHADOW_COST * (shadow != 0 and not kind.is_inner) for shadow, _ in kind.options_mm])
    return LayerPlan(_interleave(rows.reshape(-1, *rows.shape[-2:])), np.ascontiguousarray(inner), counts, price)


def _interleave(rows: Floats) -> Floats32:
    """(places, rows, R), as many of them beside each other as are weighed at once."""
    chunks = -(-len(rows) // PLACES_BESIDE)
    filled = np.zeros((chunks * PLACES_BESIDE, *rows.shape[1:]), np.float32)
    filled[: len(rows)] = rows
    return np.ascontiguousarray(np.moveaxis(filled.reshape(chunks, -1, *rows.shape[1:]), 1, -1))


def _inverse_cholesky(square: Floats) -> Floats:
    """One over the lower root of each (..., n, n). Written out, as they are so small and so many."""
    rows = np.moveaxis(square, (-2, -1), (0, 1))
    root, under = np.zeros_like(rows), np.zeros_like(rows)
    for i, row in enumerate(rows):
        for j in range(i):
            root[i, j] = (row[j] - (root[i, :j] * root[j, :j]).sum(axis=0)) * under[j, j]
        under[i, i] = 1 / np.sqrt(row[i] - (root[i, :i] ** 2).sum(axis=0))
        for j in range(i):
            under[i, j] = -(root[i, j:i] * under[j:i, j]).sum(axis=0) * under[i, i]
    return np.asarray(np.moveaxis(under, (0, 1), (-2, -1)))


@dataclass(frozen=True)
class LayerFit:
    """Fit of the layers of a side at each place (rims, shifts): which of the options and of its widths is best there,
    and the residual of the side by itself, in `noise` grey levels."""

    evidence: LayerEvidence
    options: Indices
    widths: Indices
    own_residual: Floats
    noise: float

    def at_best_width(self, cost: Floats) -> "LayerFit":
        """Of paint the width that is best where rims are so wide: each costs as much as `cost` (rims, widths) says."""
        best = (self.own_residual + cost[..., None]).argmin(axis=1)
        rims, shifts = np.ogrid[tuple(map(slice, best.shape))]
        price, evidence = cost[rims, best], self.evidence.at(best, shifts)
        weighed = LayerEvidence(evidence.residual + price, evidence.projection, evidence.gram)
        return LayerFit(weighed, self.options[best, shifts], best, self.own_residual[best, shifts] + price, self.noise)

    @property
    def deviance(self) -> float:
        """Deviance: twice the negative log likelihood of what is seen, by the noise and what the layers leave."""
        return 3 * len(RELATIVE_MM) * 2 * math.log(self.noise) + float(self.own_residual.min())


def fit_layers(kind: SideKind, seen: Floats) -> LayerFit:
    """Fits the layers to the colours seen (R, 3), at each place.

    A side whose best place leaves much unexplained counts the less. Raises: MemoryError.
    """
    plan = layer_plan(kind)  # held here: the cache drops it where another thread works out the same one, or many more
    model = plan.model
    assert model.shifts <= MOST_SHIFTS
    places = model.widths, model.shifts
    source, options = np.ascontiguousarray(seen, np.float64), np.empty(places, np.intp)
    costs, residual, projection, gram = (np.empty((*places, *more)) for more in ((), (), (3, 3), (3, 3)))
    arrays, noise = (source, options, costs, residual, projection, gram), Double()
    if not kernel().fit_layers(ctypes.byref(model), *map(address, arrays), ctypes.byref(noise)):
        raise MemoryError
    widths = np.broadcast_to(np.arange(model.widths)[:, None], places)
    return LayerFit(LayerEvidence(residual, projection, gram), options, widths, costs, noise.value)


def render_side(
    kind: SideKind, seen: Floats, shared: Floats, *, width_mm: float, at_mm: float, option_mm: Option, from_mm: float
) -> Floats:
    """Renders a side (shifts, R, 3) that lies `SHIFTS_MM` farther out than `from_mm`, in the colours that suit it best
    where it lies, at `at_mm`."""
    width = np.array(width_mm)
    layers = kind.layers(width, np.array(at_mm), option_mm)
    first, own = layers[:, :SHARED] @ shared, layers[:, SHARED:]
    differ = np.linalg.solve(own.T @ own + NOISE**2 * np.diag(kind.firmness), own.T @ (seen - first))
    colours = np.concatenate([shared, differ])
    return np.asarray(kind.layers(width + 0 * SHIFTS_MM, from_mm + SHIFTS_MM, option_mm) @ colours)
