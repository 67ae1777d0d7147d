"""Drawn tables of round bases whose rims are marked in every known way, with their exact truth.

Marks are painted by hand: a little off their place, of uneven width, worn, splashed with basing, some down the side of
the base too. Sculpts, shadows, highlights and flock lie over marked and plain rims alike. Seen from above, or as
slantwise as a phone sees a table.

How the bases of drawn armies are made, and how their rims are marked.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from models.camera import Camera, CameraPose
from vision.training.synthetic import miniature
from vision.training.synthetic.mat import any_colour, any_mat, earthy, near
from vision.training.synthetic.renderer import RIM_MM, Eye, Frame, light_scene, paint_slices
from vision.training.synthetic.solid import Colour, Footprint, Slice, ring

Random = np.random.Generator

MARKINGS = ("none", "ticks", "ticks+dot", "front-half", "notch")
_SHARES = (0.34, 0.18, 0.18, 0.2, 0.1)
# BGR: what rims are finished in, and what marks on them are painted with
_RIMS: tuple[Colour, ...] = (
    (24, 24, 26), (60, 58, 58), (105, 100, 98), (40, 62, 88), (60, 90, 120), (150, 185, 200), (120, 150, 165),
    (50, 80, 60), (30, 45, 35), (75, 55, 40),
)  # fmt: skip
_PAINTS: tuple[Colour, ...] = (
    (238, 238, 238), (238, 238, 238), (60, 210, 240), (40, 40, 205), (70, 180, 70), (215, 120, 50), (40, 130, 240),
    (190, 80, 180), (200, 200, 60),
)  # fmt: skip
_LEAST_APART = 75.0  # grey levels: what is painted to be seen


@dataclass(frozen=True)
class Paint:
    """The make of a base and its paint. Lengths are mm; `spots` and `flock` are counts on a base of 30 mm."""

    top_mm: float
    inset_mm: float
    lip_mm: float
    rim: Colour
    colour: Colour
    basing: Colour
    marking: str
    is_down_the_side: bool
    tick_mm: float
    tick_long_mm: float
    dot_mm: float
    gloss: float
    spots: float
    flock: float

    def marks(self, reach_mm: float, at_deg: Sequence[float]) -> Iterator[Floats]:
        """Outlines of the marks on a slice that reaches so far, its facing along x. `at_deg`: where they are."""
        if self.marking == "front-half":
            angle = np.radians(np.linspace(at_deg[1], at_deg[0], 60))
            yield reach_mm * np.column_stack([np.cos(angle), np.sin(angle)])
            return
        for place, angle in zip(("tick", "tick", "dot"), np.radians(at_deg), strict=False):
            spoke = np.array([np.cos(angle), np.sin(angle)])
            if place == "dot":
                around = np.linspace(0, 2 * np.pi, 16, endpoint=False)
                middle = spoke * (reach_mm - self.lip_mm / 2)
                yield middle + self.dot_mm * np.column_stack([np.cos(around), np.sin(around)])
                continue
            aside = np.array([-spoke[1], spoke[0]]) * self.tick_mm / 2
            inner, outer = spoke * (reach_mm - self.tick_long_mm), spoke * reach_mm
            narrow = 0.3 if self.marking == "notch" else 1.0
            yield np.array([inner - aside * narrow, outer - aside, outer + aside, inner + aside * narrow])


def draw_paint(random: Random) -> Paint:
    lipped = random.random() < 0.5
    rim = near(_RIMS[random.integers(len(_RIMS))], random, 8) if random.random() < 0.85 else any_colour(random)
    marking = str(random.choice(MARKINGS, p=_SHARES))
    colour = _contrasting_paint(rim, random)
    if marking == "notch" and sum(rim) > 300 and random.random() < 0.5:
        colour = near((16, 16, 16), random, 6)  # cut into the rim, not painted: the shadow in it is seen
    lip_mm = random.uniform(1.6, 2.8) if lipped else random.uniform(0.6, 1.2)
    return Paint(
        top_mm=random.normal(4.2, 0.2) if lipped else random.normal(3.4, 0.2),
        inset_mm=random.uniform(0.1, 0.35) if lipped else random.uniform(0.5, 0.9),
        lip_mm=lip_mm,
        rim=rim,
        colour=colour,
        basing=earthy(random),
        marking=marking,
        is_down_the_side=random.random() < 0.6,
        tick_long_mm=lip_mm + random.uniform(0.0, 1.3),
        tick_mm=random.uniform(1.0, 2.0) if marking != "notch" else random.uniform(1.8, 3.0),
        dot_mm=random.uniform(0.7, 1.2),
        gloss=float(random.choice([0.0, 0.0, 0.6])),
        spots=float(random.choice([0.0, 0.0, 3.0, 9.0])),
        flock=float(random.choice([0.0, 8.0, 30.0, 60.0])),
    )


def _contrasting_paint(rim: Colour, random: Random) -> Colour:
    """A paint that a player would choose for this rim."""
    while True:
        paint = near(_PAINTS[random.integers(len(_PAINTS))], random, 14)
        if float(np.abs(np.subtract(paint, rim)).max()) > _LEAST_APART:
            return paint


SIDE_MM = 260.0
_MARGIN_MM = 30.0
_CANVAS_PX_PER_MM = 5.0
SCALES = (1.3, 1.9)  # pixels a millimetre: of a table in 4K from above
_LEVELS = 12
_SIZES = (25.0, 28.5, 30.0, 30.0, 30.0, 30.0, 32.0, 40.0, 40.0, 50.0, 50.0, 60.0, 80.0, 120.0)
_PLACES = {"none": (), "ticks": (90, -90), "ticks+dot": (90, -90, 0), "notch": (0,), "front-half": (90, -90)}
_SLIP_MM = 0.2  # by which a hand misses the place of a mark
_HIDDEN_MM = 0.7  # so much higher than the mark is what hides it


@dataclass(frozen=True)
class MarkedBase:
    """A base on a drawn table. `look`: bases of one are made and marked alike; `shown`: which of its marks (degrees
    from its facing) nothing hides; `clear`: of its rim, the share in sight, and `seen` which parts of it: three degrees
    each, the first round its facing."""

    at_mm: tuple[float, float]
    diameter_mm: float
    facing_rad: float
    marking: str
    look: int
    shown: tuple[int, ...]
    clear: float
    seen: tuple[bool, ...]

    @property
    def is_in_view(self) -> bool:
        """Whether enough of its marks is in sight to tell a facing by."""
        if self.marking == "front-half":
            return len(self.shown) >= 1 and self.clear > 0.5
        return len(self.shown) >= (2 if self.marking != "notch" else 1)


@dataclass(frozen=True)
class MarkedTable:
    picture: Image
    camera: Camera
    pose: CameraPose
    bases: tuple[MarkedBase, ...]


@dataclass(frozen=True)
class _PlacedBase:
    at: tuple[float, float]
    diameter_mm: float
    facing_rad: float
    look: int
    paint: Paint


def draw_marked_table(
    seed: int, index: int, *, is_slantwise: bool, scales: tuple[float, float] = SCALES
) -> MarkedTable:
    """The table of this number under this seed; the same every time. `scales`: between how many pixels a millimetre."""
    random = np.random.default_rng([seed, index, int(is_slantwise)])
    eye, frame = _draw_eye(random, is_slantwise=is_slantwise), Frame(SIDE_MM, _MARGIN_MM, _CANVAS_PX_PER_MM)
    standing = list(_scatter_bases(random))
    slices = [piece for one in standing for piece in _slices(one, random)]
    mat = any_mat(random, side_px=frame.side_px, px_per_mm=frame.px_per_mm)
    colours, heights = paint_slices(mat, slices, eye=eye, frame=frame)
    shot = light_scene(colours, heights, eye=eye, frame=frame, random=random)
    camera, pose = _camera_at(eye, px_per_mm=float(random.uniform(*scales)))
    picture = _develop(_project_canvas(shot, frame, camera, pose), random)
    bases = tuple(_truth(one, heights, eye=eye, frame=frame) for one in standing)
    return MarkedTable(picture, camera, pose, bases)


def _draw_eye(random: Random, *, is_slantwise: bool) -> Eye:
    if not is_slantwise:
        x, y = SIDE_MM / 2 + random.uniform(-650, 650, 2)
        return Eye(float(x), float(y), float(random.uniform(1300, 1700)))
    angle, slant, away = random.uniform(0, 2 * np.pi), random.uniform(0.45, 0.8), random.uniform(1100, 2000)
    flat = away * np.sin(slant)
    return Eye(
        float(SIDE_MM / 2 + flat * np.cos(angle)),
        float(SIDE_MM / 2 + flat * np.sin(angle)),
        float(away * np.cos(slant)),
    )


def _scatter_bases(random: Random) -> Iterator[_PlacedBase]:
    """Bases that overlap none; two armies with a look each, and units that are marked otherwise."""
    paints = [draw_paint(random) for _ in range(4)]
    taken: list[_PlacedBase] = []
    for _ in range(60):
        size = float(_SIZES[random.integers(len(_SIZES))])
        at = tuple(random.uniform(size / 2 + 3, SIDE_MM - size / 2 - 3, 2).tolist())
        gap = float(random.choice([0.1, 2.0, 10.0]))
        if all(math.dist(at, one.at) > (size + one.diameter_mm) / 2 + gap for one in taken):
            facing_rad, look = float(random.uniform(-np.pi, np.pi)), int(random.integers(len(paints)))
            taken.append(_PlacedBase(at, size, facing_rad, look, paints[look]))
    yield from taken[:14]


def _slices(one: _PlacedBase, random: Random) -> Iterator[Slice]:
    paint, radius = one.paint, one.diameter_mm / 2
    ends = [angle + random.normal(0, _SLIP_MM) / radius * 180 / np.pi for angle in _PLACES[paint.marking]]
    for k in range(_LEVELS + 1):
        share = k / _LEVELS
        z_mm, reach = paint.top_mm * share, radius - paint.inset_mm * share
        yield Slice(z_mm, ring(reach, 120) + one.at, near(paint.rim, random, 1.5))
        if k == _LEVELS or paint.is_down_the_side:
            for outline in paint.marks(reach, ends):
                yield Slice(
                    z_mm + (0.005 if paint.marking == "front-half" else 0.02), _turn(outline, one), paint.colour
                )
    yield from _wear(one, ends, random)
    inner = radius - paint.inset_mm - paint.lip_mm
    yield Slice(paint.top_mm + 0.01, ring(inner, 120) + one.at, near(paint.basing, random, 6))
    yield from _flock(one, inner, random)
    yield from miniature.slices(
        Footprint("round", one.diameter_mm, one.diameter_mm),
        at=one.at, ground_mm=0.0, turn_rad=one.facing_rad, random=random,
    )  # fmt: skip


def _wear(one: _PlacedBase, ends: Sequence[float], random: Random) -> Iterator[Slice]:
    """A highlight on the rim, and spots: of the rim where paint came off, of basing where it was splashed."""
    paint, radius = one.paint, one.diameter_mm / 2
    middle = radius - paint.inset_mm - paint.lip_mm / 2
    if random.random() < paint.gloss:
        light, lit_deg = random.uniform(1.1, 1.9), random.uniform(0, 360)
        for k in range(6):
            for from_deg, to_deg, under in _parts(paint, ends, lit_deg - 40 + 6 * k, lit_deg + 40 - 6 * k):
                colour = tuple(min(250.0, 12 * light + part * (1 + (light - 1) * (k + 1) / 6)) for part in under)
                arc = _band(middle, paint.lip_mm, math.radians(from_deg), math.radians(to_deg))
                yield Slice(paint.top_mm + 0.003 * (k + 1), _turn(arc, one), (colour[0], colour[1], colour[2]))
    for _ in range(int(paint.spots * one.diameter_mm / 30)):
        angle, away = random.uniform(0, 2 * np.pi), random.uniform(-0.6, 0.6) * paint.lip_mm
        spot = (middle + away) * np.array([np.cos(angle), np.sin(angle)])
        colour = paint.rim if random.random() < 0.5 else paint.basing
        outline = ring(random.uniform(0.15, 0.6), 8) + spot + one.at
        yield Slice(paint.top_mm + 0.04, outline, near(colour, random, 12))


def _parts(
    paint: Paint, ends: Sequence[float], from_deg: float, to_deg: float
) -> Iterator[tuple[float, float, Colour]]:
    """The parts of an arc that are of one colour, and it: a highlight on a painted half is of that half's paint."""
    if paint.marking != "front-half":
        yield from_deg, to_deg, paint.rim
        return
    middle = (from_deg + to_deg) / 2
    cuts = [end + 360 * round((middle - end) / 360) for end in ends]
    for low, high in pairwise([from_deg, *(cut for cut in cuts if from_deg < cut < to_deg), to_deg]):
        is_ahead = abs(((low + high) / 2 + 180) % 360 - 180) < 90
        yield low, high, paint.colour if is_ahead else paint.rim


