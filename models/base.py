"""Bases: the footprints of miniatures, and the sizes that are on sale."""

from typing import Annotated, Literal

from pydantic import Field

from models.frozen import Frozen
from models.words import Positive

Millimetres = Positive


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


class Catalogue(Frozen):
    """The base sizes that may lie on this table. `rim_mm` is the height of a base's top edge above its ground."""

    bases: tuple[Base, ...] = Field(min_length=1)
    rim_mm: float = Field(4.0, gt=0, description="height of the upper rim above the ground the base stands on")


def catalogue_of(editions: tuple[str, ...] = ()) -> Catalogue:
    """The sizes of these editions, each once; of every edition when none is named."""
    chosen = editions or tuple(EDITION_BASES)
    seen = {base: None for edition in chosen for base in EDITION_BASES[edition]}
    return Catalogue(bases=tuple(seen))


def _round(*diameters_mm: float) -> tuple[RoundBase, ...]:
    return tuple(RoundBase(diameter_mm=d) for d in diameters_mm)


def _rect(*sides_mm: tuple[float, float]) -> tuple[RectBase, ...]:
    return tuple(RectBase(width_mm=w, depth_mm=d) for w, d in sides_mm)


# Source: Prime, Base Size, p. 21; HORDES Mk II, Base Size; Errata & FAQ; Warhammer 9 base list by troop type.
EDITION_BASES: dict[str, tuple[RoundBase | RectBase | OvalBase, ...]] = {
    "warmachine-prime": _round(30, 40, 50, 120),
    "hordes-mk2": _round(30, 40, 50),
    "warmachine-mk1": _round(30, 40, 50),
    "warhammer-9": _rect(
        (20, 20), (25, 25), (30, 30), (40, 40), (50, 50), (25, 50), (30, 60), (50, 75), (50, 100), (60, 100)
    ),
}
