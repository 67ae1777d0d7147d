"""Painted half: the probability that a half of a rim is the painted one, and that it is paint at all.

The more colourful half is, or of two dull ones the brighter. Two vivid colours tell little, however clear their ends
are: so the less certain of this and of the classified ends is believed.
"""

from collections.abc import Mapping

import numpy as np

from calibration.arrays import Floats
from vision.facing.marking_patterns import Evidence, Rim
from vision.facing.paint_classifier import LEFT_END, RIGHT_END
from vision.rectification.tone_curve import ring_mean

_DARK = 20.0  # grey levels: what is darker has no colour that could be told
_GAP_MM, _WIDE_MM = 0.8, 3.0  # from an end of the painted half: where both paints lie in the same light
# Where a wall may be taken for paint, and how often it was paint there on the tables learnt from.
_SLANT_RAD, _ALONG_RAD, _THIN_MM = np.radians(25.0), np.radians(20.0), 1.5
_PAINTED = 0.88
# Log odds that the front half is the painted one: a weight for each trait below, by logistic regression on 260 drawn
# tables of other seeds than those that judge.
WEIGHTS: tuple[float, ...] = (6.633, -0.242, -1.442, 1.762, 0.028, 4.044, 1.826, 9.084)


def split_between_halves(rim: Rim, evidence: Mapping[int, Evidence], likely: Floats) -> Floats:
    """Splits the probability of a painted front half at each place (N,) between it and the opposite half."""
    count, front = len(likely), int(likely.argmax())
    both = likely + np.roll(likely, count // 2)
    share = _less_certain(float(likely[front] / max(both[front], 1e-12)), p_front_painted(rim, evidence, front))
    is_ahead = np.abs((np.arange(count) - front + count // 2) % count - count // 2) <= count // 4
    return np.asarray(both * np.where(is_ahead, share, 1 - share))


def discount_bare_wall(rim: Rim, likely: Floats, *, camera_rad: float, slant_rad: float) -> Floats:
    """Discounts the half that looks at the camera where it may be bare plastic.

    Of a thin rim seen slantwise the wall shows on the near side, and nothing on the far one. `camera_rad`: where the
    camera is.
    """
    if slant_rad < _SLANT_RAD or rim.strip.rim_width_mm > _THIN_MM:
        return likely
    aside = np.abs((np.arange(len(likely)) * rim.strip.step_rad - camera_rad + np.pi) % (2 * np.pi) - np.pi)
    return np.where(aside < _ALONG_RAD, _PAINTED * likely, likely)


def _less_certain(a: float, b: float) -> float:
    """Of two probabilities the one nearer to a half; of two that contradict each other their mean."""
    if (a - 0.5) * (b - 0.5) < 0:
        return (a + b) / 2
    return min(a, b, key=lambda share: abs(share - 0.5))


def p_front_painted(rim: Rim, evidence: Mapping[int, Evidence], front: int) -> float:
    """Probability that the half round this front is the painted one, by logistic regression."""
    odds = float(np.dot(WEIGHTS, _half_features(rim, evidence, front)))
    return float(1 / (1 + np.exp(-np.clip(odds, -40.0, 40.0))))


def _half_features(rim: Rim, evidence: Mapping[int, Evidence], front: int) -> tuple[float, ...]:
    """How much more colourful the front half is, for its brightness and in grey levels, how much brighter, and that
    again if both are dull: of the whole halves, and beside their ends."""
    levels, count, step_mm = rim.strip.rings[:, :2].mean(axis=1), rim.strip.count, rim.strip.step_mm
    rolled = np.roll(levels, count // 4 - front, axis=0)
    halves = _colour_differences(np.median(rolled[: count // 2], axis=0), np.median(rolled[count // 2 :], axis=0))
    mean, away = ring_mean(levels, round(_WIDE_MM / step_mm)), round((_GAP_MM + _WIDE_MM / 2) / step_mm)
    ends = np.zeros(4)
    for sight, deg, sign in ((RIGHT_END, -90, 1), (LEFT_END, 90, -1)):
        end = int(evidence[sight].nearest[(front + rim.strip.index(deg)) % count])
        ends += _colour_differences(mean[(end + sign * away) % count], mean[(end - sign * away) % count]) / 2
    return (*halves.tolist(), *ends.tolist())


def _colour_differences(first: Floats, second: Floats) -> Floats:
    (tint, chroma, bright), (other_tint, other_chroma, other_bright) = _colour_summary(first), _colour_summary(second)
    brighter = bright - other_bright
    return np.array([tint - other_tint, chroma - other_chroma, brighter, brighter * (1 - max(tint, other_tint))])


def _colour_summary(colour: Floats) -> tuple[float, float, float]:
    most, least = float(colour.max()), float(colour.min())
    return (most - least) / (most + _DARK), (most - least) / 100.0, float(np.log((most + _DARK) / _DARK))
