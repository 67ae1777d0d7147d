"""Unconfirmed log: what may be a base, kept while only a part of the table is looked at again."""

import math
from collections.abc import Iterable

from models.base import RoundBase
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import Point
from vision.candidates import Box
from vision.measurement.base_fit import BaseFit


class UnconfirmedLog:
    """Candidates of all looks so far; each look says again what lies in its boxes."""

    def __init__(self) -> None:
        self._known: tuple[UnconfirmedBase, ...] = ()

    def note(self, seen: Iterable[UnconfirmedBase], boxes: tuple[Box, ...] | None) -> None:
        """This was seen in these boxes; None: on the whole table."""
        kept = () if boxes is None else tuple(one for one in self._known if not _is_within(one.at_mm, boxes))
        fresh = tuple(one for one in seen if boxes is None or _is_within(one.at_mm, boxes))
        self._known = (*kept, *fresh)

    def beside(self, standing: Iterable[BaseFit]) -> tuple[UnconfirmedBase, ...]:
        """Those where nobody stands."""
        fits = tuple(standing)
        return tuple(one for one in self._known if all(_is_apart(one, fit) for fit in fits))


def _is_within(at_mm: Point, boxes: tuple[Box, ...]) -> bool:
    return any(x0 <= at_mm[0] <= x1 and y0 <= at_mm[1] <= y1 for x0, y0, x1, y1 in boxes)


def _is_apart(one: UnconfirmedBase, fit: BaseFit) -> bool:
    """Whether neither's middle lies within the other's inner circle."""
    base = one.base
    own_mm = base.radius_mm if isinstance(base, RoundBase) else min(base.width_mm, base.depth_mm) / 2
    return math.dist(one.at_mm, fit.at_mm) >= max(own_mm, fit.inradius_mm)
