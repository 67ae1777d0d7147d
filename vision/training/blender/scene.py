"""The table, what stands on it that is no base, and the lamps."""

import math
import random as dice
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Euler, Matrix, Vector

from vision.training.blender import materials
from vision.training.blender.bases import OVAL, RANKED, ROUND, SINGLE, Base
from vision.training.blender.meshes import ball, beam, cube, cylinder, loft, place_mesh, stone

VIEWS = ("overhead-4k", "overhead-1080p", "phone", "phone-3mp")
_PHONES = {"phone": ((4032, 3024), 3000.0), "phone-3mp": ((2016, 1512), 1500.0)}  # as a phone takes it, and sent on
_SENSOR_MM = 36.0


@dataclass(frozen=True)
class View:
    """A pinhole camera: picture size and focal length in px, and its place and axes in Blender's convention."""

    name: str
    size: tuple[int, int]
    focal_px: float
    blender: Any  # 4 x 4, table from camera; the camera looks along its -z

    def shows(self, x_mm: float, y_mm: float, z_mm: float, *, reach_mm: float) -> bool:
        """Whether all within this reach of the point is in the picture."""
        seen = self.blender.inverted() @ Vector((x_mm, y_mm, z_mm))
        reach = reach_mm * self.focal_px / -seen.z
        return all(
            abs(at * self.focal_px / -seen.z) + reach < (side - 1) / 2
            for at, side in zip(seen[:2], self.size, strict=True)
        )

    def truth(self) -> dict[str, Any]:
        rotation = np.diag([1.0, -1.0, -1.0]) @ np.array(self.blender.to_3x3()).T
        width, height = self.size
        return {
            "image_size": list(self.size),
            "K": [[self.focal_px, 0, (width - 1) / 2], [0, self.focal_px, (height - 1) / 2], [0, 0, 1]],
            "dist_k1k2p1p2k3": [0.0] * 5,
            "R_table_to_camera": rotation.tolist(),
            "t_mm": (-rotation @ np.array(self.blender.translation)).tolist(),
            "camera_centre_mm": list(self.blender.translation),
            "pixel_convention": "integer coordinates at pixel centres (OpenCV)",
        }


def any_view(name: str, width_mm: float, depth_mm: float, random: dice.Random) -> View:
    """A camera of this kind that has the whole table and its fiducials in sight."""
    middle = (width_mm / 2, depth_mm / 2)
    if name in _PHONES:
        size, focal = _PHONES[name]
        angle, slant, away = random.uniform(0, 6.28), random.uniform(0.45, 0.75), 1.25 * max(width_mm, depth_mm)
        flat = away * math.sin(slant)
        centre = Vector(
            (middle[0] + flat * math.cos(angle), middle[1] + flat * math.sin(angle), away * math.cos(slant))
        )
        aim = (Vector((*middle, 0.0)) - centre).to_track_quat("-Z", "Y")
        return View(name, size, focal, Matrix.LocRotScale(centre, aim, None))
    size = (3840, 2160) if name == "overhead-4k" else (1920, 1080)
    high = random.uniform(1400, 1600)
    focal = 0.94 * min(size[0] / (width_mm + 250), size[1] / (depth_mm + 250)) * high
    lean = Euler([random.gauss(0, 0.02) for _ in range(3)])
    # hung so that it looks at the middle of the table in spite of its lean
    off = (-high * math.tan(lean.y) + random.gauss(0, 8), high * math.tan(lean.x) + random.gauss(0, 8))
    centre = Vector((middle[0] - off[0], middle[1] - off[1], high))
    return View(name, size, focal, Matrix.LocRotScale(centre, lean, None))


