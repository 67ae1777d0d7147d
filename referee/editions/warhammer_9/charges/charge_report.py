"""Charge report: the value and the drawing of an arrival: its path, its poses, and where an enemy stops it."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.turn import Step
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.charges.failed_charge import interrupt
from referee.editions.warhammer_9.charges.path_search import Arrival, ChargePath
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.units.regiment import Regiment, is_skirmishing, member_gap_mm, regiment
from referee.motion.block_pose import BlockPose
from referee.rules.exact_table import ExactTable


def arrival_value(table: ExactTable, attacker: str, target: str, best: Arrival) -> dict[str, JsonValue]:
    """Poses, paths and contacts of both units in the end; empty where no path leads there."""
    if best.path is None:
        return {}
    own = regiment(table, attacker)
    if best.must_also_charge:
        return _stopped_value(table, own, target, best)
    end_pose, places = best.final_pose(BlockPose.of(own)), dict[str, Point]()
    mine, theirs = best.alignment.contact_counts(best.path.middle_mm)
    poses = path_legs.unit_poses(table, own, end_pose)
    if is_skirmishing(table, attacker) and best.aligned_by == attacker:
        end_pose, places, aside_mm = _tighten(table, own, end_pose)
        tight = replace(best.alignment, own=replace(best.alignment.own, width_mm=end_pose.width_mm))
        mine, theirs = tight.contact_counts(best.path.middle_mm - aside_mm)
        poses = path_legs.block_poses(own, end_pose, places)
    paths: dict[str, JsonValue] = {attacker: best.path.legs(closes_up=best.aligned_by == attacker)}
    if best.aligned_by == target:
        foe = BlockPose.of(regiment(table, target))
        turned = foe.rotate(-best.path.closing_rad, best.path.pivot)
        poses |= path_legs.unit_poses(table, regiment(table, target), turned)
        paths[target] = path_legs.label_legs("align", path_legs.turn_leg(foe, -best.path.closing_rad, best.path.pivot))
    return {
        "in_contact": {attacker: mine, target: theirs},
        "aligned_by": best.aligned_by,
        "steps": _steps_value(best.path),
        "poses": poses,
        "paths": paths,
    }


def _tighten(table: ExactTable, own: Regiment, loose: BlockPose) -> tuple[BlockPose, dict[str, Point], float]:
    """The block of skirmishers that charged, drawn together about the centremost of its front rank.

    With it the place of each, and how far its middle comes to lie to the left. Source: Skirmishers and Charging, p. 65.
    """
    (wide, deep), apart = own.base_mm, member_gap_mm(table, own.id)
    local = {m: own.to_local(place, own.front) for m, place in zip(own.members, own.places, strict=True)}
    front = own.rank(0)
    x0, y0 = local[front[(len(front) - 1) // 2]]
    by_x, by_y = deep / (deep + apart), wide / (wide + apart)
    drawn = {m: (x0 + (x - x0) * by_x, y0 + (y - y0) * by_y) for m, (x, y) in local.items()}
    left, right = max(y for _, y in drawn.values()), min(y for _, y in drawn.values())
    tight = replace(loose, front=loose.point_at(0.0, (left + right) / 2), width_mm=left - right + wide)
    depth = deep + max(x for x, _ in drawn.values()) - min(x for x, _ in drawn.values())
    places = {m: loose.point_at(*at) for m, at in drawn.items()}
    return replace(tight, depth_mm=depth), places, (left + right) / 2


def draw_path(table: ExactTable, attacker: str, target: str, best: Arrival) -> tuple[Witness, ...]:
    """The path of a charge as it is drawn, and where it ends."""
    if best.path is None:
        return ()
    own = BlockPose.of(regiment(table, attacker))
    if best.must_also_charge:
        stopped, _ = interrupt(table, target, best)
        return path_legs.draw_legs(
            own, stopped.aligned_pose, stopped.legs(closes_up=bool(stopped.closing_rad)), attacker
        )
    return path_legs.draw_legs(
        own, best.final_pose(own), best.path.legs(closes_up=best.aligned_by == attacker), attacker
    )


def _stopped_value(table: ExactTable, own: Regiment, target: str, best: Arrival) -> dict[str, JsonValue]:
    """Where it stops at an enemy that was not charged."""
    stopped, stopped_by = interrupt(table, target, best)
    end_pose = replace(stopped.aligned_pose, width_mm=own.width_mm, depth_mm=own.depth_mm)
    return {
        "stopped_by": stopped_by,
        "steps": _steps_value(stopped),
        "poses": path_legs.unit_poses(table, own, end_pose),
        "paths": {own.id: stopped.legs(closes_up=bool(stopped.closing_rad))},
    }


def _steps_value(path: ChargePath) -> list[JsonValue]:
    return [step.model_dump(exclude_none=True) for step in _path_steps(path)]


def _path_steps(path: ChargePath) -> list[Step]:
    """The way in the words of a query; closing up is no step, since it turns about the point of contact."""
    steps = [Step(do="forward", by_in=path.ahead_mm / 25.4)] if path.ahead_mm > 1e-6 else []
    if path.turn_rad:
        hand = "wheel-left" if path.turn_rad > 0 else "wheel-right"
        steps.append(Step.model_validate({"do": hand, "by_deg": math.degrees(abs(path.turn_rad))}))
    return [*steps, *([Step(do="forward", by_in=path.then_mm / 25.4)] if path.then_mm > 1e-6 else [])]
