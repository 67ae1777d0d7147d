"""Pictures of bases on a table with exact truth, made by asking every ray of the camera what it meets.

Nothing here comes from `vision/` or `calibration/`: camera, bases and paint are worked out a second time, and by
another way (rays that meet discs, not outlines that are cast), so that a common mistake is unlikely.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.view import View
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, LayoutTerrain, Marker

Colour = tuple[float, float, float]  # BGR grey levels

TABLE_MM = (600.0, 400.0)
FINER = 3  # rays per pixel, each way
_MARKER_MM = 60.0
_TEXEL_MM = 0.4
_AROUND_MM = 150.0  # what lies beyond the table's edge and may be seen
_SLICES = 8  # discs that make up the side of a base
_BLUR_PX = 0.5

_FLOCK_PX = 600

BLACK: Colour = (26, 24, 25)
STEEL: Colour = (120, 112, 104)
BONE: Colour = (176, 206, 214)
RED: Colour = (38, 34, 176)
WHITE: Colour = (232, 236, 238)
EARTH: Colour = (58, 84, 108)
GRASS: Colour = (66, 122, 92)


@dataclass(frozen=True)
class Eye:
    """A pinhole camera over the table: x right and y down in its picture, no lens error."""

    size_px: tuple[int, int] = (960, 720)
    focal_px: float = 1000.0
    middle_px: tuple[float, float] = (484.3, 352.8)
    centre_mm: tuple[float, float, float] = (310.0, 190.0, 800.0)
    tilt_rad: tuple[float, float] = (0.03, -0.02)  # about the table's x and y
    turn_rad: float = 0.015

    @property
    def camera_from_table(self) -> Floats:
        """The rotation; without tilt and turn the camera looks straight down, its right along the table's x."""
        (a, b), c = self.tilt_rad, self.turn_rad
        about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        about_z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
        return np.asarray(np.diag([1.0, -1.0, -1.0]) @ about_x @ about_y @ about_z)

    def around(self, at_mm: tuple[float, float], *, reach_mm: float) -> "Eye":
        """The same camera, of whose picture only the part around this place was kept."""
        side = 2 * round(reach_mm * self.focal_px / self.centre_mm[2])
        off = np.round(self.seen([(*at_mm, 0.0)])[0]) - side / 2
        kept = (float(self.middle_px[0] - off[0]), float(self.middle_px[1] - off[1]))
        return replace(self, size_px=(side, side), middle_px=kept)

    def seen(self, points_mm: Sequence[Sequence[float]] | Floats) -> Floats:
        """Where points of the table frame (N, 3) appear, (N, 2) px."""
        x, y, z = self.camera_from_table @ (np.asarray(points_mm, np.float64) - self.centre_mm).T
        return np.column_stack([x / z, y / z]) * self.focal_px + self.middle_px

    def at_height(self, at_px: Floats, z_mm: float) -> Floats:
        """Where the rays of these pixels (..., 2) meet a height, (..., 2) table mm."""
        return self.met_by(self.rays(at_px), z_mm)

    def rays(self, at_px: Floats) -> Floats:
        """Directions of the rays of these pixels in the table frame, (..., 3)."""
        slopes = (at_px - self.middle_px) / self.focal_px
        return np.asarray(np.concatenate([slopes, np.ones((*slopes.shape[:-1], 1))], axis=-1) @ self.camera_from_table)

    def met_by(self, rays: Floats, z_mm: float) -> Floats:
        """Where these rays (..., 3) meet a height, (..., 2) table mm."""
        along = (z_mm - self.centre_mm[2]) / rays[..., 2:]
        return np.asarray(self.centre_mm[:2] + along * rays[..., :2])

    def camera(self) -> Camera:
        (cx, cy), f = self.middle_px, self.focal_px
        return Camera(
            image_size=self.size_px,
            K=((f, 0, cx), (0, f, cy), (0, 0, 1)),
            dist=(0.0, 0.0, 0.0, 0.0, 0.0),
            covariance=tuple(map(tuple, np.zeros((9, 9)).tolist())),
            rms_px=0.1,
        )

    def view(self) -> View:
        """Of the plain table."""
        return View(self.camera(), self.pose(), layout())

    def pose(self) -> CameraPose:
        rotation = self.camera_from_table
        variances = np.array([2e-5, 2e-5, 1e-5, 0.02, 0.02, 0.05]) ** 2
        return CameraPose(
            rotation=tuple(map(tuple, rotation.tolist())),
            translation_mm=tuple((-rotation @ np.array(self.centre_mm)).tolist()),
            covariance=tuple(map(tuple, np.diag(variances).tolist())),
            rms_px=0.1,
            rms_mm=0.1,
            markers=(0, 1, 2, 3),
            centre_mm=self.centre_mm,
        )


