"""How high terrain is, from bases on it that two cameras saw."""

import numpy as np
import pytest

from calibration.pose.pose_fit import pose_from_rotation
from models.base import RoundBase
from models.camera import CameraPose
from models.layout import Fiducials, Layout, LayoutTerrain, Marker
from models.miniature import Miniature
from models.pose import Sigma
from models.state import TableSize, TableState
from vision.terrain.height_triangulation import triangulate_heights, with_heights

LEFT, RIGHT = (450.0, 610.0, 1500.0), (1380.0, 620.0, 1450.0)
HILL = ((700.0, 500.0), (1100.0, 500.0), (1100.0, 800.0), (700.0, 800.0))
MARKER = Marker(id=0, corners_mm=((0, 80, 0), (80, 80, 0), (80, 0, 0), (0, 0, 0)))


def _layout(*, surface_mm: float | None = None) -> Layout:
    hill = LayoutTerrain(id="h1", kind="hill", polygon_mm=HILL, surface_mm=surface_mm)
    fiducials = Fiducials(dictionary="APRILTAG_36h11", marker_mm=80, markers=(MARKER,))
    return Layout(table_mm=(1828.8, 1219.2), fiducials=fiducials, terrain=(hill,))


def _pose(eye_mm: tuple[float, float, float]) -> CameraPose:
    down = np.diag([1.0, -1.0, -1.0])
    return pose_from_rotation(down, -down @ np.array(eye_mm))


Place = tuple[float, float, float]


def _seen(
    eye_mm: Place, *places: Place, off_mm: float = 0.0, size_mm: float = 30, unsure: bool = True
) -> tuple[TableState, CameraPose]:
    """The table as this eye has it that takes every base to stand on the table, unsure of its height by 20 mm."""
    eye = np.array(eye_mm)
    bases = []
    for i, place in enumerate(places):
        at = eye[:2] + (np.array(place[:2]) - eye[:2]) * eye[2] / (eye[2] - place[2])
        slant = (eye[:2] - at) / eye[2]
        total = 0.2**2 * np.eye(2) + (np.outer(slant, slant) * 20**2 if unsure else 0)
        bases.append(
            Miniature(
                id=f"m{i}",
                base=RoundBase(diameter_mm=size_mm),
                at_mm=(float(at[0]) + off_mm, float(at[1])),
                elevation_mm=0,
                sigma=Sigma(elevation_mm=20.0 if unsure else 0.0),
                covariance_mm2=((total[0, 0], total[0, 1]), (total[1, 0], total[1, 1])),
            )
        )
    size = TableSize(width_mm=1828.8, depth_mm=1219.2)
    return TableState(edition="warmachine-prime", table=size, miniatures=tuple(bases)), _pose(eye_mm)


ON_HILL = ((800.0, 600.0, 25.4), (1000.0, 700.0, 25.4))


def test_two_eyes_tell_how_high_a_hill_is() -> None:
    (solved,) = triangulate_heights([_seen(LEFT, *ON_HILL), _seen(RIGHT, *ON_HILL)], _layout())

    assert solved.surface_mm == pytest.approx(25.4, abs=0.01)
    assert solved.bases == 2


def test_the_sigma_is_the_scatter_of_heights() -> None:
    random = np.random.default_rng(4)
    found = []
    for _ in range(300):
        off = random.normal(0, 0.2, 2)
        seen = [_seen(LEFT, ON_HILL[0], off_mm=off[0]), _seen(RIGHT, ON_HILL[0], off_mm=off[1])]
        found.append(triangulate_heights(seen, _layout())[0])
    scatter = np.hypot(np.std([one.surface_mm for one in found]), 0.3)

    assert scatter == pytest.approx(np.mean([one.sigma_mm for one in found]), rel=0.15)


def test_bases_beside_the_hill_say_nothing_of_it() -> None:
    on_table = ((400.0, 300.0, 0.0), (1200.0, 300.0, 0.0))

    assert triangulate_heights([_seen(LEFT, *on_table), _seen(RIGHT, *on_table)], _layout()) == ()


def test_one_eye_cannot_tell() -> None:
    assert triangulate_heights([_seen(LEFT, *ON_HILL)], _layout()) == ()


def test_two_pictures_from_one_place_cannot_tell() -> None:
    assert triangulate_heights([_seen(LEFT, *ON_HILL), _seen(LEFT, *ON_HILL)], _layout()) == ()


def test_a_base_of_another_size_is_another_base() -> None:
    seen = [_seen(LEFT, ON_HILL[0]), _seen(RIGHT, ON_HILL[0], size_mm=40)]

    assert triangulate_heights(seen, _layout()) == ()


def test_the_layout_takes_the_height_up_and_what_was_entered_is_told() -> None:
    layout = _layout(surface_mm=40.0)
    solved = triangulate_heights([_seen(LEFT, *ON_HILL, unsure=False), _seen(RIGHT, *ON_HILL, unsure=False)], layout)
    piece = with_heights(layout, solved).terrain[0]

    assert solved[0].entered_mm == 40.0
    assert piece.surface_mm == pytest.approx(25.4, abs=0.01)
    assert piece.sigma_mm == pytest.approx(solved[0].sigma_mm, abs=0.01)
