"""Proposals of two networks become those of one."""

import numpy as np

from vision.detection.network.channels import SIZES
from vision.detection.network.fused_network import chance_of, fuse
from vision.detection.network.instances import SeenBase
from vision.detection.network.proposals import Proposal

NOTHING = np.zeros(1, np.float32)


def _seen(at: tuple[float, float], size: float, score: float) -> SeenBase:
    sizes = np.array([name == "round" and long == size for name, long, _ in SIZES], np.float32)
    return SeenBase(
        kind="round", score=score, kinds=NOTHING, at_px=at, long_px=size, short_px=size, sigma_px=0.7,
        sigma_log_size=0.0, sizes=sizes, axis_rad=0.0, facing=(0.0, 0.0), marked=0.0, markings=NOTHING, mark_px=at,
        ranked=0.0, seen=1.0,
    )  # fmt: skip


def _box(at: tuple[float, float], size: float, score: float) -> Proposal:
    return Proposal("round", at, size, size, 0.0, score)


def test_what_both_see_is_one_proposal_and_surer_than_either_alone() -> None:
    (both,) = fuse([_seen((100, 100), 30, 0.6)], [_box((102, 99), 31, 0.6)])
    (dense,) = fuse([_seen((100, 100), 30, 0.6)], [])

    assert both.at == (100, 100)
    assert both.score > dense.score


def test_what_only_one_of_them_sees_is_proposed_with_its_doubt() -> None:
    found = fuse([_seen((100, 100), 30, 0.7)], [_box((300, 80), 40, 0.9)])

    assert [one.at for one in found] == [(100, 100), (300, 80)] or [one.at for one in found] == [(300, 80), (100, 100)]
    assert all(one.score < 0.9 for one in found)


def test_a_proposal_tells_the_chances_of_sizes_where_the_dense_network_sees_it() -> None:
    first, second = sorted(fuse([_seen((100, 100), 30, 0.7)], [_box((300, 80), 40, 0.9)]), key=lambda one: one.at)

    assert first.size_chances is not None
    assert SIZES[int(np.argmax(first.size_chances))] == ("round", 30, 30)
    assert second.size_chances is None


def test_the_chance_grows_with_either_score() -> None:
    steps = np.linspace(0, 1, 11)
    by_dense, by_box = [chance_of(one, 0.5) for one in steps], [chance_of(0.5, one) for one in steps]

    assert by_dense == sorted(by_dense)
    assert by_box == sorted(by_box)
    assert all(0 < one < 1 for one in (*by_dense, *by_box))
