"""Tests and compulsions: rallying, redirected charges, frenzy, random moves, the table's edge."""

import math
from fractions import Fraction

from pydantic import JsonValue

from models.queries import Charge, ChargeRedirect, Frenzy, Rally, RandomMove, TableEdge
from models.unit import Unit
from models.units import inches, radians
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import legs, parameters
from referee.editions.warhammer_9.arcs import depth_ahead_mm
from referee.editions.warhammer_9.charging import charge
from referee.editions.warhammer_9.fitting import grid_places, longest_moves, standing
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.formations import legal_grids, pinned
from referee.editions.warhammer_9.looking import is_aside
from referee.editions.warhammer_9.measuring import body
from referee.editions.warhammer_9.moving import speed_mm
from referee.editions.warhammer_9.odds import odds_to
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.radii import leadership_chance
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    gap_of,
    is_skirmishing,
    leading,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.shooting import deeds_of
from referee.editions.warhammer_9.spacing import others
from referee.motion import stretch_within
from referee.ruling import Candidate, Ruling
from referee.shapes import Rounded, hull
from referee.situation import Situation
from referee.telling import applied, length, names

_RALLY = because("Rally Fleeing Units", 21, "A Leadership test, halved at a quarter of them; then it may reform once.")
_REDIRECT = because("Declare Charge", 17, "Its target gone, it may charge another after a Leadership test, once.")
_FRENZY = because("Frenzy", 60, "Who can charge must, unless a Leadership test holds it back.")
_RANDOM = because("Random Movement", 64, "It turns, then goes as far as the dice say; an enemy in the way it charges.")
_EDGE = because("Moving off the Board", 23, "Only who flees or pursues leaves: the first for good, the other returns.")
_LEAST_SHARE = Fraction(1, 4)
_SURELY_MM = 25.0
_LONGEST_MM = 2500.0  # farther than any table is long


def rally(table: Situation, query: Rally) -> Ruling:
    """Whether a unit may rally, and how it may stand then. Source: Rally Fleeing Units, p. 21; Musicians, p. 79."""
    own, first = regiment(table, query.who), leading(table, query.who)
    if "fleeing" not in first.status:
        return Ruling(margin_mm=-CAPPED_MM, value={"chance": None, "why": "not fleeing"}, because=(_RALLY,))
    if "flee" in deeds_of(table, query.who).moved:
        return Ruling(margin_mm=-CAPPED_MM, value={"chance": None, "why": "fled this turn"}, because=(_RALLY,))
    speed = speed_mm(table, query.who)
    if first.profile.ld is None or speed is None:
        field = "ld" if first.profile.ld is None else "spd_in"
        return Ruling(status="unknown", needs=(f"profile.{field} of {query.who}",), because=(_RALLY,))
    ld = _rallying_ld(table, query.who, first.profile.ld)
    facing = own.facing_rad if query.facing_deg is None else radians(query.facing_deg)
    files = query.files or own.files
    there = standing(own, files, facing, gap_of(table, query.who))
    places = grid_places(own, there, files, gap_of(table, query.who))
    longest, _, placed = longest_moves(own.places, places, own.members, sorted(pinned(table, own))[:files], files)
    manner = "skirmish" if is_skirmishing(table, query.who) else "ranked"
    value: dict[str, JsonValue] = {
        "facing_deg": math.degrees(facing) % 360.0,
        "chance": leadership_chance(ld),
        "needs": ld,
        "longest_mm": longest,
        "grids": [list(grid) for grid in legal_grids(table, query.who, manner)],
        "poses": legs.poses_in_block(own, there, placed),
        "paths": {query.who: legs.each(longest)},
    }
    return Ruling(
        margin_mm=2 * speed - longest,
        value=value,
        because=(applied(table, _RALLY, f"{ld:g} or less on two dice."),),
        readings=("reform-partner",),
        touches=own.members,
    )


