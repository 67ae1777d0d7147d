"""The pose of a block by the kernel is that by the same steps in NumPy."""

import numpy as np
import pytest

from calibration.arrays import Mask
from tests.vision.oracles.sides import align_sides_numpy, fit_layers_numpy
from vision.ranked.block_pose import BlockPose, BlockSides, estimate_block_pose
from vision.ranked.side_profiles import OFFSETS_MM, RectProfile, SampledSides

MAKE = RectProfile(top_mm=3.3, inset_mm=0.4)
ALONE, PAIR = np.ones((1, 4), bool), np.array([[0, 1, 1, 1], [1, 1, 0, 1]], bool)


def _look(seed: int, is_free: Mask) -> BlockSides:
    """Bases whose sides show basing, a rim and ground in any colours, the front's rim in another, and noise."""
    random = np.random.default_rng(seed)
    parts, off_mm, rim_mm = 6, random.uniform(-0.8, 0.8), random.uniform(0.5, 1.6)
    basing, rim, ground, paint = random.uniform(20, 230, (4, 3))
    colours = np.empty((len(is_free), 4, parts, len(OFFSETS_MM), 3))
    for way in range(4):
        end_mm = (off_mm if way < 2 else -off_mm) - MAKE.inset_mm
        inside, on_rim = end_mm - rim_mm > OFFSETS_MM, end_mm > OFFSETS_MM
        shown = np.where(on_rim[:, None], paint if way == seed % 4 else rim, ground)
        colours[:, way] = np.where(inside[:, None], basing, shown)
    noisy = (colours + random.normal(0, 8, colours.shape)).astype(np.float32)
    sampled = SampledSides(
        gradients=np.zeros_like(noisy),
        colours=noisy,
        along_mm=np.tile(np.linspace(-10, 10, parts), (4, 1)),
        slope=np.zeros((len(is_free), 4, parts)),
        mm_per_px=0.6,
    )
    return BlockSides(sampled, MAKE, is_free)


def _both(look: BlockSides, monkeypatch: pytest.MonkeyPatch) -> tuple[BlockPose, BlockPose]:
    kernel = estimate_block_pose(look, near_mm=0.6)
    monkeypatch.setattr("vision.ranked.block_pose.fit_layers", fit_layers_numpy)
    monkeypatch.setattr("vision.ranked.block_pose.align_sides", align_sides_numpy)
    return kernel, estimate_block_pose(look, near_mm=0.6)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("is_free", [ALONE, PAIR], ids=["alone", "pair"])
def test_both_put_a_block_at_the_same_place(is_free: Mask, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, plain = _both(_look(seed, is_free), monkeypatch)

    assert kernel.shift_mm == pytest.approx(plain.shift_mm, abs=1e-4)
    assert kernel.placement_mm2 == pytest.approx(plain.placement_mm2, abs=1e-4)
    assert kernel.rim_width_mm == plain.rim_width_mm
    assert kernel.front_log_odds.by_side == pytest.approx(plain.front_log_odds.by_side, abs=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_both_see_the_same_colours(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, plain = _both(_look(seed, PAIR), monkeypatch)

    assert [one.is_painted for one in kernel.faces] == [one.is_painted for one in plain.faces]
    for one, other in zip(kernel.faces, plain.faces, strict=True):
        assert one.shown == pytest.approx(other.shown, abs=1e-3)


@pytest.mark.parametrize("seed", range(8))
def test_a_block_is_put_where_its_sides_show_it_as_far_as_it_is_not_in_doubt(seed: int) -> None:
    off_mm = np.random.default_rng(seed).uniform(-0.8, 0.8)

    found = estimate_block_pose(_look(seed, PAIR), near_mm=1.0)

    doubt_mm = np.sqrt(np.diag(found.placement_mm2))
    assert (np.abs(found.shift_mm - off_mm) < 2 * doubt_mm + 0.1).all()
    assert (doubt_mm < 0.75).all()
    assert abs(found.shift_mm[0] - off_mm) < 0.3
