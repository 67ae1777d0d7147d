"""Bases as bodies: thin, lipped, slotted and bevelled makes, painted rims with marks, basing, rough and clear ones.

Base maker: sets bases with their figures into a scene, and keeps the places that are taken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.arrays import Floats32, Image, Ints32, Reals
from vision.detection.network.channels import MARKINGS
from vision.training.scenes.assets import Assets
from vision.training.scenes.figure_mesh import figure_meshes
from vision.training.scenes.footprint import Footprint
from vision.training.scenes.mesh import Mesh, ball, loft
from vision.training.scenes.surfaces import Colour, SurfaceBook, any_colour, earth, grey, near, photograph

Random = np.random.Generator
MAKES = ("thin", "lipped", "slotted", "bevelled")
_EVERY = 0.96  # of the texture's half side is the base's half side


@dataclass(frozen=True)
class Look:
    """How the bases of one army are made and painted."""

    make: str
    top_mm: float
    inset_mm: float  # of the top's edge
    band_mm: float  # painted rim, seen from above
    rim: Colour
    front: Colour
    basing: Image | None  # a photograph of ground; plain where there is none
    plain: Colour
    marking: str
    rough_mm: float  # how far the outline wanders
    tufts: float  # per square centimetre
    rocks: float  # chance of a built-up top
    gloss: float
    is_clear: bool


def any_look(random: Random, grounds: Sequence[Image], mat: Image) -> Look:
    """A make and a paint; one army in six has rims of the mat's own tone."""
    make = str(random.choice(MAKES, p=(0.15, 0.33, 0.33, 0.19)))
    tall = {"thin": (0.9, 2.6), "lipped": (3.4, 4.8), "slotted": (2.8, 4.2), "bevelled": (2.6, 4.4)}[make]
    inset = {"thin": (0.0, 0.3), "lipped": (0.0, 0.6), "slotted": (0.6, 2.4), "bevelled": (0.3, 1.8)}[make]
    flocked = random.random() < 0.25
    plain = earth(random) if random.random() < 0.6 else any_colour(random)
    return Look(
        make=make,
        top_mm=random.uniform(*tall),
        inset_mm=random.uniform(*inset),
        band_mm=0.0 if flocked else random.uniform(0.2, 2.8),
        rim=_rim(random, mat, plain),
        front=any_colour(random, least=110),
        basing=photograph(grounds, random, 256, px_per_photo=random.uniform(200, 900))
        if random.random() < 0.75
        else None,
        plain=plain,
        marking=str(random.choice(MARKINGS, p=(0.4, 0.14, 0.13, 0.13, 0.12, 0.08))),
        rough_mm=random.choice([0.0, 0.0, 0.0, 0.25, 0.7, 1.3]) * random.random() * 1.4,
        tufts=random.choice([0.0, 0.0, 0.12, 0.4]) * random.random() * 2,
        rocks=random.choice([0.0, 0.15, 0.8]),
        gloss=random.choice([0.0, 0.05, 0.3]) * random.random(),
        is_clear=random.random() < 0.04,
    )


def _rim(random: Random, mat: Image, plain: Colour) -> Colour:
    pick = random.random()
    if pick < 0.34:
        return grey(random, 8, 48)
    if pick < 0.52:
        return near(mat.reshape(-1, 3).mean(axis=0), random, 14)
    if pick < 0.64:
        return near(plain, random, 8)
    if pick < 0.78:
        return earth(random)
    return grey(random, 60, 240) if pick < 0.88 else any_colour(random)


@dataclass(frozen=True)
class Rim:
    """The outlines that a base shows: where it meets its ground, and its upper edge; (N, 3) mm about its centre."""

    bottom: Reals
    top: Reals
    marks: Reals  # (K, 3): where marks of its facing are


