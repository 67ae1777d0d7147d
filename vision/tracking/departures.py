"""Departures: where something changed, whose places are touched, who left or turned, and what stands there now.

Occlusion: what is to be seen where a base stood, bare ground or something that hides it. Turn detection: of a base
whose rim shows no facing, by what stands on it; by how much cannot be said so, as what stands up leans away from the
camera, whichever direction it is turned. Lift detection: whose place is seen without him while an arm is still over the
table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Image, Mask
from models.base import RectBase
from models.camera import Camera, CameraPose
from vision.measurement.base_fit import BaseFit
from vision.rectification.rectify import Window
from vision.state_assembly import MeasuredBase
from vision.tracking.association import (
    Appearance,
    Track,
    appearance_distance,
    appearance_of,
    blocks_of,
    displaced_by,
    is_occupied,
)
from vision.tracking.change_detection import (
    Illumination,
    RectifiedView,
    base_mask,
    crop_around,
    detect_solid_change,
    is_on_change,
    is_touched,
    rim_distance_mm,
)
from vision.tracking.track_registry import ChangeSet
from vision.tracking.transit_log import TransitLog

_EVERY_S = 0.12
_CLEAR = 0.35  # of the ground around a place must look as it did: in an arm's deep shadow all is of one darkness
_ALL = 0.12  # of the picture: not an arm alone, the camera itself may have moved
_LOOKS = 2  # that must agree: between two fingers ground may be seen for a moment
_AROUND = (0.2, 1.0)  # radii beyond its rim: there the ground of a base is looked at
_AROUND_RANKS = 6.0  # where bases stand all around: beyond them
_ENOUGH = 12  # pixels of ground
_WITHIN = 0.15  # radii from its rim inwards that may show the rim of another
_SPARED_MM = 3.0  # around other bases, which are no ground
_LIKE = 16  # grey levels within which two colours are of one ground
_SHARE = 0.7  # of the base's place that must look like the ground around it
_COLOURS = 64
_LARGE = 3.0  # times the base's own ground: what lies there is no base and no token
_SPOKES = 72
_RADII = (0.3, 0.45, 0.6, 0.75, 0.88)  # of the base's
_AS_IT_WAS = 0.5  # of 1: who looks no more like before
_LEAST, _MORE = 0.45, 0.3  # and so much, and so much more, like before turned by some angle, was turned
_LEAST_LEVELS = 3.0  # grey levels of spread: on less nothing can be read
STILL_THERE = 9.0  # grey levels within which a base that was not found anew looks as it did


def is_vacated(
    view: RectifiedView, window: Window, fit: BaseFit, *, others: Iterable[BaseFit], changed: Mask | None = None
) -> bool:
    """Whether the place of this base looks like the ground around it, other bases left out, and what is new there."""
    fits = tuple(others)
    place, ground = _place_and_ground(view, window, fit, fits, changed, reach=_AROUND[1])
    if len(ground) < _ENOUGH:
        place, ground = _place_and_ground(view, window, fit, fits, changed, reach=_AROUND_RANKS)
    if not len(ground) or not len(place):
        return False
    some = ground[:: max(1, len(ground) // _COLOURS)]
    off = np.abs(place[:, None] - some[None]).max(axis=2).min(axis=1)
    return float((off < _LIKE).mean()) > _SHARE


def _place_and_ground(
    view: RectifiedView,
    window: Window,
    fit: BaseFit,
    others: tuple[BaseFit, ...],
    changed: Mask | None,
    *,
    reach: float,
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """(N, 3) each: the colours of the base's place, and of the ground up to so many radii beyond its rim."""
    part = crop_around(view.seen.shape, window, fit, margin_mm=reach * fit.inradius_mm)
    outside, seen = rim_distance_mm(part, window, fit), view.seen[part]
    around = _is_surround(outside, fit, reach) & seen
    if changed is not None:
        around &= ~changed[part]
    for other in others:
        if _is_near(fit, other, reach):
            around &= rim_distance_mm(part, window, other) > _SPARED_MM
    picture = view.picture[part]
    place = picture[(outside < -_WITHIN * fit.inradius_mm) & seen]
    return place.astype(np.int16), picture[around].astype(np.int16)


def clear_share(window: Window, fit: BaseFit, changed: Mask) -> float:
    """Share of the ground around this base that looks as it did: no arm over it, no arm's shadow."""
    part = crop_around(changed.shape, window, fit, margin_mm=_AROUND[1] * fit.inradius_mm)
    around = _is_surround(rim_distance_mm(part, window, fit), fit, _AROUND[1])
    return float(1 - changed[part][around].mean()) if around.any() else 0.0


