"""Bases: the footprints of miniatures, and the sizes that are on sale."""

import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from models.frozen import Frozen
from models.vocabulary import OPEN_EDITION, Positive, Share

Millimetres = Positive
_UNUSUAL = 0.006  # of the chance of a usual one: a base in twenty is of another size, of about forty
_NEW_SIZE = 0.3  # bases of a size that nobody has seen on this table yet
_UNLISTED = 0.03  # the same where lists name some that are missing
_STANDING_BESIDE_MISSING = 0.1  # of a base that stands: where lists name some that are missing, it is one of those
LARGEST_MM = 1000.0  # the largest bases on sale are a sixth of it: no rule is asked about a larger one


class RoundBase(Frozen):
    """A disc."""

    shape: Literal["round"] = "round"
    diameter_mm: Millimetres
    counts_as_mm: Millimetres | None = Field(None, description="size in comparisons, if not the plastic's")

    @property
    def radius_mm(self) -> float:
        return self.diameter_mm / 2


class RectBase(Frozen):
    """A rectangle; `width_mm` is its front edge."""

    shape: Literal["rect"] = "rect"
    width_mm: Millimetres
    depth_mm: Millimetres
    counts_as_mm: Millimetres | None = None


class OvalBase(Frozen):
    """An ellipse; `width_mm` is its extent across the facing."""

    shape: Literal["oval"] = "oval"
    width_mm: Millimetres
    depth_mm: Millimetres
    counts_as_mm: Millimetres | None = None


Base = Annotated[RoundBase | RectBase | OvalBase, Field(discriminator="shape")]


class BaseAlternative(Frozen):
    """A size that a base may have, and how likely that is."""

    base: Base
    probability: Share


class Catalogue(Frozen):
    """The base sizes that may lie on this table. `rim_mm` is the height of a base's top edge above its ground."""

    bases: tuple[Base, ...] = Field(min_length=1)
    usual: tuple[Base, ...] = Field((), description="those of `bases` that are likelier; none: all are alike")
    rim_mm: float = Field(4.0, gt=0, description="height of the upper rim above the ground the base stands on")

    def log_prior(self, base: Base) -> float:
        """How likely this size is beside a usual one, as a log."""
        return 0.0 if not self.usual or base in self.usual else math.log(_UNUSUAL)

    def log_priors(self, standing: Mapping[Base, int], expected: Mapping[Base, int]) -> dict[Base, float]:
        """How likely each size is for a base that nobody measured so far, as a log, but for a constant.

        `standing`: how many of each size were measured on this table; `expected`: how many the lists name, if any do.
        """
        missing = {base: max(0, count - standing.get(base, 0)) for base, count in expected.items()}
        seen_weight, new = (_STANDING_BESIDE_MISSING, _UNLISTED) if any(missing.values()) else (1.0, _NEW_SIZE)
        return {
            base: math.log(
                missing.get(base, 0) + seen_weight * standing.get(base, 0) + new * math.exp(self.log_prior(base))
            )
            for base in self.bases
        }

    def with_usual(self, bases: Iterable[Base]) -> "Catalogue":
        """The same sizes and these, which are usual besides; where all are alike all stay so."""
        more = tuple(bases)
        usual = tuple(dict.fromkeys((*self.usual, *more))) if self.usual else ()
        return Catalogue(bases=tuple(dict.fromkeys((*self.bases, *more))), usual=usual, rim_mm=self.rim_mm)

    def narrowed(self) -> "Catalogue":
        """The usual sizes alone, for what is measured by them."""
        return Catalogue(bases=self.usual or self.bases, rim_mm=self.rim_mm)


def catalogue_of(editions: tuple[str, ...] = ()) -> Catalogue:
    """The sizes of these editions, each once; every size on sale when none is named."""
    chosen = editions or tuple(EDITION_BASES)
    seen = {base: None for edition in chosen for base in EDITION_BASES[edition]}
    return Catalogue(bases=tuple(seen))


def _round_bases(*diameters_mm: float) -> tuple[RoundBase, ...]:
    return tuple(RoundBase(diameter_mm=d) for d in diameters_mm)


def _rect_bases(*sides_mm: tuple[float, float]) -> tuple[RectBase, ...]:
    return tuple(RectBase(width_mm=w, depth_mm=d) for w, d in sides_mm)


_OPEN_ROUNDS_MM = (25, 28.5, 30, 32, 40, 50, 60, 80, 90, 100, 120, 130, 160)  # what is on sale, whatever the game
_OPEN_RECTS_MM = (
    (20, 20), (25, 25), (30, 30), (40, 40), (50, 50), (25, 50), (30, 60), (50, 75), (50, 100), (60, 100)
)  # fmt: skip
_OPEN_OVALS_MM = ((60, 35), (75, 42), (90, 52), (105, 70), (120, 92), (150, 95), (170, 109))

# Source: Prime, Base Size, p. 21; HORDES Mk II, Base Size; Errata & FAQ; Warhammer 9 base list by troop type.
EDITION_BASES: dict[str, tuple[RoundBase | RectBase | OvalBase, ...]] = {
    "warmachine-prime": _round_bases(30, 40, 50, 120),
    "hordes-mk2": _round_bases(30, 40, 50),
    "warmachine-mk1": _round_bases(30, 40, 50),
    "warhammer-9": _rect_bases((20, 20), (25, 25), (30, 30), (40, 40), (50, 50), (25, 50), (30, 60), (50, 75), (50,
        100), (60, 100)),
    OPEN_EDITION: (*_round_bases(*_OPEN_ROUNDS_MM), *_rect_bases(*_OPEN_RECTS_MM), *(OvalBase(width_mm=d,
        depth_mm=w) for w, d in _OPEN_OVALS_MM)),
}  # fmt: skip
