"""Terrain, effects, objectives and zones: what lies on the table besides miniatures."""

from pydantic import Field, model_validator

from models.frozen import Frozen
from models.shape import OutlineFields
from models.vocabulary import (
    BlocksSight,
    Coordinate,
    EffectKind,
    Grants,
    Ground,
    Id,
    NotNegative,
    ObjectiveKind,
    Point,
    Positive,
    TerrainKind,
    Word,
    ZoneKind,
)


class Opening(Frozen):
    """A door the players agreed on."""

    at_mm: Point
    to_mm: Point
    bases_mm: tuple[float, ...] = ()


class Terrain(OutlineFields):
    """A piece of terrain; every property given here overrides what its kind gives in the edition."""

    id: Id
    kind: TerrainKind
    height_mm: NotNegative | None = Field(None, description="top above the table")
    bottom_mm: Coordinate = 0.0
    surface_mm: Coordinate | None = Field(None, description="ground under a base that stands there")
    ground: Ground | None = None
    grants: Grants | None = None
    blocks_sight: BlocksSight | None = None
    elevates: bool | None = None
    level: float | None = None
    stand_on: bool | None = None
    sheer: bool | None = None
    floors: int | None = None
    openings: tuple[Opening, ...] = ()
    material: Word | None = None
    complex: bool = False
    sections: tuple[tuple[Point, ...], ...] = ()
    radius_in: Positive | None = None
    effect: Word | None = None
    secret: bool = False

    @model_validator(mode="after")
    def _has_outline(self) -> "Terrain":
        if not self.has_outline():
            raise ValueError("terrain needs polygon_mm, centre_mm + diameter_mm or line_mm + thickness_mm")
        return self


class Effect(OutlineFields):
    """A cloud, aura, template or marker; it may stand `on` a thing with `radius_in` from its edge."""

    id: Id
    kind: EffectKind
    name: str | None = None
    by: Id | None = None
    side: str | None = None
    on: Id | None = None
    radius_in: Positive | None = None
    ground: Ground | None = None
    grants: Grants | None = None
    blocks_sight: BlocksSight | None = None
    hazard: Word | None = None
    counts_source: bool | None = None
    heading_deg: float | None = None


class Objective(Frozen):
    """A flag, marker, treasure or tower; or the terrain piece it is."""

    id: Id
    kind: ObjectiveKind
    at_mm: Point | None = None
    diameter_mm: Positive = 40.0
    terrain: Id | None = None


class Zone(OutlineFields):
    """A scenario area, or where whose army may start."""

    id: Id
    kind: ZoneKind
    side: str | None = None
