"""The network that is shipped: small enough, told about, and able to see."""

import numpy as np
import pytest

from vision.detection.network.inference import SHIPPED, shipped_network
from vision.training.evaluation import DetectionCounts, match_truths
from vision.training.synthetic.tile import TILE_PX, tile
from vision.training.yolo import label_rows

LARGEST_BYTES = 12_000_000
UNSEEN_SEED = 4711  # not that of any training run


def test_it_is_small_enough_to_ship() -> None:
    assert 100_000 < SHIPPED.stat().st_size < LARGEST_BYTES


@pytest.mark.parametrize("part", ["bases.md", "dense.onnx", "dense.md"])
def test_its_card_and_the_dense_network_lie_beside_it(part: str) -> None:
    assert SHIPPED.with_name(part).stat().st_size > 0


@pytest.mark.parametrize("part", ["bases.pt", "dense.pt"])
def test_what_to_go_on_training_from_lies_beside_the_training(part: str) -> None:
    assert (SHIPPED.parents[3] / "training" / "weights" / part).stat().st_size > 0


@pytest.mark.parametrize("shape", [(320, 320), (333, 401), (32, 32), (10, 700)], ids=str)
def test_a_picture_of_any_size_is_answered(shape: tuple[int, int]) -> None:
    assert shipped_network().proposals(np.full((*shape, 3), 90, np.uint8)) == []


def test_most_of_what_stands_on_drawn_tiles_it_never_saw_is_proposed() -> None:
    total = DetectionCounts()
    for number in range(6):
        one = tile(UNSEEN_SEED, number)
        total += match_truths(shipped_network().proposals(one.picture), label_rows(one.labels))

    assert total.truths > 20
    assert total.recall > 0.5


def test_what_is_seen_does_not_hang_on_how_much_lies_beside_it() -> None:
    """Filling the sides up to what the network takes moves nothing."""
    picture = tile(UNSEEN_SEED, 0).picture
    wider = np.zeros((TILE_PX + 45, TILE_PX + 77, 3), np.uint8)
    wider[:TILE_PX, :TILE_PX] = picture
    inner, outer = ([one for one in shipped_network().proposals(p) if max(one.at) < 250] for p in (picture, wider))

    assert len(inner) > 0
    assert [one.at for one in outer] == [pytest.approx(one.at, abs=1.0) for one in inner]
