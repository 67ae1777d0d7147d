"""Paint classifier: the class of each place of a rim: plain, a mark, an end of a painted half, or hidden.

A small network sees the colours a few millimetres to either side, on the rim and beside it: an arm goes on beyond the
rim, paint does not. Its weights are fitted to drawn rims, of which every place is known
(`python -m benchmarks.detection.facing_accuracy --weigh`).
"""

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from calibration.arrays import Floats, Floats32

PAINT_CLASSES = ("plain", "tick", "dot", "notch", "right end", "left end", "hidden")
PLAIN, TICK, DOT, NOTCH, RIGHT_END, LEFT_END, HIDDEN = range(len(PAINT_CLASSES))
_AROUND = 8  # places to either side that are looked at
_SCALE, _MOST = 25.0, 3.0  # what a colour is divided by, and what counts no more
_BRIGHT, _BRIGHT_SCALE, _LIP_MM = 100.0, 40.0, 1.5  # the middle of what bases have
_FILE = Path(__file__).parent / "paint_classifier.npz"


def classify_paint(rims: Sequence[tuple[Floats, float]]) -> list[Floats]:
    """Log probabilities of the classes of each rim (N, 7), given as colour ratios (N, 5, 3) and the width of the
    rim."""
    if not rims:
        return []
    seen = log_probabilities(np.concatenate([classifier_input(ratios, lip_mm) for ratios, lip_mm in rims]), weights())
    return np.split(seen, np.cumsum([len(ratios) for ratios, _ in rims])[:-1])


def classifier_input(ratios: Floats, lip_mm: float) -> Floats32:
    """Input of the classifier for each place (N, 260): colours round it less the median of the rim, and what kind of
    rim it is."""
    count, usual = len(ratios), np.median(ratios[:, 0], axis=0)
    off = np.clip((ratios - usual) / _SCALE, -_MOST, _MOST).astype(np.float32).reshape(count, -1)
    near = np.concatenate([off[-_AROUND:], off, off[:_AROUND]])
    windows = np.lib.stride_tricks.sliding_window_view(near, 2 * _AROUND + 1, axis=0).transpose(0, 2, 1)
    busy = np.log(np.median(np.abs(np.diff(ratios[:, 0], axis=0))) + 1)
    bright = (usual[0] - _BRIGHT) / _BRIGHT_SCALE
    kind = np.array([busy, lip_mm - _LIP_MM, bright, usual[1] / _SCALE, usual[2] / _SCALE], np.float32)
    return np.concatenate([windows.reshape(count, -1), np.broadcast_to(kind, (count, 5))], axis=1)


def log_probabilities(shown: Floats32, layers: Sequence[Floats32]) -> Floats:
    """Forward pass: log probabilities of each class (N, 7)."""
    first, first_bias, second, second_bias, last, last_bias = layers
    hidden = np.maximum(shown @ first + first_bias, 0)
    hidden = np.maximum(hidden @ second + second_bias, 0) @ last + last_bias
    hidden = np.asarray(hidden - hidden.max(axis=1, keepdims=True), np.float64)
    return np.asarray(hidden - np.log(np.exp(hidden).sum(axis=1, keepdims=True)))


@functools.cache
def weights() -> tuple[Floats32, ...]:
    """Weights of the classifier: each layer's matrix and bias."""
    with np.load(_FILE) as kept:
        return tuple(np.asarray(kept[name], np.float32) for name in sorted(kept.files))
