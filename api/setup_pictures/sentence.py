"""Sentence on a set-up: how good distances on this table are, and the map of where they are less so."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from api.corners.uncertainty_map import heat_map
from api.setup_pictures.sweep import SweepPicture
from calibration.arrays import Floats
from calibration.pose.covariance_propagation import sigma_mm
from calibration.pose.locate_table import locate_table
from calibration.setup.solve_setup import Setup
from calibration.setup.solve_sheets import SheetSetup
from calibration.view import View
from models.camera import CameraPose
from models.errors import TableNotVisible, TablesideError

_TAPE_MM = 1.6  # what players' rulers are good to
_FEET_MM = 304.8


@dataclass(frozen=True)
class Doubt:
    """One sigma of a place in the middle and at the worst corner, in the picture that tells most, and its map."""

    middle_mm: float
    corners_mm: float
    sentence: str
    svg: str


def first_doubt(setup: Setup, sweep: Sequence[SweepPicture]) -> Doubt:
    """The same of the first of these in which the table is found: what is asked after each picture may not take long.

    Raises: TableNotVisible.
    """
    *others, last = sweep
    for picture in others:
        try:
            return doubt_of(setup, (picture,))
        except TableNotVisible:
            continue
    return doubt_of(setup, (last,))


def doubt_of(setup: Setup, sweep: Sequence[SweepPicture]) -> Doubt:
    """What a picture like the best of those given leaves in doubt. Raises: TableNotVisible."""
    pictures = {picture.name: picture for picture in sweep}
    names = [name for name in setup.pictures if name in pictures]
    poses = [pose for name in names if (pose := _locate(pictures[name], setup)) is not None]
    if not poses:
        raise TableNotVisible("with this lens and layout the table is found in none of the pictures: take them anew")
    best = min(poses, key=lambda pose: float(_sigmas(setup, pose).max()))
    middle, *corners = _sigmas(setup, best)
    worst = float(max(corners))
    svg = heat_map(View(setup.camera, best, setup.layout))
    return Doubt(float(middle), worst, _say(float(middle), worst, setup.layout.fiducials.scale_sigma), svg)


def doubt_of_sheets(setup: SheetSetup, table_mm: tuple[float, float]) -> Doubt:
    """What two sheets of paper leave in doubt."""
    view = View.of_bare_table(setup.camera, setup.pose, table_mm)
    middle, *corners = sigma_mm(_places(table_mm), view=view)
    worst = float(max(corners))
    return Doubt(float(middle), worst, _say(float(middle), worst, 0.0), heat_map(view))


def _locate(picture: SweepPicture, setup: Setup) -> CameraPose | None:
    try:
        return locate_table(picture.gray, camera=setup.camera, layout=setup.layout)
    except TablesideError:
        return None


def _sigmas(setup: Setup, pose: CameraPose) -> Floats:
    """Of the table's middle and its four corners, mm."""
    return sigma_mm(_places(setup.layout.table_mm), view=View(setup.camera, pose, setup.layout))


def _places(table_mm: tuple[float, float]) -> Floats:
    """The table's middle and its four corners."""
    width, depth = table_mm
    return np.array([[width / 2, depth / 2, 0], [0, 0, 0], [width, 0, 0], [width, depth, 0], [0, depth, 0]], np.float64)


def _say(middle_mm: float, corner_mm: float, scale_sigma: float) -> str:
    beats = ": better than a tape" if corner_mm < _TAPE_MM else ": no better than a tape from one end to the other"
    scale = (
        f"; the print's scale may add {scale_sigma * _FEET_MM:.1f} mm in each foot"
        if scale_sigma * _FEET_MM > 0.1
        else ""
    )
    return (
        f"Places on this table are good to {middle_mm:.2f} mm in the middle and {corner_mm:.2f} mm at the far corners"
        f"{beats}{scale}."
    )