def base_meshes(
    shape: Footprint, look: Look, random: Random, book: SurfaceBook, mat_piece: Image
) -> tuple[list[Mesh], Rim]:
    """Bodies of one base about its centre, facing +x, and the outlines to label."""
    outline = shape.outline()
    if look.rough_mm:
        outline = (
            outline * (1 + _wander(random, len(outline)) * np.float32(2 * look.rough_mm / shape.width_mm))[:, None]
        )
    half = np.array([shape.depth_mm, shape.width_mm], np.float32) / 2
    rings = [_ring(outline, half, inset, z) for inset, z in _profile(look, random)]
    texels = [(ring[:, :2] / half * _EVERY + 1) / 2 for ring in rings]
    picture = mat_piece if look.is_clear else _paint_rim(shape, look, random)
    texture = book.texture(picture)
    tint = (205, 215, 225) if look.is_clear else (255, 255, 255)
    gloss = 0.6 if look.is_clear else look.gloss
    skin = book.paint(
        tint, texture=texture, gloss=gloss, shininess=40, grain=0.0 if look.is_clear else random.uniform(0, 0.12)
    )
    meshes = [loft(rings, texels).of(skin, 0)]
    meshes += _growth(shape, look, random, book, texture)
    edge = 3 if look.make == "lipped" else -2
    upper = rings[-1] if len(rings) < 3 else rings[min(len(rings) - 1, max(1, edge if edge > 0 else len(rings) + edge))]
    highest = max(rings[:-1], key=lambda level: float(level[0, 2]))
    return meshes, Rim(rings[0], highest if look.make == "lipped" else upper, _mark_places(look, half))


def _profile(look: Look, random: Random) -> list[tuple[float, float]]:
    """Insets and heights from the ground up and in."""
    top, inset = look.top_mm, look.inset_mm
    if look.make == "lipped":
        lip, sunk = random.uniform(1.2, 2.8), random.uniform(0.2, 1.4)
        return [
            (0, 0),
            (0, 0.6 * top),
            (inset, top),
            (inset + lip, top),
            (inset + lip + 0.3, top - sunk),
            (inset + lip + 2, top - sunk),
        ]
    if look.make == "bevelled":
        return [(0, 0), (0, 0.45 * top), (inset, top), (inset + 0.8, top), (inset + 3, top)]
    return [(0, 0), (inset, top), (inset + 0.6, top), (inset + 3, top)]


def _ring(outline: Reals, half: Reals, inset: float, z: float) -> Reals:
    scale = np.maximum(1 - inset / half, 0.15)
    return np.column_stack([outline * scale, np.full(len(outline), z, np.float32)]).astype(np.float32)


