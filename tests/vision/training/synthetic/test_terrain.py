"""Terrain proposed from a table seen from straight above, painted here so that its truth is exact."""

import cv2
import numpy as np
import pytest
import shapely

from calibration.arrays import Image
from models.base import RoundBase
from models.miniature import Miniature
from models.state import TableSize, TableState
from models.terrain import Terrain
from models.terrain_proposal import ProposedTerrain
from vision.terrain.proposals import propose_from_above

Outline = list[tuple[float, float]]

SIDE_MM = 600
GRASS, EARTH, STONE, POND = (58, 110, 78), (60, 90, 150), (168, 170, 176), (150, 110, 60)
PATCH: Outline = [(120, 380), (190, 360), (260, 390), (270, 450), (210, 500), (130, 470)]
WALL: Outline = [(350, 130), (480, 170), (476, 183), (346, 143)]


def mat(colour: tuple[int, int, int] = GRASS, *, rough: float = 6.0) -> Image:
    """Speckled cloth, a pixel a millimetre, the far edge up."""
    dice = np.random.default_rng(3)
    speckle = cv2.GaussianBlur(dice.normal(0, 1, (SIDE_MM, SIDE_MM)).astype(np.float32), (0, 0), 1.5)
    speckle *= rough / speckle.std()
    return np.clip(np.array(colour) + speckle[..., None], 0, 255).astype(np.uint8)


def painted(picture: Image, outline: Outline, colour: tuple[int, int, int]) -> Image:
    corners = np.array([(x - 0.5, SIDE_MM - y - 0.5) for x, y in outline])
    cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return picture


def table(*standing: tuple[float, float], terrain: tuple[Terrain, ...] = ()) -> TableState:
    bases = tuple(Miniature(id=f"m{k}", base=RoundBase(diameter_mm=50), at_mm=at) for k, at in enumerate(standing))
    size = TableSize(width_mm=SIDE_MM, depth_mm=SIDE_MM)
    return TableState(edition="warmachine-prime", table=size, miniatures=bases, terrain=terrain)


def overlap(outline: Outline, proposed: ProposedTerrain) -> float:
    a, b = shapely.Polygon(outline), shapely.Polygon(proposed.polygon_mm)
    return float(a.intersection(b).area / a.union(b).area)


@pytest.mark.parametrize("colour", [EARTH, STONE, POND], ids=["earth", "stone", "pond"])
def test_a_patch_is_outlined_within_its_doubt(colour: tuple[int, int, int]) -> None:
    (patch,) = propose_from_above(painted(mat(), PATCH, colour), table())
    rim = shapely.Polygon(PATCH).exterior
    off = [rim.distance(shapely.Point(corner)) for corner in patch.polygon_mm]

    assert overlap(PATCH, patch) > 0.93
    assert max(off) < 2 * patch.sigma_mm


def test_a_wall_is_found_though_it_is_thin() -> None:
    (wall,) = propose_from_above(painted(mat(), WALL, STONE), table())

    assert overlap(WALL, wall) > 0.6
    assert wall.kinds[0].kind == "wall"


def test_no_kind_is_sure() -> None:
    picture = painted(painted(mat(), PATCH, POND), WALL, STONE)

    for one in propose_from_above(picture, table()):
        assert sum(guess.probability for guess in one.kinds) <= 0.91


def test_a_bare_mat_suggests_nothing() -> None:
    assert propose_from_above(mat(), table()) == ()


def test_a_lamps_shine_is_no_terrain() -> None:
    y, x = np.mgrid[:SIDE_MM, :SIDE_MM]
    shine = 90 * np.exp(-((x - 200) ** 2 + (y - 300) ** 2) / (2 * 70**2))

    assert propose_from_above(np.clip(mat() + shine[..., None], 0, 255).astype(np.uint8), table()) == ()


def test_bases_are_no_terrain() -> None:
    picture = mat()
    for x, y in ((300, 300), (352, 300)):
        cv2.circle(picture, (x, SIDE_MM - y), 25, (20, 20, 20), -1)

    assert propose_from_above(picture, table((300, 300), (352, 300))) == ()


def test_what_stands_on_a_patch_leaves_no_hole_in_it() -> None:
    picture = painted(mat(), PATCH, EARTH)
    cv2.circle(picture, (190, SIDE_MM - 430), 25, (20, 20, 20), -1)
    (patch,) = propose_from_above(picture, table((190, 430)))

    assert overlap(PATCH, patch) > 0.9


def test_dice_and_cards_are_no_terrain() -> None:
    picture = painted(mat(), [(100, 100), (116, 100), (116, 116), (100, 116)], (30, 30, 200))
    painted(picture, [(300, 300), (388, 300), (388, 363), (300, 363)], (220, 220, 220))

    assert propose_from_above(picture, table()) == ()


def test_what_is_known_is_not_proposed_again() -> None:
    known = Terrain(id="w1", kind="wall", line_mm=((350, 137), (478, 177)), thickness_mm=13)
    picture = painted(painted(mat(), PATCH, EARTH), WALL, STONE)
    (left,) = propose_from_above(picture, table(terrain=(known,)))

    assert overlap(PATCH, left) > 0.9


def test_the_same_picture_suggests_the_same() -> None:
    picture = painted(mat(), PATCH, EARTH)

    assert propose_from_above(picture, table()) == propose_from_above(picture.copy(), table())


@pytest.mark.parametrize("grey", [0, 255], ids=["black", "white"])
def test_a_picture_of_nothing_suggests_nothing(grey: int) -> None:
    assert propose_from_above(np.full((SIDE_MM, SIDE_MM, 3), grey, np.uint8), table()) == ()
