"""Departures: where something changed, whose places are touched, who left or turned, and what stands there now."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Image, Mask
from models.base import RectBase
from models.camera import Camera, CameraPose
from vision.rectification.rectify import Window
from vision.state_assembly import MeasuredBase
from vision.tracking.appearance import Appearance, appearance_distance, appearance_of
from vision.tracking.association import Track, blocks_of, displaced_by, is_occupied
from vision.tracking.change_detection import Illumination, View, detect_solid_change, is_on_change, is_touched
from vision.tracking.occlusion import is_occluded, is_vacated
from vision.tracking.track_registry import ChangeSet
from vision.tracking.transit_log import TransitLog
from vision.tracking.turn_detection import has_rotated

_STILL_THERE = 9.0  # grey levels within which a base that was not found anew looks as it did


@dataclass(frozen=True)
class Comparison:
    """A settled frame beside the settled view before it, if there is one.

    `mask` is what changed, None: everything is measured; `is_close` when it is the ground of a few bases that were
    looked at closely; `light` says how much brighter it is than in the light in which appearances are compared.
    """

    image: Image
    view: View
    before: View | None
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
    touched = [id_ for id_, one in standing.items() if is_touched(mask, window, one.seen.fit)]
    came = [one for one in measured if is_on_change(mask, window, one.fit)]
    blocks = blocks_of(came) | blocks_of(measured, on=[standing[id_] for id_ in touched])
    touched += displaced_by(blocks, measured, {id_: one for id_, one in standing.items() if id_ not in touched})
    stayed = [one for id_, one in standing.items() if id_ not in touched]
    came += [one for one in measured if one.place is not None and one.place.unit in blocks and one not in came]
    return touched, tuple(one for one in came if not is_occupied(one, by=stayed))


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
        found=tuple((one, scene.describe(one)) for one in came),
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
    fits = [one.seen.fit for one in old], [one.fit for one in new]
    return transit_log.find_exclusions(scene.before, scene.view, scene.window, old=fits[0], new=fits[1])


def _has_turned(one: Track, scene: Comparison, before: View) -> bool:
    """Whether what stands there, if it is still the same, was turned; under something that cannot be seen."""
    is_clear = one.presence != "hidden" and not isinstance(one.seen.fit.base, RectBase)
    return is_clear and has_rotated(before, scene.view, scene.window, one.seen.fit)


def _has_vanished(
    one: Track, scene: Comparison, solid: Mask | None, came: Iterable[MeasuredBase], standing: Mapping[str, Track]
) -> bool:
    """Whether the place where it stood is seen without it. `solid`: what changed and is no mere shadow."""
    fit = one.seen.fit
    if is_occupied(one.seen, by=came):
        return True
    others = [other.fit for other in came]
    others += [other.seen.fit for id_, other in standing.items() if id_ != one.id]
    if is_vacated(scene.view, scene.window, fit, others=others, changed=solid):
        return True
    if appearance_distance(scene.describe(one.seen), one.appearance) < _STILL_THERE:
        return False
    if one.presence == "in-hand":  # the place was seen without it before something else came to lie there
        return True
    is_overdue = scene.is_close and one.hidden_since_s is not None
    return is_overdue and not (solid is not None and is_occluded(solid, scene.window, fit))
