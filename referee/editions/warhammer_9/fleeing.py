"""Flight and pursuit: which way, how far, through whom, and who is caught."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from pydantic import JsonValue

from models.queries import Flee, Pursuit
from models.terrain import Terrain
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warhammer_9 import dice, legs, parameters
from referee.editions.warhammer_9.arcs import quadrant
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.looking import bodies, is_aside
from referee.editions.warhammer_9.measuring import apart
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    garrisoned,
    leading,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.spacing import is_closed
from referee.gaps import gap
from referee.motion import stretch_within
from referee.ruling import Ruling
from referee.shapes import Rounded, hull
from referee.situation import Situation
from referee.telling import applied, length, names

_AWAY = because("Flee", 21, "It turns about its centre to look straight away, and runs through everything.")
_STOP = because("Flee", 21, "It never stops on or within an inch of others, but an inch beyond the last of them.")
_PURSUE = because("Pursue", 50, "It turns to where they fled, goes straight on, and catches them if it runs as far.")
_HALT = because("Move Pursuers", 51, "An inch short of friends and impassable terrain; a fresh enemy it charges.")
_LONGEST_MM = 2500.0  # farther than any table is long


@dataclass(frozen=True)
class Flight:
    """Where a flight ends, through whom it led, and whether it leaves the table."""

    turned: Footing
    there: Footing
    crossed: tuple[str, ...]
    is_off: bool


def flee(table: Situation, query: Flee) -> Ruling:
    """Which way and how far a unit flees. Source: Flee, p. 17, 21; Direction of Flight, p. 51; Panic, p. 54."""
    own = regiment(table, query.mover)
    threats = _threats(table, query)
    if not threats:
        return Ruling(status="unknown", needs=("threats",), because=(_AWAY,))
    heading = away_from(table, query.mover, threats)
    strength = {one: total_strength(table, one) for one in threats}
    ties = [one for one in threats if strength[one] == max(strength.values())]
    value: dict[str, JsonValue] = {
        "heading_deg": math.degrees(heading) % 360.0,
        "threats": [*threats],
        "ties": [*ties] if len(ties) > 1 else [],
    }
    if query.cause == "charge":
        value["may_flee"] = _may_flee(table, query.mover)
    value["off_table"] = _leaving(table, own.id, threats, dice.running_dice(table, query.mover))
    witness: tuple[Witness, ...] = ()
    told = "Its roll decides how far."
    if query.dice.flee is not None:
        run = fled(table, query.mover, threats, ran_mm(table, query.mover, query.dice.flee))
        value |= {
            "result": "removed" if run.is_off else "flees",
            "poses": legs.poses_of(table, own, run.there),
            "paths": {query.mover: legs.told_for("flee", legs.turned_and_run(Footing.of(own), run.there))},
            "crossed": [*run.crossed],
            "panic": [*_frightened(table, query.mover, run.crossed)],
            **_endangered(table, query.mover, run),
        }
        witness = legs.drawn(Footing.of(own), run.there, legs.turned_and_run(Footing.of(own), run.there), query.mover)
        told = f"It runs {length(math.dist(own.centre, run.there.centre))} through {names(table, run.crossed)}."
    return Ruling(
        status="measured",
        value=value,
        witness=witness,
        because=(applied(table, _AWAY, told), _STOP),
        readings=("toward-from",),
        doubtful=("toward-from",),
    )


def _may_flee(table: Situation, mover: str) -> bool:
    return not leading(table, mover).has("immunity-psychology") and garrisoned(table, mover) is None


def _threats(table: Situation, query: Flee) -> tuple[str, ...]:
    """Whom it flees from: told; those it lost to; else the closest enemy. Source: p. 50, 53, 54."""
    if query.threats:
        return query.threats
    if query.cause == "break" and (winners := engaged_with(table, query.mover)):
        return tuple(winners)
    foes = [one for one in all_regiments(table) if not are_friends(table, query.mover, one)]
    return tuple(sorted(foes, key=lambda one: apart(table, query.mover, one).mm)[:1])


def away_from(table: Situation, mover: str, threats: tuple[str, ...]) -> float:
    """Straight away from the centre of the strongest. Source: Direction of Flight, p. 51."""
    strongest = max(threats, key=lambda one: total_strength(table, one))
    (x, y), (tx, ty) = regiment(table, mover).centre, regiment(table, strongest).centre
    if table.reading("toward-from") != "centres" and (between := apart(table, mover, strongest)).mm > 0:
        (x, y), (tx, ty) = between.gap.at_a, between.gap.at_b
    return math.atan2(y - ty, x - tx)


def fled(table: Situation, mover: str, threats: tuple[str, ...], by_mm: float) -> Flight:
    """The flight of so many millimetres. Source: Flee, p. 21."""
    own = Footing.of(regiment(table, mover))
    turn = away_from(table, mover, threats) - own.facing_rad
    start = own.turned(turn, own.centre)
    way = Rounded(hull([*start.corners, *start.moved(_LONGEST_MM).corners]))
    things = [(id_, shape) for id_, shape in _obstructions(table, mover) if not is_aside(way, shape)]
    by_mm = _carried_on(start, things, by_mm)
    there = start.moved(by_mm)
    swept = Rounded(hull([*start.corners, *there.corners]))
    crossed = tuple(dict.fromkeys(id_ for id_, shape in things if gap(swept, shape).mm < 0))
    return Flight(start, there, crossed, _touches_edge(table, start, by_mm))


def _obstructions(table: Situation, mover: str) -> list[tuple[str, Rounded]]:
    found = [
        (id_, one.shape)
        for id_ in all_regiments(table)
        if id_ != regiment_of(table, mover) and garrisoned(table, id_) is None
        for one in bodies(table, id_)
    ]
    for terrain in table.state.terrain:
        if is_closed(terrain):
            found += [(terrain.id, part) for part in table.area(terrain.id).parts]
    return found


def _carried_on(start: Footing, things: list[tuple[str, Rounded]], by_mm: float) -> float:
    """The least distance, no shorter than this, at which an inch is left to everything."""
    way = (math.cos(start.facing_rad), math.sin(start.facing_rad))
    spans = [stretch_within(start.shape, way, shape, parameters.SPACING_MM) for _, shape in things]
    for first, last in sorted(span for span in spans if span is not None):
        if first + 1e-6 < by_mm < last - 1e-6:
            by_mm = last
    return by_mm


def _touches_edge(table: Situation, start: Footing, by_mm: float) -> bool:
    size = table.state.table
    corners = start.moved(by_mm).corners
    return any(x <= 0 or y <= 0 or x >= size.width_mm or y >= size.depth_mm for x, y in corners)


def _leaving(table: Situation, mover: str, threats: tuple[str, ...], name: str) -> dict[str, JsonValue]:
    """The least roll that takes it off the table, and its chance. Source: Flee, p. 21."""
    for roll in sorted(dice.chances(name)):
        if fled(table, mover, threats, ran_mm(table, mover, roll)).is_off:
            return {"needs": roll, "p": float(dice.at_least(name, roll)), "exact": str(dice.at_least(name, roll))}
    return {"needs": None, "p": 0.0, "exact": "0"}


def ran_mm(table: Situation, id_: str, rolled: int) -> float:
    """How far a unit flees or pursues with this roll. Source: Flee, p. 21; Barding, p. 77."""
    return inches(max(0, rolled - dice.less_in(table, id_)))


def _endangered(table: Situation, mover: str, run: Flight) -> dict[str, JsonValue]:
    """How many tests those make who flee through enemies or impassable ground: one each for each. Source: p. 21."""
    own, found = regiment(table, mover), dict[str, int]()
    risky = {id_ for id_ in run.crossed if _is_terrain(table, id_) or not are_friends(table, mover, id_)}
    for id_, place in zip(own.members, own.places, strict=True):
        wide, deep = own.base_mm
        x, y = own.seen_from(place, own.front)
        ends = [
            replace(one, front=one.at(x + deep / 2, y), width_mm=wide, depth_mm=deep) for one in (run.turned, run.there)
        ]
        swept = Rounded(hull([p for end in ends for p in end.corners]))
        met = {thing for thing, shape in _obstructions(table, mover) if thing in risky and gap(swept, shape).mm < 0}
        found |= {id_: len(met)} if met else {}
    count = sum(found.values())
    return {"tests": count, "tested": dict[str, JsonValue](found), "expected": count / 6}


def _is_terrain(table: Situation, id_: str) -> bool:
    return isinstance(table.state.by_id[id_], Terrain)


def _frightened(table: Situation, mover: str, crossed: tuple[str, ...]) -> list[str]:
    """Friends who test for panic. Source: Panic, p. 54."""
    if total_strength(table, mover) < parameters.FEW:
        return []
    units = [one for one in crossed if not isinstance(table.state.by_id[one], Terrain)]
    return [one for one in units if are_friends(table, mover, one) and "fleeing" not in leading(table, one).status]


def pursuit(table: Situation, query: Pursuit) -> Ruling:
    """Whether those who flee are caught, and where both end. Source: Pursue, p. 50-51; Overrun, p. 51."""
    chasing = dice.running_dice(table, query.winner)
    value: dict[str, JsonValue] = {}
    if query.loser is not None:
        handicap = dice.less_in(table, query.winner) - dice.less_in(table, query.loser)
        p = caught_chance(chasing, dice.running_dice(table, query.loser), handicap)
        value["chance"] = {"needs": None, "dice": chasing, "exact": str(p), "p": float(p)}
    if query.dice.pursue is None or (query.loser is not None and query.dice.flee is None):
        return Ruling(status="measured", value=value, because=(_PURSUE,))
    ran = 0.0 if query.loser is None else ran_mm(table, query.loser, query.dice.flee or 0)
    chased = ran_mm(table, query.winner, query.dice.pursue)
    caught = query.loser is not None and chased >= ran
    run = None if query.loser is None else fled(table, query.loser, (query.winner,), ran)
    there, stopped_by, contact = _pursued(table, query, run, caught=caught)
    poses, paths = _moved(table, query.winner, there, "pursuit")
    if run is not None and query.loser is not None:
        more, ways = _moved(table, query.loser, run.there, "flee")
        poses, paths = poses | more, paths | ways
    ahead = chased - ran if query.loser is not None else CAPPED_MM
    if contact is not None:
        value["side"] = quadrant(regiment(table, contact), Footing.of(regiment(table, query.winner)).centre)[0]
    if caught:
        strong = total_strength(table, query.winner)
        value["casualties"] = {
            "removed": strong >= parameters.MANY,
            "wounds": None if strong >= parameters.MANY else strong,
        }
    return Ruling(
        margin_mm=ahead,
        value=value | {"poses": poses, "paths": paths, "stopped_by": stopped_by, "contact": contact},
        witness=_chased(table, query, there, run),
        because=(applied(table, _PURSUE, "They are caught." if caught else "They get away."), _HALT),
        readings=("pursuit-landing", "toward-from"),
        mattering=() if table.lean else tuple(_mattering(table, query, run, ran, chased)),
        touches=members_of(table, query.winner)[:1],
    )


def _mattering(table: Situation, query: Pursuit, run: Flight | None, ran: float, chased: float) -> Iterator[str]:
    """The house rules under whose other readings they end elsewhere: where they flee to, and who lands upon them."""
    if run is None or query.loser is None:
        return
    if any(fled(one, query.loser, (query.winner,), ran) != run for one in table.otherwise("toward-from")):
        yield "toward-from"
    ends = {_pursued(one, query, run, caught=chased >= ran) for one in (table, *table.otherwise("pursuit-landing"))}
    if len(ends) > 1:
        yield "pursuit-landing"


def _chased(table: Situation, query: Pursuit, there: Footing, run: Flight | None) -> tuple[Witness, ...]:
    """The ways of both, and where they end."""
    ends = [(query.winner, there)] if run is None else [(query.winner, there), (query.loser or "", run.there)]
    shown: list[Witness] = []
    for id_, end in ends:
        own = Footing.of(regiment(table, id_))
        shown += legs.drawn(own, end, legs.turned_and_run(own, end), id_)
    return tuple(shown)


def _moved(table: Situation, id_: str, there: Footing, what: str) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    """Poses and paths of a unit that turned about its centre and ran on."""
    own = regiment(table, id_)
    way = legs.told_for(what, legs.turned_and_run(Footing.of(own), there))
    return legs.poses_of(table, own, there), {id_: way}


def caught_chance(chasing: str, running: str, handicap: int = 0) -> Fraction:
    """The chance that the pursuers run at least as far. Source: Caught, p. 50; Barding, p. 77."""
    return sum((p * dice.at_least(chasing, roll + handicap) for roll, p in dice.chances(running).items()), Fraction(0))


def _pursued(
    table: Situation, query: Pursuit, run: Flight | None, *, caught: bool
) -> tuple[Footing, str | None, str | None]:
    """Where the pursuers end, what stops them, and the fresh enemy whom they reach."""
    own = Footing.of(regiment(table, query.winner))
    start = own
    if run is not None:
        (x, y), (tx, ty) = own.centre, run.there.centre
        start = own.turned(math.atan2(ty - y, tx - x) - own.facing_rad, own.centre)
    way = (math.cos(start.facing_rad), math.sin(start.facing_rad))
    by_mm, stopped_by, contact = ran_mm(table, query.winner, query.dice.pursue or 0), None, None
    for id_, shape in _met(table, query, run, caught=caught):
        solid = isinstance(table.state.by_id[id_], Terrain) or id_ == query.loser
        friend = solid or are_friends(table, query.winner, id_)
        span = stretch_within(start.shape, way, shape, parameters.SPACING_MM if friend else 0.0)
        if id_ == query.loser and table.reading("pursuit-landing") != "before":
            if table.reading("pursuit-landing") == "behind" and span is not None and span[0] < by_mm < span[1]:
                by_mm = span[1]
            continue
        if span is not None and -1e-6 <= span[0] < by_mm:
            by_mm, stopped_by, contact = span[0], id_, None if friend else id_
    return start.moved(by_mm), stopped_by, contact


def _met(table: Situation, query: Pursuit, run: Flight | None, *, caught: bool) -> list[tuple[str, Rounded]]:
    """What the pursuers may come upon; those who fled stand where they fled to, unless they are no more."""
    things = [(id_, shape) for id_, shape in _obstructions(table, query.winner) if id_ != query.loser]
    if run is not None and query.loser is not None and not caught:
        things.append((query.loser, run.there.shape))
    return things
