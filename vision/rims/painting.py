"""Which of two halves of a rim is the painted one: the more colourful, or of two dull ones the brighter.

Two vivid colours tell little of it, however clear their ends are: so whoever is less sure of it is believed, this or
the sights at the ends. And whether it is paint at all.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vision.rims.colours import ring_mean
from vision.rims.patterns import Evidence, Rim
from vision.rims.sights import LEFT_END, RIGHT_END

Floats = NDArray[np.float64]

_DARK = 20.0  # grey levels: what is darker has no colour that could be told
_GAP_MM, _WIDE_MM = 0.8, 3.0  # from an end of the painted half: where both paints lie in the same light
# Where a wall may be taken for paint, and how often it was paint there on the tables learnt from.
_SLANT_RAD, _ALONG_RAD, _THIN_MM = np.radians(25.0), np.radians(20.0), 1.5
_PAINTED = 0.88
# Log odds that the front half is the painted one: a weight for each trait below, by logistic regression on 260 drawn
# tables of other seeds than those that judge.
WEIGHTS: tuple[float, ...] = (6.633, -0.242, -1.442, 1.762, 0.028, 4.044, 1.826, 9.084)


def doubted(rim: Rim, evidence: Mapping[int, Evidence], likely: Floats) -> Floats:
    """The probabilities of a painted front half with its middle at each place (N,), with the doubt which half it is."""
    count, front = len(likely), int(likely.argmax())
    both = likely + np.roll(likely, count // 2)
    share = _less_sure(float(likely[front] / max(both[front], 1e-12)), share_painted(rim, evidence, front))
    is_ahead = np.abs((np.arange(count) - front + count // 2) % count - count // 2) <= count // 4
    return np.asarray(both * np.where(is_ahead, share, 1 - share))


def or_wall(rim: Rim, likely: Floats, *, camera_rad: float, slant_rad: float) -> Floats:
    """The same probabilities, less where the half that looks at the camera may be bare plastic: of a thin rim seen
    slantwise the wall shows on the near side, and nothing on the far one. `camera_rad`: where the camera is."""
    if slant_rad < _SLANT_RAD or rim.strip.lip_mm > _THIN_MM:
        return likely
    aside = np.abs((np.arange(len(likely)) * rim.strip.step_rad - camera_rad + np.pi) % (2 * np.pi) - np.pi)
    return np.where(aside < _ALONG_RAD, _PAINTED * likely, likely)


def _less_sure(a: float, b: float) -> float:
    """Of two probabilities the one nearer to a half; of two that contradict each other their mean."""
    if (a - 0.5) * (b - 0.5) < 0:
        return (a + b) / 2
    return min(a, b, key=lambda one: abs(one - 0.5))


def share_painted(rim: Rim, evidence: Mapping[int, Evidence], front: int) -> float:
    """The probability that the half round this front is the painted one, and not the other."""
    odds = float(np.dot(WEIGHTS, _traits(rim, evidence, front)))
    return float(1 / (1 + np.exp(-np.clip(odds, -40.0, 40.0))))


def _traits(rim: Rim, evidence: Mapping[int, Evidence], front: int) -> tuple[float, ...]:
    """How much more colourful the front half is, for its brightness and in grey levels, how much brighter, and that
    again if both are dull: of the whole halves, and beside their ends."""
    levels, count, step_mm = rim.strip.rings[:, :2].mean(axis=1), rim.strip.count, rim.strip.step_mm
    rolled = np.roll(levels, count // 4 - front, axis=0)
    halves = _more(np.median(rolled[: count // 2], axis=0), np.median(rolled[count // 2 :], axis=0))
    mean, away = ring_mean(levels, round(_WIDE_MM / step_mm)), round((_GAP_MM + _WIDE_MM / 2) / step_mm)
    ends = np.zeros(4)
    for sight, deg, sign in ((RIGHT_END, -90, 1), (LEFT_END, 90, -1)):
        end = int(evidence[sight].near[(front + rim.strip.index(deg)) % count])
        ends += _more(mean[(end + sign * away) % count], mean[(end - sign * away) % count]) / 2
    return (*halves.tolist(), *ends.tolist())


def _more(first: Floats, second: Floats) -> Floats:
    (tint, chroma, bright), (other_tint, other_chroma, other_bright) = _look(first), _look(second)
    brighter = bright - other_bright
    return np.array([tint - other_tint, chroma - other_chroma, brighter, brighter * (1 - max(tint, other_tint))])


def _look(colour: Floats) -> tuple[float, float, float]:
    most, least = float(colour.max()), float(colour.min())
    return (most - least) / (most + _DARK), (most - least) / 100.0, float(np.log((most + _DARK) / _DARK))
