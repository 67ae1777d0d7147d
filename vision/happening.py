"""What happened to one miniature between two measurements, as a line of the timeline."""

from collections.abc import Sequence

import numpy as np

from models.camera import CameraPose
from models.timeline import EventLine, Waypoint
from models.units import degrees
from vision.doubt import own_covariance
from vision.locating import SeenBase
from vision.sources import Frame
from vision.underway import travelled_mm

_MOVED_MM = 1.5
_MOVED_SIGMAS = 3.0
_TURNED_DEG = 12.0


def event(frame: Frame, kind: str, **facts: object) -> EventLine:
    return EventLine.model_validate({"type": kind, "t_s": frame.t_s, "frame": frame.index} | facts)


def far_mm(before: SeenBase, after: SeenBase) -> float:
    return float(np.hypot(*np.subtract(after.fit.at_mm, before.fit.at_mm)))


def has_moved(before: SeenBase, after: SeenBase) -> bool:
    """Whether the second measurement is farther from the first than measuring twice would be."""
    spread_mm = float(np.sqrt(np.trace(before.fit.covariance_mm2 + after.fit.covariance_mm2)))
    return far_mm(before, after) > max(_MOVED_MM, _MOVED_SIGMAS * spread_mm)


def has_turned(before: SeenBase, after: SeenBase) -> bool:
    turn = _turn(before, after)
    return bool(turn) and abs((turn["to_deg"] - turn["from_deg"] + 180) % 360 - 180) > _TURNED_DEG


def happened(
    frame: Frame,
    id_: str,
    before: SeenBase,
    after: SeenBase,
    *,
    pose: CameraPose,
    confidence: float,
    lifted_s: float | None = None,
    is_turned: bool = False,
) -> tuple[EventLine, ...]:
    """Moved, turned, or nothing worth telling. `is_turned`: it looks so, should its facings not tell."""
    sure = {"ids": (id_,), "confidence": round(confidence, 3), "lifted_s": lifted_s}
    if has_moved(before, after):
        facts: dict[str, object] = {"from_mm": before.fit.at_mm, "to_mm": after.fit.at_mm}
        facts |= _length(before, after, pose) | _turn(before, after)
        return (event(frame, "moved", **sure, **facts),)
    if has_turned(before, after):
        return (event(frame, "turned", **sure, **_turn(before, after)),)
    if is_turned and not _turn(before, after):
        return (event(frame, "turned", **sure, detail="by what stands on it; the rim does not show by how much"),)
    return ()


def with_way(moved: EventLine, way: Sequence[Waypoint]) -> EventLine:
    """The same move, and where it was seen on its way."""
    if not way or moved.from_mm is None or moved.to_mm is None:
        return moved
    far = round(travelled_mm(moved.from_mm, way, moved.to_mm), 1)
    return moved.model_copy(update={"path": tuple(way), "travelled_mm": far})


def _length(before: SeenBase, after: SeenBase, pose: CameraPose) -> dict[str, object]:
    """How far, and how surely: what camera and light do to both places alike is no part of it."""
    way = np.subtract(after.fit.at_mm, before.fit.at_mm)
    length = float(np.hypot(*way))
    along = way / max(length, 1e-9)
    doubt = own_covariance(before.fit, pose=pose) + own_covariance(after.fit, pose=pose)
    return {"distance_mm": round(length, 3), "sigma_mm": round(float(np.sqrt(along @ doubt @ along)), 3)}


def _turn(before: SeenBase, after: SeenBase) -> dict[str, float]:
    if before.facing is None or after.facing is None or before.facing.is_either_way or after.facing.is_either_way:
        return {}
    return {"from_deg": degrees(before.facing.facing_rad), "to_deg": degrees(after.facing.facing_rad)}
