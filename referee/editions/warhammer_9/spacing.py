"""Spacing: the inch that one keeps from others, and the gaps one fits through."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from models.miniature import Miniature
from models.pose import Pose
from models.queries import FitsBetween, OneInchRule
from models.terrain import Terrain
from models.turn import Step, UnitPose
from models.unit import Unit
from models.verdict import CAPPED_MM, Witness
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.footing import Footing, after, on_the_way
from referee.editions.warhammer_9.looking import bodies
from referee.editions.warhammer_9.measuring import apart, closest
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import all_regiments, garrisoned, members_of, regiment, regiment_of
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.situation import Situation
from referee.telling import applied, length, name_of

_APART = because('1" Apart', 15, "An inch is kept from other units and impassable terrain, all the way.")
_FITS = because('1" Apart', 15, "It passes where an inch is left on either side; a charge needs its own width only.")
_DUST_MM = 1e-6
_MOST = 4


@dataclass(frozen=True)
class Near:
    """Whom a way comes nearest to, and how near."""

    mm: float
    thing: str
    where: Rounded


def others(table: Situation, mover: str) -> list[tuple[str, Rounded]]:
    """Everything that a moving unit keeps an inch from. Source: p. 15; p. 92-101."""
    mine = regiment_of(table, mover)
    found = [
        (one.unit, one.shape)
        for id_ in all_regiments(table)
        if id_ != mine and garrisoned(table, id_) is None
        for one in bodies(table, id_)
    ]
    for terrain in table.state.terrain:
        if is_closed(terrain):
            found += [(terrain.id, part) for part in table.area(terrain.id).parts]
    return found


def is_closed(terrain: Terrain) -> bool:
    """Whether nobody walks there. Source: Impassable Terrain, p. 92; Buildings, p. 99."""
    if terrain.ground is not None:
        return terrain.ground == "impassable"
    return terrain.kind in parameters.NO_ENTRY_KINDS


def nearest_on(parts: list[Rounded], things: list[tuple[str, Rounded]]) -> Near | None:
    """What any of these shapes comes nearest to; pairs whose boxes are farther apart than that are not measured."""
    if not parts or not things:
        return None
    apart = _boxes_apart_mm(parts, [shape for _, shape in things])
    best: Near | None = None
    for k in np.argsort(apart, axis=None, kind="stable"):
        i, j = divmod(int(k), len(things))
        if best is not None and apart[i, j] > max(0.0, best.mm):
            break
        mm = gap(parts[i], things[j][1]).mm
        if best is None or mm < best.mm:
            best = Near(mm, things[j][0], parts[i])
    return best


def _boxes_apart_mm(parts: list[Rounded], shapes: list[Rounded]) -> NDArray[np.float64]:
    """How far apart the boxes round these and those are, at least."""
    (low, high), (near, far) = _boxes(parts), _boxes(shapes)
    off = np.maximum(0.0, np.maximum(low[:, None] - far[None], near[None] - high[:, None]))
    return np.hypot(off[..., 0], off[..., 1])


def _boxes(shapes: list[Rounded]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    low = [[min(p[k] for p in one.points) - one.radius_mm for k in (0, 1)] for one in shapes]
    high = [[max(p[k] for p in one.points) + one.radius_mm for k in (0, 1)] for one in shapes]
    return np.array(low), np.array(high)


def one_inch_of(table: Situation, query: OneInchRule, mover: str) -> Ruling:
    """Whether one who moves keeps an inch wherever it is owed. Source: 1" Apart, p. 15."""
    if query.manner == "charge":
        return Ruling(margin_mm=CAPPED_MM, because=(_APART,), value={"thing": None})
    near = closest_on_way(table, mover, query.steps or (), query.to, end_only=query.manner == "flee")
    if near is None:
        return Ruling(margin_mm=CAPPED_MM, because=(_APART,), value={"thing": None})
    margin = near.mm - parameters.SPACING_MM
    return Ruling(
        margin_mm=margin,
        zero_is_met=table.reading("one-inch-exact") == "legal",
        value={
            "thing": near.thing,
            "at": [[x, y] for x, y in near.where.points],
            "shift_mm": max(0.0, -margin),
        },
        lengths_mm={"gap": near.mm},
        witness=(Witness(type="polygon", role="limit", points_mm=near.where.points, of=(mover,)),),
        because=(applied(table, _APART, f"{name_of(table, near.thing)} is {length(max(0.0, near.mm))} away."),),
        readings=("one-inch-when", "one-inch-exact"),
        doubtful=("one-inch-exact",) if abs(margin) < _DUST_MM else (),
        retold=("one-inch-when",) if query.steps else (),
        touches=tuple(dict.fromkeys((*regiment(table, mover).rank(0), *ids_of(table, near.thing, near.where)))),
    )


def ids_of(table: Situation, thing: str, where: Rounded | None = None) -> tuple[str, ...]:
    """Whom the place of a thing hangs on; near a shape, those of a unit who stand nearest to it."""
    if not isinstance(table.state.by_id[thing], Unit | Miniature):
        return (thing,)
    ids = members_of(table, thing)
    if where is None or len(ids) <= _MOST:
        return ids
    bases = {m: closest([("", where)], [(m, table.base(m))]).mm for m in ids}
    return tuple(sorted(ids, key=lambda m: bases[m])[:_MOST])


def closest_on_way(
    table: Situation,
    mover: str,
    steps: tuple[Step, ...],
    to: Pose | UnitPose | None,
    *,
    end_only: bool = False,
    start: Footing | None = None,
) -> Near | None:
    """What a move comes nearest to; a pivot counts only where it ends. Source: 1" Apart, p. 15."""
    start = start or Footing.of(regiment(table, mover))
    things = others(table, mover)
    if to is not None:
        return nearest_on([start.standing(to).shape], things)
    stands = after(start, steps)
    swept = [stands[-1].shape]
    if not end_only and table.reading("one-inch-when") != "end-only":
        for before, step in zip(stands, steps, strict=False):
            swept += [] if step.do == "pivot" else list(on_the_way(before, step))
    return nearest_on(swept, things)


def fits_between(table: Situation, query: FitsBetween) -> Ruling:
    """Whether it fits through a gap. Source: 1" Apart, p. 15; Charge moves, p. 19."""
    own, charging = regiment(table, query.mover), query.manner == "charge"
    between = apart(table, query.a, query.b)
    spare = 0.0 if charging else 2 * parameters.SPACING_MM
    wide = own.base_mm[0]
    files = int((between.mm - spare + _DUST_MM) // wide)
    count = len(own.members)
    fits = (
        {"files": min(files, count), "ranks": -(-count // min(files, count))} if files > 0 else {"files": 0, "ranks": 0}
    )
    return Ruling(
        margin_mm=between.mm - spare - own.width_mm,
        zero_is_met=charging or table.reading("one-inch-exact") == "legal",
        value={"width_mm": between.mm, "widest": dict[str, JsonValue](fits)},
        lengths_mm={"width": between.mm},
        because=(applied(table, _FITS, f"The gap is {length(between.mm)}, the unit {length(own.width_mm)} wide."),),
        readings=("one-inch-exact",),
        doubtful=("one-inch-exact",) if not charging and abs(between.mm - spare - own.width_mm) < _DUST_MM else (),
        touches=between.touches,
    )
