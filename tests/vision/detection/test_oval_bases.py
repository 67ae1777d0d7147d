"""Oval bases found and placed in drawn pictures."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.view import View
from models.base import Catalogue, OvalBase, RoundBase
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, Marker
from vision.locate import locate
from vision.measurement.base_fit import fit_base
from vision.measurement.silhouette import PROFILES, RimProfile, base_silhouette
from vision.rectification.ground_height import Ground
from vision.training.synthetic.renderer import RIM_MM, Eye, Frame, paint_slices
from vision.training.synthetic.solid import Footprint, Slice, ring

EYE = Eye(420.0, -210.0, 1400.0)
FRAME = Frame(side_mm=160.0, margin_mm=20.0, px_per_mm=2.0)
MAT, RIM, EARTH, CLOAK = (70.0, 130.0, 110.0), (24.0, 22.0, 20.0), (60.0, 120.0, 150.0), (200.0, 60.0, 60.0)
HORSE, BEAST = OvalBase(width_mm=42, depth_mm=75), OvalBase(width_mm=52, depth_mm=90)
AT = (83.4, 71.7)


def _camera() -> Camera:
    focal = (EYE.z_mm - RIM_MM) * FRAME.px_per_mm
    ((x, y),) = FRAME.to_px(np.array([[EYE.x_mm, EYE.y_mm]])).tolist()
    return Camera(
        image_size=(FRAME.side_px, FRAME.side_px), model="brown", K=((focal, 0, x), (0, focal, y), (0, 0, 1)),
        dist=(0,) * 5, covariance=np.zeros((9, 9)).tolist(), rms_px=0.0,
    )  # fmt: skip


def _pose() -> CameraPose:
    rotation, centre = np.diag([1.0, -1.0, -1.0]), np.array([EYE.x_mm, EYE.y_mm, EYE.z_mm])
    return CameraPose(
        rotation=rotation.tolist(), translation_mm=(-rotation @ centre).tolist(), covariance=np.zeros((6, 6)).tolist(),
        rms_px=0, rms_mm=0, markers=(), centre_mm=tuple(centre.tolist()),
    )  # fmt: skip


def _layout() -> Layout:
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0))
    markers = Fiducials(dictionary="none", marker_mm=1.0, markers=(Marker(id=0, corners_mm=corners),))
    return Layout(table_mm=(FRAME.side_mm, FRAME.side_mm), fiducials=markers)


def _picture(base: OvalBase, turn_rad: float) -> NDArray[np.uint8]:
    """The base with a dark rim and a figure on it."""
    shape = Footprint("oval", base.width_mm, base.depth_mm)
    slices = [Slice(z, shape.outline(0.1 * z, turn_rad=turn_rad) + AT, RIM) for z in np.linspace(0, 4.2, 8)]
    slices.append(Slice(4.21, shape.outline(2.4, turn_rad=turn_rad) + AT, EARTH))
    slices += [Slice(5.0 + k, ring(5.0, 9) + AT + (3.0 * k, 2.0 * k), CLOAK) for k in range(3)]
    mat = np.full((FRAME.side_px, FRAME.side_px, 3), MAT, np.float32)
    return np.asarray(paint_slices(mat, slices, eye=EYE, frame=FRAME)[0], np.uint8)


@pytest.mark.parametrize("turn_deg", [-70.0, 11.0, 143.0])
def test_an_oval_is_placed_and_turned(turn_deg: float) -> None:
    turn = math.radians(turn_deg)
    fit = fit_base(
        _picture(HORSE, turn), start_mm=(AT[0] + 1.6, AT[1] - 1.2), base=HORSE, ground=Ground(0.0, 0.0),
        camera=_camera(), pose=_pose(), turn_rad=turn + 0.06,
    )  # fmt: skip

    assert fit is not None
    assert fit.at_mm == pytest.approx(AT, abs=0.35)
    assert math.degrees(fit.turn_rad - turn) == pytest.approx(0.0, abs=0.6)


def test_an_oval_in_the_state_may_face_along_its_depth_either_way() -> None:
    turn = math.radians(33.0)
    state = locate(
        _picture(BEAST, turn),
        view=View(_camera(), _pose(), _layout()),
        catalogue=Catalogue(bases=(RoundBase(diameter_mm=50), HORSE, BEAST)),
        edition="warmachine-prime",
    )
    (only,) = state.miniatures

    assert only.base == BEAST
    assert only.facing_deg is None
    assert sorted(one.facing_deg for one in only.facing_alternatives) == pytest.approx([33.0, 213.0], abs=1.0)


@given(
    at=st.tuples(st.floats(-300, 900), st.floats(-300, 700)),
    turn_rad=st.floats(-math.pi, math.pi),
    make=st.sampled_from(PROFILES),
)
def test_an_ovals_outline_reaches_as_far_as_foot_and_rim_do(
    at: tuple[float, float], turn_rad: float, make: RimProfile
) -> None:
    camera_mm = np.array([300.0, 200.0, 1300.0])
    outline = base_silhouette(BEAST, at, turn_rad=turn_rad, profile=make, ground_mm=0.0, camera_mm=camera_mm, count=90)
    angle = np.linspace(0, 2 * np.pi, 2001)
    reach = np.full(90, -np.inf)
    for inset, z in ((0.0, 0.0), (make.inset_mm, make.top_mm)):
        flat = np.column_stack([(45 - inset) * np.cos(angle), (26 - inset) * np.sin(angle)])
        cos, sin = math.cos(turn_rad), math.sin(turn_rad)
        points = flat @ np.array([[cos, sin], [-sin, cos]]) + at
        cast = camera_mm[:2] + (points - camera_mm[:2]) * camera_mm[2] / (camera_mm[2] - z)
        reach = np.maximum(reach, (cast @ outline.normals.T).max(axis=0))

    assert (outline.points_mm * outline.normals).sum(axis=1) == pytest.approx(reach, abs=1e-2)
