"""Layout of a table: its size, the fiducials around it, the terrain on it."""

from typing import Literal

from pydantic import Field, model_validator

from models.frozen import Frozen
from models.terrain import Terrain
from models.vocabulary import NotNegative, Positive

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
    covariance_mm2: tuple[tuple[float, ...], ...] | None = Field(
        None, description="of places that were solved: covariance of the markers' middles (x, y, z of each, in order)"
    )
    scale_sigma: NotNegative = Field(0.0, description="how far all lengths together may be off besides, as a share")

    @model_validator(mode="after")
    def _covariance_is_one(self) -> "Fiducials":
        rows = self.covariance_mm2
        if rows is None:
            return self
        size = 3 * len(self.markers)
        if len(rows) != size or any(len(row) != size for row in rows):
            raise ValueError(f"covariance_mm2 of {len(self.markers)} markers has {size} rows of {size}")
        if any(rows[i][i] < 0 or abs(rows[i][j] - rows[j][i]) > 1e-9 for i in range(size) for j in range(i)):
            raise ValueError("covariance_mm2 must be symmetric, its diagonal not negative")
        return self

    @model_validator(mode="after")
    def _ids_are_unique(self) -> "Fiducials":
        if len({marker.id for marker in self.markers}) < len(self.markers):
            raise ValueError("two markers have the same id")
        return self


class NoFiducials(Fiducials):
    """Around a table whose corners were tapped instead; no file says so."""

    dictionary: str = "DICT_4X4_50"
    marker_mm: Positive = 1.0
    markers: tuple[Marker, ...] = ()


class Layout(Frozen):
    """What the camera needs to know of a table before it looks."""

    version: Literal[1] = 1
    table_mm: tuple[Positive, Positive]
    fiducials: Fiducials
    terrain: tuple[LayoutTerrain, ...] = ()
