"""The picture read across an outline."""

import numpy as np
import pytest

from tests.vision import rendered
from tests.vision.oracles.edge_profiles import shift_outward
from vision.measurement.edge_profiles import OFFSETS_MM, STEP_MM, EdgeProfiles, measure_edge_profiles
from vision.measurement.silhouette import PROFILES, Silhouette, disc_silhouette

EYE = rendered.Eye(focal_px=2000.0).around((300.0, 200.0), reach_mm=40.0)
DISC = rendered.Base((300.0, 200.0), 40.0, make=rendered.Make(0.01, 0.0, 2.0), rim=rendered.BONE, is_bare=True)


def _edges(*, outward_mm: float = 0.0, light: float = 1.0) -> EdgeProfiles:
    """Across a circle that lies this far outside a flat bright disc."""
    image = rendered.photograph(rendered.Scene((DISC,), eye=EYE, light=light))
    camera_mm = np.array(EYE.centre_mm)
    flat = disc_silhouette(
        DISC.at_mm, radius_mm=20.0, profile=PROFILES[0], ground_mm=0.0, camera_mm=camera_mm, count=90
    )
    points = np.array(DISC.at_mm) + flat.normals * (20.0 + outward_mm)
    outline = Silhouette(points, flat.normals, flat.rim_mm, 1.0)
    return measure_edge_profiles(image, outline, ground_mm=0.0, camera=EYE.camera(), pose=EYE.pose())


@pytest.mark.parametrize("outward_mm", [-2.0, 0.0, 1.3])
def test_the_strongest_step_lies_where_the_colour_changes(outward_mm: float) -> None:
    found = OFFSETS_MM[_edges(outward_mm=outward_mm).strength.argmax(axis=1)]

    assert np.median(found) == pytest.approx(-outward_mm, abs=0.11)  # offsets are 0.1 mm apart
    assert np.percentile(abs(found + outward_mm), 90) < 0.25


@pytest.mark.parametrize("steps", [0, 7, -12])
def test_strengths_are_moved_by_whole_steps(steps: int) -> None:
    edges = _edges()
    moved = shift_outward(edges, np.full(90, steps * STEP_MM))
    middle = slice(20, -20)

    assert moved[:, middle].tolist() == np.roll(edges.strength, -steps, axis=1)[:, middle].tolist()


def test_every_normal_has_its_own_distance() -> None:
    edges = _edges()
    moved = shift_outward(edges, np.arange(90) * STEP_MM)

    assert moved[:, 0].tolist() == [edges.strength[k, min(k, len(OFFSETS_MM) - 1)] for k in range(90)]


def test_what_is_moved_in_from_beyond_is_the_outermost() -> None:
    edges = _edges()

    assert (
        shift_outward(edges, np.full(90, 99.0)).tolist()
        == np.repeat(edges.strength[:, -1:], len(OFFSETS_MM), axis=1).tolist()
    )


def test_a_pixel_is_as_long_as_the_camera_shows_it() -> None:
    assert _edges().mm_per_px == pytest.approx(800 / 2000, rel=0.02)


def test_dim_light_weakens_a_step_by_less_than_the_light() -> None:
    """Grey levels are taken as the eye takes them."""
    bright, dim = (_edges(light=light).strength.max(axis=1).mean() for light in (1.0, 0.5))

    assert 0.6 * bright < dim < bright
