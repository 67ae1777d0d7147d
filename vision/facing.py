"""Which way a base faces, read from the paint on its rim.

Four ways of marking a round base are known: a painted front half, two ticks at the ends of the front arc, the ticks
with a dot in front, and a notch. What is seen at each place of the rim is weighed for each of them with its front
anywhere; the probability of each facing is told as it is. One that is nearly sure is told alone, of several each is
named, as two ticks alone leave two. An unmarked rim has no facing: none is invented.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.base import OvalBase, RoundBase
from models.camera import Camera, CameraPose
from vision.fit import RimFit
from vision.rims.chances import chances
from vision.rims.colours import as_ratios
from vision.rims.looks import alike
from vision.rims.painting import doubted, or_wall
from vision.rims.patterns import PATTERNS, Evidence, Rim, clues_of, evidence_of
from vision.rims.placing import placed
from vision.rims.sights import sights_of
from vision.rims.strip import unrolled

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SURE = 0.975  # the least probability of a facing that is told as the one: that from which the referee says yes
_WORTH_TELLING = 0.8  # that of all facings together which are named as possible ones
_LIKELY = 0.05  # that of each of them
_MOST_ENDS = 4
_SAME_DEG = 7.0  # within which two readings are of one facing
_OVAL_SIGMA_RAD = math.radians(0.5)  # how far a figure may stand askew on its base


@dataclass(frozen=True)
class Facing:
    """Radians anticlockwise from +x. `is_either_way`: it may look another way too, one of `ways` evenly spread or of
    `ends`, each with its probability; what these leave is any way."""

    facing_rad: float
    sigma_rad: float
    is_either_way: bool
    marking: str
    ways: int = 2
    ends: tuple[tuple[float, float], ...] = ()

    @property
    def every_way(self) -> tuple[tuple[float, float], ...]:
        """Every way it may look, with its probability."""
        if not self.is_either_way:
            return ((self.facing_rad, 1.0),)
        evenly = ((self.facing_rad + way * math.tau / self.ways, 1 / self.ways) for way in range(self.ways))
        return self.ends or tuple(evenly)


def facings_of(
    image: Picture, fits: Sequence[RimFit], *, camera: Camera, pose: CameraPose
) -> tuple[Facing | None, ...]:
    """The facing that each base's paint shows, or None where it shows none. An oval's two ends are not told apart; a
    rectangle's front is told by its whole block. Round bases are read together: those of one look are marked alike."""
    rounds = [fit for fit in fits if isinstance(fit.base, RoundBase)]
    read = iter(_read(image, rounds, camera=camera, pose=pose))
    return tuple(next(read) if isinstance(fit.base, RoundBase) else _along(fit) for fit in fits)


def _along(fit: RimFit) -> Facing | None:
    if not isinstance(fit.base, OvalBase):
        return None
    return Facing(fit.turn_rad, math.hypot(fit.turn_sigma_rad, _OVAL_SIGMA_RAD), True, "oval")


def _read(image: Picture, fits: Sequence[RimFit], *, camera: Camera, pose: CameraPose) -> list[Facing | None]:
    rims = rims_of(image, fits, camera=camera, pose=pose)
    evidence = [evidence_of(rim) for rim in rims]
    likely = chances([clues_of(rim, own) for rim, own in zip(rims, evidence, strict=True)], alike(rims))
    read = zip(rims, evidence, likely, fits, strict=True)
    return [_faced(rim, own, _doubted(rim, own, each, fit, pose), fit.covariance_mm2) for rim, own, each, fit in read]


def rims_of(image: Picture, fits: Sequence[RimFit], *, camera: Camera, pose: CameraPose) -> list[Rim]:
    """The rims of these fits, and what is seen on them."""
    strips = [unrolled(image, fit, camera=camera, pose=pose) for fit in fits]
    ratios = [as_ratios(strip.rings) for strip in strips]
    sights = sights_of([(one, strip.lip_mm) for one, strip in zip(ratios, strips, strict=True)])
    return [Rim(*one) for one in zip(strips, ratios, sights, strict=True)]


def _doubted(rim: Rim, evidence: Mapping[int, Evidence], likely: Floats, fit: RimFit, pose: CameraPose) -> Floats:
    """The same probabilities, with the doubt which half is painted and whether it is paint."""
    away = np.subtract(pose.centre_mm[:2], fit.at_mm)
    camera_rad = math.atan2(away[1], away[0])
    slant_rad = math.atan2(math.hypot(*away), pose.centre_mm[2] - fit.ground.surface_mm)
    found = likely.copy()
    half = [pattern.marking for pattern in PATTERNS].index("front-half")
    found[half] = or_wall(rim, doubted(rim, evidence, likely[half]), camera_rad=camera_rad, slant_rad=slant_rad)
    return found


def _faced(rim: Rim, evidence: Mapping[int, Evidence], likely: Floats, covariance_mm2: Floats) -> Facing | None:
    """The facing that is nearly sure, or those that are likely; None where both leave too much."""
    ends = list(_ends(likely, round(_SAME_DEG / 360 * rim.strip.count)))
    if sum(share for _, _, share in ends) < _WORTH_TELLING:
        return None
    found = [placed(rim, evidence, PATTERNS[kind], front, covariance_mm2) for kind, front, _ in ends]
    shares = [share for _, _, share in ends]
    all_ = sum(shares) if sum(shares) >= _SURE else 1.0  # what is nearly sure leaves no other
    told = tuple((rad % math.tau, share / all_) for (rad, _), share in zip(found, shares, strict=True))
    (facing_rad, _), is_sure = told[0], shares[0] >= _SURE
    sigma_rad = found[0][1] if is_sure else max(sigma for _, sigma in found)
    return Facing(facing_rad, sigma_rad, not is_sure, PATTERNS[ends[0][0]].marking, ends=() if is_sure else told)


def _ends(likely: Floats, near: int) -> Iterator[tuple[int, int, float]]:
    """The likely facings: pattern, the place of its front, and the probability of facing about there."""
    left, count = likely.copy(), likely.shape[1]
    for _ in range(_MOST_ENDS):
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
