"""Rim similarity: the probability that two rims of a picture are of one look, and so marked alike."""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Floats
from vision.facing.marking_patterns import Rim
from vision.facing.paint_classifier import HIDDEN

_SHARES = (0.2, 0.5, 0.8)  # of a rim in two colours both are compared
_FEWEST = 20  # places in sight
_TINT, _BRIGHTNESS = 4.0, 8.0  # by which two paints differ soon
_MOST_MM = 1.5  # what two lips differ by at most
# What these weigh: one; by how much rims differ in tint and in brightness, their basings likewise, and their lips; as
# `python -m benchmarks.detection.facing_accuracy --weigh` prints it.
WEIGHTS: tuple[float, ...] = (7.98, -2.69, -1.33, -2.61, -1.13, -2.2)


def similarity_matrix(rims: Sequence[Rim]) -> Floats:
    """Similarity matrix: the probability that two rims are of one look, (rims, rims); 0 of each with itself."""
    if not rims:
        return np.zeros((0, 0))
    looks = np.stack([rim_descriptor(rim) for rim in rims])
    odds = descriptor_differences(looks[:, None], looks[None]) @ np.array(WEIGHTS)
    return np.asarray((1 - np.eye(len(rims))) / (1 + np.exp(-odds)))


def rim_descriptor(rim: Rim) -> Floats:
    """Descriptor of a rim, (13,): its colours, those of its basing, and its width."""
    clear = np.exp(rim.class_log_probs[:, HIDDEN]) < 0.5
    own = clear if clear.sum() >= _FEWEST else np.ones_like(clear)
    basing = np.median(rim.ratios[own, 2:4].mean(axis=1), axis=0)
    return np.concatenate([np.quantile(rim.paint[own], _SHARES, axis=0).ravel(), basing, [rim.strip.rim_width_mm]])


def descriptor_differences(one: Floats, other: Floats) -> Floats:
    """Features of a pair of descriptors, (..., 6), the first of which is one."""
    off = np.abs(one - other)
    rim, basing = off[..., :9].reshape(*off.shape[:-1], 3, 3), off[..., 9:12]
    tint, basing_tint = np.hypot(rim[..., 1], rim[..., 2]).mean(axis=-1), np.hypot(basing[..., 1], basing[..., 2])
    told = [tint / _TINT, rim[..., 0].mean(axis=-1) / _BRIGHTNESS, basing_tint / _TINT, basing[..., 0] / _BRIGHTNESS]
    return np.stack([np.ones_like(tint), *np.log1p(told), np.minimum(off[..., 12], _MOST_MM)], axis=-1)