def is_occluded(mask: Mask, window: Window, fit: BaseFit) -> bool:
    """Whether what changed there is far larger than the base: an arm, a book, a template."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    ground = base_mask(fit, window, mask.shape)
    parts = np.unique(labels[ground & (labels > 0)])
    area_mm2 = sum(float(stats[part, cv2.CC_STAT_AREA]) for part in parts) / window.px_per_mm**2
    return area_mm2 > _LARGE * float(ground.sum()) / window.px_per_mm**2


def _is_surround(outside: Floats, fit: BaseFit, reach: float) -> Mask:
    """Where the ground of a base is looked at, by how far it lies beyond the rim."""
    return np.asarray((outside > _AROUND[0] * fit.inradius_mm) & (outside < reach * fit.inradius_mm))


def _is_near(fit: BaseFit, other: BaseFit, reach: float) -> bool:
    """Whether the other may reach onto the ground that is looked at."""
    apart_mm = float(np.hypot(*np.subtract(fit.at_mm, other.at_mm)))
    return apart_mm < fit.size_mm + reach * fit.inradius_mm + other.size_mm + _SPARED_MM


@dataclass(frozen=True)
class Comparison:
    """A settled frame beside the settled view before it, if there is one.

    `mask` is what changed, None: everything is measured; `is_close` when it is the ground of a few bases that were
    looked at closely; `light` says how much brighter it is than in the light in which appearances are compared.
    """

    image: Image
    view: RectifiedView
    before: RectifiedView | None
    mask: Mask | None
    window: Window
    camera: Camera
    pose: CameraPose
    light: Illumination | None
    is_close: bool = False

    def describe(self, base: MeasuredBase) -> Appearance:
        """How what stands at this base's place looks now."""
        light = None if self.light is None else self.light.gains_at(base.fit.at_mm, self.window)
        return appearance_of(self.image, base.fit, camera=self.camera, pose=self.pose, light=light)


def split_by_change(
    measured: Sequence[MeasuredBase], standing: Mapping[str, Track], mask: Mask | None, window: Window
) -> tuple[list[str], tuple[MeasuredBase, ...]]:
    """Tracks that the change touches, and bases that came with it; all of both without a mask.

    A block of ranked bases is taken as a whole: where some of its members came, the others did as well.
    """
    if mask is None:
        return list(standing), tuple(measured)
    touched = [id_ for id_, track in standing.items() if is_touched(mask, window, track.seen.fit)]
    came = [base for base in measured if is_on_change(mask, window, base.fit)]
    blocks = blocks_of(came) | blocks_of(measured, on=[standing[id_] for id_ in touched])
    touched += displaced_by(blocks, measured, {id_: track for id_, track in standing.items() if id_ not in touched})
    stayed = [track for id_, track in standing.items() if id_ not in touched]
    came += [base for base in measured if base.place is not None and base.place.unit in blocks and base not in came]
    return touched, tuple(base for base in came if not is_occupied(base, by=stayed))


def collect_changes(
    scene: Comparison,
    touched: Sequence[str],
    came: Sequence[MeasuredBase],
    standing: Mapping[str, Track],
    transit_log: TransitLog,
) -> ChangeSet:
    """The change set of one update: who was there, what is there now, who left, and who cannot be what."""
    before, mask = scene.before, scene.mask
    solid = mask if mask is None or before is None else detect_solid_change(before, scene.view)
    return ChangeSet(
        touched=tuple(touched),
        found=tuple((base, scene.describe(base)) for base in came),
        vanished=frozenset(id_ for id_ in touched if _has_vanished(standing[id_], scene, solid, came, standing)),
        excluded=_find_exclusions(scene, [standing[id_] for id_ in touched], came, transit_log),
        turned=frozenset(id_ for id_ in touched if before is not None and _has_turned(standing[id_], scene, before)),
    )


def _find_exclusions(
    scene: Comparison, old: Sequence[Track], new: Sequence[MeasuredBase], transit_log: TransitLog
) -> Mask:
    """(old, new): who was seen in his place when another already stood in that one."""
    if scene.before is None:
        return np.zeros((len(old), len(new)), np.bool_)
    fits = [base.seen.fit for base in old], [track.fit for track in new]
    return transit_log.find_exclusions(scene.before, scene.view, scene.window, old=fits[0], new=fits[1])


def _has_turned(track: Track, scene: Comparison, before: RectifiedView) -> bool:
    """Whether what stands there, if it is still the same, was turned; under something that cannot be seen."""
    is_clear = track.presence != "hidden" and not isinstance(track.seen.fit.base, RectBase)
    return is_clear and has_rotated(before, scene.view, scene.window, track.seen.fit)


