"""Pictures of flat printed things through a known camera: supersampled, blurred, with a tone curve and noise."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.pose.fiducial_residuals import marker_cells
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, Marker

Shade = Callable[[Floats], Floats]
"""Reflectance 0..1 at points (N, 2) of the plane, mm."""

_FINER = 4


def camera(*, size: tuple[int, int] = (1280, 720), focal: float = 700.0, dist: Sequence[float] = ()) -> Camera:
    dist = tuple(dist) or (0.038, -0.055, -0.0004, 0.0005, 0.0)
    width, height = size
    return Camera(
        image_size=size,
        model="brown",
        K=((focal, 0, width / 2 - 7.3), (0, focal, height / 2 + 4.1), (0, 0, 1)),
        dist=tuple(dist),
        covariance=tuple(map(tuple, np.zeros((9, 9)))),
        rms_px=0,
    )


def pose_at(centre_mm: Sequence[float], turn: Sequence[float] = (3.13, 0.02, -0.01)) -> CameraPose:
    """A camera at this place, looking down when turned by about half a turn round x."""
    rotation = np.asarray(cv2.Rodrigues(np.array(turn, np.float64))[0], np.float64)
    return CameraPose(
        rotation=tuple(map(tuple, rotation)),
        translation_mm=tuple(-rotation @ np.array(centre_mm)),
        covariance=tuple(map(tuple, np.zeros((6, 6)))),
        rms_px=0,
        rms_mm=0,
        markers=(),
        centre_mm=tuple(centre_mm),
    )


def pose_towards(centre_mm: Sequence[float], target_mm: Sequence[float]) -> CameraPose:
    """A camera at this place that looks at that one, its picture's right about the table's."""
    ahead = np.array(target_mm, np.float64) - centre_mm
    ahead /= np.linalg.norm(ahead)
    down = np.cross(ahead, [1.0, 0.0, 0.0])
    down /= np.linalg.norm(down)
    rotation = np.stack([np.cross(down, ahead), down, ahead])
    return pose_at(centre_mm, np.ravel(cv2.Rodrigues(rotation)[0]).tolist())


def layout(ids: Sequence[int] = (0, 1, 2, 3), *, dictionary: str = "APRILTAG_36h11", sigma_mm: float = 0.1) -> Layout:
    """A table of 1200 x 800 mm with markers of 80 mm: in its corners first, then along its sides."""
    places = [(20, 20), (1100, 20), (1100, 700), (20, 700), (560, 20), (560, 700)]
    markers = tuple(Marker(id=i, corners_mm=_square(x, y, 80)) for i, (x, y) in zip(ids, places, strict=False))
    fiducials = Fiducials(dictionary=dictionary, marker_mm=80, markers=markers, sigma_mm=sigma_mm)
    return Layout(table_mm=(1200, 800), fiducials=fiducials)


def _square(x: float, y: float, side: float) -> tuple[tuple[float, float, float], ...]:
    """Printed order, top away from the near edge."""
    return ((x, y + side, 0), (x + side, y + side, 0), (x + side, y, 0), (x, y, 0))


def printed(layout: Layout) -> Shade:
    """The layout's markers as they lie, each in a white cell's width of paper on a darker table."""

    def shade(points: Floats) -> Floats:
        light = 0.25 + 0.05 * np.sin(points[:, 0] / 37) * np.cos(points[:, 1] / 29)
        for marker in layout.fiducials.markers:
            corners = np.array(marker.corners_mm)[:, :2]
            cells = marker_cells(layout.fiducials.dictionary, marker.id)
            side = len(cells) - 2
            axes = np.stack([corners[1] - corners[0], corners[3] - corners[0]])
            column, row = np.floor((points - corners[0]) @ np.linalg.inv(axes) * side + 1).astype(int).T
            on = (column >= 0) & (row >= 0) & (column <= side + 1) & (row <= side + 1)
            light[on] = np.where(cells[row[on], column[on]], 0.85, 0.03)
        return light

    return shade


def photograph(
    shade: Shade,
    *,
    camera: Camera,
    pose: CameraPose,
    around_mm: Sequence[Floats],
    exposure: float = 1.25,
    blur_px: float = 0.7,
    noise: float = 1.0,
) -> Image:
    """What the camera sees of the plane z = 0 near the given outlines; grey elsewhere. Bright areas clip and grow."""
    width, height = camera.image_size
    image = np.full((height, width), 120, np.uint8)
    for outline in around_mm:
        _expose(image, shade, outline, camera, pose, exposure, blur_px)
    rough = np.random.default_rng(7).normal(0, noise, image.shape)
    return np.clip(np.round(image + rough), 0, 255).astype(np.uint8)


def photograph_table(layout: Layout, *, camera: Camera, pose: CameraPose, **how: float) -> Image:
    around = [np.array(marker.corners_mm) for marker in layout.fiducials.markers]
    return photograph(printed(layout), camera=camera, pose=pose, around_mm=around, **how)


def _expose(
    image: Image, shade: Shade, outline: Floats, camera: Camera, pose: CameraPose, exposure: float, blur_px: float
) -> None:
    seen = projection.project(outline, camera=camera, pose=pose)
    margin = 0.3 * np.ptp(seen, axis=0).max() + 6
    limit = np.array(camera.image_size)
    low = np.clip(np.floor(seen.min(axis=0) - margin), 0, limit).astype(int)
    high = np.clip(np.ceil(seen.max(axis=0) + margin), 0, limit).astype(int)
    if np.any(high - low < 2):
        return
    x, y = (np.arange(low[i], high[i], 1 / _FINER) + 0.5 / _FINER - 0.5 for i in range(2))
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    light = shade(projection.intersect_plane(grid, camera=camera, pose=pose, z_mm=0)).reshape(len(y), len(x))
    soft = cv2.GaussianBlur(light, (0, 0), blur_px * _FINER)
    small = cv2.resize(soft, (int(high[0] - low[0]), int(high[1] - low[1])), interpolation=cv2.INTER_AREA)
    image[low[1] : high[1], low[0] : high[0]] = np.round(255 * np.clip(exposure * small, 0, 1) ** (1 / 2.2))
