"""Way switches: whether what stands beside a way is met on it, and which of two is met first."""

from collections.abc import Sequence
from itertools import pairwise

from referee.editions.warmachine.movement.path import Path
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
    swept_gap,
)
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least, is_more_than, is_out_of_reach

_NEAR_MM = 10.0  # farther off a way than this nothing comes to stand in it by a measuring error
_DEEP_MM = 3.0  # what a base overlaps deeper than this when it starts stops nothing


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
