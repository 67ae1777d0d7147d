"""Events: what happened to one miniature between two measurements, as a line of the timeline."""

from collections.abc import Sequence

import numpy as np

from models.camera import CameraPose
from models.timeline import EventLine, Waypoint
from models.unit_conversion import degrees
from vision.capture.sources import Frame
from vision.measurement.covariance import independent_covariance
from vision.state_assembly import MeasuredBase
from vision.tracking.trajectory import path_length_mm

_MOVED_MM = 1.5
_MOVED_SIGMAS = 3.0
_TURNED_DEG = 12.0


def make_event(frame: Frame, kind: str, **facts: object) -> EventLine:
    """The event of this kind at this frame."""
    return EventLine.model_validate({"type": kind, "t_s": frame.t_s, "frame": frame.index} | facts)


def distance_mm(before: MeasuredBase, after: MeasuredBase) -> float:
    """Distance of the two places."""
    return float(np.hypot(*np.subtract(after.fit.at_mm, before.fit.at_mm)))


def has_moved(before: MeasuredBase, after: MeasuredBase) -> bool:
    """Whether the second measurement is farther from the first than measuring twice would be."""
    spread_mm = float(np.sqrt(np.trace(before.fit.covariance_mm2 + after.fit.covariance_mm2)))
    return distance_mm(before, after) > max(_MOVED_MM, _MOVED_SIGMAS * spread_mm)


def has_turned(before: MeasuredBase, after: MeasuredBase) -> bool:
    """Whether both facings are known and differ by more than reading twice would."""
    turn = _measure_turn(before, after)
    return bool(turn) and abs((turn["to_deg"] - turn["from_deg"] + 180) % 360 - 180) > _TURNED_DEG


def detect_motion(
    frame: Frame,
    id_: str,
    before: MeasuredBase,
    after: MeasuredBase,
    *,
    pose: CameraPose,
    confidence: float,
    lifted_s: float | None = None,
    is_turned: bool = False,
) -> tuple[EventLine, ...]:
    """Event of a move or a turn, or none worth telling. `is_turned`: it looks so, should its facings not tell."""
    sure = {"ids": (id_,), "confidence": round(confidence, 3), "lifted_s": lifted_s}
    if has_moved(before, after):
        facts: dict[str, object] = {"from_mm": before.fit.at_mm, "to_mm": after.fit.at_mm}
        facts |= _measure_length(before, after, pose) | _measure_turn(before, after)
        return (make_event(frame, "moved", **sure, **facts),)
    if has_turned(before, after):
        return (make_event(frame, "turned", **sure, **_measure_turn(before, after)),)
    if is_turned and not _measure_turn(before, after):
        return (make_event(frame, "turned", **sure, detail="by what stands on it; the rim does not show by how much"),)
    return ()


def with_trajectory(moved: EventLine, waypoints: Sequence[Waypoint]) -> EventLine:
    """The same move with its trajectory."""
    if not waypoints or moved.from_mm is None or moved.to_mm is None:
        return moved
    far = round(path_length_mm(moved.from_mm, waypoints, moved.to_mm), 1)
    return moved.model_copy(update={"path": tuple(waypoints), "travelled_mm": far})


def _measure_length(before: MeasuredBase, after: MeasuredBase, pose: CameraPose) -> dict[str, object]:
    """How far, and how surely: what camera and light do to both places alike is no part of it."""
    shift = np.subtract(after.fit.at_mm, before.fit.at_mm)
    length = float(np.hypot(*shift))
    along = shift / max(length, 1e-9)
    doubt = independent_covariance(before.fit, pose=pose) + independent_covariance(after.fit, pose=pose)
    return {"distance_mm": round(length, 3), "sigma_mm": round(float(np.sqrt(along @ doubt @ along)), 3)}


def _measure_turn(before: MeasuredBase, after: MeasuredBase) -> dict[str, float]:
    if before.facing is None or after.facing is None or before.facing.is_ambiguous or after.facing.is_ambiguous:
        return {}
    return {"from_deg": degrees(before.facing.facing_rad), "to_deg": degrees(after.facing.facing_rad)}
