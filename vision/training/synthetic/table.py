"""A drawn piece of a table as a camera hands it over, not straightened, with its camera and its exact truth.

For choosing what the fit is tuned by, and for counting how often it is right: hundreds of bases a minute.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats32, Image
from models.base import OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, LayoutTerrain, Marker
from vision.training.synthetic.camera_effects import develop
from vision.training.synthetic.mat import any_mat
from vision.training.synthetic.placement import Standing
from vision.training.synthetic.renderer import RIM_MM, Eye, Frame, light_scene, paint_slices
from vision.training.synthetic.solid import Footprint
from vision.training.synthetic.tile import FEW, scene

Random = np.random.Generator

SIDE_MM = 320.0
_MARGIN_MM = 24.0
_FINER = 3  # pixels of the canvas in one of the camera's, each way
_ABOVE_MM = 0.5  # marks and basing rise less above a rim
_CLOTH = 0.1  # of its height has an area: bases on it stand where they are said to
_PLATE_MM = 12.0  # of a hill only what is round the middle of a base on it is told


@dataclass(frozen=True)
class DrawnTable:
    """A picture with the camera that took it; `bases` is what stands there, and which share of each rim is `hidden`."""

    picture: Image
    camera: Camera
    pose: CameraPose
    layout: Layout
    bases: tuple[Standing, ...]
    hidden: tuple[float, ...]


def drawn_table(
    seed: int,
    index: int,
    *,
    px_per_mm: float,
    ranked: float = 0.28,
    shapes: Sequence[Footprint] = (),
    wanted: tuple[int, int] = FEW,
) -> DrawnTable:
    """The piece of this number under this seed, with a unit in ranks in this share of all; the same every time.

    Where shapes are named, no other bases stand outside of such a unit; `wanted`: from how many to below how many.
    """
    random = np.random.default_rng([seed, index, 1])
    x, y = SIDE_MM / 2 + random.uniform(-650, 650, 2)
    eye = Eye(float(x), float(y), float(random.uniform(1300, 1700)))
    frame = Frame(SIDE_MM, _MARGIN_MM, _FINER * px_per_mm)
    standing, slices = scene(
        random, SIDE_MM, ranked=ranked, front_only=index % 2 == 1, shapes=shapes, wanted=wanted, thick=_CLOTH
    )
    mat = any_mat(random, side_px=frame.side_px, px_per_mm=frame.px_per_mm)
    colours, heights = paint_slices(mat, slices, eye=eye, frame=frame)
    shot = light_scene(colours, heights, eye=eye, frame=frame, random=random)
    side_px = frame.side_px // _FINER
    small = cv2.resize(shot[: side_px * _FINER, : side_px * _FINER], (side_px, side_px), interpolation=cv2.INTER_AREA)
    picture = develop(np.asarray(small, np.float32), random)
    hills = tuple(_hill(base, k) for k, base in enumerate(standing) if base.ground_mm > 0)
    return DrawnTable(
        picture, camera_of(eye, frame, side_px, finer=_FINER), pose_of(eye), layout_of(SIDE_MM, hills), tuple(standing),
        tuple(_hidden(base, heights, eye=eye, frame=frame) for base in standing),
    )  # fmt: skip


def _hidden(base: Standing, heights: Floats32, *, eye: Eye, frame: Frame) -> float:
    """The share of its upper rim over which something higher is seen; what lies beyond the picture is hidden."""
    top_mm = base.ground_mm + base.look.top_mm
    rim = base.shape.outline(base.look.inset_mm + 0.3, turn_rad=base.turn_rad) + base.at
    columns, rows = np.rint(frame.to_px(eye.cast(rim, top_mm))).astype(int).T
    is_in = (columns >= 0) & (rows >= 0) & (columns < frame.side_px) & (rows < frame.side_px)
    seen = heights[rows.clip(0, frame.side_px - 1), columns.clip(0, frame.side_px - 1)]
    return float((~is_in | (seen > top_mm + _ABOVE_MM)).mean())


def base_of(base: Standing) -> RoundBase | OvalBase | RectBase:
    """Its size as the state names it."""
    shape = base.shape
    if shape.kind == "round":
        return RoundBase(diameter_mm=shape.width_mm)
    make = OvalBase if shape.kind == "oval" else RectBase
    return make(width_mm=shape.width_mm, depth_mm=shape.depth_mm)


def camera_of(eye: Eye, frame: Frame, side_px: int, *, finer: int) -> Camera:
    """Looking straight down, its middle shifted: so its picture of the rims' plane is the canvas, only coarser."""
    focal = (eye.z_mm - RIM_MM) * frame.px_per_mm / finer
    ((x, y),) = ((frame.to_px(np.array([[eye.x_mm, eye.y_mm]])) + 0.5) / finer - 0.5).tolist()
    return Camera(
        image_size=(side_px, side_px), model="brown", K=((focal, 0, x), (0, focal, y), (0, 0, 1)), dist=(0,) * 5,
        covariance=np.zeros((9, 9)).tolist(), rms_px=0.0,
    )  # fmt: skip


def pose_of(eye: Eye) -> CameraPose:
    """Looking straight down from there."""
    rotation = np.diag([1.0, -1.0, -1.0])
    centre = np.array([eye.x_mm, eye.y_mm, eye.z_mm])
    return CameraPose(
        rotation=rotation.tolist(), translation_mm=(-rotation @ centre).tolist(), covariance=np.zeros((6, 6)).tolist(),
        rms_px=0.0, rms_mm=0.0, markers=(), centre_mm=tuple(centre.tolist()),
    )  # fmt: skip


def layout_of(side_mm: float, hills: tuple[LayoutTerrain, ...]) -> Layout:
    """The table; its fiducials are named and not drawn, since the pose is known."""
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0))
    markers = Fiducials(dictionary="none", marker_mm=1.0, markers=(Marker(id=0, corners_mm=corners),))
    return Layout(table_mm=(side_mm, side_mm), fiducials=markers, terrain=hills)


def _hill(base: Standing, number: int) -> LayoutTerrain:
    """A plate around one raised base, at its height."""
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    x, y = base.at
    outline = np.column_stack([x + _PLATE_MM * np.cos(angle), y + _PLATE_MM * np.sin(angle)]).tolist()
    return LayoutTerrain(
        id=f"hill{number}", kind="hill", polygon_mm=tuple(map(tuple, outline)), surface_mm=base.ground_mm, sigma_mm=0.3
    )
