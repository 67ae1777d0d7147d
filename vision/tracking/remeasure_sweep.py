"""Remeasure sweep: while nothing happens, one base after the other is measured again.

It finds what was too little for a change: a base pushed by two millimetres, or lost in a shadow.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from calibration.arrays import Image
from calibration.view import View
from models.base import RectBase
from vision.capture.sources import Frame
from vision.measurement.base_fit import BaseFit, fit_base
from vision.ranked.block import Block, PlacedRect, axes_of
from vision.ranked.block_fit import fit_block
from vision.ranked.ranked_units import member_fits
from vision.state_assembly import MeasuredBase
from vision.tracking.association import Track
from vision.tracking.events import has_moved

_IN_LINE_RAD = math.radians(3.0)
_OFF = 0.15  # of a side, by which a member may miss its place in the order
_THERE = 0.5  # of the support it had: of what shows less another finder must tell

Cell = tuple[int, int]
_EVERY_S = 1.0
_LOOKS = 2  # that must agree


class RemeasureSweep:
    """Whose turn it is, and of whom the last measurement said something else than is known."""

    def __init__(self) -> None:
        self._looked_s = -1e9
        self._next = 0
        self._suspect: str | None = None
        self._times = 0

    def is_due(self, t_s: float) -> bool:
        """Whether it is time for another look."""
        return t_s - self._looked_s >= _EVERY_S

    def remeasure_next(self, frame: Frame, standing: Mapping[str, Track], *, view: View) -> tuple[str, ...]:
        """Those who were twice seen elsewhere than they are known to stand: none, or one."""
        if not standing:
            return ()
        self._looked_s = frame.t_s
        suspect = self._suspect
        id_ = suspect if suspect is not None and suspect in standing else self._next_id(tuple(standing))
        self._suspect = None
        track = standing[id_]
        if track.hidden_since_s is not None or not _is_elsewhere(frame, track, standing, view):
            self._times = 0
            return ()
        self._times += 1
        self._suspect = id_
        return (id_,) if self._times >= _LOOKS else ()

    def _next_id(self, ids: tuple[str, ...]) -> str:
        self._next = (self._next + 1) % len(ids)
        self._times = 0
        return ids[self._next]


def _is_elsewhere(frame: Frame, track: Track, standing: Mapping[str, Track], view: View) -> bool:
    again = _refit(frame, track.seen.fit, standing, view)
    return again is not None and has_moved(track.seen, MeasuredBase(again, None))


def _refit(frame: Frame, fit: BaseFit, standing: Mapping[str, Track], view: View) -> BaseFit | None:
    if isinstance(fit.base, RectBase):
        others = [other.seen.fit for other in standing.values() if other.hidden_since_s is None]
        return refit_in_block(frame.image, fit, others, view=view)
    return fit_base(
        frame.image, start_mm=fit.at_mm, base=fit.base, ground=fit.ground, camera=view.camera, pose=view.pose,
        turn_rad=fit.turn_rad,
    )  # fmt: skip


def refit_in_block(image: Image, fit: BaseFit, others: Iterable[BaseFit], *, view: View) -> BaseFit | None:
    """Fits the base near where it is known to stand, in its block; None when too little of it is seen there."""
    again = member_fits(fit_block(image, block_around(fit, others), camera=view.camera, pose=view.pose))[0]
    return again if again.support > _THERE * fit.support else None


def block_around(fit: BaseFit, others: Iterable[BaseFit]) -> Block:
    """The block of this base, which comes first, and of all that join it side by side."""
    base = fit.base
    assert isinstance(base, RectBase)
    members: dict[Cell, BaseFit] = {(0, 0): fit}
    left = dict(_cells_in_line(fit, base, others))
    edge: list[Cell] = [(0, 0)]
    while edge:
        x, y = edge.pop()
        for neighbour in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if neighbour in left:
                members[neighbour] = left.pop(neighbour)
                edge.append(neighbour)
    placed = tuple(PlacedRect(base, member.at_mm, fit.turn_rad, member.ground) for member in members.values())
    return Block(placed, tuple(members), fit.turn_rad, 0.0)


def _cells_in_line(fit: BaseFit, base: RectBase, others: Iterable[BaseFit]) -> Iterator[tuple[Cell, BaseFit]]:
    """Column and row, from this base, of each that stands in line with it and is of its size and on its ground."""
    sides = np.array([base.depth_mm, base.width_mm])
    for other in others:
        if other is fit or other.base != base or other.ground != fit.ground or not _is_in_line(fit, other, base):
            continue
        away = axes_of(fit.turn_rad) @ np.subtract(other.at_mm, fit.at_mm) / sides
        cell = np.rint(away).astype(int).tolist()
        if np.abs(away - cell).max() < _OFF * max(1, *np.abs(cell)):
            yield (cell[0], cell[1]), replace(other, turn_rad=fit.turn_rad)


def _is_in_line(fit: BaseFit, other: BaseFit, base: RectBase) -> bool:
    """Whether it is turned alike, or by what looks alike."""
    alike = math.pi / 2 if base.width_mm == base.depth_mm else math.pi
    return abs((other.turn_rad - fit.turn_rad + alike / 2) % alike - alike / 2) < _IN_LINE_RAD