def render_view(view: View, path: Path, random: dice.Random, *, samples: int) -> None:
    """Renders the scene, and does to it what a camera's own program does."""
    scene = bpy.context.scene
    _set_up(scene, view, samples)
    raw = path.with_suffix(".png")
    scene.render.filepath = str(raw)
    bpy.ops.render.render(write_still=True)
    picture = np.asarray(cv2.imread(str(raw)), np.float32)
    raw.unlink()
    noise = np.random.default_rng(random.getrandbits(32))
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), random.uniform(0.4, 0.9)), np.float64)
    soft += noise.normal(0, random.uniform(0.5, 3.0), soft.shape) + random.uniform(-6, 6)
    cv2.imwrite(str(path), np.clip(soft, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, random.randint(80, 95)])


def _set_up(scene: Any, view: View, samples: int) -> None:
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", _SENSOR_MM
    lens.lens = view.focal_px / view.size[0] * _SENSOR_MM
    lens.clip_start, lens.clip_end = 10, 20_000
    camera = bpy.data.objects.new("camera", lens)
    camera.matrix_world = view.blender
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine = "CYCLES"
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False
    scene.cycles.max_bounces = 2
    scene.cycles.use_adaptive_sampling = True
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.resolution_x, scene.render.resolution_y = view.size
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"


def skirmish(random: dice.Random, count: int, width_mm: float, depth_mm: float, taken: list[Base]) -> Iterator[Base]:
    """Round, oval and single rectangular bases; a third stands in contact with, or close by, another."""
    for _ in range(count):
        shape, wide, long = _size(random)
        for _ in range(60):
            reach = math.hypot(wide, long) / 2 if shape == "rect" else max(wide, long) / 2
            x, y = random.uniform(reach, width_mm - reach), random.uniform(reach, depth_mm - reach)
            if taken and random.random() < 0.35:
                other, angle = random.choice(taken), random.uniform(0, 6.28)
                away = reach + other.reach_mm + random.choice([0.0, 0.0, random.uniform(0, 10)])
                x, y = other.x_mm + away * math.cos(angle), other.y_mm + away * math.sin(angle)
            base = Base(shape, wide, long, x, y, random.uniform(-math.pi, math.pi))
            if _fits(base, taken, width_mm, depth_mm):
                taken.append(base)
                yield base
                break


def _size(random: dice.Random) -> tuple[str, float, float]:
    pick = random.random()
    if pick < 0.72:
        size = float(random.choice(ROUND))
        return "round", size, size
    if pick < 0.86:
        long, wide = random.choice(OVAL)
        return ("oval", wide, long) if random.random() < 0.7 else ("oval", long, wide)
    wide, long = random.choice(SINGLE)
    return "rect", wide, long


def regiment(random: dice.Random, name: str, width_mm: float, depth_mm: float, taken: list[Base]) -> list[Base]:
    """A unit in ranks and files, its last rank perhaps not full; empty when no room was found."""
    wide, long = random.choice(RANKED)
    ranks, files = random.randint(1, 5), random.randint(3, 7)
    facing, gap = random.uniform(-math.pi, math.pi), random.choice([0.1, 0.6, 1.5])
    last = random.randint(1, files)
    cos, sin = math.cos(facing), math.sin(facing)
    reach = math.hypot(files * (wide + gap), ranks * (long + gap)) / 2
    for _ in range(60):
        x, y = random.uniform(reach, width_mm - reach), random.uniform(reach, depth_mm - reach)
        if all(math.hypot(x - b.x_mm, y - b.y_mm) > reach + b.reach_mm for b in taken):
            break
    else:
        return []
    members = []
    for rank in range(ranks):
        for file in range(files if rank < ranks - 1 else last):
            ahead = (ranks / 2 - rank - 0.5) * (long + gap) + random.gauss(0, gap / 5)
            left = (files / 2 - file - 0.5) * (wide + gap) + random.gauss(0, gap / 5)
            at = x + ahead * cos - left * sin, y + ahead * sin + left * cos
            members.append(Base("rect", wide, long, *at, facing + random.gauss(0, 0.01 * gap), unit=(name, rank, file)))
    taken += members
    return members


