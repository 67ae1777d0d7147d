"""Path of a miniature: stated, tracked, or straight; what is met along it, and what slows or stops a move."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Literal

from models.pose import Pose
from models.terrain import Effect, Terrain
from models.unit_conversion import inches, radians
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import is_incorporeal, size_mm
from referee.editions.warmachine.parameters import MEDIUM_MM
from referee.editions.warmachine.terms import terms_of
from referee.editions.warmachine.terrain.features import OBSTACLES, OBSTRUCTIONS, WATERS, counts_as, ground_of
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
from referee.rules.candidates import in_play
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least, is_more_than, is_out_of_reach

Path = tuple[Point, ...]
_NEAR_MM = 10.0  # farther off a way than this nothing comes to stand in it by a measuring error
_DEEP_MM = 3.0  # what a base overlaps deeper than this when it starts stops nothing
Shove = Literal["pushed", "slammed", "thrown"]
_SLOW = frozenset({"rough", "half-rate", "deep-water"})


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
        return _anchor(table, mover, (here, to.at_mm))
    if heading_deg is not None:
        return None if distance_mm is None else straight_path(here, radians(heading_deg), distance_mm)
    return _tracked_path(table, mover)


def _anchor(table: ExactTable, mover: str, path: Path) -> Path:
    here = table.centre(mover)
    return tuple(here if table.is_own_place(mover, point) else point for point in path)


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
        compare(-room, 0.0, "is met on its way by", (id_, mover, *table.movers_of(id_)[1:]), is_noted=True)


def trace_order(table: ExactTable, mover: str, met: Sequence[Stop]) -> None:
    """Record how much later the second of those met comes than the first, each from its own side."""
    for first, second in pairwise(met):
        on = tuple(dict.fromkeys((*_movers(table, first.id), *_movers(table, second.id), mover)))
        is_at_least(second.after_mm, first.after_mm, f"is met by {mover} before", on, is_noted=True)


def _movers(table: ExactTable, id_: str) -> tuple[str, ...]:
    return () if id_.startswith("edge:") else table.movers_of(id_)


def passability_of_advance(table: ExactTable, mover: str, *, unhindered: bool = False) -> TravelLimits:
    """For an advance that is no charge: solid things are gone round, obstacles crossed to their far side.

    Source: Normal Movement & Advancing, p. 30; Obstacles, p. 80; Obstructions, p. 81; Flight and Incorporeal, p. 17.
    """
    bases, ghosts = _solid_and_incorporeal(table, mover)
    low, high, closed = _barriers(table)
    climbed = frozenset(t.id for t in table.state.terrain if terms_of(table).is_climbed(table, t))
    low = tuple(piece for piece in low if piece[0] not in climbed)  # one walks on top of it
    flags = list_flags(table)
    if unhindered or passes_all(table, mover):
        return TravelLimits((), closed, (*bases, *ghosts, *low, *high, *flags))
    return TravelLimits(_slow_ground(table, mover), (*bases, *high, *closed), (*ghosts, *low, *flags))


def passability_of_charge(table: ExactTable, mover: str, *, running_over: bool = False) -> TravelLimits:
    """For a straight rush: contact with models, obstacles and obstructions stops it, unless a rule lets it through.

    Brushing something in passing is contact, unless the table reads it otherwise; and nobody advances off the table.
    `running_over` is a trample, which small bases do not stop. Source: Charge, p. 31; Trample, p. 48; p. 17; p. 33.
    """
    bases, ghosts = _solid_and_incorporeal(table, mover)
    low, high, closed = _barriers(table)
    size, grazing = table.state.table, table.reading("graze") != "passes"
    flags = list_flags(table)
    ends = partial(TravelLimits, grazing_ids=grazing, table_mm=(size.width_mm, size.depth_mm))
    if passes_all(table, mover):
        return ends((), closed, (*bases, *ghosts, *low, *high, *flags))
    closed = (*closed, *_charge_stopping_ground(table))
    small = tuple(b for b in bases if running_over and size_mm(table.miniature(b[0])) < MEDIUM_MM)
    solid = tuple(b for b in bases if b not in small)
    if table.miniature(mover).has("pathfinder"):
        return ends(_slow_ground(table, mover), (*solid, *high, *closed), (*ghosts, *small, *low, *flags))
    return ends(_slow_ground(table, mover), (*solid, *low, *high, *closed), (*ghosts, *small, *flags))


def list_flags(table: ExactTable) -> Things:
    """The flags, which a base passes wholly or stops short of. Source: Flags, p. 82."""
    return tuple((o.id, table.area(o.id)) for o in table.state.objectives if o.kind == "flag")


def relocate_things(table: ExactTable, going: TravelLimits) -> TravelLimits:
    """The same things, each where it lies on this table."""

    def relocate(things: Things) -> Things:
        return tuple((id_, table.area(id_)) for id_, _ in things)

    return replace(going, slow=relocate(going.slow), stops=relocate(going.stops), crossed=relocate(going.crossed))


def _charge_stopping_ground(table: ExactTable) -> Things:
    """Rough ground that ends a rush, where the book has such."""
    ground: tuple[Terrain | Effect, ...] = (*table.state.terrain, *table.state.effects)
    rough = (t for t in ground if terms_of(table).is_charge_stopped_by(table, t))
    return tuple((t.id, table.area(t.id)) for t in rough)


def passability_of_shove(table: ExactTable, mover: str, how: Shove, *past: str) -> TravelLimits:
    """For movement nobody intends: rough ground slows all but the thrown, and nobody flies or finds a path.

    Incorporeal models are moved through by who gets wholly past them. Source: Pushed and Slammed, p. 34; Thrown, p. 35;
    Incorporeal, p. 17.
    """
    bases, ghosts = (tuple(b for b in some if b[0] not in past) for some in _solid_and_incorporeal(table, mover))
    low, high, closed = _barriers(table)
    if how != "pushed":  # smaller bases are passed over
        mine = size_mm(table.miniature(mover))
        bases, ghosts = (tuple(b for b in some if size_mm(table.miniature(b[0])) >= mine) for some in (bases, ghosts))
    slow = () if how == "thrown" else _rough_ground(table)
    low = () if how == "thrown" and terms_of(table).obstacles_let_thrown_pass else low
    size = table.state.table
    ends = (size.width_mm, size.depth_mm) if table.reading("edge-stop") == "base-edge" else None
    return TravelLimits(
        slow, (*bases, *low, *high, *closed), (*ghosts, *list_flags(table)), table.reading("graze") != "passes", ends
    )


def passes_all(table: ExactTable, mover: str) -> bool:
    """Whether models and obstructions do not stop it. Source: Flight and Incorporeal, p. 17."""
    return table.miniature(mover).has("flight") or is_incorporeal(table.miniature(mover))


def _solid_and_incorporeal(table: ExactTable, mover: str) -> tuple[Things, Things]:
    """The bases that are in the way, and those of incorporeal models, through which one moves. Source: p. 17; p. 30."""
    ids = in_play(table, mover)
    ghosts = frozenset(id_ for id_ in ids if is_incorporeal(table.miniature(id_)))
    areas = {id_: table.area(id_) for id_ in ids}
    solid = tuple((id_, area) for id_, area in areas.items() if id_ not in ghosts)
    return solid, tuple((id_, area) for id_, area in areas.items() if id_ in ghosts)


def is_hard(table: ExactTable, id_: str) -> bool:
    """Whether this is an obstacle or an obstruction. Source: Slammed, p. 34; Thrown, p. 35."""
    return any(piece[0] == id_ for things in _barriers(table)[:2] for piece in things)


def _barriers(table: ExactTable) -> tuple[Things, Things, Things]:
    """Obstacles, obstructions, and ground nobody enters. Source: Obstacles, p. 80; Obstructions, p. 81; p. 78."""
    low, high, closed = [], [], []
    for piece in table.state.terrain:
        counts = counts_as(table, piece) or "obstruction"
        if piece.kind == "terraced-obstruction" or piece.stand_on:
            continue  # one moves up and down it. Source: Terraced Obstructions, p. 81
        if counts in OBSTACLES:
            low.append((piece.id, table.area(piece.id)))
        elif counts in OBSTRUCTIONS:
            high.append((piece.id, table.area(piece.id)))
        elif ground_of(piece, counts) == "impassable":
            closed.append((piece.id, table.area(piece.id)))
    return tuple(low), tuple(high), tuple(closed)


def _slow_ground(table: ExactTable, mover: str) -> Things:
    """The ground that slows it while it advances. Source: Rough Terrain, p. 78; Pathfinder and Amphibious, p. 17."""
    me = table.miniature(mover)
    if me.has("flight") or is_incorporeal(me):
        return ()
    if me.has("pathfinder"):
        depths = {t.id for t in table.state.terrain if ground_of(t) == "deep-water"}  # they slow also the path-wise
        return tuple((id_, area) for id_, area in _rough_ground(table) if id_ in depths)
    dry = me.has("amphibious")
    pools = {t.id for t in table.state.terrain if t.kind in WATERS}
    return tuple((id_, area) for id_, area in _rough_ground(table) if not (dry and id_ in pools))


def _rough_ground(table: ExactTable) -> Things:
    """Source: Rough Terrain, p. 78."""
    ground: list[Terrain | Effect] = [t for t in table.state.terrain if ground_of(t) in _SLOW]
    ground += [e for e in table.state.effects if e.ground in _SLOW]
    return tuple((piece.id, table.area(piece.id)) for piece in ground)
