"""Which way a base faces, read from the paint on its rim.

Four ways of marking a round base are known: a painted front half, two ticks at the ends of the front arc, the ticks
with a dot in front, and a notch. Each is looked for in the places that it explains best, and what speaks for each
reading is weighed; a reading that others contradict is none. An unmarked rim has no facing: none is invented. What may
as well look the opposite way, as two ticks alone do, leaves two facings, each with its probability.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.base import OvalBase, RoundBase
from models.camera import Camera, CameraPose
from vision.fit import RimFit
from vision.rims.army import among_others
from vision.rims.changes import Rim, rim_of
from vision.rims.dots import share_ahead
from vision.rims.halves import halved
from vision.rims.painting import share_painted
from vision.rims.placing import placed
from vision.rims.strip import unrolled
from vision.rims.ticks import ticked
from vision.rims.weighing import Reading

Picture = NDArray[np.uint8]

# The least probability of a line along which a base faces that is told. On drawn rims three marks in place are hardly
# ever chance; a tick and a dot may as well be a dot and the other tick. And that of the end of it that is the front.
_SURE, _SURE_OF_FEW = 0.6, 0.7
_FEW_MARKS = ("ticks", "left tick+dot", "right tick+dot", "notch")
_SURE_OF_PAINT, _SURE_OF_DOT = 0.97, 0.95
_SAME_RAD = math.radians(7.0)
_OVAL_SIGMA_RAD = math.radians(0.5)  # how far a figure may stand askew on its base


@dataclass(frozen=True)
class Facing:
    """Radians anticlockwise from +x. `is_either_way`: it may as well look the opposite way, or any of `ways` evenly
    spread; of two, `share` is the probability of the one that is named."""

    facing_rad: float
    sigma_rad: float
    is_either_way: bool
    marking: str
    ways: int = 2
    share: float = 0.5


def facings_of(
    image: Picture, fits: Sequence[RimFit], *, camera: Camera, pose: CameraPose
) -> tuple[Facing | None, ...]:
    """The facing that each base's paint shows, or None where it shows none. An oval's two ends are not told apart; a
    rectangle's front is told by its whole block. Round bases are read together: an army's are marked alike."""
    rounds = [k for k, fit in enumerate(fits) if isinstance(fit.base, RoundBase)]
    rims = [rim_of(unrolled(image, fits[k], camera=camera, pose=pose)) for k in rounds]
    readings = among_others([(rim, [*ticked(rim), *halved(rim)]) for rim in rims])
    read = {k: _faced(rim, own, fits[k]) for k, rim, own in zip(rounds, rims, readings, strict=True)}
    return tuple(read.get(k, _along(fit)) for k, fit in enumerate(fits))


def _along(fit: RimFit) -> Facing | None:
    if not isinstance(fit.base, OvalBase):
        return None
    return Facing(fit.turn_rad, math.hypot(fit.turn_sigma_rad, _OVAL_SIGMA_RAD), True, "oval")


def _faced(rim: Rim, readings: Sequence[Reading], fit: RimFit) -> Facing | None:
    if not readings:
        return None
    best = max(readings, key=lambda one: one.log_odds)
    alike = [one for one in readings if _is_along(rim, one, best)]
    others = [one for one in readings if not _is_along(rim, one, best)]
    least = _SURE_OF_FEW if best.marking in _FEW_MARKS else _SURE
    return _told(rim, best, alike, fit) if _sure(best, others) >= least else None


def _told(rim: Rim, best: Reading, alike: list[Reading], fit: RimFit) -> Facing:
    """The facing of the best reading, its front told by all that read the same line in such marks."""
    facing_rad, sigma_rad = placed(rim, best, fit.covariance_mm2)
    ahead, behind = 0.0, 0.0
    for one in (one for one in alike if (one.marking == "front-half") == (best.marking == "front-half")):
        share = _share_ahead(rim, one)
        toward = share if _is_ahead(rim, one, best) else 1 - share
        ahead, behind = ahead + _odds(one) * toward, behind + _odds(one) * (1 - toward)
    share = ahead / (ahead + behind)
    if share < 0.5:
        facing_rad, share = facing_rad + math.pi, 1 - share
    marking = "ticks+dot" if best.marking.endswith("tick+dot") else best.marking
    least = _SURE_OF_PAINT if marking == "front-half" else _SURE_OF_DOT
    return Facing(facing_rad % (2 * math.pi), sigma_rad, share < least, marking, share=share)


def _share_ahead(rim: Rim, reading: Reading) -> float:
    """The probability that a base so marked looks to the reading's front, and not the opposite way."""
    if reading.marking == "front-half":
        return share_painted(rim, reading.front)
    return share_ahead(rim, reading.front) if reading.marking in ("ticks", "ticks+dot") else 1.0


def _sure(best: Reading, others: list[Reading]) -> float:
    """The probability of a reading beside those that contradict it."""
    return _odds(best) / (1 + _odds(best) + max((_odds(one) for one in others), default=0.0))


def _odds(reading: Reading) -> float:
    return math.exp(min(reading.log_odds, 20.0))


def _is_along(rim: Rim, a: Reading, b: Reading) -> bool:
    """Whether both readings face along one line."""
    off = _off_rad(rim, a, b)
    return min(off, math.pi - off) < _SAME_RAD


def _is_ahead(rim: Rim, a: Reading, b: Reading) -> bool:
    return _off_rad(rim, a, b) < math.pi / 2


def _off_rad(rim: Rim, a: Reading, b: Reading) -> float:
    return abs(((a.front - b.front) * rim.strip.step_rad + math.pi) % (2 * math.pi) - math.pi)
