"""Spacing: the inch between a moving unit and others, the table edge, gaps that it fits through, overlaps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from pydantic import JsonValue

from models.miniature import Miniature
from models.pose import Pose
from models.queries import BasesClear, FitsBetween, OneInchRule
from models.terrain import Terrain
from models.turn import Step, UnitPose
from models.unit import Unit
from models.verdict import CAPPED_MM, Witness
from referee.arrays import Floats
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.scene import solid_bodies
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases, closest_parts
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    garrisoned_building,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
    regiment_of,
)
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.block_pose import BlockPose, poses_after_steps, swept_shapes
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_APART = because('1" Apart', 15, "An inch is kept from other units and impassable terrain, all the way.")
_DUST_MM = 1e-6
_MOST = 4
_FITS = because('1" Apart', 15, "It passes where an inch is left on either side; a charge needs its own width only.")
_CLEAR = because('1" Apart', 15, "Bases never overlap.")
_NEAR_MM, _MOST_PAIRS = 10.0, 12


_BEYOND_MM = 2500.0  # how far what lies beyond a table edge reaches


@dataclass(frozen=True)
class NearestThing:
    """Whom a way comes nearest to, and how near."""

    mm: float
    thing: str
    part: RoundedShape


def spaced_obstacles(table: ExactTable, mover: str) -> list[tuple[str, RoundedShape]]:
    """Everything that a moving unit keeps an inch from. Source: p. 15; p. 92-101."""
    mine = regiment_of(table, mover)
    obstacles = [
        (body.unit, body.shape)
        for id_ in all_regiments(table)
        if id_ != mine and garrisoned_building(table, id_) is None
        for body in solid_bodies(table, id_)
    ]
    for terrain in table.state.terrain:
        if is_impassable_to(table, mover, terrain) and (
            is_impassable(terrain) or not _stands_in(table, mover, terrain)
        ):
            obstacles += [(terrain.id, part) for part in table.area(terrain.id).parts]
    return obstacles + impassable_edges(table, mover)


def resting_obstacles(table: ExactTable, mover: str) -> list[tuple[str, RoundedShape]]:
    """What keeps an inch where a unit ends; of rock that the ethereal go through, itself. Source: Ethereal, p. 58."""
    obstacles = spaced_obstacles(table, mover)
    if not leading_miniature(table, mover).has("ethereal"):
        return obstacles
    return [*obstacles, *_impassable_bodies(table)]


def scenario_name(table: ExactTable) -> str:
    """The printed scenario's name as a word, empty where none is told."""
    scenario = table.state.scenario
    return "" if scenario is None or scenario.name is None else scenario.name.lower().replace(" ", "-")


def nearest_where_placed(table: ExactTable, id_: str) -> NearestThing | None:
    """What a unit that is set up comes nearest to: an inch is owed to units, and nobody stands in impassable ground.

    A machine may be set up in any terrain, a character with whom he is to join. Source: Deployment, p. 14;
    Joining a Unit, p. 81; War Machines, p. 86; Impassible Terrain, p. 91.
    """
    if garrisoned_building(table, id_) is not None:
        return None
    apart = {other for other in all_regiments(table) if not may_join(table, id_, other)}
    things = [thing for thing in spaced_obstacles(table, id_) if thing[0] in apart]
    if kind_of(leading_miniature(table, id_)) != "war-machine":
        things += _impassable_bodies(table)
    return nearest_to_parts([BlockPose.of(regiment(table, id_)).shape], things)


def _impassable_bodies(table: ExactTable) -> list[tuple[str, RoundedShape]]:
    """Impassable terrain, an inch smaller: where a unit rests, an inch to it is kept by not standing in it."""
    closed = ((t.id, part) for t in table.state.terrain if is_impassable(t) for part in table.area(t.id).parts)
    return [(id_, replace(part, radius_mm=part.radius_mm - parameters.SPACING_MM)) for id_, part in closed]


def may_join(table: ExactTable, a: str, b: str) -> bool:
    """Whether one of two friends is a character by himself, who may stand in contact. Source: Joining a Unit, p. 81."""
    return are_friends(table, a, b) and any(
        len(members_of(table, id_)) == 1 and "character" in leading_miniature(table, id_).role for id_ in (a, b)
    )


