"""Targets, decoding and augmentation: what goes in as labels comes out as bases."""

import numpy as np
import pytest

from vision.detection.network.channels import INSTANCE_CHANNELS, SIZES, SLICES
from vision.detection.network.instances import seen_bases
from vision.training.dense.augmentation import lay_tile
from vision.training.dense.scores import Scores
from vision.training.dense.targets import NUMBERS, PLACE, target_of
from vision.training.scenes.tile import COLUMNS

SIZE = SIZES.index(("oval", 75, 42))


def row(**values: float) -> np.ndarray:
    usual = {
        "kind": 1, "size_class": SIZE, "x": 100.3, "y": 61.7, "long": 75, "short": 42, "axis": 0.4, "facing": 0.4,
        "marking": 2, "mark_seen": 1, "mark_x": 134.0, "mark_y": 76.0, "ranked": 0, "seen": 0.8,
    }  # fmt: skip
    return np.array([[(usual | values)[name] for name in COLUMNS]], np.float32)


def ideal_answer(labels: np.ndarray) -> np.ndarray:
    """What a network that had learnt its target perfectly would say."""
    target = target_of(labels, 320)
    answer = np.zeros((INSTANCE_CHANNELS, 40, 40), np.float32)
    answer[SLICES["heat"]] = target.heat
    rows, columns = np.mgrid[:40, :40]
    column = {name: target.numbers[:, place] for name, place in enumerate_names()}
    for y, x in zip(*np.nonzero(target.owner >= 0), strict=True):
        k = target.owner[y, x]
        told = {
            "offset": (column["x"][k] - columns[y, x], column["y"][k] - rows[y, x]),
            "sides": (column["log_long"][k], column["log_short"][k]),
            "axis": (column["axis_cos"][k], column["axis_sin"][k]),
            "square": (column["square_cos"][k], column["square_sin"][k]),
            "marked": column["marked"][k],
            "facing": (column["facing_cos"][k], column["facing_sin"][k]),
            "mark": (column["mark_x"][k], column["mark_y"][k]),
        }  # fmt: skip
        for name, value in told.items():
            answer[SLICES[name], y, x] = value
        answer[SLICES["size"].start + int(column["size_class"][k]), y, x] = 1
    return answer


def enumerate_names() -> list[tuple[str, int]]:
    return [(name, place) for place, name in enumerate(NUMBERS)]


def test_a_perfect_answer_decodes_to_the_label() -> None:
    (one,) = seen_bases(ideal_answer(row()), least_score=0.5)

    assert one.kind == "oval"
    assert one.at_px == pytest.approx((100.3, 61.7), abs=0.01)
    assert (one.long_px, one.short_px) == pytest.approx((75, 42), rel=1e-3)
    assert one.axis_rad == pytest.approx(0.4, abs=1e-3)
    assert np.arctan2(one.facing[1], one.facing[0]) == pytest.approx(0.4, abs=1e-3)
    assert one.mark_px == pytest.approx((134.0, 76.0), abs=0.05)
    assert SIZES[int(one.sizes.argmax())] == ("oval", 75, 42)


def test_bases_in_contact_in_a_block_are_told_apart() -> None:
    labels = np.concatenate(
        [row(kind=2, x=60 + 20.1 * i, y=80 + 20.1 * j, long=20, short=20) for i in range(4) for j in range(3)]
    )

    assert len(seen_bases(ideal_answer(labels), least_score=0.5)) == 12


def test_a_hidden_base_is_neither_asked_for_nor_held_against_the_network() -> None:
    target = target_of(row(seen=0.05), 320)

    assert target.heat.max() == 0
    assert target.loud[7, 12] == 0
    assert target.loud[30, 30] == 1


@pytest.mark.parametrize("way", range(8))
def test_a_laid_tile_keeps_its_labels_on_the_picture(way: int) -> None:
    """A spot drawn at the mark and one at the centre are where the lay_tile labels say."""
    picture, maps = np.zeros((320, 320, 3), np.uint8), np.zeros((160, 160, 4), np.uint8)
    label = row(x=100, y=60, mark_x=134, mark_y=76, facing=np.arctan2(16, 34))
    picture[60, 100], picture[76, 134] = (255, 0, 0), (0, 255, 0)
    maps[30, 50] = 255

    laid_picture, labels, laid_maps = lay_tile((picture, label, maps), way)
    told = {name: labels[0, place] for name, place in PLACE.items()}
    facing = np.arctan2(told["mark_y"] - told["y"], told["mark_x"] - told["x"])

    assert laid_picture[int(told["y"]), int(told["x"]), 0] == 255
    assert laid_picture[int(told["mark_y"]), int(told["mark_x"]), 1] == 255
    assert np.cos(told["facing"] - facing) == pytest.approx(1, abs=1e-5)
    assert laid_maps.max() == 255
    assert abs(np.argwhere(laid_maps[..., 0])[0] * 2 - (told["y"], told["x"])).max() <= 1


def test_scores_count_what_is_found_missed_and_told_wrongly() -> None:
    scores = Scores()
    answers = seen_bases(ideal_answer(np.concatenate([row(), row(x=250, y=250)])), least_score=0.5)

    scores.add(answers, np.concatenate([row(), row(x=30, y=280)]))
    figures = scores.row(0.5)

    assert (figures["recall"], figures["precision"], figures["size"]) == (0.5, 0.5, 1.0)
