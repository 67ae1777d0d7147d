"""Scenes: what stands and lies on a piece of table, from one random stream."""

import numpy as np

from vision.training.scenes.assets import Assets
from vision.training.scenes.base_maker import HAND, MAT, MAT_PX_PER_MM, THING, BaseMaker, Scene, Spots
from vision.training.scenes.clutter_mesh import any_clutter, any_terrain, arm_meshes
from vision.training.scenes.footprint import Footprint, any_footprint
from vision.training.scenes.formations import place_cavalry, place_huddle, place_monster, place_ranks
from vision.training.scenes.mat_print import any_mat
from vision.training.scenes.mesh import Mesh, prism, rectangle
from vision.training.scenes.props_mesh import any_prop
from vision.training.scenes.surfaces import SurfaceBook, any_colour

Random = np.random.Generator
_BEYOND_MM = 70.0  # bases stand so far outside of the tile, too
_WITH_RECTANGLES = 0.25  # of scenes: few tables hold any, and walls, doors and crates look alike


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
    maker = BaseMaker(scene, random, assets, mat, wide)
    spots = Spots()
    with_rectangles = random.random() < _WITH_RECTANGLES
    if random.random() > 0.07:  # else a piece of table without bases
        if random.random() < 0.22:
            place_monster(maker, spots, random, side_mm)
        for _ in range(int(random.choice([0, 1, 1, 2]))):
            place_huddle(maker, spots, random, side_mm)
        if random.random() < 0.2:
            place_cavalry(maker, spots, random, side_mm)
        if with_rectangles and random.random() < 0.8:
            for _ in range(int(random.integers(1, 3))):
                place_ranks(maker, spots, random, side_mm)
        _scatter_bases(maker, spots, random, side_mm, with_rectangles=with_rectangles)
    _clutter(scene, spots, random, assets, side_mm)
    return scene


def _sheet(wide: float) -> Mesh:
    """The mat in cells, as large as what is seen of it."""
    half = wide / 2
    vertices = np.zeros((4, 8), np.float32)
    vertices[:, :2] = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    vertices[:, 5], vertices[:, 6:] = 1, (vertices[:, :2] / wide + 0.5) * 0.9999
    return Mesh(vertices, np.array([[0, 1, 2], [0, 2, 3]], np.int32))


def _scatter_bases(maker: BaseMaker, spots: Spots, random: Random, side_mm: float, *, with_rectangles: bool) -> None:
    """Skirmishers, knots in contact, and large bases with what stands on them."""
    kinds = [any_footprint(random, with_rectangles=with_rectangles) for _ in range(int(random.integers(1, 5)))]
    for _ in range(int(random.integers(0, 12))):
        shape = kinds[int(random.integers(len(kinds)))]
        for _ in range(12):
            x, y = (random.uniform(-0.5, 0.5, 2) * (side_mm + 2 * 0.6 * _BEYOND_MM)).tolist()
            if spots.taken and random.random() < 0.4:
                x, y = _place_near(random, shape, spots)
            if spots.is_free(x, y, shape.reach_mm):
                spots.taken.append((x, y, shape.reach_mm))
                look = maker.looks[int(random.integers(2))]
                maker.stand(
                    shape, look, (x, y), random.uniform(-np.pi, np.pi), ground=_ground(random, maker, x, y, shape)
                )
                break


def _ground(random: Random, maker: BaseMaker, x: float, y: float, shape: Footprint) -> float:
    """Mostly the table; now and then something low under the base: a book of terrain, a plate."""
    if random.random() > 0.06:
        return 0.0
    high = random.uniform(0.5, 5)
    wide = shape.reach_mm * random.uniform(2.3, 4)
    plate = prism(rectangle(wide, wide * random.uniform(0.85, 1.3)), 0.0, high)
    paint = maker.scene.book.paint(any_colour(random), grain=0.1)
    maker.scene.meshes.append(plate.moved((x, y, 0.0), turn_rad=random.uniform(0, 7)).of(paint, THING))
    return high


def _place_near(random: Random, shape: Footprint, spots: Spots) -> tuple[float, float]:
    a, b, reach = spots.taken[int(random.integers(len(spots.taken)))]
    angle, gap = random.uniform(0, 2 * np.pi), 0.02 if random.random() < 0.6 else random.uniform(0, 12)
    away = shape.reach_mm + reach + gap
    return float(a + away * np.cos(angle)), float(b + away * np.sin(angle))


def _clutter(scene: Scene, spots: Spots, random: Random, assets: Assets, side_mm: float) -> None:
    """Things and terrain between the bases; a tree may overhang, an arm may reach over all."""
    makers = [any_clutter] * int(random.integers(0, 4)) + [any_terrain] * int(random.integers(0, 3))
    makers += [any_prop] * int(random.integers(0, 6))
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
