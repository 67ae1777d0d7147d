"""Which way a base faces, read from the paint on its rim.

Three ways of marking are known: the front half painted, two ticks at the ends of the front arc, and the ticks with a
dot in front. Each is a hypothesis over all facings, kept when it explains the rim clearly better than a plain one.
An unmarked rim has no facing: none is invented. Two ticks alone leave two facings, and both are named.
"""

import functools
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.base import OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from vision.fit import RimFit
from vision.outline import outline_of_base
from vision.profile import OFFSETS_MM, sample_across
from vision.tone import painted

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

_COUNT = 360  # directions sampled: one a degree
_TICK_MM = 1.3  # width of a tick along the rim
_TICK_SIGMA_MM = 0.55  # how far a facing read from ticks is off, at the rim: hands paint them
_CAP = 60.0  # grey levels beyond which a colour is simply another one (a sculpt, an arm)
_LEAST_HALF = 0.50  # share of the rim's colour spread that two halves must explain
_CLEAR_HALF = 0.66  # a share that leaves no doubt
_LEAST_CONTRAST = 23.0  # between the halves, on the scale of `painted`
_LEAST_BOTH = 9.0  # share times contrast: of little contrast a large share must be explained
_LEAST_STEP = 0.6  # share of that contrast which must change abruptly where the halves meet
_MOST_STEP = 1.3  # a larger step is something else lying there
_PAINT_TINT = 0.22  # colourfulness that plastic and basing do not reach, as a share
_VIVID_CHROMA = 48.0  # and in grey levels: brown is as tinted as paint, and darker
_BRIGHTER = 1.5  # so much brighter than the other half paint is at least, when both are dull
_ALONE = 0.75  # the second best facing must be this much weaker, or the marks tell nothing
_LEAST_TICK = 20.0  # by which the weakest mark stands out, on the same scale
_OVAL_SIGMA_RAD = math.radians(0.5)  # how far a figure may stand askew on its base
_SLACK_MM = 0.8  # how far a mark may be from its place: hand-painted, and seen from a centre not quite right


@dataclass(frozen=True)
class Facing:
    """Radians anticlockwise from +x. `is_either_way`: it may as well look the opposite way, or any of `ways` evenly
    spread."""

    facing_rad: float
    sigma_rad: float
    is_either_way: bool
    marking: str
    ways: int = 2


@dataclass(frozen=True)
class _Rim:
    """Colours round the base, (360, 3) each: on the rim, and of the ground just outside."""

    rim: Floats
    outside: Floats
    radius_mm: float


def facing_of(image: Picture, fit: RimFit, *, camera: Camera, pose: CameraPose) -> Facing | None:
    """The facing that the rim's paint shows, or None when it shows none. An oval's two ends are not told apart; a
    rectangle's front is told by its whole block."""
    if isinstance(fit.base, OvalBase):
        return Facing(fit.turn_rad, math.hypot(fit.turn_sigma_rad, _OVAL_SIGMA_RAD), True, "oval")
    if isinstance(fit.base, RectBase):
        return None
    rim = _read(image, fit, fit.base, camera=camera, pose=pose)
    dotted = _dotted(rim)
    if dotted is not None:
        return dotted
    return _half(rim) or _ticked(rim)