def _rallying_ld(table: Situation, id_: str, ld: float) -> float:
    """One more with a musician; then halved, rounded up, at a quarter of the miniatures or fewer. Source: p. 21, 79."""
    thing = table.state.by_id[id_]
    began = thing.started.battle.models if isinstance(thing, Unit) and thing.started and thing.started.battle else None
    roles = {role for m in members_of(table, id_) for role in table.miniature(m).role}
    musical = (isinstance(thing, Unit) and bool(thing.musician)) or "musician" in roles
    ld = min(10.0, ld + 1) if musical else ld
    few = began is not None and Fraction(len(members_of(table, id_)), began) <= _LEAST_SHARE
    return float(math.ceil(ld / 2)) if few else ld


def charge_redirect(table: Situation, query: ChargeRedirect) -> Ruling:
    """Whom else it may charge. Source: Declare Charge, p. 17."""
    foes = [one for one in all_regiments(table) if not are_friends(table, query.attacker, one)]
    members = tuple(_target(table, query.attacker, one) for one in foes)
    ld = leading(table, query.attacker).profile.ld
    by_id: dict[str, JsonValue] = {}
    for one in members:
        if one.ruling is not None and "chance" in one.ruling.value:
            by_id[one.id] = {"chance": one.ruling.value["chance"]}
    return Ruling(
        status="measured",
        value={"by_id": by_id, "chance": None if ld is None else leadership_chance(ld)},
        members=members,
        because=(_REDIRECT,),
    )


def _target(table: Situation, attacker: str, target: str) -> Candidate:
    query = Charge(attacker=attacker, target=target, step="declare")

    def rule(asked: Situation) -> Ruling:
        return charge(asked, query)

    near = _out_of_reach(table, attacker, target)
    if (near.margin_mm or 0.0) < -_SURELY_MM:
        return Candidate(target, near, lambda asked: _out_of_reach(asked, attacker, target))
    return Candidate(target, rule(table), rule)


def _out_of_reach(table: Situation, attacker: str, target: str) -> Ruling:
    """How far an enemy is within the longest charge and in front: who surely is not needs no way sought to."""
    odds, own = odds_to(table, attacker, target), regiment(table, attacker)
    depth = max(depth_ahead_mm(own, part) for _, area in body(table, target) for part in area.parts)
    if odds is None:
        return Ruling(margin_mm=depth, touches=own.rank(0)[:1])
    touches = odds.touches if odds.longest_mm - odds.mm < depth else own.rank(0)[:1]
    return Ruling(margin_mm=min(odds.longest_mm - odds.mm, depth), touches=touches)


def frenzy(table: Situation, query: Frenzy) -> Ruling:
    """Whom a frenzied unit must charge. Source: Frenzy, p. 60."""
    foes = [one for one in all_regiments(table) if not are_friends(table, query.who, one)]
    members = tuple(_target(table, query.who, one) for one in foes)
    able = [one.id for one in members if one.ruling is not None and (one.ruling.margin_mm or 0.0) >= -1e-6]
    far = {one: odds.mm for one in able if (odds := odds_to(table, query.who, one)) is not None}
    ranked = sorted(far, key=lambda one: far[one])
    ties = [one for one in ranked if far[one] <= far[ranked[0]] + 1e-6]
    target = ranked[0] if ranked and query.may_charge else None
    ld = leading(table, query.who).profile.ld
    return Ruling(
        status="measured",
        value={
            "target": target,
            "mode": "charge" if target is not None else "none",
            "chance": None if target is None or ld is None else leadership_chance(ld),
            "ties": [*ties] if len(ties) > 1 else [],
            "order": [*ranked],
        },
        members=members,
        because=(applied(table, _FRENZY, f"It could charge {names(table, ranked)}."),),
    )


