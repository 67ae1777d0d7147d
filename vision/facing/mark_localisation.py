"""Mark localisation: the facing and its standard deviation from the marks on a rim.

Painted half: the probability that a half of a rim is the painted one, and that it is paint at all.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Mask
from vision.facing.marking_patterns import Evidence, Pattern, Rim
from vision.facing.paint_classifier import HIDDEN, LEFT_END, RIGHT_END
from vision.rectification.tone_curve import ring_mean

# How far a tick is from its place: hands paint it, and it is seen through pixels. Chosen so that 95 % of drawn facings
# are within 1.96 of their sigmas.
_TICK_MM = 0.28
_CENTRE_MM = 0.10  # how far the centre is off beyond what its covariance says
_AROUND_MM = 1.4  # on either side of a mark, where its middle is worked out
_LEAST_SHOWN = 0.5  # how probable it is that a mark is seen that is placed
_HIDDEN_RAD = math.radians(8.0)  # when none is
_TICK_WIDE_MM, _GAP_MM, _FLANK_MM = 1.5, 0.6, 1.6  # what a mark is told from: its flanks, a gap away on both sides
# Where a painted half ends: the place that parts one of its colours from the other best. Every place a few
# millimetres to # either side counts, by which of the two colours it is nearer to; what is neither of them, or
# hidden, counts for little.
_END_BESIDE_MM, _END_GAP_MM = 2.4, 0.6  # where each colour is taken from: so wide, so far from the end
_END_REACH_MM = 1.6  # how far the end may be from where it is sought
_PAINT_NOISE = 10.0  # grey levels by which one colour scatters
_ASKEW = 0.3  # of what parts the colours: so far from both a place is soon of neither
_DOUBT_MM = 0.3  # so much rim of the wrong colour makes a place e times less likely
_LEAST_MM, _UNEXPLAINED_MM = 0.25, 0.6  # the end's sigma where all is explained, and what is added where nothing is


@dataclass(frozen=True)
class Mark:
    """A mark: the angle where it was seen, the angle from the front where it was painted, and its standard
    deviation."""

    at_rad: float
    painted_rad: float
    sigma_mm: float = _TICK_MM


def localise_front(
    rim: Rim, evidence: Mapping[int, Evidence], pattern: Pattern, front: int, covariance_mm2: Floats
) -> tuple[float, float]:
    """Weighted mean of the marks: the facing of a base so marked, about there, and its standard deviation, rad.

    A centre that is off moves marks along the rim, those at opposite ends against each other: so it is weighed with
    them. Marks that contradict each other leave more doubt.
    """
    front_rad = front * rim.strip.step_rad
    marks = _visible_marks(rim, evidence, pattern, front)
    if not marks:
        return front_rad, _HIDDEN_RAD
    radius = rim.strip.radius_mm
    at = np.array([mark.at_rad for mark in marks])
    off = np.array([_angle_difference(mark.at_rad, front_rad + mark.painted_rad) for mark in marks]) * radius
    along = np.column_stack([-np.sin(at), np.cos(at)])
    centre = covariance_mm2 + _CENTRE_MM**2 * np.eye(2)
    precision = np.linalg.inv(np.diag([mark.sigma_mm**2 for mark in marks]) + along @ centre @ along.T)
    total = float(precision.sum())
    mean = float(precision.sum(axis=0) @ off) / total
    apart = float((off - mean) @ precision @ (off - mean)) / max(len(marks) - 1, 1)
    return front_rad + mean / radius, math.sqrt(max(1.0, apart) / total) / radius


def _visible_marks(rim: Rim, evidence: Mapping[int, Evidence], pattern: Pattern, front: int) -> list[Mark]:
    shown = []
    for deg, sight in pattern.marks:
        at = (front + rim.strip.index(deg)) % rim.strip.count
        if evidence[sight].p_shown[at] > _LEAST_SHOWN:
            shown.append((math.radians(deg), int(evidence[sight].nearest[at])))
    if pattern.marking == "front-half":
        return [_boundary_mark(rim, place, painted_rad) for painted_rad, place in shown]
    if not shown:
        return []
    bumps = _local_contrast(rim)
    along = np.mean([bumps[place] for _, place in shown], axis=0)
    return [Mark(_centroid_rad(rim, bumps @ along, place), painted_rad) for painted_rad, place in shown]


def _boundary_mark(rim: Rim, place: int, painted_rad: float) -> Mark:
    off_mm, sigma_mm = locate_boundary(rim, place)
    return Mark(place * rim.strip.step_rad + off_mm / rim.strip.radius_mm, painted_rad, sigma_mm)


def _local_contrast(rim: Rim) -> Floats:
    """By how much each place differs from its flanks."""
    step_mm, paint = rim.strip.step_mm, rim.paint
    flank = ring_mean(paint, round(_FLANK_MM / step_mm))
    away = round((_TICK_WIDE_MM / 2 + _GAP_MM + _FLANK_MM / 2) / step_mm)
    flanks = (np.roll(flank, away, axis=0) + np.roll(flank, -away, axis=0)) / 2
    return ring_mean(paint, round(_TICK_WIDE_MM / step_mm)) - flanks


def _centroid_rad(rim: Rim, change: Floats, place: int) -> float:
    """The middle of the change round a place, each neighbour by how much of it it shows."""
    reach = round(_AROUND_MM / rim.strip.step_mm)
    off = np.arange(-reach, reach + 1)
    weight = np.maximum(change[(off + place) % rim.strip.count], 0.0)
    weight = np.maximum(weight - 0.3 * weight.max(), 0.0)
    return (place + float(weight @ off) / max(float(weight.sum()), 1e-9)) * rim.strip.step_rad


def _angle_difference(a_rad: float, b_rad: float) -> float:
    return (a_rad - b_rad + math.pi) % (2 * math.pi) - math.pi


def locate_boundary(rim: Rim, place: int) -> tuple[float, float]:
    """Colour boundary near this place of the rim: how far beyond it, and the standard deviation of that, mm."""
    step_mm = rim.strip.step_mm
    flank, gap, reach = (max(1, round(wide_mm / step_mm)) for wide_mm in (_END_BESIDE_MM, _END_GAP_MM, _END_REACH_MM))
    off = np.arange(-flank - reach, flank + reach + 1)
    at = (place + off) % rim.strip.count
    before, after = (off < -gap) & (off >= -flank), (off > gap) & (off <= flank)
    sided = (
        _side_of_boundary(rim.strip.rings[at, :2], before, after)
        * (1 - np.exp(rim.class_log_probs[at, HIDDEN]))[:, None]
    )
    parted = np.concatenate([[0.0], np.cumsum(sided.mean(axis=1))]) * step_mm
    edges_mm = (np.arange(len(parted)) - 0.5 + off[0]) * step_mm
    near = np.abs(edges_mm) <= reach * step_mm
    likely = np.exp((parted[near] - parted[near].max()) / _DOUBT_MM)
    explained = (2 * float(parted[near].max()) - float(parted[-1])) / (len(off) * step_mm)
    return float(likely @ edges_mm[near] / likely.sum()), _LEAST_MM + _UNEXPLAINED_MM * (1 - max(0.0, explained))


def _side_of_boundary(colours: Floats, before: Mask, after: Mask) -> Floats:
    """For every place and ring (N, M, 3) 1 where it is of the colour before, -1 where it is of that after (N, M)."""
    first, last = np.median(colours[before], axis=0), np.median(colours[after], axis=0)
    apart, off = last - first, colours - first
    squared = (apart**2).sum(axis=-1)
    share = (off * apart).sum(axis=-1) / np.maximum(squared, 1e-9)
    aside = np.maximum((off**2).sum(axis=-1) - share**2 * squared, 0.0)
    certainty = np.exp(-aside / (2 * (_ASKEW**2 * squared + _PAINT_NOISE**2))) * squared / (squared + _PAINT_NOISE**2)
    return np.asarray((1 - 2 * np.clip(share, 0.0, 1.0)) * certainty)


_DARK = 20.0  # grey levels: what is darker has no colour that could be told
_HALF_GAP_MM, _WIDE_MM = 0.8, 3.0  # from an end of the painted half: where both paints lie in the same light
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
    mean, away = ring_mean(levels, round(_WIDE_MM / step_mm)), round((_HALF_GAP_MM + _WIDE_MM / 2) / step_mm)
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