@dataclass(frozen=True)
class Make:
    """The plastic: height of the upper rim, how much narrower it is than the foot, and the width of its lip."""

    top_mm: float
    inset_mm: float
    lip_mm: float


LIPPED = Make(4.2, 0.2, 2.2)
SLOTTED = Make(3.4, 0.7, 0.9)


@dataclass(frozen=True)
class Ball:
    """A sculpt, an arm or whatever else stands between camera and base."""

    at_mm: tuple[float, float, float]
    radius_mm: float
    colour: Colour = (70, 62, 96)


@dataclass(frozen=True)
class Base:
    """A painted base. `marking`: none, front-half, ticks, ticks+dot.

    Two more tell no facing: stripes (all round) and shaded (by light from ahead).
    """

    at_mm: tuple[float, float]
    diameter_mm: float = 30.0
    facing_deg: float = 0.0
    marking: str = "none"
    make: Make = LIPPED
    rim: Colour = BLACK
    paint: Colour = RED
    basing: Colour = EARTH
    side: Colour | None = None  # below the rim; of the rim's paint, a little darker, where none is named
    ground_mm: float = 0.0
    is_bare: bool = False  # a plain disc of one colour
    seed: int = 1

    @property
    def radius_mm(self) -> float:
        return self.diameter_mm / 2


@dataclass(frozen=True)
class Scene:
    """What stands where, on which mat, in which light."""

    bases: tuple[Base, ...] = ()
    balls: tuple[Ball, ...] = ()
    mat: Colour = GRASS
    eye: Eye = field(default_factory=Eye)
    light: float = 1.0
    has_fiducials: bool = True

    def without(self, *indices: int) -> "Scene":
        return replace(self, bases=tuple(one for k, one in enumerate(self.bases) if k not in indices))


def layout(*terrain: LayoutTerrain) -> Layout:
    """The table of `TABLE_MM` with four markers around it."""
    markers = tuple(Marker(id=k, corners_mm=_printed(*corner)) for k, corner in enumerate(_marker_places()))
    fiducials = Fiducials(dictionary="APRILTAG_36h11", marker_mm=_MARKER_MM, markers=markers)
    return Layout(table_mm=TABLE_MM, fiducials=fiducials, terrain=terrain)


def photograph(scene: Scene, *, noise: float = 1.5, seed: int = 5) -> Image:
    """What the camera sees, BGR."""
    image = _mat_picture(scene.mat, scene.eye, scene.has_fiducials).copy()
    for base in sorted(scene.bases, key=lambda one: one.ground_mm):
        _put_base(image, base, scene)
    for ball in scene.balls:
        _put_ball(image, ball, scene.eye)
    soft = cv2.GaussianBlur(image * scene.light, (0, 0), _BLUR_PX)
    rough = np.random.default_rng(seed).normal(0, noise, soft.shape)
    return np.clip(np.round(soft + rough), 0, 255).astype(np.uint8)


@lru_cache(maxsize=8)
def _mat_picture(mat: Colour, eye: Eye, has_fiducials: bool) -> Floats32:
    """The table without anything on it."""
    width, height = eye.size_px
    fine = _shaded(_mat_texture(mat, has_fiducials), eye.at_height(_subpixels(0, 0, width, height), 0.0))
    return np.asarray(cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA), np.float32)


def _shaded(texture: Floats32, at_mm: Floats) -> Floats32:
    at = ((at_mm + _AROUND_MM) / _TEXEL_MM - 0.5).astype(np.float32)
    return np.asarray(cv2.remap(texture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))


