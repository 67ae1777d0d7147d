"""Augmentation: a tile turned and mirrored, and in another light."""

import cv2
import numpy as np

from calibration.arrays import Floats32, Image
from vision.training.dense.targets import PLACE

Sample = tuple[Image, Floats32, Image]
_LAYINGS = 8


def augment_sample(sample: Sample, random: np.random.Generator) -> Sample:
    """One of eight layings of the tile, with another brightness, colour, blur and noise."""
    picture, labels, maps = lay_sample(sample, random)
    return _relight(picture, random), labels, maps


def lay_sample(sample: Sample, random: np.random.Generator) -> Sample:
    """One of eight layings, that of `augment_sample` from the same random numbers."""
    return lay_tile(sample, int(random.integers(_LAYINGS)))


def lay_tile(sample: Sample, laying: int) -> Sample:
    """Mirrored across x where bit 0 is set, across y for bit 1, across the diagonal for bit 2."""
    picture, labels, maps = sample
    labels, last = labels.copy(), picture.shape[1] - 1
    for axis, names in ((0, ("x", "mark_x")), (1, ("y", "mark_y"))):
        if laying >> axis & 1:
            picture, maps = np.flip(picture, 1 - axis), np.flip(maps, 1 - axis)
            for name in names:
                labels[:, PLACE[name]] = last - labels[:, PLACE[name]]
            for name in ("axis", "facing"):
                labels[:, PLACE[name]] = (np.pi if axis == 0 else 0.0) - labels[:, PLACE[name]]
    if laying >> 2 & 1:
        picture, maps = picture.transpose(1, 0, 2), maps.transpose(1, 0, 2)
        for first, other in (("x", "y"), ("mark_x", "mark_y")):
            labels[:, [PLACE[first], PLACE[other]]] = labels[:, [PLACE[other], PLACE[first]]]
        for name in ("axis", "facing"):
            labels[:, PLACE[name]] = np.pi / 2 - labels[:, PLACE[name]]
    return np.ascontiguousarray(picture), labels, np.ascontiguousarray(maps)


def _relight(picture: Image, random: np.random.Generator) -> Image:
    gain = np.diag(np.exp(random.normal(0, 0.12) + random.normal(0, 0.05, 3)))
    if random.random() < 0.15:
        share = random.uniform(0.3, 1.0)
        gain = gain @ ((1 - share) * np.eye(3) + share / 3)
    if random.random() < 0.05:
        gain = gain[random.permutation(3)]
    moved = np.column_stack([gain, random.normal(0, 8, 3) + random.normal(0, 8)])
    made = cv2.transform(picture, moved.astype(np.float32))
    if random.random() < 0.3:
        curve = 255 * (np.arange(256) / 255) ** np.exp(random.normal(0, 0.22))
        made = cv2.LUT(made, curve.astype(np.uint8))
    pick = random.random()
    if pick < 0.12:
        made = cv2.GaussianBlur(made, (0, 0), random.uniform(0.4, 1.0))
    elif pick < 0.24:
        made = cv2.addWeighted(made, 1.6, cv2.GaussianBlur(made, (0, 0), 1.0), -0.6, 0)
    if random.random() < 0.3:
        rough = random.normal(0, random.uniform(1, 7), (*made.shape[:2], 1))
        made = np.clip(made + rough, 0, 255).astype(np.uint8)
    return np.asarray(made, np.uint8)