def impassable_edges(table: ExactTable, mover: str) -> list[tuple[str, RoundedShape]]:
    """What lies beyond the long edges of a pass: impassable, but to flyers and ethereal ones.

    Source: Battle for the Pass, p. 109.
    """
    size, first = table.state.table, leading_miniature(table, mover)
    if scenario_name(table) != "battle-for-the-pass" or any(first.has(word) for word in ("fly", "hover", "ethereal")):
        return []
    long = ("edge:near", "edge:far") if size.width_mm >= size.depth_mm else ("edge:left", "edge:right")
    return [(edge, shape) for edge, shape in edge_shapes(table) if edge in long]


def edge_shapes(table: ExactTable) -> list[tuple[str, RoundedShape]]:
    """What lies beyond each table edge. Source: Moving of the Board, p. 23."""
    far, wide, deep = _BEYOND_MM, table.state.table.width_mm, table.state.table.depth_mm
    boxes = {
        "edge:near": (-far, -far, wide + far, 0.0),
        "edge:far": (-far, deep, wide + far, deep + far),
        "edge:left": (-far, -far, 0.0, deep + far),
        "edge:right": (wide, -far, wide + far, deep + far),
    }
    return [(edge, RoundedShape(((x, y), (X, y), (X, Y), (x, Y)))) for edge, (x, y, X, Y) in boxes.items()]


def edge_clearance(table: ExactTable, shapes: Iterable[RoundedShape]) -> NearestThing:
    """Clearance of the table edge: how far the outermost of these shapes stays inside. Source: p. 23."""
    wide, deep = table.state.table.width_mm, table.state.table.depth_mm
    return min(
        (
            NearestThing(mm - shape.radius_mm, f"edge:{edge}", shape)
            for shape in shapes
            for x, y in shape.points
            for edge, mm in (("near", y), ("far", deep - y), ("left", x), ("right", wide - x))
        ),
        key=lambda nearest: nearest.mm,
        default=NearestThing(CAPPED_MM, "", RoundedShape(((0.0, 0.0),))),
    )


def block_clearance_mm(table: ExactTable, mover: str, block: BlockPose) -> float:
    """Clearance of a block where it would stand: an inch to all that is owed one, and the table edge."""
    near = nearest_to_parts([block.shape], resting_obstacles(table, mover))
    apart = CAPPED_MM if near is None else near.mm - parameters.SPACING_MM
    return min(apart, edge_clearance(table, [block.shape]).mm)


def path_edge_clearance(table: ExactTable, start: BlockPose, steps: Sequence[Step]) -> NearestThing:
    """Clearance of the table edge along steps; what already stands beyond may come no farther out."""
    stands = poses_after_steps(start, steps)
    swept = [stands[-1].shape]
    for before, after, step in zip(stands, stands[1:], steps, strict=False):
        swept += swept_shapes(before, step) if step.do.startswith("wheel") else [after.shape]
    nearest = edge_clearance(table, swept)
    return replace(nearest, mm=nearest.mm - min(0.0, edge_clearance(table, [start.shape]).mm))


def is_impassable(terrain: Terrain) -> bool:
    """Whether nobody walks there. Source: Impassible Terrain, p. 91; Buildings, p. 99."""
    if terrain.ground is not None:
        return terrain.ground == "impassable"
    return terrain.kind in parameters.NO_ENTRY_KINDS


def is_impassable_to(table: ExactTable, mover: str, terrain: Terrain) -> bool:
    """Whether that unit does not walk there: machines only over open ground and hills; the aquatic in water, too.

    Source: Aquatic, p. 57; Ethereal, p. 58; War Machines, p. 86.
    """
    first = leading_miniature(table, mover)
    if first.has("ethereal") or (terrain.kind in parameters.WATER_KINDS and first.has("aquatic")):
        return False
    if kind_of(first) != "war-machine" or is_impassable(terrain):
        return is_impassable(terrain)
    return terrain.kind != "hill" and terrain.ground != "open"


def _stands_in(table: ExactTable, mover: str, terrain: Terrain) -> bool:
    """Whether it was set up in that terrain, where it may pivot. Source: War Machines, p. 86."""
    bases = [table.base(m) for m in members_of(table, mover)]
    return any(gap(base, part).mm < -_DUST_MM for base in bases for part in table.area(terrain.id).parts)


