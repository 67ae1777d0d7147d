"""Scenes: what stands and lies on a piece of table, from one random stream."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.arrays import Floats, Image, Reals
from vision.detection.network.channels import MARKINGS
from vision.training.scenes.assets import Assets
from vision.training.scenes.base_mesh import Look, Rim, any_look, base_meshes
from vision.training.scenes.clutter_mesh import any_clutter, any_terrain, arm_meshes
from vision.training.scenes.figure_mesh import figure_meshes
from vision.training.scenes.footprint import Footprint, any_footprint
from vision.training.scenes.mat_print import any_mat
from vision.training.scenes.mesh import Mesh, prism, rectangle
from vision.training.scenes.surfaces import SurfaceBook, any_colour, grey

Random = np.random.Generator
MAT, THING, HAND, FIRST_BASE = 0, 1, 2, 10  # owners of faces
MAT_PX_PER_MM = 2.0
_BEYOND_MM = 70.0  # bases stand so far outside of the tile, too


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
class _Spots:
    """Places that are taken: (x, y, reach) in mm."""

    taken: list[tuple[float, float, float]] = field(default_factory=list)

    def is_free(self, x: float, y: float, reach: float) -> bool:
        return all(np.hypot(x - a, y - b) > reach + other for a, b, other in self.taken)


def any_scene(random: Random, assets: Assets, side_mm: float) -> Scene:
    """A piece of table of this side and what is on and around it."""
    wide = side_mm + 2 * _BEYOND_MM
    mat, mat_kind = any_mat(random, assets.grounds, round(wide * MAT_PX_PER_MM), MAT_PX_PER_MM)
    book = SurfaceBook()
    gloss = random.choice([0.0, 0.0, 0.05, 0.35]) * random.random()
    skin = book.paint(
        texture=book.texture(mat), gloss=gloss, shininess=random.uniform(8, 90), grain=random.uniform(0, 0.06)
    )
    scene = Scene([_sheet(wide).of(skin, MAT)], book, [], mat_kind)
    maker = _BaseMaker(scene, random, assets, mat, wide)
    spots = _Spots()
    pick = random.random()
    if pick > 0.08:  # else an empty piece of table
        if random.random() < 0.34:
            for _ in range(int(random.integers(1, 3))):
                _rank_bases(maker, spots, random, side_mm)
        _scatter_bases(maker, spots, random, side_mm)
    _clutter(scene, spots, random, assets, side_mm)
    return scene


class _BaseMaker:
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
    ) -> None:
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
        self.scene.bases.append(Standing(shape, at, ground, turn, marking, unit is not None, set_rim))

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


def _sheet(wide: float) -> Mesh:
    """The mat in cells, as large as what is seen of it."""
    half = wide / 2
    vertices = np.zeros((4, 8), np.float32)
    vertices[:, :2] = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    vertices[:, 5], vertices[:, 6:] = 1, (vertices[:, :2] / wide + 0.5) * 0.9999
    return Mesh(vertices, np.array([[0, 1, 2], [0, 2, 3]], np.int32))


def _scatter_bases(maker: _BaseMaker, spots: _Spots, random: Random, side_mm: float) -> None:
    """Skirmishers, knots in contact, and large bases with what stands on them."""
    kinds = [any_footprint(random) for _ in range(int(random.integers(1, 5)))]
    for _ in range(int(random.integers(0, 15))):
        shape = kinds[int(random.integers(len(kinds)))]
        for _ in range(12):
            x, y = (random.uniform(-0.5, 0.5, 2) * (side_mm + 2 * 0.6 * _BEYOND_MM)).tolist()
            if spots.taken and random.random() < 0.4:
                x, y = _beside(random, shape, spots)
            if spots.is_free(x, y, shape.reach_mm):
                spots.taken.append((x, y, shape.reach_mm))
                look = maker.looks[int(random.integers(2))]
                maker.stand(
                    shape, look, (x, y), random.uniform(-np.pi, np.pi), ground=_ground(random, maker, x, y, shape)
                )
                break


def _ground(random: Random, maker: _BaseMaker, x: float, y: float, shape: Footprint) -> float:
    """Mostly the table; now and then something low under the base: a book of terrain, a plate."""
    if random.random() > 0.06:
        return 0.0
    high = random.uniform(0.5, 5)
    wide = shape.reach_mm * random.uniform(2.3, 4)
    plate = prism(rectangle(wide, wide * random.uniform(0.85, 1.3)), 0.0, high)
    paint = maker.scene.book.paint(any_colour(random), grain=0.1)
    maker.scene.meshes.append(plate.moved((x, y, 0.0), turn_rad=random.uniform(0, 7)).of(paint, THING))
    return high


def _beside(random: Random, shape: Footprint, spots: _Spots) -> tuple[float, float]:
    a, b, reach = spots.taken[int(random.integers(len(spots.taken)))]
    angle, gap = random.uniform(0, 2 * np.pi), 0.02 if random.random() < 0.6 else random.uniform(0, 12)
    away = shape.reach_mm + reach + gap
    return float(a + away * np.cos(angle)), float(b + away * np.sin(angle))


def _rank_bases(maker: _BaseMaker, spots: _Spots, random: Random, side_mm: float) -> None:
    """A unit in ranks and files, with or without a tray; its look and its figures are alike."""
    shape = any_footprint(random, kind="rect")
    if max(shape.width_mm, shape.depth_mm) > 60 or random.random() < 0.3:
        size = float(random.choice([20, 25, 25, 30, 40]))
        shape = Footprint("rect", size, size * float(random.choice([1.0, 1.0, 2.0])) if size < 40 else size)
    look, turn = maker.looks[int(random.integers(2))], random.uniform(-np.pi, np.pi)
    ranks, files = int(random.integers(1, 6)), int(random.integers(2, 8))
    loose = float(random.choice([0.05, 0.3, 1.0, 2.5]))
    middle = random.uniform(-0.4, 0.4, 2) * side_mm
    across, along = shape.width_mm + loose, shape.depth_mm + loose
    reach = float(np.hypot(files * across, ranks * along)) / 2
    if not spots.is_free(float(middle[0]), float(middle[1]), 0.8 * reach):
        return
    floor = _tray(maker, random, middle, turn, (ranks * along, files * across)) if random.random() < 0.45 else 0.0
    ahead, left = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    alike, unit = random.random() < 0.7, int(random.integers(1 << 30))
    for rank in range(ranks):
        for place in range(files):
            if rank == ranks - 1 and random.random() < 0.2:
                continue
            offset = left * (place - (files - 1) / 2) * across - ahead * (rank - (ranks - 1) / 2) * along
            x, y = (middle + offset + np.clip(random.normal(0, loose / 4, 2), -loose / 2, loose / 2)).tolist()
            maker.stand(
                shape,
                look,
                (x, y),
                turn + random.normal(0, 0.006 * loose),
                ground=floor,
                unit=unit if alike else unit + 7 * place + rank,
            )
    spots.taken.append((float(middle[0]), float(middle[1]), reach))


def _tray(maker: _BaseMaker, random: Random, middle: Floats, turn: float, size: tuple[float, float]) -> float:
    """A movement tray under a unit, mostly with lips that hide the lower rims; its floor's height."""
    floor, gap = random.uniform(0.6, 2), random.uniform(0.2, 1.5)
    colour = grey(random, 10, 60) if random.random() < 0.6 else any_colour(random)
    paint = maker.scene.book.paint(colour, grain=random.uniform(0, 0.15))
    wide, lip = random.uniform(1.2, 4), floor + random.uniform(1.5, 4.5)
    long, across = size[0] + 2 * gap, size[1] + 2 * gap
    parts = [prism(rectangle(long + 2 * wide, across + 2 * wide), 0.0, floor)]
    if random.random() < 0.75:
        for sign in (-1, 1):
            if sign < 0 or random.random() < 0.8:
                bar = rectangle(wide, across + 2 * wide) + np.array([sign * (long + wide) / 2, 0], np.float32)
                parts.append(prism(np.asarray(bar, np.float32), floor, lip))
            bar = rectangle(long, wide) + np.array([0, sign * (across + wide) / 2], np.float32)
            parts.append(prism(np.asarray(bar, np.float32), floor, lip))
    at = (float(middle[0]), float(middle[1]), 0.0)
    maker.scene.meshes += [part.moved(at, turn_rad=turn).of(paint, THING) for part in parts]
    return floor


