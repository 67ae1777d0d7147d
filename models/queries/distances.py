"""Distances: how far apart, within what, touching what, inside what."""

from typing import Literal

from pydantic import Field

from models.queries.base import (
    EVERY,
    ONLY,
    OPEN,
    PHM,
    BaseQuery,
    MiniatureId,
    MiniatureIds,
    Only,
    Place,
    RangeIn,
    ThingId,
)
from models.vocabulary import Word


class Distance(BaseQuery):
    """How far apart are they?

    Gives `distance_mm` (overlap is 0) and `pair`, the closest points.
    """

    EDITIONS = EVERY | OPEN
    RULES = {"warmachine-prime": "distance", "hordes-mk2": "distance", "warhammer-9": "unit-distance"}
    PLACES = ("a", "b")
    kind: Literal["distance"] = "distance"
    a: Place
    b: Place


class Within(BaseQuery):
    """Is B within X inches of A?

    Yes: some part of b is. Margin: limit - gap.
    """

    EDITIONS = EVERY | OPEN
    RULES = {"warmachine-prime": "within", "hordes-mk2": "within", "warmachine-mk1": "within"}
    PLACES = ("a", "b")
    kind: Literal["within"] = "within"
    a: Place
    b: ThingId
    range_in: RangeIn


class CompletelyWithin(BaseQuery):
    """Is all of B within X inches of A?

    Yes: its farthest point is. Margin: limit - farthest point of b.
    """

    EDITIONS = PHM | OPEN
    RULES = {
        "warmachine-prime": "completely-within",
        "hordes-mk2": "completely-within",
        "warmachine-mk1": "completely-within",
    }
    PLACES = ("a", "b")
    kind: Literal["completely-within"] = "completely-within"
    a: Place
    b: MiniatureId
    range_in: RangeIn


class InArea(BaseQuery):
    """Is it in that wood, cloud, zone?

    Yes: some part of the base is. Margin: how deep the base reaches into the area; just touching it is met
    (`area-touch`). Gives `completely`, the same for the whole base.
    """

    EDITIONS = EVERY | OPEN
    RULES = {"warmachine-prime": "terrain-within", "hordes-mk2": "in-area"}
    PLACES = ("who", "area")
    kind: Literal["in-area"] = "in-area"
    who: MiniatureId
    area: ThingId


class Aura(BaseQuery):
    """Who is within X inches of this?

    Gives members, `by_id` (`completely`, `distance_mm`) and `source_counts`. Without a range, the source's own: that of
    the named effect, of an effect on the table, or of a stat. Margin: that of the member nearest to the limit.
    """

    EDITIONS = EVERY | OPEN
    RULES = {
        "warmachine-prime": "within-model-area focus-induction",
        "hordes-mk2": "aura-members",
        "warhammer-9": "unit-within aura-terrain spell-distance-area",
        "warmachine-mk1": "effect-members",
    }
    PLACES = ("source",)
    kind: Literal["aura"] = "aura"
    source: Place
    range_in: RangeIn | None = None
    effect: Word | None = Field(None, description="or an effect that has its own range, such as control")
    only: Only | None = ONLY


class Nearest(BaseQuery):
    """Which one is nearest?

    Gives members by distance, the nearest answered yes, and `ties`. A member's margin: how much farther the nearest
    other one is.
    """

    EDITIONS = PHM | OPEN
    RULES = {"warmachine-prime": "nearest-model", "hordes-mk2": "nearest token-recipient"}
    PLACES = ("a", "among")
    kind: Literal["nearest"] = "nearest"
    a: Place
    among: MiniatureIds | None = Field(None, description="who may be it; everybody when left out")
    only: Only | None = ONLY


class B2b(BaseQuery):
    """Do they touch?

    Yes: bases touch (`contacts` first, else the tolerance). Margin: contact tolerance - gap. Gives `gap_mm`.
    """

    EDITIONS = PHM | OPEN
    RULES = {"warmachine-prime": "b2b", "hordes-mk2": "base-contact"}
    PLACES = ("a", "b")
    APART = (("a", "b"),)
    kind: Literal["b2b"] = "b2b"
    a: MiniatureId
    b: ThingId


class BasesClear(BaseQuery):
    """Does every base stand free of the others?

    Yes: none overlap. Margin: the least gap. Gives `pairs`, those that overlap. Bases known to touch do not overlap.
    """

    EDITIONS = EVERY | OPEN
    RULES = {"warmachine-prime": "overlap-audit"}
    PLACES = ("among",)
    kind: Literal["bases-clear"] = "bases-clear"
    among: MiniatureIds | None = Field(None, description="whose bases; everybody's when left out")
