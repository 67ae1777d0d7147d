"""Crowds: packed bases are looked at closer, and both looks agree."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Image
from models.base import Catalogue, RoundBase
from tests.vision import rendered
from vision.detection.network.channels import SIZES
from vision.detection.network.finder import CLOSER, NetworkFinder, align_to_stride, crowd_boxes, merge_looks
from vision.detection.network.proposals import PlacedProposal, Proposal
from vision.rectification.ground_height import FLAT
from vision.rectification.rectify import Window

SIZE_MM = 25.0
EVENLY = (1 / len(SIZES),) * len(SIZES)
ROW = tuple(Proposal("round", (100.0 + 26.0 * k, 80.0), SIZE_MM, SIZE_MM, 0.0, 0.3, EVENLY) for k in range(3))


def _placed(*seen: Proposal) -> tuple[PlacedProposal, ...]:
    return tuple(PlacedProposal(one, FLAT) for one in seen)


def test_bases_side_by_side_are_a_crowd() -> None:
    (box,) = crowd_boxes(ROW)

    assert box[0] < ROW[0].at[0] < ROW[2].at[0] < box[2]


def test_two_crowds_that_stand_apart_have_a_box_each() -> None:
    far = tuple(replace(one, at=(one.at[0], 900.0)) for one in ROW)

    assert len(crowd_boxes((*ROW, *far))) == 2


@pytest.mark.parametrize(
    "others",
    [
        ROW[:2],
        tuple(replace(one, at=(2 * one.at[0], 80.0)) for one in ROW),
        tuple(replace(one, kind="rect") for one in ROW),
    ],
    ids=["a pair", "bases with ground between them", "ranks of rectangles"],
)
def test_what_is_no_crowd_is_not_looked_at_again(others: tuple[Proposal, ...]) -> None:
    assert crowd_boxes(others) == ()


def test_a_base_of_both_looks_keeps_the_sizes_of_the_first_and_the_better_score() -> None:
    again = replace(ROW[0], at=(101.0, 80.0), score=0.9, size_chances=(1.0,))
    (one,) = merge_looks(_placed(ROW[0]), _placed(again))

    assert one.proposal == replace(ROW[0], score=0.9)


def test_a_base_of_the_closer_look_tells_no_sizes_as_they_are_of_another_scale() -> None:
    merged = merge_looks(_placed(ROW[0]), _placed(replace(ROW[1], score=0.9)))

    assert [one.proposal.size_chances for one in merged] == [None, ROW[0].size_chances]


def test_of_two_that_cannot_both_stand_the_surer_stays() -> None:
    large = replace(ROW[1], kind="oval", width=60.0, depth=35.0, score=0.2)

    assert merge_looks(_placed(ROW[1]), _placed(large)) == _placed(ROW[1])


class ScaledNetwork:
    """Sees a row of three at the first look and a fourth only enlarged."""

    def __init__(self) -> None:
        self.sizes_px: list[tuple[int, ...]] = []

    def proposals(self, picture: Image) -> list[Proposal]:
        self.sizes_px.append(picture.shape[:2])
        is_first = len(self.sizes_px) == 1
        box = (-62.0, -62.0, rendered.TABLE_MM[0] + 62, rendered.TABLE_MM[1] + 62) if is_first else crowd_boxes(ROW)[0]
        scale = 1.0 if is_first else CLOSER
        window = align_to_stride(Window(*box, scale))
        row = ROW if is_first else (*ROW, replace(ROW[0], at=(100.0 + 3 * 26.0, 80.0)))
        px = window.to_px(np.array([one.at for one in row])).tolist()
        return [
            replace(one, at=(x, y), width=scale * SIZE_MM, depth=scale * SIZE_MM)
            for one, (x, y) in zip(row, px, strict=True)
        ]  # fmt: skip


def test_who_is_seen_only_at_the_closer_look_is_a_candidate_too() -> None:
    eye = rendered.Eye()
    dark = np.zeros((eye.size_px[1], eye.size_px[0], 3), np.uint8)
    sizes = Catalogue(bases=(RoundBase(diameter_mm=25),))
    finder = NetworkFinder(sizes, rendered.layout(), ScaledNetwork())
    found = finder.find(dark, camera=eye.camera(), pose=eye.pose())

    assert sorted(one.at_mm[0] for one in found) == pytest.approx([100.0, 126.0, 152.0, 178.0])