def _clutter(scene: Scene, spots: _Spots, random: Random, assets: Assets, side_mm: float) -> None:
    """Things and terrain between the bases; a tree may overhang, an arm may reach over all."""
    makers = [any_clutter] * int(random.integers(0, 6)) + [any_terrain] * int(random.integers(0, 3))
    for make in makers:
        bodies = make(random, scene.book, assets)
        points = np.concatenate([body.vertices[:, :2] for body in bodies])
        reach = float(np.hypot(points[:, 0], points[:, 1]).max()) * (0.85 if random.random() < 0.15 else 1.0)
        for _ in range(6):
            x, y = (random.uniform(-0.5, 0.5, 2) * (side_mm + 80)).tolist()
            if spots.is_free(x, y, reach):
                turn = random.uniform(0, 7)
                scene.meshes += [body.moved((x, y, 0.0), turn_rad=turn).of(body.material, THING) for body in bodies]
                scene.clutter += 1
                spots.taken.append((x, y, 0.8 * reach))
                break
    if random.random() < 0.09:
        scene.meshes += [body.of(body.material, HAND) for body in arm_meshes(random, scene.book, assets, side_mm)]


def in_order(bases: Sequence[Standing]) -> Iterator[tuple[int, Standing]]:
    """Bases with the owner number of their faces."""
    for number, one in enumerate(bases):
        yield FIRST_BASE + number, one
