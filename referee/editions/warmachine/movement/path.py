"""Path of a miniature: told, tracked, or straight from where it stands; and what is met along it."""

from collections.abc import Sequence
from itertools import pairwise

from models.pose import Pose
from models.unit_conversion import inches, radians
from models.vocabulary import Point
from referee.geometry.distance import gap
from referee.motion.travel_budget import (
    Stop,
    Things,
    TravelLimits,
    TravelResult,
    length_mm,
    place_after,
    place_shape,
    room_mm,
    sort_by_distance,
    straight_path,
    swept_gap,
)
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least, is_more_than, is_out_of_reach

Path = tuple[Point, ...]
_NEAR_MM = 10.0  # farther off a way than this nothing comes to stand in it by a measuring error
_DEEP_MM = 3.0  # what a base overlaps deeper than this when it starts stops nothing


def path_of(
    table: ExactTable,
    mover: str,
    stated: Path | None = None,
    *,
    heading_deg: float | None = None,
    distance_mm: float | None = None,
    to: Pose | None = None,
) -> Path | None:
    """The places of its base centre from where the move began; None where none is stated.

    Points where the state has the miniature stand for the miniature itself, and are as sure as that is.
    """
    here = table.centre(mover)
    if stated is not None:
        return _anchor(table, mover, stated if len(stated) > 1 else (table.miniature(mover).at_mm, *stated))
    if to is not None:
        return (here, to.at_mm)
    if heading_deg is not None:
        return None if distance_mm is None else straight_path(here, radians(heading_deg), distance_mm)
    return _tracked_path(table, mover)


def _anchor(table: ExactTable, mover: str, path: Path) -> Path:
    rest, here = table.miniature(mover).at_mm, table.centre(mover)
    return tuple(here if point == rest else point for point in path)


def _tracked_path(table: ExactTable, mover: str) -> Path | None:
    """The path this turn, else straight from where it stood before."""
    me = table.miniature(mover)
    if me.this_turn.path_mm is not None and len(me.this_turn.path_mm) > 1:
        return _anchor(table, mover, me.this_turn.path_mm)
    return None if me.before is None else (me.before.at_mm, table.centre(mover))


def speed_mm(table: ExactTable, mover: str) -> float | None:
    """The current speed. Source: Model Statistics, p. 15; Full Advance, p. 30."""
    profile = table.miniature(mover).profile
    if profile.spd_in is None:
        return None
    return inches(max(0.0, profile.spd_in + profile.spd_bonus_in - profile.spd_penalty_in))


def trace_stops(table: ExactTable, mover: str, walked: TravelResult, going: TravelLimits) -> None:
    """Record by how much each thing that could stop it stays out of the whole way, up to where it was stopped."""
    until = min(length_mm(walked.path), walked.travelled_mm + _NEAR_MM)
    gone = (walked.path[0], place_after(walked.path, until)) if len(walked.path) == 2 else walked.path
    trace_things_on_way(table, mover, gone, going.stops, grazing=going.grazing_ids)


def trace_things_on_way(table: ExactTable, mover: str, path: Path, things: Things, *, grazing: bool) -> None:
    """Record by how much each of these stays out of the way, or stands in it."""
    base, compare = table.base(mover), is_at_least if grazing else is_more_than
    for bound, id_, part in sort_by_distance(base, path, things):
        if is_out_of_reach(bound, _NEAR_MM):
            return
        started = gap(place_shape(base, path[0]), part).mm
        if started <= -_DEEP_MM:
            continue
        if len(path) == 2 and path[0] != path[1]:
            room = room_mm(base, (path[0], path[1]), part)
        else:
            room = swept_gap(base, path, part) - min(0.0, started)
        compare(-room, 0.0, "is met on its way by", (id_, mover, *table.movers_of(id_)[1:]))


def trace_order(table: ExactTable, mover: str, met: Sequence[Stop]) -> None:
    """Record how much later the second of those met comes than the first, each from its own side."""
    for first, second in pairwise(met):
        on = tuple(dict.fromkeys((*_movers(table, first.id), *_movers(table, second.id), mover)))
        is_at_least(second.after_mm, first.after_mm, f"is met by {mover} before", on)


def _movers(table: ExactTable, id_: str) -> tuple[str, ...]:
    return () if id_.startswith("edge:") else table.movers_of(id_)