def _flock(one: _PlacedBase, inner_mm: float, random: Random) -> Iterator[Slice]:
    """Tufts on the basing, a few of which hang over the rim."""
    tuft = near(one.paint.basing, random, 60)
    for _ in range(int(one.paint.flock * one.diameter_mm / 30)):
        angle = random.uniform(0, 2 * np.pi)
        away = (inner_mm + (random.uniform(0, 1.2) if random.random() < 0.1 else 0.0)) * np.sqrt(random.random())
        spot = away * np.array([np.cos(angle), np.sin(angle)]) + one.at
        yield Slice(
            one.paint.top_mm + random.uniform(0.1, 1.8),
            ring(random.uniform(0.3, 1.2), 7) + spot,
            near(tuft, random, 18),
        )


def _band(middle_mm: float, wide_mm: float, from_rad: float, to_rad: float) -> Floats:
    """A part of a ring."""
    angle = np.linspace(from_rad, to_rad, 24)
    spokes = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.concatenate([spokes * (middle_mm + wide_mm / 2), spokes[::-1] * (middle_mm - wide_mm / 2)])


def _turn(outline: Floats, one: _PlacedBase) -> Floats:
    cos, sin = np.cos(one.facing_rad), np.sin(one.facing_rad)
    return np.asarray(outline @ np.array([[cos, sin], [-sin, cos]]) + one.at)