@cache
def _mat_texture(mat: Colour, has_fiducials: bool) -> Floats32:
    """The mat's colours from below-left to above-right, row 0 being the smallest y."""
    columns, rows = (round((side + 2 * _AROUND_MM) / _TEXEL_MM) for side in TABLE_MM)
    texture = np.array(mat) * (1 + _speckle(rows, columns, seed=11)[..., None])
    if has_fiducials:
        for k, (x, y) in enumerate(_marker_places()):
            _paste_marker(texture, k, x, y)
    return texture.astype(np.float32)


def _speckle(rows: int, columns: int, *, seed: int, share: float = 0.06) -> Floats:
    """Texture of several grains, with this standard deviation of brightness."""
    dice = np.random.default_rng(seed)
    total = np.zeros((rows, columns), np.float32)
    for grain in (2, 6, 40):
        noise = dice.normal(size=(rows // grain + 2, columns // grain + 2)).astype(np.float32)
        total += cv2.resize(noise, (columns, rows), interpolation=cv2.INTER_CUBIC)
    return np.asarray(total * (share / float(total.std())), np.float64)


def _marker_places() -> tuple[tuple[float, float], ...]:
    """Near-left corners of the markers, outside the table's edges."""
    near, far, right = -10 - _MARKER_MM, TABLE_MM[1] + 10, TABLE_MM[0] - 10 - _MARKER_MM
    return (10.0, near), (right, near), (right, far), (10.0, far)


def _printed(x: float, y: float) -> tuple[tuple[float, float, float], ...]:
    """A marker's corners in its printed order, its top away from the near edge."""
    side = _MARKER_MM
    return (x, y + side, 0.0), (x + side, y + side, 0.0), (x + side, y, 0.0), (x, y, 0.0)


def _paste_marker(texture: Floats, id_: int, x_mm: float, y_mm: float) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    cells = cv2.aruco.generateImageMarker(dictionary, id_, 8)[::-1]  # row 0 is the near edge here
    size, border = round(_MARKER_MM / _TEXEL_MM), round(8.0 / _TEXEL_MM)
    column, row = (round((at + _AROUND_MM) / _TEXEL_MM) for at in (x_mm, y_mm))
    texture[row - border : row + size + border, column - border : column + size + border] = 225.0
    black_and_white = cv2.resize(cells, (size, size), interpolation=cv2.INTER_NEAREST)
    texture[row : row + size, column : column + size] = np.where(black_and_white > 0, 225.0, 18.0)[..., None]


def _subpixels(x0: int, y0: int, width: int, height: int) -> Floats:
    """The middles of all parts of these pixels, (height * FINER, width * FINER, 2) px."""
    across = x0 - 0.5 + (np.arange(width * FINER) + 0.5) / FINER
    down = y0 - 0.5 + (np.arange(height * FINER) + 0.5) / FINER
    return np.stack(np.meshgrid(across, down), axis=-1)


def _patch(middle_px: Floats, reach_px: float, eye: Eye) -> tuple[int, int, int, int]:
    """x0, y0, width, height of the pixels around a place, inside the picture."""
    low = np.clip(np.floor(middle_px - reach_px), 0, eye.size_px).astype(int)
    high = np.clip(np.ceil(middle_px + reach_px), 0, eye.size_px).astype(int)
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def _put_base(image: Floats32, base: Base, scene: Scene) -> None:
    eye = scene.eye
    middle = eye.seen([(*base.at_mm, base.ground_mm)])[0]
    px_per_mm = eye.focal_px / (eye.centre_mm[2] - base.ground_mm)
    x0, y0, width, height = _patch(middle, (base.radius_mm + 6) * px_per_mm, eye)
    if width and height:
        behind = image[y0 : y0 + height, x0 : x0 + width]
        fine = np.asarray(cv2.resize(behind, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_NEAREST), np.float32)
        _colour_base(fine, base, _subpixels(x0, y0, width, height), eye)
        behind[:] = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)


def _colour_base(fine: Floats32, base: Base, at_px: Floats, eye: Eye) -> None:
    """The top, and below it slices from the uppermost down where no other was met: what a ray meets first."""
    make, rays = base.make, eye.rays(at_px)
    top = eye.met_by(rays, base.ground_mm + make.top_mm) - base.at_mm
    far = np.hypot(top[..., 0], top[..., 1])
    on_top, inner = far <= base.radius_mm - make.inset_mm, far <= base.radius_mm - make.inset_mm - make.lip_mm
    rim = on_top if base.is_bare else on_top & ~inner
    fine[rim] = _rim_colours(top[rim], base)
    if not base.is_bare:
        fine[inner] = _basing_colours(top[inner], base)
    rows, columns = np.nonzero(~on_top)
    left = rays[rows, columns]
    for k in reversed(range(_SLICES)):
        share = k / (_SLICES - 1)
        at = eye.met_by(left, base.ground_mm + share * make.top_mm) - base.at_mm
        inside = np.hypot(at[..., 0], at[..., 1]) <= base.radius_mm - share * make.inset_mm
        fine[rows[inside], columns[inside]] = 0.85 * _rim_colours(at[inside], base) if base.side is None else base.side
        rows, columns, left = rows[~inside], columns[~inside], left[~inside]


def _rim_colours(at_mm: Floats, base: Base) -> Floats:
    """The rim's paint at places given from the base's centre, (N, 3)."""
    angle = np.arctan2(at_mm[:, 1], at_mm[:, 0]) - np.radians(base.facing_deg)
    ahead, aside = np.cos(angle), np.sin(angle)
    far = np.hypot(at_mm[:, 0], at_mm[:, 1])
    painted = np.zeros(len(at_mm), bool)
    if base.marking == "front-half":
        painted = ahead >= 0
    if base.marking in ("ticks", "ticks+dot"):
        painted = np.abs(far * ahead) <= 0.65
    if base.marking == "stripes":
        painted = np.sin(8 * angle) > 0
    if base.marking == "ticks+dot":
        middle = base.radius_mm - base.make.inset_mm - base.make.lip_mm / 2
        painted |= np.hypot(far * ahead - middle, far * aside) <= 0.9
    share = (1 + ahead) / 2 if base.marking == "shaded" else painted
    return np.asarray(np.array(base.rim) + share[:, None] * np.subtract(base.paint, base.rim))


@cache
def _flock(seed: int) -> Floats:
    return 1 + _speckle(_FLOCK_PX, _FLOCK_PX, seed=seed, share=0.28)


def _basing_colours(at_mm: Floats, base: Base) -> Floats:
    """Grass, gravel and shades of a sculpt: as busy as miniatures are from above. It turns with the base."""
    turn = np.radians(base.facing_deg)
    across = at_mm @ np.array([np.cos(turn), np.sin(turn)])
    aside = at_mm @ np.array([-np.sin(turn), np.cos(turn)])
    row, column = ((along * 4 + _FLOCK_PX / 2).astype(int).clip(0, _FLOCK_PX - 1) for along in (aside, across))
    return np.asarray(np.array(base.basing) * _flock(base.seed)[row, column][:, None])


def _put_ball(image: Floats32, ball: Ball, eye: Eye) -> None:
    """A sphere shows as a disc around its middle, but for what perspective makes of it."""
    middle = eye.seen([ball.at_mm])[0]
    px_per_mm = eye.focal_px / (eye.centre_mm[2] - ball.at_mm[2])
    x0, y0, width, height = _patch(middle, ball.radius_mm * px_per_mm + 2, eye)
    if width and height:
        behind = image[y0 : y0 + height, x0 : x0 + width]
        fine = np.asarray(cv2.resize(behind, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_NEAREST), np.float32)
        away = np.linalg.norm(_subpixels(x0, y0, width, height) - middle, axis=-1) / px_per_mm / ball.radius_mm
        shade = np.sqrt(np.clip(1 - away**2, 0, 1))[..., None]
        fine[away <= 1] = (np.array(ball.colour) * (0.5 + 0.7 * shade))[away <= 1]
        behind[:] = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