def _wander(random: Random, count: int) -> Reals:
    """Uneven steps round an outline, none outward by more than a little."""
    coarse = random.standard_normal(count // 2)
    rough = np.interp(np.arange(count) / 2, np.arange(count // 2), coarse, period=count // 2)
    return np.asarray(np.clip(rough * 0.5 - 0.25, -1.2, 0.25), np.float32)


def _paint_rim(shape: Footprint, look: Look, random: Random) -> Image:
    """The base from above as a picture: basing inside, the rim's band with its marks, paint that is not even."""
    side = int(np.clip(2.4 * max(shape.width_mm, shape.depth_mm), 64, 224))
    if look.basing is None:
        made = np.full((side, side, 3), near(look.plain, random, 6), np.float32)
        made += random.normal(0, random.uniform(0, 9), (side, side, 1))
    else:
        x, y = random.integers(0, 256 - min(side, 255), 2).tolist()
        piece = look.basing[y : y + side, x : x + side]
        made = cv2.resize(piece, (side, side)).astype(np.float32)
    half = np.array([shape.depth_mm, shape.width_mm]) / 2
    band = look.band_mm + look.inset_mm
    inner = shape.outline() * (1 - band / half)
    mask = np.full((side, side), 255, np.uint8)
    cv2.fillPoly(mask, [_texels(inner, half, side)], 0, cv2.LINE_AA)
    rim = np.full((side, side, 3), near(look.rim, random, 4), np.float32)
    _mark(rim, look, half, side)
    worn = 255.0 * (1 + random.uniform(0, 0.5) * random.random() * random.normal(0, 1, (side, side, 1)))
    share = mask[..., None] / worn if look.band_mm > 0 else np.zeros((side, side, 1))
    return np.clip(made * (1 - share) + rim * share, 0, 255).astype(np.uint8)


def _texels(points: Reals, half: Reals, side: int) -> Ints32:
    return np.asarray(np.round((points / half * _EVERY + 1) / 2 * side - 0.5), np.int32)


def _mark(rim: Floats32, look: Look, half: Reals, side: int) -> None:
    """The paint that tells where it faces, over the whole of the rim's picture."""
    u = (np.arange(side) + 0.5) / side * 2 - 1
    x, y = np.meshgrid(u / _EVERY * half[0], u / _EVERY * half[1])
    angle = np.arctan2(y, x)
    if look.marking == "half":
        rim[x > 0] = look.front
    if look.marking == "edge":
        rim[(np.abs(y / half[1]) < x / half[0] + 0.02) & (x > 0)] = look.front
    if look.marking == "ticks":
        rim[(np.abs(x) < 1.1)] = look.front
    if look.marking in ("dot", "notch"):
        rim[(np.abs(y) < (1.6 if look.marking == "dot" else 1.0)) & (np.abs(angle) < np.pi / 2)] = look.front


def _mark_places(look: Look, half: Reals) -> Reals:
    z = look.top_mm * 0.8
    if look.marking == "none" or look.band_mm <= 0 or look.is_clear:
        return np.zeros((0, 3), np.float32)
    if look.marking == "ticks":
        return np.array([[0, half[1] - 0.5, z], [0, 0.5 - half[1], z]], np.float32)
    return np.array([[half[0] - 0.5, 0, z]], np.float32)


def _growth(shape: Footprint, look: Look, random: Random, book: SurfaceBook, texture: int) -> Iterator[Mesh]:
    """Tufts of grass, and rocks of a built-up top; some hang over the rim."""
    if look.is_clear:
        return
    half = np.array([shape.depth_mm, shape.width_mm]) / 2
    for _ in range(int(random.poisson(look.tufts * shape.width_mm * shape.depth_mm / 100))):
        at = half * random.uniform(-0.95, 0.95, 2) * (0.75 if shape.kind != "rect" else 1)
        yield tuft(random, random.uniform(1.5, 5)).moved((*at.tolist(), look.top_mm - 0.3)).of(_grass(random, book), 0)
    if random.random() < look.rocks:
        stone = book.paint(near((200, 200, 200), random, 25), texture=texture)
        for _ in range(int(random.integers(1, 5))):
            at, size = half * random.uniform(-0.6, 0.6, 2), random.uniform(0.1, 0.4) * shape.width_mm
            yield rock(random, size).moved((*at.tolist(), look.top_mm - 0.2)).of(stone, 0)


def _grass(random: Random, book: SurfaceBook) -> int:
    return book.paint(near((50, 120, 110), random, 35), is_flat=False, grain=0.2)


def tuft(random: Random, radius_mm: float) -> Mesh:
    """Blades that lean away from a middle."""
    count = 26
    angle, away = random.uniform(0, 2 * np.pi, count), radius_mm * np.sqrt(random.random(count))
    foot = np.column_stack([np.cos(angle), np.sin(angle)]) * away[:, None] * 0.6
    lean = np.column_stack([np.cos(angle), np.sin(angle)]) * (0.3 * away + 0.4)[:, None]
    side = np.column_stack([-np.sin(angle), np.cos(angle)]) * 0.45
    high = random.uniform(1.5, 5, count)
    vertices = np.zeros((3 * count, 8), np.float32)
    vertices[0::3, :2], vertices[1::3, :2], vertices[2::3, :2] = foot - side, foot + side, foot + lean
    vertices[2::3, 2], vertices[:, 5] = high, 1
    return Mesh(vertices, np.arange(3 * count, dtype=np.int32).reshape(-1, 3))


def rock(random: Random, size_mm: float) -> Mesh:
    """A rough lump that sits on its place."""
    made = ball((0, 0, 0), (size_mm, size_mm * random.uniform(0.5, 1), size_mm * random.uniform(0.3, 0.9)))
    vertices = made.vertices.copy()
    grid = vertices.reshape(7, 11, 8)
    bump = random.uniform(0.7, 1.15, (7, 11))
    bump[:, -1] = bump[:, 0]
    grid[..., :3] *= bump[..., None]
    vertices[:, 6:] = vertices[:, :2] / 40 + 0.5
    return Mesh(vertices, made.faces).moved((0, 0, size_mm * 0.2), turn_rad=random.uniform(0, 7))


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