def _camera_at(eye: Eye, *, px_per_mm: float) -> tuple[Camera, CameraPose]:
    """A camera at the eye that looks at the middle of the piece, or straight down where that is nearly the same."""
    centre, middle = np.array([eye.x_mm, eye.y_mm, eye.z_mm]), np.array([SIDE_MM / 2, SIDE_MM / 2, 0.0])
    ahead = (middle - centre) / np.linalg.norm(middle - centre)
    right = np.cross(ahead, [0.0, 1.0, 0.3])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    focal = px_per_mm * float(np.linalg.norm(middle - centre))
    side = int(1.25 * (SIDE_MM + 10) * px_per_mm)
    k = ((focal, 0.0, side / 2), (0.0, focal, side / 2), (0.0, 0.0, 1.0))
    camera = Camera(
        image_size=(side, side), model="brown", K=k, dist=(0,) * 5, covariance=np.zeros((9, 9)).tolist(), rms_px=0.0
    )
    pose = CameraPose(
        rotation=rotation.tolist(), translation_mm=(-rotation @ centre).tolist(), covariance=np.zeros((6, 6)).tolist(),
        rms_px=0.0, rms_mm=0.0, markers=(), centre_mm=tuple(centre.tolist()),
    )  # fmt: skip
    return camera, pose