def spot(
    random: dice.Random, width_mm: float, depth_mm: float, taken: list[Base], *, reach_mm: float
) -> tuple[float, float] | None:
    """Somewhere this far from every base."""
    for _ in range(40):
        x, y = random.uniform(0, width_mm), random.uniform(0, depth_mm)
        if all(math.hypot(x - b.x_mm, y - b.y_mm) > reach_mm + b.reach_mm for b in taken):
            return x, y
    return None


def _fits(base: Base, taken: list[Base], width_mm: float, depth_mm: float) -> bool:
    on = all(base.reach_mm <= at <= side - base.reach_mm for at, side in ((base.x_mm, width_mm), (base.y_mm, depth_mm)))
    return on and all(
        math.hypot(base.x_mm - b.x_mm, base.y_mm - b.y_mm) >= base.reach_mm + b.reach_mm - 1e-6 for b in taken
    )


TAG_MM = 80.0


def lay_table(width_mm: float, depth_mm: float, random: dice.Random) -> str:
    """The mat and the furniture under it; the mat's name."""
    name = random.choice(materials.MATS)
    middle = (width_mm / 2, depth_mm / 2)
    place_mesh(cube(), materials.ground(name, random), at=(*middle, -2), size=(width_mm / 0.999, depth_mm / 0.999, 4))
    place_mesh(cube(), materials.ground("planks", random), at=(*middle, -12), size=(width_mm + 700, depth_mm + 700, 20))
    place_mesh(cube(), materials.plain((0.2, 0.2, 0.22, 1)), at=(*middle, -720), size=(9000, 9000, 10))
    return name


def fiducials(width_mm: float, depth_mm: float, folder: Path) -> dict[str, Any]:
    """Four AprilTags beside the corners, printed on paper that lies on the furniture; as a layout names them."""
    far, side = 30.0, TAG_MM
    lefts = (
        (0, 10.0, -far),
        (1, width_mm - 10 - side, -far),
        (2, width_mm - 10 - side, depth_mm + far + side),
        (3, 10.0, depth_mm + far + side),
    )
    markers = []
    for number, left, top in lefts:
        _tag(number, left, top, folder)
        corners = [[left, top, 0.0], [left + side, top, 0.0], [left + side, top - side, 0.0], [left, top - side, 0.0]]
        markers.append({"id": number, "corners_mm": corners})
    return {"dictionary": "APRILTAG_36h11", "marker_mm": TAG_MM, "markers": markers}


