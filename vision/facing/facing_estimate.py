"""Facing estimate: which way a base faces, from the paint on its rim.

Four markings of a round base are known: a painted front half, two ticks at the ends of the front arc, the ticks with a
dot in front, and a notch. Each is weighed with its front at every place of the rim. A facing that is nearly sure is
given alone; of several, each comes with its probability, as two ticks alone leave two. An unmarked rim has no facing.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Image
from calibration.view import View
from models.base import OvalBase, RoundBase
from models.camera import CameraPose
from vision.facing.mark_localisation import discount_bare_wall, localise_front, split_between_halves
from vision.facing.marking_patterns import PATTERNS, Evidence, Rim, mark_evidence, pattern_features
from vision.facing.marking_posterior import marking_posterior, similarity_matrix
from vision.facing.paint_classifier import classify_paint
from vision.facing.unwrapped_rim import unwrap_rim
from vision.measurement.base_fit import BaseFit
from vision.rectification.tone_curve import as_ratios

_SURE = 0.975  # the least probability of a facing that is told as the one: that from which the referee says yes
_WORTH_TELLING = 0.8  # that of all facings together which are named as possible ones
_LIKELY = 0.05  # that of each of them
_MOST_MODES = 4
_SAME_DEG = 7.0  # within which two readings are of one facing
_OVAL_SIGMA_RAD = math.radians(0.5)  # how far a figure may stand askew on its base


@dataclass(frozen=True)
class Facing:
    """A facing, radians anticlockwise from +x. `is_ambiguous`: it may be another one too, of `symmetry` evenly spread
    or of `hypotheses`, each with its probability; what these leave is any direction."""

    facing_rad: float
    sigma_rad: float
    is_ambiguous: bool
    marking: str
    symmetry: int = 2
    hypotheses: tuple[tuple[float, float], ...] = ()

    @property
    def alternatives(self) -> tuple[tuple[float, float], ...]:
        """Every facing it may have, with its probability."""
        if not self.is_ambiguous:
            return ((self.facing_rad, 1.0),)
        evenly = ((self.facing_rad + k * math.tau / self.symmetry, 1 / self.symmetry) for k in range(self.symmetry))
        return self.hypotheses or tuple(evenly)


def facing_of_outline(fit: BaseFit) -> Facing | None:
    """What the outline alone leaves open: either way along an oval, any side of a rectangle; a disc tells nothing."""
    if isinstance(fit.base, RoundBase):
        return None
    ways = 2 if isinstance(fit.base, OvalBase) else 4
    return Facing(fit.turn_rad, math.hypot(fit.turn_sigma_rad, _OVAL_SIGMA_RAD), True, "outline", ways)


def estimate_facings(image: Image, fits: Sequence[BaseFit], *, view: View) -> tuple[Facing | None, ...]:
    """Facing of each base from its paint, or None where it shows none. Round bases are read together, as those of one
    look are marked alike.

    An oval's two ends are not told apart; a rectangle's front is told by its whole block.
    """
    rounds = [fit for fit in fits if isinstance(fit.base, RoundBase)]
    read = iter(_read_round_rims(image, rounds, view=view))
    return tuple(next(read) if isinstance(fit.base, RoundBase) else _oval_axis_facing(fit) for fit in fits)


def _oval_axis_facing(fit: BaseFit) -> Facing | None:
    if not isinstance(fit.base, OvalBase):
        return None
    return Facing(fit.turn_rad, math.hypot(fit.turn_sigma_rad, _OVAL_SIGMA_RAD), True, "oval")


def _read_round_rims(image: Image, fits: Sequence[BaseFit], *, view: View) -> list[Facing | None]:
    rims = read_rims(image, fits, view=view)
    evidence = [mark_evidence(rim) for rim in rims]
    likely = marking_posterior(
        [pattern_features(rim, own) for rim, own in zip(rims, evidence, strict=True)], similarity_matrix(rims)
    )
    read = zip(rims, evidence, likely, fits, strict=True)
    return [
        _decide_facing(rim, own, _discount_half_paint(rim, own, each, fit, view.pose), fit.covariance_mm2)
        for rim, own, each, fit in read
    ]


def read_rims(image: Image, fits: Sequence[BaseFit], *, view: View) -> list[Rim]:
    """Unwraps the rims of these fits and classifies their paint."""
    strips = [unwrap_rim(image, fit, camera=view.camera, pose=view.pose) for fit in fits]
    ratios = [as_ratios(strip.rings) for strip in strips]
    sights = classify_paint([(colours, strip.rim_width_mm) for colours, strip in zip(ratios, strips, strict=True)])
    return [Rim(*parts) for parts in zip(strips, ratios, sights, strict=True)]


def _discount_half_paint(
    rim: Rim, evidence: Mapping[int, Evidence], likely: Floats, fit: BaseFit, pose: CameraPose
) -> Floats:
    """The same probabilities, with the doubt which half is painted and whether it is paint."""
    away = np.subtract(pose.centre_mm[:2], fit.at_mm)
    camera_rad = math.atan2(away[1], away[0])
    slant_rad = math.atan2(math.hypot(*away), pose.centre_mm[2] - fit.ground.surface_mm)
    discounted = likely.copy()
    half = [pattern.marking for pattern in PATTERNS].index("front-half")
    discounted[half] = discount_bare_wall(
        rim, split_between_halves(rim, evidence, likely[half]), camera_rad=camera_rad, slant_rad=slant_rad
    )
    return discounted


def _decide_facing(rim: Rim, evidence: Mapping[int, Evidence], likely: Floats, covariance_mm2: Floats) -> Facing | None:
    """The facing that is nearly sure, or those that are likely; None where both leave too much."""
    ends = list(_posterior_modes(likely, round(_SAME_DEG / 360 * rim.strip.count)))
    if sum(share for _, _, share in ends) < _WORTH_TELLING:
        return None
    fronts = [localise_front(rim, evidence, PATTERNS[kind], front, covariance_mm2) for kind, front, _ in ends]
    shares = [share for _, _, share in ends]
    all_ = sum(shares) if sum(shares) >= _SURE else 1.0  # what is nearly sure leaves no other
    facings = tuple((rad % math.tau, share / all_) for (rad, _), share in zip(fronts, shares, strict=True))
    (facing_rad, _), is_sure = facings[0], shares[0] >= _SURE
    sigma_rad = fronts[0][1] if is_sure else max(sigma for _, sigma in fronts)
    return Facing(
        facing_rad, sigma_rad, not is_sure, PATTERNS[ends[0][0]].marking, hypotheses=() if is_sure else facings
    )


def _posterior_modes(likely: Floats, near: int) -> Iterator[tuple[int, int, float]]:
    """The likely facings: pattern, the place of its front, and the probability of facing about there."""
    left, count = likely.copy(), likely.shape[1]
    for _ in range(_MOST_MODES):
        total = np.concatenate([left.sum(axis=0)] * 2 + [left.sum(axis=0)])
        summed = np.cumsum(total)
        about = summed[count + near : 2 * count + near] - summed[count - near - 1 : 2 * count - near - 1]
        middle = int(about.argmax())
        share = float(about[middle])
        if share < _LIKELY:
            return
        own = (np.arange(-near, near + 1) + middle) % count
        kind, at = np.unravel_index(int(left[:, own].argmax()), (len(left), len(own)))
        yield int(kind), int(own[at]), min(share, 1.0)
        left[:, (np.arange(-2 * near, 2 * near + 1) + middle) % count] = 0.0