def nearest_to_parts(parts: list[RoundedShape], things: list[tuple[str, RoundedShape]]) -> NearestThing | None:
    """What any of these shapes comes nearest to; pairs whose boxes are farther apart than that are not measured."""
    if not parts or not things:
        return None
    gaps_mm = _boxes_apart_mm(parts, [shape for _, shape in things])
    best: NearestThing | None = None
    for k in np.argsort(gaps_mm, axis=None, kind="stable"):
        i, j = divmod(int(k), len(things))
        if best is not None and gaps_mm[i, j] > max(0.0, best.mm):
            break
        mm = gap(parts[i], things[j][1]).mm
        if best is None or mm < best.mm:
            best = NearestThing(mm, things[j][0], parts[i])
    return best


def _boxes_apart_mm(parts: list[RoundedShape], shapes: list[RoundedShape]) -> Floats:
    """How far apart the boxes round these and those are, at least."""
    (low, high), (near, far) = _boxes(parts), _boxes(shapes)
    off = np.maximum(0.0, np.maximum(low[:, None] - far[None], near[None] - high[:, None]))
    return np.hypot(off[..., 0], off[..., 1])


def _boxes(shapes: list[RoundedShape]) -> tuple[Floats, Floats]:
    low = [[min(p[k] for p in shape.points) - shape.radius_mm for k in (0, 1)] for shape in shapes]
    high = [[max(p[k] for p in shape.points) + shape.radius_mm for k in (0, 1)] for shape in shapes]
    return np.array(low), np.array(high)


def one_inch_clearance(table: ExactTable, query: OneInchRule, mover: str) -> RuleResult:
    """Whether one who moves keeps an inch wherever it is owed. Source: 1" Apart, p. 15."""
    if query.manner == "charge":
        return RuleResult(margin_mm=CAPPED_MM, because=(_APART,), value={"thing": None})
    near = nearest_along_path(table, mover, query.steps or (), query.to, end_only=query.manner == "flee")
    if near is None:
        return RuleResult(margin_mm=CAPPED_MM, because=(_APART,), value={"thing": None})
    margin = near.mm - parameters.SPACING_MM
    return RuleResult(
        margin_mm=margin,
        zero_is_met=table.reading("one-inch-exact") == "legal",
        value={"thing": near.thing, "at": [[x, y] for x, y in near.part.points], "shift_mm": max(0.0, -margin)},
        lengths_mm={"gap": near.mm},
        witness=(Witness(type="polygon", role="limit", points_mm=near.part.points, of=(mover,)),),
        because=(
            with_effect(table, _APART, f"{name_of(table, near.thing)} is {format_length(max(0.0, near.mm))} away."),
        ),
        readings=("one-inch-when", "one-inch-exact"),
        doubtful=("one-inch-exact",) if abs(margin) < _DUST_MM else (),
        outcome_house_rules=("one-inch-when",) if query.steps else (),
        depends_on_place=tuple(
            dict.fromkeys((*regiment(table, mover).rank(0), *ids_near(table, near.thing, near.part)))
        ),
    )


def _without_the_inch_of_joining(
    table: ExactTable, mover: str, end: BlockPose, things: list[tuple[str, RoundedShape]]
) -> list[tuple[str, RoundedShape]]:
    """What keeps an inch; a unit that a character ends in contact with, to join, smaller by it. Source: p. 81."""
    contact, own = table.state.contact_tolerance_mm, members_of(table, mover)[:1]
    joined = {
        id_
        for id_, shape in things
        if isinstance(table.state.by_id.get(id_), Unit | Miniature) and may_join(table, mover, id_)
        and is_at_least(contact, gap(end.shape, shape).mm, "ends in contact with", (*own, *ids_near(table, id_)[:1]))
    }  # fmt: skip
    spared = parameters.SPACING_MM + contact
    return [
        (id_, replace(shape, radius_mm=shape.radius_mm - spared) if id_ in joined else shape) for id_, shape in things
    ]


def ids_near(table: ExactTable, thing: str, where: RoundedShape | None = None) -> tuple[str, ...]:
    """The ids a thing's place depends on; near a shape, those of a unit who stand nearest to it."""
    if thing.startswith("edge:"):
        return ()
    if not isinstance(table.state.by_id[thing], Unit | Miniature):
        return (thing,)
    ids = members_of(table, thing)
    if where is None or len(ids) <= _MOST:
        return ids
    bases = {m: closest_parts([("", where)], [(m, table.base(m))]).mm for m in ids}
    return tuple(sorted(ids, key=lambda m: bases[m])[:_MOST])


