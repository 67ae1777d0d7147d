"""Base maker: sets bases with their figures into a scene, and keeps the places that are taken."""

from dataclasses import dataclass, field

import numpy as np

from calibration.arrays import Image, Reals
from vision.detection.network.channels import MARKINGS
from vision.training.scenes.assets import Assets
from vision.training.scenes.base_mesh import Look, Rim, any_look, base_meshes
from vision.training.scenes.figure_mesh import figure_meshes
from vision.training.scenes.footprint import Footprint
from vision.training.scenes.mesh import Mesh
from vision.training.scenes.surfaces import SurfaceBook

Random = np.random.Generator
MAT, THING, HAND, FIRST_BASE = 0, 1, 2, 10  # owners of faces
MAT_PX_PER_MM = 2.0


@dataclass(frozen=True)
class Standing:
    """A base that stands: where, on what height, facing where, and its rim in table mm."""

    shape: Footprint
    at_mm: tuple[float, float]
    ground_mm: float
    turn_rad: float
    marking: int
    is_ranked: bool
    rim: Rim


@dataclass
class Scene:
    """Bodies with their materials; the mat is the first. The origin is the tile's middle."""

    meshes: list[Mesh]
    book: SurfaceBook
    bases: list[Standing]
    mat_kind: str
    clutter: int = 0


@dataclass
class Spots:
    """Places that are taken: (x, y, reach) in mm."""

    taken: list[tuple[float, float, float]] = field(default_factory=list)

    def is_free(self, x: float, y: float, reach: float) -> bool:
        return all(np.hypot(x - a, y - b) > reach + other for a, b, other in self.taken)


class BaseMaker:
    """Sets bases with their figures into a scene, painted by two armies."""

    def __init__(self, scene: Scene, random: Random, assets: Assets, mat: Image, wide_mm: float) -> None:
        self.scene, self._random, self._assets, self._mat, self._wide_mm = scene, random, assets, mat, wide_mm
        self.looks = [any_look(random, assets.grounds, mat) for _ in range(2)]

    def stand(
        self,
        shape: Footprint,
        look: Look,
        at: tuple[float, float],
        turn: float,
        *,
        ground: float = 0.0,
        unit: int | None = None,
        is_ranked: bool = False,
    ) -> None:
        """A base; those of one `unit` carry figures alike."""
        owner = FIRST_BASE + len(self.scene.bases)
        bodies, rim = base_meshes(shape, look, self._random, self.scene.book, self._under(at, shape.reach_mm))
        place = (at[0], at[1], ground)
        self.scene.meshes += [body.moved(place, turn_rad=turn).of(body.material, owner) for body in bodies]
        like = self._random if unit is None else np.random.default_rng(unit)
        figure = figure_meshes(shape, like, self.scene.book, self._assets)
        lean = turn + self._random.normal(0, 0.35)
        top = (at[0], at[1], ground + look.top_mm - 0.2)
        self.scene.meshes += [body.moved(top, turn_rad=lean).of(body.material, THING) for body in figure]
        marking = MARKINGS.index(look.marking) if len(rim.marks) else 0
        set_rim = Rim(*(_transform_points(points, place, turn) for points in (rim.bottom, rim.top, rim.marks)))
        self.scene.bases.append(Standing(shape, at, ground, turn, marking, is_ranked, set_rim))

    def _under(self, at: tuple[float, float], reach: float) -> Image:
        """The mat under a place, for bases one looks through."""
        side = max(16, int(2 * reach * MAT_PX_PER_MM))
        column = int((at[0] - reach + self._wide_mm / 2) * MAT_PX_PER_MM)
        row = int((at[1] - reach + self._wide_mm / 2) * MAT_PX_PER_MM)
        limit = self._mat.shape[0] - side
        column, row = int(np.clip(column, 0, limit)), int(np.clip(row, 0, limit))
        return self._mat[row : row + side, column : column + side]


def _transform_points(points: Reals, at: tuple[float, float, float], turn: float) -> Reals:
    cos, sin = np.cos(turn), np.sin(turn)
    made = points.copy()
    made[:, :2] = points[:, :2] @ np.array([[cos, sin], [-sin, cos]])
    return np.asarray(made + np.asarray(at), np.float32)
