"""Scenes: what stands and lies on a piece of table, from one random stream.

Formations: ranks and files on trays, huddles two to four deep, cavalry side by side, and monsters.
"""

import numpy as np

from calibration.arrays import Floats
from vision.detection.network.channels import SIZES
from vision.training.scenes.assets import Assets
from vision.training.scenes.base_mesh import HAND, MAT, MAT_PX_PER_MM, THING, BaseMaker, Scene, Spots
from vision.training.scenes.clutter_mesh import any_clutter, any_terrain, arm_meshes
from vision.training.scenes.footprint import Footprint, any_footprint
from vision.training.scenes.mat_print import any_mat
from vision.training.scenes.mesh import Mesh, prism, rectangle
from vision.training.scenes.props_mesh import any_prop
from vision.training.scenes.surfaces import SurfaceBook, any_colour, grey

Random = np.random.Generator
_BEYOND_MM = 70.0  # bases stand so far outside of the tile, too
_WITH_RECTANGLES = 0.25  # of other scenes: few tables hold any, and walls, doors and crates look alike
_PARADES = 0.3  # of scenes: regiments drawn up on a plain mat


def any_scene(random: Random, assets: Assets, side_mm: float) -> Scene:
    """A piece of table of this side and what is on and around it."""
    wide = side_mm + 2 * _BEYOND_MM
    is_parade = random.random() < _PARADES
    kind = "plain" if is_parade else None
    mat, mat_kind = any_mat(random, assets.grounds, round(wide * MAT_PX_PER_MM), MAT_PX_PER_MM, kind=kind)
    book = SurfaceBook()
    gloss = random.choice([0.0, 0.0, 0.05, 0.35]) * random.random()
    skin = book.paint(
        texture=book.texture(mat), gloss=gloss, shininess=random.uniform(8, 90), grain=random.uniform(0, 0.06)
    )
    scene = Scene([_sheet(wide).of(skin, MAT)], book, [], mat_kind)
    maker = BaseMaker(scene, random, assets, mat, wide)
    spots = Spots()
    with_rectangles = is_parade or random.random() < _WITH_RECTANGLES
    if random.random() > 0.07:  # else a piece of table without bases
        if random.random() < 0.22:
            place_monster(maker, spots, random, side_mm)
        for _ in range(0 if is_parade else int(random.choice([0, 1, 1, 2]))):
            place_huddle(maker, spots, random, side_mm)
        if random.random() < 0.2:
            place_cavalry(maker, spots, random, side_mm)
        if is_parade or (with_rectangles and random.random() < 0.8):
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


_HUDDLE_REACH_MM = 26.0  # of bases that stand in huddles
_CAVALRY = ((60, 35), (60, 35), (70, 25), (75, 42), (75, 42), (75, 46), (90, 52))
_MONSTER_LONG_MM = 80.0


def place_ranks(maker: BaseMaker, spots: Spots, random: Random, side_mm: float) -> None:
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
                is_ranked=True,
            )
    spots.taken.append((float(middle[0]), float(middle[1]), reach))


def _tray(maker: BaseMaker, random: Random, middle: Floats, turn: float, size: tuple[float, float]) -> float:
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


def place_huddle(maker: BaseMaker, spots: Spots, random: Random, side_mm: float) -> None:
    """Figures of one army, two to four deep and mostly in contact: the next base and those who lean over hide rims."""
    shape = any_footprint(random, kind="round" if random.random() < 0.75 else "oval")
    while shape.reach_mm > _HUDDLE_REACH_MM:
        shape = any_footprint(random, kind="round")
    _place_lattice(maker, spots, random, side_mm, shape, (int(random.integers(2, 5)), int(random.integers(2, 8))))


def place_cavalry(maker: BaseMaker, spots: Spots, random: Random, side_mm: float) -> None:
    """Ovals side by side, in one or two ranks."""
    long, short = _CAVALRY[int(random.integers(len(_CAVALRY)))]
    shape = Footprint("oval", float(short), float(long))
    _place_lattice(maker, spots, random, side_mm, shape, (int(random.integers(1, 3)), int(random.integers(2, 6))))


def _place_lattice(
    maker: BaseMaker, spots: Spots, random: Random, side_mm: float, shape: Footprint, size: tuple[int, int]
) -> None:
    """Bases in ranks that need not be straight: rank after rank in line or in the gaps of the one before."""
    gap = float(random.choice([0.05, 0.05, 0.5, 2.0, 6.0]))
    in_gaps = shape.kind == "round" and random.random() < 0.5
    across, along = shape.width_mm + gap, (shape.depth_mm + gap) * (0.87 if in_gaps else 1.0)
    ranks, files = size
    turn, middle = random.uniform(-np.pi, np.pi), random.uniform(-0.45, 0.45, 2) * side_mm
    reach = float(np.hypot(files * across, ranks * along)) / 2
    if not spots.is_free(float(middle[0]), float(middle[1]), 0.7 * reach):
        return
    ahead, left = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    look, unit, loose = maker.looks[int(random.integers(2))], int(random.integers(1 << 30)), random.uniform(0, 0.4)
    alike = random.random() < 0.3
    for rank in range(ranks):
        for place in range(files):
            if random.random() < 0.12:
                continue
            shift = 0.5 * (rank % 2) if in_gaps else 0.0
            offset = left * (place + shift - (files - 1) / 2) * across - ahead * (rank - (ranks - 1) / 2) * along
            x, y = (middle + offset + random.uniform(-gap / 2, gap / 2, 2)).tolist()
            own = turn + random.normal(0, loose if shape.kind == "round" else 0.02 * gap)
            maker.stand(shape, look, (x, y), own, unit=unit if alike else unit + 7 * place + rank)
    spots.taken.append((float(middle[0]), float(middle[1]), 0.85 * reach))


def place_monster(maker: BaseMaker, spots: Spots, random: Random, side_mm: float) -> None:
    """A large round or oval base, some of it perhaps beyond the tile."""
    sizes = [size for size in SIZES if size[0] != "rect" and size[1] >= _MONSTER_LONG_MM]
    kind, long, short = sizes[int(random.integers(len(sizes)))]
    shape = Footprint(kind, short, long)
    for _ in range(8):
        x, y = (random.uniform(-0.5, 0.5, 2) * side_mm).tolist()
        if spots.is_free(x, y, shape.reach_mm):
            spots.taken.append((x, y, shape.reach_mm))
            maker.stand(shape, maker.looks[int(random.integers(2))], (x, y), random.uniform(-np.pi, np.pi))
            return
