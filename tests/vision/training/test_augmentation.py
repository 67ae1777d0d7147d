"""A tile turned or mirrored keeps its labels on its bases."""

import cv2
import numpy as np
import pytest

from vision.training.batches import augment

SIDE = 120


def _marked(labels: np.ndarray) -> np.ndarray:
    """A black picture in which each labelled rectangle is white."""
    picture = np.zeros((SIDE, SIDE, 3), np.uint8)
    for _, x, y, depth, width, turn in labels:
        corners = cv2.boxPoints(((float(x), float(y)), (float(depth), float(width)), float(np.degrees(turn))))
        cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], (255, 255, 255))
    return picture


@pytest.mark.parametrize("seed", range(12))
def test_labels_follow_the_picture(seed: int) -> None:
    labels = np.array([[2, 35, 50, 44, 16, 0.4], [1, 85, 70, 30, 20, -1.1]], np.float32)
    picture, moved = augment(_marked(labels), labels, np.random.default_rng(seed))
    there, wanted = picture.max(axis=2) > 100, _marked(moved)[..., 0] > 0

    assert (there != wanted).sum() < 0.1 * wanted.sum()


def test_the_tile_it_came_from_is_left_as_it_was() -> None:
    labels = np.array([[0, 35, 50, 30, 30, 0.0]], np.float32)
    before = labels.copy()
    for seed in range(8):
        augment(_marked(labels), labels, np.random.default_rng(seed))

    assert np.array_equal(labels, before)