def random_move(table: Situation, query: RandomMove) -> Ruling:
    """Where a unit of random movement ends. Source: Random Movement, p. 64; Stupidity, p. 66."""
    own, own_front = Footing.of(regiment(table, query.mover)), regiment(table, query.mover).rank(0)
    facing = own.facing_rad if query.heading_deg is None else radians(query.heading_deg)
    start = own.turned(facing - own.facing_rad, own.centre)
    reach = _first_enemy(table, query.mover, start)
    value: dict[str, JsonValue] = {"to_enemy_mm": reach[0] if reach is not None else None}
    if query.dice.move is None:
        least = None if reach is None else math.ceil(reach[0] / 25.4 - 1e-9)
        stupid = "stupid" in leading(table, query.mover).status
        chance: dict[str, JsonValue] = {"needs": least}
        if stupid and least is not None:
            p = Fraction(max(0, 7 - max(1, least)), 6)
            chance |= {"dice": "1d6", "exact": str(p), "p": float(p)}
        return Ruling(status="measured", value=value | {"chance": chance}, because=(_RANDOM,))
    by_mm, stopped_by, contact = inches(query.dice.move), None, None
    way = (math.cos(start.facing_rad), math.sin(start.facing_rad))
    for id_, shape in _ahead_of(table, query.mover, start):
        enemy = id_ in all_regiments(table) and not are_friends(table, query.mover, id_)
        span = stretch_within(start.shape, way, shape, 0.0 if enemy else parameters.SPACING_MM)
        if span is not None and -1e-6 <= span[0] < by_mm + (1e-6 if enemy else 0.0):
            by_mm, stopped_by, contact = max(0.0, span[0]), id_, id_ if enemy else None
    there = start.moved(by_mm)
    path, poses = legs.turned_and_run(own, there), legs.poses_of(table, regiment(table, query.mover), there)
    found: dict[str, JsonValue] = {
        "poses": poses,
        "paths": {query.mover: path},
        "stopped_by": stopped_by,
        "contact": contact,
    }
    return Ruling(
        status="measured",
        value=value | found,
        lengths_mm={"travelled": by_mm},
        witness=legs.drawn(own, there, path, query.mover),
        because=(applied(table, _RANDOM, f"It goes {length(by_mm)}."),),
        touches=tuple(dict.fromkeys((own_front[0], own_front[-1]))),
    )


def _ahead_of(table: Situation, mover: str, start: Footing) -> list[tuple[str, Rounded]]:
    """What lies on or near its way, however far it goes."""
    way = Rounded(hull([*start.corners, *start.moved(_LONGEST_MM).corners]))
    return [(id_, shape) for id_, shape in others(table, mover) if not is_aside(way, shape)]


def _first_enemy(table: Situation, mover: str, start: Footing) -> tuple[float, str] | None:
    way = (math.cos(start.facing_rad), math.sin(start.facing_rad))
    regiments = set(all_regiments(table))
    found = [
        (span[0], id_)
        for id_, shape in _ahead_of(table, mover, start)
        if id_ in regiments and not are_friends(table, mover, id_)
        and (span := stretch_within(start.shape, way, shape)) is not None and span[0] >= 0
    ]  # fmt: skip
    return min(found, default=None)


def table_edge(table: Situation, query: TableEdge) -> Ruling:
    """What becomes of a unit at the table's edge. Source: Moving off the Board, p. 23; Flee, p. 21; Pursuit, p. 51."""
    own = Footing.of(regiment(table, query.mover))
    heading = math.degrees(own.facing_rad) if query.heading_deg is None else query.heading_deg
    by_mm = inches(query.distance_in or 0.0)
    turn = radians(heading) - own.facing_rad
    there = own.moved(by_mm * math.cos(turn), by_mm * math.sin(turn))
    size = table.state.table
    left = min(min(x, y, size.width_mm - x, size.depth_mm - y) for x, y in there.corners)
    result = "stays" if left > 0 else {"flee": "removed", "pursuit": "returns"}.get(query.cause, "not-allowed")
    way, poses = legs.straight(own, there), legs.poses_of(table, regiment(table, query.mover), there)
    return Ruling(
        status="measured",
        value={"result": result, "to_edge_mm": left, "poses": poses, "paths": {query.mover: way}},
        lengths_mm={"to edge": left},
        witness=legs.drawn(own, there, way, query.mover),
        because=(applied(table, _EDGE, f"{length(abs(left))} {'to the edge' if left > 0 else 'beyond it'}."),),
        touches=regiment(table, query.mover).rank(0),
    )
