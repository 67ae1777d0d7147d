"""A table under a lamp and a projector, as a camera sees it: falloff, vignetting of both, tone curves, noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.camera_model import projection
from calibration.pose.fiducial_residuals import marker_cells
from calibration.projector.dot_pattern import DotPattern
from calibration.view import View
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, LayoutTerrain, Marker
from tests.calibration.scene import pose_towards

SIX_BY_FOUR_MM = (1828.8, 1219.2)
FULL_HD = (1920, 1080)
MARKER_MM = 90.0
_FINER = 2
_COARSER = 8
_GAMMA = 2.2


def table_layout(*, sigma_mm: float = 0.2, terrain: Sequence[LayoutTerrain] = ()) -> Layout:
    """A table of 6 x 4 ft with markers in its corners and in the middle of its long sides."""
    width, depth = SIX_BY_FOUR_MM
    across, up = (12.0, (width - MARKER_MM) / 2, width - MARKER_MM - 12), (12.0, depth - MARKER_MM - 12)
    places = [(x, y) for y in up for x in across]
    markers = tuple(Marker(id=i, corners_mm=_square(x, y)) for i, (x, y) in enumerate(places))
    fiducials = Fiducials(dictionary="APRILTAG_36h11", marker_mm=MARKER_MM, markers=markers, sigma_mm=sigma_mm)
    return Layout(table_mm=SIX_BY_FOUR_MM, fiducials=fiducials, terrain=tuple(terrain))


def _square(x: float, y: float) -> tuple[tuple[float, float, float], ...]:
    far, right = y + MARKER_MM, x + MARKER_MM
    return ((x, far, 0), (right, far, 0), (right, y, 0), (x, y, 0))


def lens(size_px: tuple[int, int], *, throw: float, shift: float = 0.5, dist: Sequence[float] = ()) -> Camera:
    """A lens whose picture is as wide as its distance over the throw; `shift`: where its axis is, from the top."""
    width, height = size_px
    focal = throw * width
    return Camera(
        image_size=size_px,
        K=((focal, 0, width / 2 - 0.5), (0, focal, shift * height - 0.5), (0, 0, 1)),
        dist=tuple(dist),
        covariance=((0.0,) * 9,) * 9,
        rms_px=0,
    )


@dataclass(frozen=True)
class LightScene:
    """`view` and `layout` are the truth; the product knows the layout as written, and finds the rest."""

    view: View
    projector: Camera
    projector_pose: CameraPose
    written: Layout
    seed: int = 0
    lamp: float = 0.30  # of what makes white paper white, in the picture's middle
    power: float = 0.45  # the projector's white, likewise
    noise: float = 1.2

    @classmethod
    def draw(
        cls, seed: int, *, size_px: tuple[int, int] = FULL_HD, terrain: Sequence[LayoutTerrain] = ()
    ) -> "LightScene":
        """A camera overhead, and a projector beside the table that looks across it."""
        random = np.random.default_rng(seed)
        written = table_layout(terrain=terrain)
        width, depth = SIX_BY_FOUR_MM
        eye = np.array([width / 2, depth / 2, 1750.0]) + random.normal(0, 60, 3)
        camera = lens(size_px, throw=0.74, dist=(0.03, -0.04, 0.0004, -0.0003, 0.0))
        pose = pose_towards(eye, (width / 2 + random.normal(0, 15), depth / 2 + random.normal(0, 15), 0))
        aside = np.array([width / 2 + random.uniform(-350, 350), -random.uniform(150, 500), random.uniform(1900, 2300)])
        throw = random.uniform(0.88, 0.98)
        shine = lens(FULL_HD, throw=throw, dist=(random.uniform(-0.02, 0.03), random.uniform(-0.01, 0.01), 0, 0))
        layout = _moved_markers(written, eye, random)
        return cls(
            View(camera, pose, layout), shine, pose_towards(aside, (width / 2, depth / 2 - 20, 0)), written, seed
        )

    def photograph(self, page: Image | None = None, *, albedo: Floats32 | None = None) -> Image:
        """The camera's picture, BGR, while the projector shows this page (grey, its own pixels); None: it is off."""
        light = self.lamp * self._lamp_falloff
        if page is not None:
            shown = cv2.GaussianBlur((page.astype(np.float32) / 255) ** _GAMMA, (0, 0), 0.6)
            falls = cv2.remap(shown, *self._projector_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
            light = light + self.power * self._projector_falloff * falls
        fine = (self.albedo if albedo is None else albedo) * light * self._vignette
        width, height = self.view.camera.image_size
        linear = cv2.resize(cv2.GaussianBlur(fine, (0, 0), 0.6 * _FINER), (width, height), interpolation=cv2.INTER_AREA)
        random = np.random.default_rng([self.seed, int(page.sum()) if page is not None else 0])
        grey = 255 * np.clip(linear, 0, 1) ** (1 / _GAMMA) + random.normal(0, self.noise, linear.shape)
        return cv2.cvtColor(np.clip(np.round(grey), 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)

    def true_light_mm(self, projector_px: Floats, *, z_mm: float = 0.0) -> Floats:
        """Where light of these pixels of the projector really falls, (N, 2) mm."""
        return projection.intersect_plane(projector_px, camera=self.projector, pose=self.projector_pose, z_mm=z_mm)

    @property
    def fine_shape(self) -> tuple[int, int]:
        width, height = self.view.camera.image_size
        return height * _FINER, width * _FINER

    @cached_property
    def places(self) -> Floats32:
        """Table places (x, y, z) mm of the fine pixels, (H, W, 3)."""
        out = self._places_at(0.0)
        for piece in self.written.terrain:
            raised = self._places_at(float(piece.surface_mm or 0))
            low, top = np.min(piece.polygon_mm, axis=0), np.max(piece.polygon_mm, axis=0)
            inside = np.all((raised[..., :2] > low) & (raised[..., :2] < top), axis=2)
            out[inside] = raised[inside]
        return out

    def _places_at(self, z_mm: float) -> Floats32:
        """The same of a plane at this height: the lens bends so little that every eighth pixel tells the others."""
        height, width = (side // _COARSER + 2 for side in self.fine_shape)
        columns, rows = np.meshgrid(np.arange(width) - 1.0, np.arange(height) - 1.0)
        fine = np.stack([columns, rows], axis=2).reshape(-1, 2) * _COARSER + (_COARSER - 1) / 2
        flat = self.view.intersect_plane((fine + 0.5) / _FINER - 0.5, z_mm=z_mm).reshape(height, width, 2)
        grown = cv2.resize(flat, (width * _COARSER, height * _COARSER), interpolation=cv2.INTER_CUBIC)
        inner = grown[_COARSER:-_COARSER, _COARSER:-_COARSER]
        return np.dstack([inner, np.full(inner.shape[:2], z_mm)]).astype(np.float32)

    @cached_property
    def albedo(self) -> Floats32:
        """A printed mat and its markers, with a floor around the table."""
        random = np.random.default_rng(self.seed + 1000)
        x, y = self.places[..., 0], self.places[..., 1]
        clouds = cv2.GaussianBlur(random.normal(0, 1, (310, 460)).astype(np.float32), (0, 0), 2.0)
        clouds += cv2.GaussianBlur(random.normal(0, 1, (310, 460)).astype(np.float32), (0, 0), 12.0) * 5
        print_ = 0.32 + 0.10 * clouds / clouds.std()
        out = np.clip(cv2.remap(print_, x / 4, y / 4, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), 0.06, 0.7)
        off = (x < 0) | (y < 0) | (x > SIX_BY_FOUR_MM[0]) | (y > SIX_BY_FOUR_MM[1])
        out[off] = 0.12
        for marker in self.view.layout.fiducials.markers:
            _print_marker(out, self.places[..., :2], marker, self.view.layout.fiducials.dictionary)
        return np.asarray(out, np.float32)

    @cached_property
    def _projector_px(self) -> tuple[Floats32, Floats32]:
        rotation, (focal, _, cx), (_, _, cy) = (
            np.array(self.projector_pose.rotation, np.float32), *self.projector.K[:2]
        )  # fmt: skip
        seen = self.places @ rotation.T + np.array(self.projector_pose.translation_mm, np.float32)
        x, y = seen[..., 0] / seen[..., 2], seen[..., 1] / seen[..., 2]
        r2, (k1, k2) = x * x + y * y, self.projector.dist[:2]
        bent = 1 + r2 * (k1 + r2 * k2)
        return focal * x * bent + cx, focal * y * bent + cy

    @cached_property
    def _projector_falloff(self) -> Floats32:
        """Inverse square, the slant of the table, and a lens that is dimmer towards its corners."""
        away = self.places - np.array(self.projector_pose.centre_mm, np.float32)
        far = np.linalg.norm(away, axis=2)
        x, y = self._projector_px
        radius2 = ((x - FULL_HD[0] / 2) ** 2 + (y - FULL_HD[1] / 2) ** 2) / (FULL_HD[0] / 2) ** 2
        return np.asarray((2200 / far) ** 2 * np.abs(away[..., 2]) / far * np.clip(1 - 0.25 * radius2, 0.3, 1))

    @cached_property
    def _lamp_falloff(self) -> Floats32:
        return 1 + 0.25 * (self.places[..., 0] / 1800 - 0.5) - 0.2 * (self.places[..., 1] / 1200 - 0.5)

    @cached_property
    def _vignette(self) -> Floats32:
        away = self.places - np.array(self.view.pose.centre_mm, np.float32)
        return np.asarray(2.0 * (np.abs(away[..., 2]) / np.linalg.norm(away, axis=2)) ** 3)


def _print_marker(out: Floats32, places: Floats, marker: Marker, dictionary: str) -> None:
    corners = np.array(marker.corners_mm)[:, :2]
    cells = marker_cells(dictionary, marker.id)
    side = len(cells) - 2
    axes = np.stack([corners[1] - corners[0], corners[3] - corners[0]])
    near = np.abs(places - corners.mean(axis=0)).max(axis=2) < 1.5 * MARKER_MM
    column, row = np.floor((places[near] - corners[0]) @ np.linalg.inv(axes) * side + 1).astype(int).T
    on = (column >= 0) & (row >= 0) & (column <= side + 1) & (row <= side + 1)
    shades = out[near]
    shades[on] = np.where(cells[row[on], column[on]], 0.8, 0.04)
    out[near] = shades


def _moved_markers(written: Layout, eye: Floats, random: np.random.Generator) -> Layout:
    """The markers as they really lie: off by the layout's sigma along each axis, height seen as a shift."""
    moved = []
    for marker in written.fiducials.markers:
        off = random.normal(0, written.fiducials.sigma_mm, 3)
        corners = np.array(marker.corners_mm) + np.array([*off[:2], 0])
        corners[:, :2] = eye[:2] + (corners[:, :2] - eye[:2]) * eye[2] / (eye[2] - off[2])
        moved.append(Marker(id=marker.id, corners_mm=tuple(map(tuple, corners))))
    fiducials = written.fiducials.model_copy(update={"markers": tuple(moved)})
    return Layout(table_mm=written.table_mm, fiducials=fiducials, terrain=written.terrain)


def pattern_page(pattern: DotPattern, picture: int) -> Image:
    """The page that shows this picture of the pattern, grey."""
    width, height = pattern.size_px
    page = np.full((height, width), 255 if pattern.is_white(picture) else 0, np.uint8)
    for x, y in pattern.dots_px[pattern.shown(picture)]:
        middle = (round(x * 16), round(y * 16))
        cv2.circle(page, middle, round(pattern.radius_px * 16), 255, -1, cv2.LINE_AA, shift=4)
    return page