def _tag(number: int, left: float, top: float, folder: Path) -> None:
    cells, dot = 10, 20  # 8 cells and a white border of one
    paper = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), number, 8 * dot
    )
    sheet = cv2.copyMakeBorder(paper, dot, dot, dot, dot, cv2.BORDER_CONSTANT, value=255)
    path = folder / f".tag{number}.png"
    cv2.imwrite(str(path), sheet)
    side = TAG_MM * cells / 8
    x, y = left - TAG_MM / 8, top + TAG_MM / 8 - side
    mesh = bpy.data.meshes.new("sheet")
    mesh.from_pydata([(x, y, 0), (x + side, y, 0), (x + side, y + side, 0), (x, y + side, 0)], [], [(0, 1, 2, 3)])
    corners = mesh.uv_layers.new().data
    for loop, at in zip(corners, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        loop.uv = at
    place_mesh(mesh, materials.printed_paper(str(path.resolve())), at=(0, 0, 0))
    place_mesh(
        cube(), materials.plain((0.8, 0.8, 0.8, 1)), at=(x + side / 2, y + side / 2, -1.05), size=(side, side, 2)
    )


def hill(x: float, y: float, random: dice.Random, *, high: float) -> list[list[float]]:
    """A hill with a flat top; the top's polygon."""
    corners, reach = random.randint(9, 20), random.uniform(80, 150)
    radii = [reach * random.uniform(0.8, 1.0) for _ in range(corners)]

    def ring(grow: float) -> list[tuple[float, float]]:
        return [
            ((r + grow) * math.cos(2 * math.pi * k / corners), (r + grow) * math.sin(2 * math.pi * k / corners))
            for k, r in enumerate(radii)
        ]

    slope = random.uniform(3, 18)
    place_mesh(
        loft([(ring(slope), 0.0), (ring(0), high)]),
        materials.ground(random.choice(materials.MATS), random),
        at=(x, y, 0),
    )
    return [[x + a, y + b] for a, b in ring(0)]


def piece(kind: str, x: float, y: float, random: dice.Random) -> dict[str, Any]:
    """A wall, a building, a wood, rubble or a pond, as a layout names it."""
    turn = random.uniform(0, 6.28)
    return _raised_piece(kind, x, y, turn, random) if kind in ("wall", "building") else _flat(kind, x, y, random)


def _raised_piece(kind: str, x: float, y: float, turn: float, random: dice.Random) -> dict[str, Any]:
    is_wall = kind == "wall"
    high = random.uniform(15, 40) if is_wall else random.uniform(50, 100)
    wide = random.uniform(60, 140) if is_wall else random.uniform(70, 130)
    deep = random.uniform(8, 16) if is_wall else random.uniform(60, 110)
    paint = materials.ground(random.choice(("cobbles", "planks", "sand")), random, grain_mm=8)
    place_mesh(cube(), paint, at=(x, y, high / 2), turn=turn, size=(wide, deep, high))
    half = [(wide / 2, deep / 2), (-wide / 2, deep / 2), (-wide / 2, -deep / 2), (wide / 2, -deep / 2)]
    return {"kind": kind, "height_mm": high, "polygon_mm": [_rotate(a, b, turn, x, y) for a, b in half]}


def _flat(kind: str, x: float, y: float, random: dice.Random) -> dict[str, Any]:
    """A patch of ground, and what stands or lies on it."""
    reach = random.uniform(60, 110)
    outline = [
        (
            reach * random.uniform(0.8, 1) * math.cos(k / 14 * 6.283),
            reach * random.uniform(0.8, 1) * math.sin(k / 14 * 6.283),
        )
        for k in range(14)
    ]
    earth = {"forest": "swamp", "rubble": "cobbles", "water": "cloth"}[kind]
    place_mesh(loft([(outline, 0.0), (outline, 1.0)]), materials.ground(earth, random), at=(x, y, 0))
    for _ in range(random.randint(2, 6) if kind != "water" else 0):
        spot = (x + random.gauss(0, reach / 3), y + random.gauss(0, reach / 3))
        _tree(spot, random) if kind == "forest" else _boulder(spot, random)
    return {"kind": kind, "height_mm": 1.0, "polygon_mm": [[x + a, y + b] for a, b in outline]}


def _tree(spot: tuple[float, float], random: dice.Random) -> None:
    tall, wide = random.uniform(50, 110), random.uniform(14, 30)
    paint = materials.ground("grass", random, grain_mm=4)
    place_mesh(cylinder(0.05), paint, at=(*spot, tall / 2 + 8), size=(wide, wide, tall))


def _boulder(spot: tuple[float, float], random: dice.Random) -> None:
    mesh, paint = stone(), materials.ground("cobbles", random, grain_mm=5)
    place_mesh(mesh, paint, at=(*spot, 2), size=(random.uniform(4, 16),) * 3)


def clutter(kind: str, x: float, y: float, random: dice.Random) -> dict[str, Any]:
    """Something that lies about."""
    turn, paint = random.uniform(0, 6.28), materials.any_paint(random)
    if kind == "die":
        side = random.uniform(9, 18)
        place_mesh(cube(), paint, at=(x, y, side / 2), turn=turn, size=(side,) * 3)
        pip = materials.plain((0, 0, 0, 1))
        for _ in range(random.randint(1, 6)):
            at = _rotate(random.uniform(-0.3, 0.3) * side, random.uniform(-0.3, 0.3) * side, turn, x, y)
            place_mesh(ball(), pip, at=(*at, side), size=(side * 0.09, side * 0.09, 0.3))
    elif kind in ("token", "coin", "template"):
        radius = {
            "token": random.uniform(6, 25),
            "coin": random.uniform(8, 14),
            "template": random.choice([38.1, 50.8, 63.5]),
        }[kind]
        thick = random.uniform(0.8, 3.0)
        paint = materials.plain((0.6, 0.4, 0.15, 1), rough=0.35, metal=1.0) if kind == "coin" else paint
        place_mesh(cylinder(), paint, at=(x, y, thick / 2), size=(radius, radius, thick))
        for share in (0.85, 0.5)[: random.randint(0, 2)]:
            place_mesh(
                cylinder(),
                materials.any_paint(random),
                at=(x, y, thick / 2 + 0.1 * (1.5 - share)),
                size=(radius * share, radius * share, thick),
            )
    elif kind == "card":
        place_mesh(cube(), paint, at=(x, y, 0.3), turn=turn, size=(63, 88, 0.5))
        place_mesh(cube(), materials.any_paint(random), at=(x, y, 0.36), turn=turn, size=(50, 60, 0.5))
    else:
        place_mesh(cube(), paint, at=(x, y, 15), turn=turn, size=(55, 55, 30))
        long = random.uniform(80, 350)
        middle = _rotate(long / 2, 0, turn, x, y)
        place_mesh(cube(), materials.plain((0.8, 0.6, 0.05, 1)), at=(*middle, 3), turn=turn, size=(long, 16, 0.4))
    return {"kind": kind, "at_mm": [x, y]}


def arm(width_mm: float, depth_mm: float, random: dice.Random) -> None:
    """A sleeve and a hand over the near or the far edge."""
    skin, cloth = materials.plain((0.6, 0.36, 0.25, 1)), materials.any_paint(random)
    x, far = random.uniform(0.2, 0.8) * width_mm, random.random() < 0.5
    y, sign = (depth_mm, -1) if far else (0.0, 1)
    hand = (x, y + sign * random.uniform(60, 260), random.uniform(40, 90))
    elbow = (x + random.uniform(-100, 100), y - sign * 500, 140)
    wrist = tuple(0.75 * a + 0.25 * b for a, b in zip(hand, elbow, strict=True))
    beam(cloth, wrist, elbow, 45)
    beam(skin, hand, wrist, 28)
    place_mesh(ball(), skin, at=hand, size=(42, 55, 16))
    for k in range(4):
        root = (hand[0] - 30 + 20 * k, hand[1] + sign * 40, hand[2])
        beam(skin, root, (root[0], root[1] + sign * random.uniform(25, 55), root[2] - random.uniform(0, 30)), 8)


def lamps(width_mm: float, depth_mm: float, random: dice.Random) -> None:
    world = bpy.context.scene.world or bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (
        *(random.uniform(0.85, 1.0) for _ in range(3)),
        1,
    )
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = random.uniform(0.25, 0.8)
    for _ in range(random.randint(1, 3)):
        sun = bpy.data.lights.new("lamp", "SUN")
        sun.energy, sun.angle = random.uniform(0.8, 2.6), random.uniform(0.02, 0.35)
        lamp = bpy.data.objects.new("lamp", sun)
        lamp.rotation_euler = (random.uniform(0.05, 0.9), 0, random.uniform(0, 6.28))
        bpy.context.scene.collection.objects.link(lamp)


def _rotate(a: float, b: float, turn: float, x: float, y: float) -> list[float]:
    return [x + a * math.cos(turn) - b * math.sin(turn), y + a * math.sin(turn) + b * math.cos(turn)]
