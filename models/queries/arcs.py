"""Arcs: what lies in front, behind and in the field of an arm, and where damage comes from."""

from typing import Literal

from pydantic import Field

from models.queries.base import EVERY, OPEN, PHM, BaseQuery, Location, MiniatureId, P, Place


class InFrontArc(BaseQuery):
    """Is B in my front arc (does A face B)?

    Yes: some part is. Margin: depth of the target in the arc.
    """

    EDITIONS = EVERY | OPEN
    RULES = {
        "warmachine-prime": "in-front-arc facing",
        "hordes-mk2": "facing",
        "warhammer-9": "model-arc in-front-arc-unit",
    }
    PLACES = ("viewer", "target")
    APART = (("viewer", "target"),)
    kind: Literal["in-front-arc"] = "in-front-arc"
    viewer: MiniatureId
    target: Place


class InBackArc(BaseQuery):
    """Is B wholly behind A?

    Yes: no part is in front. Margin: clearance behind the arc line; touching it is not behind (`arc-line-touch`).
    """

    EDITIONS = PHM | OPEN
    RULES = {"warmachine-prime": "in-back-arc", "hordes-mk2": "completely-in-back-arc"}
    PLACES = ("viewer", "target")
    APART = (("viewer", "target"),)
    kind: Literal["in-back-arc"] = "in-back-arc"
    viewer: MiniatureId
    target: Place


class Arc(BaseQuery):
    """Which arc or side of A is that in?

    Gives `arc` and `border_mm`, how far ahead of the arc line its foremost part lies (behind is negative).
    """

    EDITIONS = EVERY | OPEN
    RULES = {"warmachine-prime": "point-in-arc", "warhammer-9": "unit-arc", "warmachine-mk1": "arc-of"}
    PLACES = ("viewer", "target")
    APART = (("viewer", "target"),)
    kind: Literal["arc"] = "arc"
    viewer: MiniatureId
    target: Place


class DirectlyFacing(BaseQuery):
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
    APART = (("viewer", "target"),)
    kind: Literal["directly-facing"] = "directly-facing"
    viewer: MiniatureId
    target: MiniatureId


class FieldOfFire(BaseQuery):
    """Can that arm bear on it?

    Yes: some part of the target is in that quarter ahead. Margin: its depth there. Gives `fields`, every one it is in.
    """

    EDITIONS = P
    RULES = {"warmachine-prime": "field-of-fire"}
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["field-of-fire"] = "field-of-fire"
    attacker: MiniatureId
    target: MiniatureId
    location: Location = Field(description="the side the weapon is on")


class DamageGrid(BaseQuery):
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


class DamageArc(BaseQuery):
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