def _has_vanished(
    track: Track, scene: Comparison, solid: Mask | None, came: Iterable[MeasuredBase], standing: Mapping[str, Track]
) -> bool:
    """Whether the place where it stood is seen without it. `solid`: what changed and is no mere shadow."""
    fit = track.seen.fit
    if is_occupied(track.seen, by=came):
        return True
    others = [other.fit for other in came]
    others += [other.seen.fit for id_, other in standing.items() if id_ != track.id]
    if is_vacated(scene.view, scene.window, fit, others=others, changed=solid):
        return True
    if appearance_distance(scene.describe(track.seen), track.appearance) < STILL_THERE:
        return False
    if track.presence == "in-hand":  # the place was seen without it before something else came to lie there
        return True
    is_overdue = scene.is_close and track.hidden_since_s is not None
    return is_overdue and not (solid is not None and is_occluded(solid, scene.window, fit))


def has_rotated(before: RectifiedView, after: RectifiedView, window: Window, fit: BaseFit) -> bool:
    """Whether the base looks as before but for a turn."""
    then, now = (_unwrap_base(view.picture, window, fit) for view in (before, after))
    if min(then.std(), now.std()) < _LEAST_LEVELS:
        return False
    like = _rotation_correlation(then, now)
    return bool(like[0] < _AS_IT_WAS and like.max() > max(_LEAST, like[0] + _MORE))


def _unwrap_base(picture: Image, window: Window, fit: BaseFit) -> Floats:
    """(radii, spokes, 3): what stands on the base by angle; what lies evenly about its middle is taken off."""
    angle = np.arange(_SPOKES) * (2 * np.pi / _SPOKES)
    radii = np.array(_RADII)[:, None] * fit.inradius_mm
    at_mm = np.stack([fit.at_mm[0] + radii * np.cos(angle), fit.at_mm[1] + radii * np.sin(angle)], axis=-1)
    at_px = window.to_px(at_mm.reshape(-1, 2)).reshape(len(_RADII), _SPOKES, 2).astype(np.float32)
    seen = cv2.remap(picture, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    return np.asarray(seen - seen.mean(axis=1, keepdims=True))


def _rotation_correlation(then: Floats, now: Floats) -> Floats:
    """(spokes,): how alike the two are when the first is turned by so many spokes, 1 at best."""
    weight = np.sqrt(np.array(_RADII))[:, None, None]
    a, b = (np.fft.rfft(picture * weight, axis=1) for picture in (then, now))
    shared = np.fft.irfft(np.conj(a) * b, n=_SPOKES, axis=1).sum(axis=(0, 2))
    norm = np.sqrt(((then * weight) ** 2).sum() * ((now * weight) ** 2).sum())
    return np.asarray(shared / max(float(norm), 1e-9))


@dataclass(frozen=True)
class UnderArm:
    """View with an arm over it, what changed since the table was settled, and what of that is no mere shadow."""

    now: RectifiedView
    change: Mask
    solid: Mask
    window: Window


class LiftDetector:
    """Counts how often each standing base was seen to be gone from its place."""

    def __init__(self) -> None:
        self._looked_s = -1e9
        self._times: dict[str, int] = {}

    def update(self, look: UnderArm, standing: Mapping[str, BaseFit], *, t_s: float) -> tuple[str, ...]:
        """Those who are in a hand by now, each named once until `reset`."""
        if t_s - self._looked_s < _EVERY_S:
            return ()
        self._looked_s = t_s
        if look.change.mean() > _ALL:
            return ()
        touched = {id_: fit for id_, fit in standing.items() if is_on_change(look.change, look.window, fit)}
        if not touched:
            return ()
        gone = [id_ for id_, fit in touched.items() if self._is_gone(look, fit, standing)]
        self._times = {id_: times for id_, times in self._times.items() if id_ in gone or times >= _LOOKS}
        for id_ in gone:
            self._times[id_] = self._times.get(id_, 0) + 1
        return tuple(id_ for id_ in gone if self._times[id_] == _LOOKS)

    def reset(self) -> None:
        """Forgets all lifts, once the table is settled: what was in a hand has been put down, or taken away."""
        self._times = {}

    @staticmethod
    def _is_gone(look: UnderArm, fit: BaseFit, standing: Mapping[str, BaseFit]) -> bool:
        """A shadow on it is no sign, and where the hand is, ground is not seen."""
        if not is_on_change(look.solid, look.window, fit) or clear_share(look.window, fit, look.change) < _CLEAR:
            return False
        others = [other for other in standing.values() if other is not fit]
        return is_vacated(look.now, look.window, fit, others=others, changed=look.change)
