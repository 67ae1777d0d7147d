"""A table's layout: its size, the fiducials around it, the terrain on it."""

from typing import Literal

from pydantic import Field, model_validator

from models.frozen import Frozen
from models.terrain import Terrain
from models.words import NotNegative, Positive

Point3 = tuple[float, float, float]


class LayoutTerrain(Terrain):
    """Terrain as it lies there; `surface_mm` is the height of the ground under a base on it, `sigma_mm` its doubt."""


class Marker(Frozen):
    """A printed marker; corners in its own order: top-left, top-right, bottom-right, bottom-left, table millimetres."""

    id: int = Field(ge=0)
    corners_mm: tuple[Point3, Point3, Point3, Point3]


class Fiducials(Frozen):
    dictionary: str
    marker_mm: Positive
    markers: tuple[Marker, ...] = Field(min_length=1)
    sigma_mm: NotNegative = Field(0.1, description="how well the corners' places on the table are known, per axis")

    @model_validator(mode="after")
    def _ids_are_unique(self) -> "Fiducials":
        if len({marker.id for marker in self.markers}) < len(self.markers):
            raise ValueError("two markers have the same id")
        return self


class Layout(Frozen):
    """What the camera needs to know of a table before it looks."""

    version: Literal[1] = 1
    table_mm: tuple[Positive, Positive]
    fiducials: Fiducials
    terrain: tuple[LayoutTerrain, ...] = ()
