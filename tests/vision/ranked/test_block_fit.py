"""A block that proves to be turned otherwise than it was found is measured as it is turned; how surely it lies."""

import math

import numpy as np
import pytest

from calibration.arrays import Image
from models.base import RectBase
from tests.vision import regiments
from vision.ranked import block_fit
from vision.ranked.block import Block, PlacedRect
from vision.ranked.block_fit import FittedBlock, fit_block
from vision.rectification.ground_height import Ground

SQUARE = RectBase(width_mm=25, depth_mm=25)
MIDDLE = (250.0, 200.0)
TURN_DEG = 20.0
UNIT = regiments.regiment(MIDDLE, TURN_DEG, ranks=3, files=5)
PICTURE = regiments.photograph(UNIT)


def _fitted(off_deg: float, picture: Image = PICTURE) -> FittedBlock:
    """The unit measured from where its order puts it when it is turned by so much about its middle."""
    turn = math.radians(TURN_DEG + off_deg)
    axes = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    cells = tuple((-one.rank, -one.file) for one in UNIT)
    places = (np.array(cells) - np.mean(cells, axis=0)) * 25.4 @ axes + MIDDLE
    members = tuple(PlacedRect(SQUARE, (x, y), turn, Ground(0.0, 0.0)) for x, y in places.tolist())
    return fit_block(picture, Block(members, cells, turn, 500.0), camera=regiments.camera(), pose=regiments.pose())


def _most_off_mm(fitted: FittedBlock) -> float:
    return max(math.dist(at, one.at_mm) for at, one in zip(fitted.at_mm.tolist(), UNIT, strict=True))


@pytest.mark.parametrize("off_deg", [-2.5, -1.5, 0.0, 1.5, 2.5])
def test_however_a_block_was_taken_to_be_turned_its_bases_lie_where_they_stand(off_deg: float) -> None:
    fitted = _fitted(off_deg)

    assert _most_off_mm(fitted) < 0.7
    assert np.degrees(fitted.turns_rad) == pytest.approx([one.facing_deg for one in UNIT], abs=0.7)


def test_one_that_is_turned_as_it_was_found_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[float] = []
    plain = block_fit.estimate_block_pose
    monkeypatch.setattr(
        block_fit, "estimate_block_pose", lambda look, near_mm: looks.append(near_mm) or plain(look, near_mm=near_mm)
    )
    monkeypatch.setattr(block_fit, "_ASKEW_RAD", np.radians(0.7))  # its members stand askew by half of that
    _fitted(0.0)

    assert len(looks) == 3


def test_where_no_rim_is_seen_a_block_may_lie_millimetres_off() -> None:
    seen, unseen = (_sigma_mm(_fitted(0.0, picture)) for picture in (PICTURE, regiments.photograph([])))

    assert seen < 0.6
    assert unseen > 1.8


def _sigma_mm(block: FittedBlock) -> float:
    return float(np.sqrt(block.covariance[:, 0, 0].max()))