def nearest_along_path(
    table: ExactTable,
    mover: str,
    steps: tuple[Step, ...],
    to: Pose | UnitPose | None,
    *,
    end_only: bool = False,
    start: BlockPose | None = None,
) -> NearestThing | None:
    """What a move comes nearest to; a pivot counts only where it ends. Source: 1" Apart, p. 15."""
    start = start or BlockPose.of(regiment(table, mover))
    stands = poses_after_steps(start, steps) if to is None else (start.place_at(to),)
    things = _without_the_inch_of_joining(table, mover, stands[-1], spaced_obstacles(table, mover))
    if to is not None:
        return nearest_to_parts([stands[-1].shape], things)
    swept = [stands[-1].shape]
    if not end_only and table.reading("one-inch-when") != "end-only":
        for before, step in zip(stands, steps, strict=False):
            swept += [] if step.do == "pivot" else list(swept_shapes(before, step))
    return nearest_to_parts(swept, things)


def fits_between(table: ExactTable, query: FitsBetween) -> RuleResult:
    """Gap: whether a unit passes between two things. Source: 1" Apart, p. 15; Charge moves, p. 19."""
    own, charging = regiment(table, query.mover), query.manner == "charge"
    between = closest_bases(table, query.a, query.b)
    spare = 0.0 if charging else 2 * parameters.SPACING_MM
    wide = own.base_mm[0]
    files = int((between.mm - spare + _DUST_MM) // wide)
    count = len(own.members)
    fits = (
        {"files": min(files, count), "ranks": -(-count // min(files, count))} if files > 0 else {"files": 0, "ranks": 0}
    )
    return RuleResult(
        margin_mm=between.mm - spare - own.width_mm,
        zero_is_met=charging or table.reading("one-inch-exact") == "legal",
        value={"width_mm": between.mm, "widest": dict[str, JsonValue](fits)},
        lengths_mm={"width": between.mm},
        because=(
            with_effect(
                table, _FITS, f"The gap is {format_length(between.mm)}, the unit {format_length(own.width_mm)} wide."
            ),
        ),
        readings=("one-inch-exact",),
        doubtful=("one-inch-exact",) if not charging and abs(between.mm - spare - own.width_mm) < _DUST_MM else (),
        depends_on_place=between.depends_on,
    )


def bases_clear(table: ExactTable, query: BasesClear) -> RuleResult:
    """Bases clear: whether none overlap; those that touch in a rank do not. Source: 1" Apart, p. 15."""
    near = table.memoize_unperturbed(("bases clear", query.among), lambda still: _closest_pairs(still, query))
    if table.perturbations:
        near = sorted((gap(table.base(a), table.base(b)).mm, a, b) for _, a, b in near[:_MOST_PAIRS])
    mm, a, b = near[0] if near else (CAPPED_MM, "", "")
    tolerance = parameters.CONTACT_MM  # a hand pushes a block together a little crooked
    return RuleResult(
        margin_mm=mm + tolerance if near else CAPPED_MM,
        value={"pairs": [{"a": p, "b": q, "gap_mm": g} for g, p, q in near if g < -tolerance]},
        because=(
            with_effect(
                table, _CLEAR, f"{format_names(table, [a, b])}: {format_length(mm)}." if near else "All stand apart."
            ),
        ),
        depends_on_place=(a, b) if near else (),
    )


def _closest_pairs(table: ExactTable, query: BasesClear) -> list[tuple[float, str, str]]:
    """Every pair of bases that comes near to touching, the closest first."""
    every = tuple(m.id for m in table.state.miniatures if "removed" not in m.status and m.inside is None)
    ids = tuple(m for id_ in query.among for m in members_of(table, id_)) if query.among else every
    bases = [table.base(id_) for id_ in ids]
    at, reach = np.array([complex(*base.centre) for base in bases]), np.array([base.reach_mm for base in bases])
    close = np.abs(at[:, None] - at[None]) - reach[:, None] - reach[None] < _NEAR_MM
    pairs = [(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(close, 1)), strict=True)]
    return sorted((gap(bases[i], bases[j]).mm, ids[i], ids[j]) for i, j in pairs)
