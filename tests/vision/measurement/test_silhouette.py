"""The outline of a base against a hull of many points of its body, each projected through the test's own camera."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision import rendered
from vision.measurement.silhouette import PROFILES, RimProfile, disc_silhouette

MAKES = st.sampled_from(PROFILES)
CAMERA_MM = np.array([310.0, 190.0, 800.0])


def _body(at: tuple[float, float], radius_mm: float, make: RimProfile, ground_mm: float) -> rendered.Floats:
    """Points all over the side of the base, (N, 3)."""
    angle = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    slices = []
    for share in np.linspace(0, 1, 9):
        r = radius_mm - share * make.inset_mm
        height = np.full_like(angle, ground_mm + share * make.top_mm)
        slices.append(np.column_stack([at[0] + r * np.cos(angle), at[1] + r * np.sin(angle), height]))
    return np.concatenate(slices)


def _on_ground(points: rendered.Floats, camera_mm: rendered.Floats, ground_mm: float) -> rendered.Floats:
    """Where the rays through these points meet the ground."""
    along = (ground_mm - camera_mm[2]) / (points[:, 2] - camera_mm[2])
    return np.asarray(camera_mm[:2] + along[:, None] * (points[:, :2] - camera_mm[:2]))


@given(
    at=st.tuples(st.floats(-300, 900), st.floats(-300, 700)),
    diameter=st.sampled_from([30.0, 40.0, 50.0, 120.0]),
    make=MAKES,
    ground=st.floats(0, 120),
    height=st.floats(700, 2500),
)
def test_the_outline_is_the_hull_of_everything_the_base_covers(
    at: tuple[float, float], diameter: float, make: RimProfile, ground: float, height: float
) -> None:
    """Compared by how far both reach in every direction."""
    camera = np.array([310.0, 190.0, height])
    outline = disc_silhouette(at, radius_mm=diameter / 2, profile=make, ground_mm=ground, camera_mm=camera, count=90)
    covered = _on_ground(_body(at, diameter / 2, make, ground), camera, ground)
    reach = (covered @ outline.normals.T).max(axis=0)

    assert (outline.points_mm * outline.normals).sum(axis=1) == pytest.approx(reach, abs=1e-2)


@given(at=st.tuples(st.floats(-300, 900), st.floats(-300, 700)), make=MAKES)
def test_the_rim_offset_leads_from_the_outline_to_the_upper_rim(at: tuple[float, float], make: RimProfile) -> None:
    outline = disc_silhouette(at, radius_mm=20.0, profile=make, ground_mm=0.0, camera_mm=CAMERA_MM, count=60)
    top = _body(at, 20.0, make, 0.0)[-360:]
    reach = (_on_ground(top, CAMERA_MM, 0.0) @ outline.normals.T).max(axis=0)
    rim = (outline.points_mm * outline.normals).sum(axis=1) + outline.rim_mm

    assert rim == pytest.approx(reach, abs=1e-2)


def test_straight_below_the_camera_the_outline_is_a_circle_around_the_centre() -> None:
    outline = disc_silhouette(
        (310.0, 190.0), radius_mm=15.0, profile=PROFILES[0], ground_mm=0.0, camera_mm=CAMERA_MM, count=72
    )
    far = np.hypot(*(outline.points_mm - [310.0, 190.0]).T)

    assert np.ptp(far) < 1e-9


def test_away_from_the_camera_the_foot_shows_towards_it() -> None:
    outline = disc_silhouette(
        (600.0, 190.0), radius_mm=15.0, profile=PROFILES[0], ground_mm=0.0, camera_mm=CAMERA_MM, count=4
    )
    ahead, _, behind, _ = outline.rim_mm

    assert ahead == 0.0  # the rim is the outline
    assert behind < -1.0  # the side of the base is in sight below the rim
