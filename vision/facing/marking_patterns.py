"""Marking patterns: the ways in which rims are marked, and the evidence for each with its front at each place.

A mark that should be there is seen, hidden, or too faint; the likelihood ratio compares what is seen at its place with
what is seen at places without one. Marks of one hand are of one colour, and the halves of a rim are each of one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Indices
from vision.facing.paint_classifier import DOT, HIDDEN, LEFT_END, NOTCH, PLAIN, RIGHT_END, TICK
from vision.facing.unwrapped_rim import UnwrappedRim
from vision.rectification.tone_curve import ring_mean

_HIDDEN, _FAINT = 0.15, 0.06  # how often a mark is hidden, and how often it is too faint to be seen
# How often each sight is met with on drawn rims, place by place.
_USUAL = {TICK: 0.0048, DOT: 0.0014, NOTCH: 0.00095, RIGHT_END: 0.00127, LEFT_END: 0.00127, HIDDEN: 0.153}
_PLAIN = 1 - sum(_USUAL.values())
_SLIP_MM, _SLACK_MM = 0.35, 0.8  # how well marks keep their place, and how far one may be from it
_TINT, _BRIGHTNESS = 4.0, 8.0  # by which the paint of two marks differs soon
_OF_ONE_COLOUR = np.array([18.0, 8.0, 8.0])  # how far one colour spreads over its half
_UNLIKE, _SEEN_MM = 4.0, 2.5  # so much a place counts at most; neighbours nearer than that say the same
_COARSE = 80  # places at which whole halves are compared


@dataclass(frozen=True)
class Pattern:
    """A marking: which class of paint is where, in degrees from the front."""

    marking: str
    marks: tuple[tuple[int, int], ...]


PATTERNS = (
    Pattern("ticks", ((90, TICK), (-90, TICK))),
    Pattern("ticks+dot", ((90, TICK), (-90, TICK), (0, DOT))),
    Pattern("front-half", ((-90, RIGHT_END), (90, LEFT_END))),
    Pattern("notch", ((0, NOTCH),)),
)


@dataclass(frozen=True)
class Rim:
    """A rim: unwrapped, its colours as ratios (N, 5, 3), and log probabilities of the class at each place (N, 7)."""

    strip: UnwrappedRim
    ratios: Floats
    class_log_probs: Floats

    @property
    def paint(self) -> Floats:
        """The colours of the rim itself (N, 3)."""
        return np.asarray(self.ratios[:, :2].mean(axis=1))


@dataclass(frozen=True)
class Evidence:
    """Evidence of one class at every place: log likelihood ratio of a mark there, the probability that it is a seen
    one, and the place of it within reach."""

    log_ratio: Floats
    p_shown: Floats
    nearest: Indices


def mark_evidence(rim: Rim) -> Mapping[int, Evidence]:
    """Evidence for each class that is a mark."""
    seen = np.exp(rim.class_log_probs)
    without = (seen[:, PLAIN] + seen[:, HIDDEN]) / (_PLAIN + _USUAL[HIDDEN]) + 1e-6
    missed = (_HIDDEN * seen[:, HIDDEN] / _USUAL[HIDDEN] + _FAINT * seen[:, PLAIN] / _PLAIN) / without
    slack = max(1, round(_SLACK_MM / rim.strip.step_mm))
    slips = np.arange(-slack, slack + 1)
    usual = np.exp(-((slips * rim.strip.step_mm / _SLIP_MM) ** 2) / 2)
    marks = [TICK, DOT, NOTCH, RIGHT_END, LEFT_END]
    often = np.array([_USUAL[mark] for mark in marks])
    reach = _gather_shifts(seen[:, marks] / often / without[:, None], slips)
    shown = (1 - _HIDDEN - _FAINT) * np.tensordot(usual / usual.sum(), reach, axes=1)
    total = shown + missed[:, None]
    near = (np.arange(len(seen))[:, None] + slips[reach.argmax(axis=0)]) % len(seen)
    return {mark: Evidence(np.log(total[:, k]), shown[:, k] / total[:, k], near[:, k]) for k, mark in enumerate(marks)}


def _gather_shifts(values: Floats, by: Indices) -> Floats:
    """(K, N, M): the values that lie so many places on, the ends joined."""
    count = len(values)
    return np.asarray(values[(np.arange(count) + by[:, None]) % count])


def pattern_features(rim: Rim, evidence: Mapping[int, Evidence]) -> Floats:
    """Features of each pattern with its front at each place, (patterns, N, 5).

    One; the log likelihood ratio of its marks; the probability that they are seen in pairs, and how much the paint of
    these differs in tint and in brightness. Of halves the third is by how much two colours explain the rim better than
    one.
    """
    paint = ring_mean(rim.paint, 3)
    rows = []
    for pattern in PATTERNS:
        at = [_rotate_places(rim, deg) for deg, _ in pattern.marks]
        marks = [evidence[sight] for _, sight in pattern.marks]
        total = sum((mark.log_ratio[place] for mark, place in zip(marks, at, strict=True)), np.zeros(rim.strip.count))
        shown = [mark.p_shown[place] for mark, place in zip(marks, at, strict=True)]
        if pattern.marking == "front-half":
            alike = _two_colour_gain(rim, paint)
            features = [np.sign(alike) * np.log1p(np.abs(alike)), shown[0] * shown[1], np.zeros_like(total)]
        else:
            features = list(
                _paint_difference(shown, [paint[mark.nearest[place]] for mark, place in zip(marks, at, strict=True)])
            )
        rows.append(np.stack([np.ones_like(total), total, *features], axis=1))
    return np.stack(rows)


def _rotate_places(rim: Rim, deg: int) -> Indices:
    return np.asarray((np.arange(rim.strip.count) + rim.strip.index(deg)) % rim.strip.count)


def _paint_difference(shown: list[Floats], paints: list[Floats]) -> Floats:
    """(3, N), the mean over pairs of marks."""
    contrast = np.zeros((3, len(shown[0])))
    pairs = [(a, b) for a in range(len(shown)) for b in range(a)]
    for a, b in pairs:
        off, both = paints[a] - paints[b], shown[a] * shown[b]
        tint = np.log1p(np.hypot(off[:, 1], off[:, 2]) / _TINT)
        contrast += both * np.stack([np.ones_like(both), tint, np.log1p(np.abs(off[:, 0]) / _BRIGHTNESS)])
    return contrast / max(math.sqrt(len(pairs)), 1.0)


def _two_colour_gain(rim: Rim, paint: Floats) -> Floats:
    """By how much two halves of a colour each explain the rim better than one colour does, for every front."""
    count, half = rim.strip.count, _COARSE // 2
    at = np.arange(_COARSE) * count // _COARSE
    colours, clear = paint[at] / _OF_ONE_COLOUR, 1 - np.exp(rim.class_log_probs[at, HIDDEN])
    places = (np.arange(half)[:, None] - _COARSE // 4 + np.arange(_COARSE)) % _COARSE
    turned, weight = colours[places], clear[places]
    difference = _median_deviation(colours[None], clear[None])[0] - _median_deviation(
        turned[:, :half], weight[:, :half]
    )
    difference = difference - _median_deviation(turned[:, half:], weight[:, half:])
    difference = difference * (count / _COARSE) * rim.strip.step_mm / _SEEN_MM
    return np.asarray(
        np.interp(np.arange(count) * _COARSE / count, np.arange(_COARSE + 1), [*difference, *difference, difference[0]])
    )


def _median_deviation(colours: Floats, weight: Floats) -> Floats:
    """How far all these colours (M, K, 3) are from their median, (M,)."""
    off = ((colours - np.median(colours, axis=1, keepdims=True)) ** 2).sum(axis=2) / 2
    return np.asarray((np.minimum(off, _UNLIKE) * weight).sum(axis=1))