def _read(image: Picture, fit: RimFit, base: RoundBase, *, camera: Camera, pose: CameraPose) -> _Rim:
    ground_mm = fit.ground.surface_mm
    outline = outline_of_base(
        base,
        fit.at_mm,
        turn_rad=fit.turn_rad,
        profile=fit.profile,
        ground_mm=ground_mm,
        camera_mm=np.array(pose.centre_mm),
        count=_COUNT,
    )
    colours, _ = sample_across(image, outline, ground_mm=ground_mm, camera=camera, pose=pose)
    inner_mm = -0.7 * fit.profile.lips_mm[len(fit.profile.lips_mm) // 2]
    rim = _band(colours, outline.rim_mm + inner_mm, np.full(_COUNT, -0.2))
    outside = _band(colours, np.full(_COUNT, 0.9), np.full(_COUNT, 1.7))
    return _Rim(rim, outside, fit.size_mm / 2)


def _band(colours: NDArray[np.float32], from_mm: Floats, to_mm: Floats) -> Floats:
    """The mean colour along each normal between two offsets."""
    inside = (from_mm[:, None] - 1e-9 <= OFFSETS_MM) & (to_mm[:, None] + 1e-9 >= OFFSETS_MM)
    weight = inside / np.maximum(inside.sum(axis=1, keepdims=True), 1)
    return np.asarray(np.einsum("ns,nsc->nc", weight, colours), np.float64)


def _half(rim: _Rim) -> Facing | None:
    """The facing whose two half rims are each of one colour, if they differ and meet abruptly."""
    colours = painted(rim.rim)
    spread = _misfit(colours, np.median(colours, axis=0)).mean()
    cost = functools.cache(lambda at: _half_cost(colours, at % _COUNT))
    rough = min(range(0, _COUNT, 6), key=cost)
    best = min(range(rough - 5, rough + 6), key=cost) % _COUNT
    if not _is_two_halves(colours, best, explained=1 - cost(best) / max(spread, 1e-6)):
        return None
    front, back = _medians(rim.rim, best)
    is_front, is_back = _is_paint(front, beside=back), _is_paint(back, beside=front)
    sigma = _half_sigma(cost(best), (cost(best + 12) + cost(best - 12)) / 2)
    return Facing(math.radians((best + 180 * is_back) % _COUNT), sigma, is_front == is_back, "front-half")


def _is_two_halves(colours: Floats, facing: int, *, explained: float) -> bool:
    """Whether the halves differ enough and meet abruptly at both ends; a sculpt may hide one end of a clear case."""
    front, back = _medians(colours, facing)
    contrast = float(np.linalg.norm(front - back))
    if explained < _LEAST_HALF or contrast < _LEAST_CONTRAST or explained * contrast < _LEAST_BOTH:
        return False
    steps = sorted(_step(colours, facing + side, (front - back) * sign) for side, sign in ((-90, 1), (90, -1)))
    least = _LEAST_STEP if explained < _CLEAR_HALF else 0.0
    return least < steps[0] and _LEAST_STEP < steps[1] < _MOST_STEP


def _step(colours: Floats, at: int, change: Floats) -> float:
    """How much of the expected change happens within a few degrees of `at`, 1 = all."""
    rolled = np.roll(colours, -at, axis=0)
    after, before = np.median(rolled[4:22], axis=0), np.median(rolled[-22:-4], axis=0)
    return float((after - before) @ change / (change @ change))


def _half_cost(colours: Floats, facing: int) -> float:
    front, back = _medians(colours, facing)
    rolled = np.roll(colours, 90 - facing, axis=0)
    return float((_misfit(rolled[:180], front).mean() + _misfit(rolled[180:], back).mean()) / 2)


def _medians(colours: Floats, facing: int) -> tuple[Floats, Floats]:
    rolled = np.roll(colours, 90 - facing, axis=0)
    return np.median(rolled[:180], axis=0), np.median(rolled[180:], axis=0)


def _misfit(colours: Floats, one: Floats) -> Floats:
    return np.asarray(np.minimum(np.linalg.norm(colours - one, axis=1), _CAP))


def _is_paint(colour: Floats, *, beside: Floats) -> bool:
    """Whether this half is surely the painted one: vivid where the other is dull, or clearly brighter where both are.

    Plastic and earth are dull, and brown among them: its tint is that of paint, its chroma is not.
    """
    if _is_vivid(colour) != _is_vivid(beside):
        return _is_vivid(colour)
    return not _is_vivid(colour) and bool(colour.max() > _BRIGHTER * beside.max())


def _is_vivid(colour: Floats) -> bool:
    chroma = float(colour.max() - colour.min())
    return chroma > _VIVID_CHROMA and chroma > _PAINT_TINT * float(colour.max())


def _half_sigma(least: float, aside: float) -> float:
    """From how steeply the cost climbs within 12 degrees: each degree off repaints two degrees of rim."""
    return math.radians(float(np.clip(12 * 0.025 * least / max(aside - least, 1e-6), 2.5, 30.0)))


def _dotted(rim: _Rim) -> Facing | None:
    """The facing with marks at both ends of its front arc and a dot in front, all of one paint."""
    mark, best, least = _best_marks(rim, (-90, 0, 90))
    if least < _LEAST_TICK:
        return None
    return Facing(math.radians(_between_marks(mark, best, (-90, 0, 90))), _tick_sigma(rim), False, "ticks+dot")


def _ticked(rim: _Rim) -> Facing | None:
    """The two facings with marks at the ends of the front arc."""
    mark, best, least = _best_marks(rim, (-90, 90))
    if least < _LEAST_TICK:
        return None
    return Facing(math.radians(_between_marks(mark, best, (-90, 90))), _tick_sigma(rim), True, "ticks")


def _tick_sigma(rim: _Rim) -> float:
    return max(math.radians(1.0), _TICK_SIGMA_MM / rim.radius_mm)


def _best_marks(rim: _Rim, places: tuple[int, ...]) -> tuple[Floats, int, float]:
    """The marks round the rim, the facing whose marks at these places are strongest, and the weakest of them."""
    mark = _marks(rim)
    slack = max(2, round(math.degrees(_SLACK_MM / rim.radius_mm)))
    near = _highest_near(mark, slack)
    colour = _ring_mean(painted(rim.rim), math.degrees(_TICK_MM / rim.radius_mm))
    weakest = np.min([np.roll(near, -place) for place in places], axis=0)
    tints = [np.roll(colour, -place, axis=0) for place in places]
    unlike = np.max([np.linalg.norm(tint - tints[0], axis=1) for tint in tints], axis=0)
    weakest = weakest * np.clip(1.6 - unlike / _CAP, 0.0, 1.0)
    ties = np.sum([np.roll(mark, -place) for place in places], axis=0)
    best = int((weakest + 1e-3 * ties).argmax())
    return mark, best, float(weakest[best]) * _is_alone(weakest, best, turns=2 if len(places) == 2 else 1)


def _is_alone(weakest: Floats, best: int, *, turns: int) -> bool:
    """Whether no other facing is nearly as good; two ticks look the same from behind."""
    away = np.abs((np.arange(_COUNT) - best + 180 / turns) % (_COUNT / turns) - 180 / turns)
    return bool(weakest[away > 25].max() < _ALONE * weakest[best])


def _highest_near(mark: Floats, slack: int) -> Floats:
    return np.asarray(np.max([np.roll(mark, shift) for shift in range(-slack, slack + 1)], axis=0))


def _marks(rim: _Rim) -> Floats:
    """How far each degree of the rim stands out from the rim on both its sides, and the ground outside does not."""
    width = max(2.0, math.degrees(_TICK_MM / rim.radius_mm))
    own = _stands_out(painted(rim.rim), width)
    around = _stands_out(painted(rim.outside), width)
    return np.maximum(own - 0.8 * around, 0.0)


def _stands_out(colours: Floats, width_deg: float) -> Floats:
    """Colour distance of a window of this width from both neighbours, the nearer neighbour counting."""
    mean = _ring_mean(colours, width_deg)
    away = round(1.5 * width_deg)
    before, after = np.roll(mean, away, axis=0), np.roll(mean, -away, axis=0)
    return np.asarray(np.minimum(np.linalg.norm(mean - before, axis=1), np.linalg.norm(mean - after, axis=1)))


def _ring_mean(colours: Floats, width_deg: float) -> Floats:
    pad = 30
    closed = np.concatenate([colours[-pad:], colours, colours[:pad]]).astype(np.float32)
    smooth = cv2.blur(closed, (1, max(1, round(width_deg) | 1)))
    return np.asarray(smooth[pad:-pad], np.float64)


def _between_marks(mark: Floats, facing: int, places: tuple[int, ...]) -> float:
    """The facing in degrees, each mark centred by its own weight."""
    window = np.arange(-6, 7)
    shifts = []
    for place in places:
        weight = mark[(facing + place + window) % _COUNT]
        shifts.append(float((weight * window).sum() / max(weight.sum(), 1e-9)))
    return facing + float(np.mean(shifts))
