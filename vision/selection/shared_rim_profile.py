"""Shared rim profiles: the profiles of one table are clustered, and each base is fitted again under them.

Bases of an army are of one make and one paint: the same side, the same width and colour of the rim. A single rim hardly
tells a slotted base of 30 mm from a lipped one of 28.5, whose edges lie where the other's do. A dozen clear rims of the
same colour do, and only one size of that make fits the doubtful rim.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.arrays import Floats, Image
from calibration.view import View
from models.base import OvalBase, RectBase, RoundBase
from vision.candidates import Candidate
from vision.measurement.base_fit import BaseFit, fit_base, size_mm
from vision.measurement.fit_settings import FINER_WIDTHS_MM
from vision.measurement.silhouette import RimProfile
from vision.parallel import thread_limit
from vision.selection.army_colour_likelihood import rim_and_basing_colours
from vision.selection.log_odds import rim_evidence

Sized = RoundBase | OvalBase

_TELLS, _TELLS_ALL = 0.25, 0.4  # evidence from which a rim tells of its make, and from which it tells all it can
_LIP_SIGMA_MM, _ONE_MAKE_MM = 0.15, 0.4  # how exactly a lip is measured; farther from the others it is another make's
_AT_LIMIT_MM = 0.06  # a lip this near to what its make can have was measured as of a make that it is not
_FEWEST = 1.5  # clear rims make a make
# How rims are weighed, chosen on own rendered tables (25 of them, 1,011 bases; each may be half or twice as large and
# little changes). `_LIKENESS`: what makes a make e times as likely.
_LIKENESS = 0.04
_ALIKE = 10.0  # colours so far apart, as `as_ratios` counts, are hardly of one army: within one they are 3 to 15 apart
_NONE, _OWN = 1.0, 0.3  # rims that speak for none of the makes; a base of a make of its own, as one of so many rims
_LEAST_TOLD = 0.5  # rims of its colour: a make of which fewer are seen is not tried
_TRUST = 20.0  # in the network, which tells sizes apart a little
_PROPOSED_SIGMA_MM, _FAR = 1.5, 8.0  # from where the base was proposed; beyond so many (log odds) is all the same
_LEAST_EVIDENCE = 0.05  # rims of which less is seen tell no make from another
# Of the variance of a rim whose make is not known, which stands for wrong edges too; chosen on own tables: without it
# the 95 % ellipse held 98 to 99 % of the bases of rendered ones, with it 97 %, and 95 % in drawn ones.
_KNOWN = 0.5
_LIKE_SIZE = 0.19  # sizes this near are taken for one another
_BESIDE = 0.25  # of its size: what was proposed nearer is the same base


@dataclass(frozen=True)
class RimProfileCluster:
    """A cluster of rims: its profile with a known width, and the membership of each rim in it, (N,)."""

    profile: RimProfile
    membership: Floats


def cluster_rim_profiles(fits: Sequence[BaseFit]) -> tuple[RimProfileCluster, ...]:
    """Clusters the rim profiles of these bases, the commonest first."""
    lips_mm, left = np.array([fit.rim_width_mm for fit in fits]), np.array([_informativeness(fit) for fit in fits])
    names = np.array([fit.profile.name for fit in fits])
    apart_mm = np.where(names[:, None] == names, np.abs(lips_mm[:, None] - lips_mm), np.inf)
    clusters: list[RimProfileCluster] = []
    while left.any():
        alike = np.exp(-0.5 * (apart_mm / _LIP_SIGMA_MM) ** 2) @ left
        middle = int(np.where(left > 0, alike, -1.0).argmax())
        shares = np.where(apart_mm[middle] < _ONE_MAKE_MM, left, 0.0)
        if shares.sum() < _FEWEST:
            break
        profile = replace(fits[middle].profile, rim_widths_mm=(float(shares @ lips_mm / shares.sum()),))
        clusters.append(RimProfileCluster(profile, shares))
        left = np.where(shares > 0, 0.0, left)
    return tuple(clusters)


def _informativeness(fit: BaseFit) -> float:
    """How much this rim tells of its make, 0 to 1."""
    least_mm, most_mm = (
        fit.profile.rim_widths_mm[0] + FINER_WIDTHS_MM[0],
        fit.profile.rim_widths_mm[-1] + FINER_WIDTHS_MM[-1],
    )
    is_within = least_mm + _AT_LIMIT_MM < fit.rim_width_mm < most_mm - _AT_LIMIT_MM
    return min(1.0, rim_evidence(fit) / _TELLS_ALL) if is_within and rim_evidence(fit) > _TELLS else 0.0


@dataclass(frozen=True)
class SizeReadings:
    """A base as it was measured, and as rims of its army show it: of each size the fit, and the log of its weight."""

    fit: BaseFit
    by_size: Mapping[Sized | RectBase, tuple[float, BaseFit]] = field(default_factory=dict)


def read_shared_profiles(
    image: Image, fits: Sequence[BaseFit], proposed: Sequence[Candidate], *, view: View
) -> tuple[SizeReadings, ...]:
    """Fits each base again under the profiles that others of its colour show, in every size that was proposed for it.

    Of a size all readings are one fit, with the doubt that remains between them.
    """
    makes = cluster_rim_profiles(fits)
    if not makes:
        return tuple(SizeReadings(fit) for fit in fits)
    colours = np.array([rim_and_basing_colours(image, fit, view=view)[:3] for fit in fits])

    def read(number: int) -> SizeReadings:
        counts = np.exp(-0.5 * (np.linalg.norm(colours - colours[number], axis=1) / _ALIKE) ** 2)
        counts[number] = 0.0
        makes_shares = [(make.profile, float(make.membership @ counts)) for make in makes]
        return _read_base(image, fits[number], proposed, makes_shares, view=view)

    with ThreadPoolExecutor(thread_limit()) as pool:
        return tuple(pool.map(read, range(len(fits))))


@dataclass(frozen=True)
class _Hypothesis:
    """One way to read a rim, and its log odds, however usual its size is."""

    fit: BaseFit
    log_odds: float


def _read_base(
    image: Image, fit: BaseFit, proposed: Sequence[Candidate], makes: list[tuple[RimProfile, float]], *, view: View
) -> SizeReadings:
    likely = [(make, rims) for make, rims in makes if rims > _LEAST_TOLD]
    if rim_evidence(fit) < _LEAST_EVIDENCE or not likely:
        return SizeReadings(fit)
    all_told = sum(rims for _, rims in makes) + _NONE
    itself, *others = _candidate_bases(fit, proposed)
    readings = [_Hypothesis(fit, _hypothesis_log_odds(fit, math.log(_OWN / all_told), itself[1]))]
    for base, candidate in (itself, *others):
        for make, rims in likely:
            again = fit_base(
                image, start_mm=fit.at_mm, base=base, ground=fit.ground, camera=view.camera, pose=view.pose,
                turn_rad=fit.turn_rad, min_score=0.0, profiles=(make,),
            )  # fmt: skip
            if again is not None:
                told_by: BaseFit | Candidate = fit if candidate is None else candidate
                again = replace(
                    again, network_score=told_by.network_score, log_prior=told_by.log_prior,
                    covariance_mm2=_KNOWN * again.covariance_mm2,
                )  # fmt: skip
                readings.append(_Hypothesis(again, _hypothesis_log_odds(again, math.log(rims / all_told), candidate)))
    of_size: dict[Sized | RectBase, list[_Hypothesis]] = defaultdict(list)
    for reading in readings:
        of_size[reading.fit.base].append(reading)
    return SizeReadings(fit, {base: _average_hypotheses(alike) for base, alike in of_size.items()})


def _candidate_bases(fit: BaseFit, proposed: Sequence[Candidate]) -> list[tuple[Sized, Candidate | None]]:
    """The bases that were proposed here and may be taken for this one, itself first, and where each was first."""
    assert not isinstance(fit.base, RectBase)
    sizes: dict[Sized, Candidate | None] = {fit.base: None}
    for candidate in proposed:
        if not isinstance(candidate.base, RectBase) and _is_like(candidate.base, fit.base) and _is_here(candidate, fit):
            sizes[candidate.base] = sizes.get(candidate.base) or candidate
    return list(sizes.items())


def _is_here(candidate: Candidate, fit: BaseFit) -> bool:
    return math.dist(candidate.at_mm, fit.at_mm) < _BESIDE * fit.size_mm


def _is_like(size: Sized, other: Sized) -> bool:
    if isinstance(size, RoundBase) or isinstance(other, RoundBase):
        return size.shape == other.shape and _are_near(size_mm(size), size_mm(other))
    return _are_near(size.width_mm, other.width_mm) and _are_near(size.depth_mm, other.depth_mm)


def _are_near(a_mm: float, b_mm: float) -> bool:
    return abs(math.log(a_mm / b_mm)) < _LIKE_SIZE


def _hypothesis_log_odds(fit: BaseFit, prior: float, candidate: Candidate | None) -> float:
    """Log odds of a reading: how well the rim is explained, what the network thinks, and how far it led away."""
    seen = 0.0 if fit.network_score is None else _TRUST * fit.network_score.p_base
    led = 0.0 if candidate is None else (math.dist(fit.at_mm, candidate.at_mm) / _PROPOSED_SIGMA_MM) ** 2 / 2
    return (fit.strength - fit.scatter_mm) / _LIKENESS + seen + prior - min(led, _FAR)


def _average_hypotheses(alike: list[_Hypothesis]) -> tuple[float, BaseFit]:
    """The log weight of all readings of one size, and the base placed between them, each counting by how likely it is;
    the more they differ, the greater the doubt."""
    best = max(reading.log_odds for reading in alike)
    mine = [(math.exp(reading.log_odds - best), reading.fit) for reading in alike]
    likeliest = max(mine, key=lambda pair: pair[0])[1]
    counts = np.array([count for count, _ in mine])
    weight = best + math.log(float(counts.sum()))
    counts /= counts.sum()
    places = np.array([[*fit.at_mm, _turn_difference(likeliest, fit)] for _, fit in mine])
    mean = counts @ places
    spread = np.zeros((3, 3))
    for count, (_, fit), off in zip(counts, mine, places - mean, strict=True):
        spread += count * (_pose_covariance(fit) + np.outer(off, off))
    return weight, replace(
        likeliest, at_mm=(float(mean[0]), float(mean[1])), covariance_mm2=spread[:2, :2],
        turn_rad=likeliest.turn_rad + float(mean[2]), turn_sigma_rad=math.sqrt(spread[2, 2]),
    )  # fmt: skip


def _turn_difference(fit: BaseFit, other: BaseFit) -> float:
    """From one's turn to the other's, radians: half a turn leaves an oval as it was."""
    return (other.turn_rad - fit.turn_rad + math.pi / 2) % math.pi - math.pi / 2


def _pose_covariance(fit: BaseFit) -> Floats:
    """Of x, y and turn, (3, 3)."""
    whole = np.zeros((3, 3))
    whole[:2, :2], whole[2, 2] = fit.covariance_mm2, fit.turn_sigma_rad**2
    return whole
