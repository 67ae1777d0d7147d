"""A miniature: the plastic, its base, where it stands and how surely we know."""

import math
from typing import Literal

from pydantic import Field, model_validator

from models.base import Base, BaseAlternative
from models.frozen import Frozen
from models.hint import Placement
from models.pose import FacingAlternative, Pose, Sigma
from models.profile import Profile
from models.turn import ThisTurn
from models.unit_conversion import radians
from models.vocabulary import Coordinate, Id, MiniatureType, NotNegative, Point, Role, Status

Matrix2 = tuple[tuple[float, float], tuple[float, float]]


class Lock(Frozen):
    """A headlock or weapon lock; `holder` says whether this miniature holds it."""

    kind: Literal["headlock", "weapon-lock"]
    partner: Id
    holder: bool
    weapon: str | None = None


class Miniature(Frozen):
    """One miniature. Positions are millimetres in the table frame, `facing_deg` anticlockwise from +x."""

    id: Id
    name: str | None = None
    side: str | None = None
    owner: str | None = None
    type: MiniatureType | None = None
    base: Base
    base_alternatives: tuple[BaseAlternative, ...] = Field(
        (), description="the sizes that its base may have, likeliest first, where a picture leaves it open"
    )
    at_mm: Point
    facing_deg: float | None = None
    facing_alternatives: tuple[FacingAlternative, ...] = ()
    elevation_mm: Coordinate | None = Field(None, description="height of the ground it stands on")
    sigma: Sigma = Sigma()
    covariance_mm2: Matrix2 | None = Field(None, description="may stand for sigma.at_mm")
    placement: Placement | None = Field(
        None,
        description="a person says that it stands there: its place is measured in the picture, or was placed by hand",
    )
    front_arc_deg: Literal[180, 360] | None = None
    body_mm: NotNegative | None = None
    head_mm: NotNegative | None = None
    held_mm: tuple[tuple[float, float, float], ...] = ()
    outline_mm: tuple[Point, ...] | None = Field(None, min_length=3)
    firing_point_mm: Point | None = None
    crew: int = Field(0, ge=0)
    unit: Id | None = None
    rank: int | None = Field(None, ge=0)
    file: int | None = Field(None, ge=0)
    role: tuple[Role, ...] = ()
    controller: Id | None = None
    status: tuple[Status, ...] = ()
    lock: Lock | None = None
    inside: Id | None = None
    before: Pose | None = None
    this_turn: ThisTurn = ThisTurn()
    profile: Profile = Profile()

    @property
    def facing_rad(self) -> float | None:
        return None if self.facing_deg is None else radians(self.facing_deg)

    def covariance(self) -> Matrix2:
        """Covariance of the position in mm², whichever way it was written."""
        if self.covariance_mm2 is not None:
            return self.covariance_mm2
        variance = self.sigma.at_mm**2
        return ((variance, 0.0), (0.0, variance))

    def is_exact(self) -> bool:
        """Whether nothing about it is in doubt: no sigma and no second facing."""
        (a, _), (_, d) = self.covariance()
        return a == d == 0 and self.sigma == Sigma() and not self.facing_alternatives

    def has(self, ability: str) -> bool:
        return ability in self.profile.abilities

    def without(self, unknown_words: frozenset[str]) -> "Miniature":
        """The same miniature as one reads it who does not know these abilities and statuses."""
        if unknown_words.isdisjoint(self.profile.abilities) and unknown_words.isdisjoint(self.status):
            return self
        kept = {"status": [word for word in self.status if word not in unknown_words]}
        abilities = [word for word in self.profile.abilities if word not in unknown_words]
        return type(self).model_validate(
            self.model_dump() | kept | {"profile": self.profile.model_dump() | {"abilities": abilities}}
        )

    def with_place(self, at_mm: Point, *, facing_deg: float | None = None) -> "Miniature":
        """The same miniature elsewhere."""
        return type(self).model_validate(self.model_dump() | {"at_mm": at_mm, "facing_deg": facing_deg})

    def displaced(self, at_mm: Point, *, facing_deg: float | None, elevation_mm: float | None = None) -> "Miniature":
        """The same miniature a little elsewhere, and what it did begins or ends there; nothing is checked again."""
        turn = self.this_turn
        if turn.path_mm is not None:
            path = tuple(at_mm if point == self.at_mm else point for point in turn.path_mm)
            turn = turn.model_copy(update={"path_mm": path})
        changes: dict[str, object] = {
            "at_mm": at_mm,
            "facing_deg": facing_deg,
            "elevation_mm": elevation_mm,
            "this_turn": turn,
        }
        if self.outline_mm is not None:
            dx, dy = at_mm[0] - self.at_mm[0], at_mm[1] - self.at_mm[1]
            changes["outline_mm"] = tuple((x + dx, y + dy) for x, y in self.outline_mm)
        return self.model_copy(update=changes)

    @model_validator(mode="after")
    def _covariance_is_one(self) -> "Miniature":
        if self.covariance_mm2 is None:
            return self
        (a, b), (c, d) = self.covariance_mm2
        if not math.isclose(b, c, abs_tol=1e-12) or a < 0 or d < 0 or a * d - b * c < -1e-12:
            raise ValueError("covariance_mm2 must be symmetric and not negative")
        return self