def _project_canvas(shot: Floats32, frame: Frame, camera: Camera, pose: CameraPose) -> Floats32:
    """The canvas, which lies on the plane of the rims, as the camera sees it; three rays a pixel each way."""
    finer, side = 3, camera.image_size[0]
    plane = np.column_stack([np.array(pose.rotation)[:, :2], np.array(pose.rotation)[:, 2] * RIM_MM])
    plane[:, 2] += pose.translation_mm
    px_from_mm = np.array(camera.K) @ plane
    scale = frame.px_per_mm
    mm_from_canvas = np.array(
        [
            [1 / scale, 0, 0.5 / scale - frame.margin_mm],
            [0, -1 / scale, frame.side_mm + frame.margin_mm - 0.5 / scale],
            [0, 0, 1],
        ]
    )
    fine = np.array([[finer, 0, (finer - 1) / 2], [0, finer, (finer - 1) / 2], [0, 0, 1]])
    warped = cv2.warpPerspective(
        shot, fine @ px_from_mm @ mm_from_canvas, (side * finer, side * finer), borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(cv2.resize(warped, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def _develop(shot: Floats32, random: Random) -> Image:
    """A picture as people keep it to judge by: in focus and about rightly exposed, from any camera."""
    blurred = cv2.GaussianBlur(shot, (0, 0), float(random.uniform(0.35, 1.0)))
    tone = np.clip(blurred / 255 * random.uniform(0.8, 1.7), 0, None) ** np.float32(random.uniform(0.7, 1.1))
    curved = tone / (1 + random.uniform(0.05, 0.35) * np.maximum(tone - 0.4, 0))
    noisy = curved + random.uniform(0.5, 3.0) / 255 * random.standard_normal(curved.shape, np.float32)
    noisy += random.uniform(0.0, 0.8) * (noisy - cv2.GaussianBlur(noisy, (0, 0), 1.2))
    picture = np.clip(random.uniform(0, 10) + noisy * 255, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(80, 97))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _truth(one: _PlacedBase, heights: Floats32, *, eye: Eye, frame: Frame) -> MarkedBase:
    """What stands there, and which of its marks the camera sees."""
    paint = one.paint
    middle = one.diameter_mm / 2 - paint.inset_mm - paint.lip_mm / 2
    angles = one.facing_rad + np.radians(np.arange(0, 360, 3))
    spots = np.column_stack([np.cos(angles), np.sin(angles)]) * middle + one.at
    at_px = np.rint(frame.to_px(eye.cast(spots, paint.top_mm))).astype(int).clip(0, frame.side_px - 1)
    is_seen = heights[at_px[:, 1], at_px[:, 0]] < paint.top_mm + _HIDDEN_MM
    near_mark = {
        place: is_seen[np.arange(place // 3 - 2, place // 3 + 3) % 120].mean() for place in _PLACES[paint.marking]
    }
    shown = tuple(place for place, share in near_mark.items() if share > 0.7)
    clear = float(is_seen.mean())
    seen = tuple(is_seen.tolist())
    return MarkedBase(one.at, one.diameter_mm, one.facing_rad, paint.marking, one.look, shown, clear, seen)
