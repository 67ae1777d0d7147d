"""Distances, contact, areas and arcs."""

from typing import Literal

from pydantic import Field

from models.queries.asked import (
    EVERY,
    ONLY,
    PH,
    PHM,
    Asked,
    Location,
    MiniatureId,
    Only,
    P,
    Place,
    RangeIn,
    ThingId,
)  # fmt: skip
from models.words import Word


class Distance(Asked):
    """How far apart are they?

    Gives `distance_mm` (overlap is 0) and `pair`, the closest points.
    """

    RULES = {
        "warmachine-prime": "distance",
        "hordes-mk2": "distance",
        "warhammer-9": "unit-distance",
    }
    PLACES = ("a", "b")
    kind: Literal["distance"] = "distance"
    a: Place
    b: Place


class Within(Asked):
    """Is B within X inches of A?

    Yes: some part of b is. Margin: limit - gap.
    """

    RULES = {
        "warmachine-prime": "within",
        "hordes-mk2": "within",
        "warmachine-mk1": "within",
    }
    PLACES = ("a", "b")
    kind: Literal["within"] = "within"
    a: Place
    b: ThingId
    range_in: RangeIn


class CompletelyWithin(Asked):
    """Is all of B within X inches of A?

    Yes: its farthest point is. Margin: limit - farthest point of b.
    """

    EDITIONS = PHM
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


class InArea(Asked):
    """Is it in that wood, cloud, zone?

    Yes: some part of the base is. Margin: how deep the base reaches into the area; just touching it is met
    (`area-touch`). Gives `completely`, the same for the whole base.
    """

    RULES = {
        "warmachine-prime": "terrain-within",
        "hordes-mk2": "in-area",
    }
    PLACES = ("who", "area")
    kind: Literal["in-area"] = "in-area"
    who: MiniatureId
    area: ThingId


class Aura(Asked):
    """Who is within X inches of this?

    Gives members, `by_id` (`completely`, `distance_mm`) and `source_counts`. Without a range, the source's own: that of
    the named effect, of an effect on the table, or of a stat. Margin: that of the member nearest to the limit.
    """

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


class Nearest(Asked):
    """Which one is nearest?

    Gives members by distance, the nearest answered yes, and `ties`. A member's margin: how much farther the nearest
    other one is.
    """

    EDITIONS = PH
    RULES = {
        "warmachine-prime": "nearest-model",
        "hordes-mk2": "nearest token-recipient",
    }
    PLACES = ("a", "among")
    kind: Literal["nearest"] = "nearest"
    a: Place
    among: tuple[MiniatureId, ...] | None = Field(None, description="who may be it; everybody when left out")
    only: Only | None = ONLY


class B2b(Asked):
    """Do they touch?

    Yes: bases touch (`contacts` first, else the tolerance). Margin: contact tolerance - gap. Gives `gap_mm`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "b2b",
        "hordes-mk2": "base-contact",
    }
    PLACES = ("a", "b")
    kind: Literal["b2b"] = "b2b"
    a: MiniatureId
    b: ThingId


class BasesClear(Asked):
    """Does every base stand free of the others?

    Yes: none overlap. Margin: the least gap. Gives `pairs`, those that overlap. Bases known to touch do not overlap.
    """

    RULES = {"warmachine-prime": "overlap-audit"}
    PLACES = ("among",)
    kind: Literal["bases-clear"] = "bases-clear"
    among: tuple[MiniatureId, ...] | None = Field(None, description="whose bases; everybody's when left out")


class InFrontArc(Asked):
    """Is B in my front arc (does A face B)?

    Yes: some part is. Margin: depth of the target in the arc.
    """

    RULES = {
        "warmachine-prime": "in-front-arc facing",
        "hordes-mk2": "facing",
        "warhammer-9": "model-arc in-front-arc-unit",
    }
    PLACES = ("viewer", "target")
    kind: Literal["in-front-arc"] = "in-front-arc"
    viewer: MiniatureId
    target: Place


class InBackArc(Asked):
    """Is B wholly behind A?

    Yes: no part is in front. Margin: clearance behind the arc line; touching it is not behind (`arc-line-touch`).
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "in-back-arc",
        "hordes-mk2": "completely-in-back-arc",
    }
    PLACES = ("viewer", "target")
    kind: Literal["in-back-arc"] = "in-back-arc"
    viewer: MiniatureId
    target: Place


class Arc(Asked):
    """Which arc or side of A is that in?

    Gives `arc` and `border_mm`, how far ahead of the arc line its foremost part lies (behind is negative).
    """

    EDITIONS = EVERY - {"hordes-mk2"}
    RULES = {
        "warmachine-prime": "point-in-arc",
        "warhammer-9": "unit-arc",
        "warmachine-mk1": "arc-of",
    }
    PLACES = ("viewer", "target")
    kind: Literal["arc"] = "arc"
    viewer: MiniatureId
    target: Place


class DirectlyFacing(Asked):
    """Does A look straight at B?

    Yes: its facing runs through B's centre within the tolerance. Margin in degrees: tolerance - error. Gives
    `error_deg`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "directly-facing",
        "hordes-mk2": "directly-facing",
        "warmachine-mk1": "facing-directly",
    }
    PLACES = ("viewer", "target")
    kind: Literal["directly-facing"] = "directly-facing"
    viewer: MiniatureId
    target: MiniatureId


class FieldOfFire(Asked):
    """Can that arm bear on it?

    Yes: some part of the target is in that quarter ahead. Margin: its depth there. Gives `fields`, every one it is in.
    """

    EDITIONS = P
    RULES = {"warmachine-prime": "field-of-fire"}
    PLACES = ("attacker", "target")
    kind: Literal["field-of-fire"] = "field-of-fire"
    attacker: MiniatureId
    target: MiniatureId
    location: Location = Field(description="the side the weapon is on")


class DamageGrid(Asked):
    """Which grid takes the damage?

    Gives `grid` and how deep the origin lies in each field. The origin is the attacker, or the point or effect the
    damage comes from; without one the damage comes from nowhere.
    """

    EDITIONS = P
    RULES = {"warmachine-prime": "colossal-damage-grid"}
    PLACES = ("target", "origin")
    kind: Literal["damage-grid"] = "damage-grid"
    target: MiniatureId
    origin: Place | None = Field(None, description="the attacker, or where the damage comes from; none when left out")


class DamageArc(Asked):
    """Does my shield count against this hit?

    Yes: the damage comes from the front. Margin: how far its origin lies ahead of the arc line. Gives `origin`, `arc`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "damage-arc arc-lightning-origin hazard-blast-origin",
        "hordes-mk2": "origin-of-damage",
        "warmachine-mk1": "damage-origin-arc",
    }
    PLACES = ("target", "attacker", "origin")
    kind: Literal["damage-arc"] = "damage-arc"
    target: MiniatureId
    attacker: MiniatureId | None = None
    origin: Place | None = Field(None, description="where the damage comes from, when not the attacker")
    cause: Literal["direct-hit", "blast", "chain", "free-strike", "effect"] = "direct-hit"
