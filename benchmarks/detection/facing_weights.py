"""What the clues for each way of marking weigh: a logistic fit over all patterns, fronts and rims at once.

And what tells two looks apart, by a logistic fit over all pairs of rims of one table.

The weights by which sights on rims are told: a small network fitted to drawn rims whose every place is known.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from benchmarks.detection.marked_tables import MarkedBase
from calibration.arrays import Floats, Floats32, Indices
from vision.facing.marking_patterns import PATTERNS, Pattern, Rim, mark_evidence, pattern_features
from vision.facing.marking_posterior import descriptor_differences, rim_descriptor
from vision.facing.paint_classifier import HIDDEN, LEFT_END, PAINT_CLASSES, PLAIN, RIGHT_END, classifier_input
from vision.facing.unwrapped_rim import UnwrappedRim

_NEAR_DEG = 3.0  # how far the place of a front may be off
_MARKING_ROUNDS, _MARKING_RATE = 60, 0.1
_EVERY = 4  # of so many rims one is learnt from: there are few weights
_STEPS, _RIDGE = 30, 1e-3
_UNTOLD = 1e-4  # how probable a front is held at least: of some rims every mark is hidden


def fit_marking_weights(rims: Sequence[tuple[Rim, MarkedBase]]) -> Floats:
    """The weights of `vision/facing/marking_posterior.py`."""
    known = [
        (pattern_features(rim, mark_evidence(rim)), _true_pattern(rim.strip, truth)) for rim, truth in rims[::_EVERY]
    ]
    weights = np.zeros((len(PATTERNS), known[0][0].shape[2]))
    weights[:, 1] = 1.0
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _MARKING_ROUNDS + 1):
        slope = sum((_gradient(weights, *one) for one in known), np.zeros_like(weights)) / len(known)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights -= _MARKING_RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def fit_similarity_weights(tables: Sequence[Sequence[tuple[Rim, MarkedBase]]]) -> Floats:
    """The weights of `vision/facing/marking_posterior.py`."""
    told, are_alike = (np.concatenate(parts) for parts in zip(*map(_pairs, tables), strict=True))
    weights = np.zeros(told.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-told @ weights))
        steep = (told.T * (likely * (1 - likely))) @ told + _RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(steep, told.T @ (are_alike - likely))
    return np.asarray(weights)


def _pairs(rims: Sequence[tuple[Rim, MarkedBase]]) -> tuple[Floats, Floats]:
    """Of all pairs of rims what tells them apart, and which are of one look."""
    looks, hands = np.stack([rim_descriptor(rim) for rim, _ in rims]), np.array([truth.look for _, truth in rims])
    one, other = np.triu_indices(len(rims), 1)
    return descriptor_differences(looks[one], looks[other]), (hands[one] == hands[other]).astype(np.float64)


def _true_pattern(strip: UnwrappedRim, truth: MarkedBase) -> tuple[int, Indices] | None:
    """The pattern, and the places its front may have; None where nothing is marked."""
    for kind, pattern in enumerate(PATTERNS):
        if pattern.marking == truth.marking:
            near, at = max(1, strip.index(_NEAR_DEG)), round(truth.facing_rad / strip.step_rad)
            fronts = at + np.arange(-near, near + 1)
            both = np.concatenate([fronts, fronts + strip.count // 2]) if _is_half_turn_symmetric(pattern) else fronts
            return kind, both % strip.count
    return None


def _is_half_turn_symmetric(pattern: Pattern) -> bool:
    """Whether it looks the same from behind."""
    marks = {(deg % 360, paint) for deg, paint in pattern.marks}
    return marks == {((deg + 180) % 360, paint) for deg, paint in marks}


def _gradient(weights: Floats, clues: Floats, right: tuple[int, Indices] | None) -> Floats:
    """Of the log probability that was missed."""
    odds = np.einsum("knf,kf->kn", clues, weights) - math.log(clues.shape[1])
    most = max(0.0, float(odds.max()))
    odds = np.exp(odds - most)
    total = math.exp(-most) + float(odds.sum())
    expected = np.asarray(np.einsum("kn,knf->kf", odds, clues) / total)
    if right is None:
        return expected
    kind, fronts = right
    own = odds[kind, fronts]
    expected[kind] -= own @ clues[kind, fronts] / max(float(own.sum()), 1e-300)
    share = float(own.sum()) / total
    return expected * (share / (share + _UNTOLD))


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
