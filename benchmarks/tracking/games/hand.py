"""A hand on its arm, reaching in from one side of the table."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from vision.training.synthetic.solid import Colour, Slice, ball, rod


@dataclass(frozen=True)
class Hand:
    """Where the arm comes from, and its colours."""

    elbow_mm: tuple[float, float]
    skin: Colour = (118.0, 148.0, 205.0)
    sleeve: Colour = (96.0, 60.0, 44.0)
    bare_mm: float = 150.0  # of forearm, before the sleeve begins


def slices(hand: Hand, tip_mm: Floats, *, up_mm: float, flat: bool = False) -> Iterator[Slice]:
    """The hand with its fingertips at this place and height; flat: only the sleeve, resting there."""
    elbow = np.array(hand.elbow_mm)
    along = (elbow - tip_mm) / max(float(np.linalg.norm(elbow - tip_mm)), 1.0)
    across = np.array([-along[1], along[0]])
    palm, wrist = tip_mm + along * 55, tip_mm + along * 100
    height = up_mm + 45
    bare = wrist + along * (0 if flat else hand.bare_mm)
    far = max(float(np.linalg.norm(elbow - bare)), 60.0)
    for lift in (0, 8, 16, 24):
        shade = _shade(hand.sleeve, 0.8 + 0.012 * lift)
        yield from rod((*bare, height + lift), (*(bare + along * far), height + 70 + lift), 48 - 0.9 * lift, shade)
    if flat:
        return
    yield from rod((*palm, height), (*bare, height + 12), 27, hand.skin)
    yield from ball((*palm, height), (42, 38, 15), hand.skin, yaw_rad=float(np.arctan2(along[1], along[0])))
    for k in range(-2, 3):
        root = palm - along * 22 + across * 15 * k
        end = tip_mm + across * 7 * k + along * 3 * abs(k)
        shade = _shade(hand.skin, 0.9 + 0.03 * (k % 3))
        yield from rod((*root, height), (*end, up_mm + 16), 8, shade)


def _shade(colour: Colour, light: float) -> Colour:
    blue, green, red = (min(255.0, channel * light) for channel in colour)
    return blue, green, red
