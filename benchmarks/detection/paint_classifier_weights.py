"""The weights by which sights on rims are told: a small network fitted to drawn rims whose every place is known.

Colours are turned and mirrored at random, so that it learns no paint and no side.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from benchmarks.detection.marked_tables import MarkedBase
from calibration.arrays import Floats32, Indices
from vision.facing.marking_patterns import PATTERNS, Rim
from vision.facing.paint_classifier import HIDDEN, LEFT_END, PAINT_CLASSES, PLAIN, RIGHT_END, classifier_input

Random = np.random.Generator
Layers = list[Floats32]

_WITHIN_MM, _UNCLEAR_MM = 0.45, 1.6  # of a mark's place is its sight, or nothing that could be learnt from
_KEPT = np.where(
    np.arange(len(PAINT_CLASSES)) == PLAIN, 0.06, np.where(np.arange(len(PAINT_CLASSES)) == HIDDEN, 0.15, 1.0)
)
_RINGS, _KIND = 5, 5  # rings round a base, and what is told of its kind
_WIDTH, _BATCH, _ROUNDS, _RATE = 40, 512, 30, 2e-3
_TURNED, _NOISE = 0.6, 0.12


def fit_paint_classifier(rims: Sequence[tuple[Rim, MarkedBase]], seed: int) -> Layers:
    """The layers of the network."""
    random = np.random.default_rng(seed)
    parts = [_examples(rim, truth, random) for rim, truth in rims]
    shown, sights = np.concatenate([x for x, _ in parts]), np.concatenate([y for _, y in parts])
    layers = _initial_layers(shown.shape[1], random)
    means, squares = ([np.zeros_like(one) for one in layers] for _ in range(2))
    steps = _ROUNDS * (len(shown) // _BATCH)
    for step, batch in enumerate(_batches(len(shown), random), start=1):
        slopes = _gradients(layers, *_augment(shown[batch], sights[batch], random))
        rate = _RATE * (0.5 + 0.5 * math.cos(math.pi * step / steps))
        for one, slope, mean, square in zip(layers, slopes, means, squares, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            one -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    layers[-1] -= np.log(_KEPT).astype(np.float32)  # back to how often each is met with
    return layers


def _examples(rim: Rim, truth: MarkedBase, random: Random) -> tuple[Floats32, Indices]:
    sights = true_classes_at(rim, truth)
    kept = (sights >= 0) & (random.random(len(sights)) < _KEPT[sights])
    return classifier_input(rim.ratios, rim.strip.rim_width_mm)[kept], sights[kept]


def true_classes_at(rim: Rim, truth: MarkedBase) -> Indices:
    """What is to be seen at each place; -1 beside a mark, where it is unclear."""
    aside = (np.arange(rim.strip.count) * rim.strip.step_rad - truth.facing_rad) % math.tau
    is_seen = np.array(truth.seen)[np.rint(np.degrees(aside) / 3).astype(int) % len(truth.seen)]
    found = np.where(is_seen, PLAIN, HIDDEN)
    marks = next((one.marks for one in PATTERNS if one.marking == truth.marking), ())
    for deg, sight in marks:
        off = np.abs((aside - math.radians(deg) + math.pi) % math.tau - math.pi) * rim.strip.radius_mm
        found[(off < _UNCLEAR_MM) & (found != HIDDEN)] = -1
        found[(off < _WITHIN_MM) & is_seen] = sight
    return found


def _batches(count: int, random: Random) -> Iterator[Indices]:
    for _ in range(_ROUNDS):
        order = random.permutation(count)
        for k in range(count // _BATCH):
            yield order[k * _BATCH : (k + 1) * _BATCH]


def _initial_layers(inputs: int, random: Random) -> Layers:
    sizes = (inputs, _WIDTH, _WIDTH, len(PAINT_CLASSES))
    layers = [(random.normal(0, 1 / math.sqrt(a), (a, b)), np.zeros(b)) for a, b in pairwise(sizes)]
    return [one.astype(np.float32) for layer in layers for one in layer]


def _augment(shown: Floats32, sights: Indices, random: Random) -> tuple[Floats32, Indices]:
    """The same rims in other tints, mirrored, and less clear."""
    count = len(shown)
    near, kind = shown[:, :-_KIND].reshape(count, -1, _RINGS, 3).copy(), shown[:, -_KIND:].copy()
    turn = np.where(random.random(count) < _TURNED, random.uniform(-math.pi, math.pi, count), 0.0)
    cos, sin = np.cos(turn).astype(np.float32), np.sin(turn).astype(np.float32)
    turned = np.stack([np.stack([cos, sin], axis=1), np.stack([-sin, cos], axis=1)], axis=1)
    near[..., 1:] = np.einsum("nwrt,ntu->nwru", near[..., 1:], turned) * random.uniform(0.7, 1.3, (count, 1, 1, 1))
    kind[:, 3:] = np.einsum("nt,ntu->nu", kind[:, 3:], turned)
    is_mirrored = random.random(count) < 0.5
    near[is_mirrored] = near[is_mirrored, ::-1]
    swapped = np.select([sights == RIGHT_END, sights == LEFT_END], [LEFT_END, RIGHT_END], sights)
    near += random.normal(0, 1, near.shape) * _NOISE * random.random((count, 1, 1, 1)) ** 3
    return np.concatenate([near.reshape(count, -1), kind], axis=1), np.where(is_mirrored, swapped, sights)


def _gradients(layers: Layers, shown: Floats32, sights: Indices) -> Layers:
    """Of the mean log probability that was missed, by each weight."""
    first, first_bias, second, second_bias, last, last_bias = layers
    one = np.maximum(shown @ first + first_bias, 0)
    two = np.maximum(one @ second + second_bias, 0)
    said = two @ last + last_bias
    said = np.exp(said - said.max(axis=1, keepdims=True))
    missed = said / said.sum(axis=1, keepdims=True)
    missed[np.arange(len(sights)), sights] -= 1
    missed /= len(sights)
    of_two = (missed @ last.T) * (two > 0)
    of_one = (of_two @ second.T) * (one > 0)
    slopes = (shown.T @ of_one, of_one.sum(0), one.T @ of_two, of_two.sum(0), two.T @ missed, missed.sum(0))
    return [np.asarray(slope, np.float32) for slope in slopes]
