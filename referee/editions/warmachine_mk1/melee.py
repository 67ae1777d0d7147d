"""Blows: models never hide a target from engaging, and any base in between stops the blow itself."""

import math
from dataclasses import replace

from models.miniature import Miniature
from models.queries import CombinedRanged, Cover, Los, SprayHits, TargetLegal
from models.verdict import CAPPED_MM
from referee.arcs import direction, dot
from referee.candidates import in_play, is_met
from referee.clauses import listed_margins
from referee.editions.hordes_mk2 import EDITION as LATER
from referee.editions.hordes_mk2 import sight as of_mk2
from referee.editions.warmachine_mk1.parameters import because
from referee.editions.warmachine_prime.features import OBSTRUCTIONS
from referee.editions.warmachine_prime.melee import weapon_reaches
from referee.editions.warmachine_prime.terrain import counts_as
from referee.motion import hull
from referee.ruling import Candidate, Ruling
from referee.shapes import Area, Rounded
from referee.sight import End, Obstacle, widest_lane
from referee.situation import Situation

_LINE = because("Q/A: melee attacks", "A line of the blow must be free of every other base, whatever its size.")
_CENTRE = because("Line of Sight, Prime p. 33", "A line of sight starts over the centre of the base, at head height.")
_SPRAY = because("Spray Attacks, Prime p. 48", "Only terrain keeps one under the template from being hit.")
_SHARED = because("Combined Ranged Attacks, Prime p. 46", "Cover from any of those who shoot counts against all.")
_SIDES = 48


def line_of_sight(table: Situation, query: Los) -> Ruling:
    """Whether a line from over the base's centre is clear. Source: Line of Sight, Prime p. 33."""
    ruling = LATER.rules[Los](table, query)
    return ruling if table.lean else replace(ruling, because=(*ruling.because[:1], _CENTRE, *ruling.because[1:]))


def why_ignored(table: Situation, viewer: str, target: str, blocker: Miniature, purpose: str | None) -> str | None:
    """Why a base does not close the line. Source: Q/A on engaging: only terrain shuts one off in melee."""
    if purpose == "melee":
        return "melee"
    return of_mk2.why_ignored(table, viewer, target, blocker, purpose)


def target_legal(table: Situation, query: TargetLegal) -> Ruling:
    """Whether that may be attacked. Source: Q/A: melee attacks; Targeting, Prime p. 46."""
    ruling = LATER.rules[TargetLegal](table, query)
    if query.attack != "melee" or query.target not in table.miniatures or ruling.status != "decided":
        return ruling
    lane_mm, holders = free_line(table, query.attacker, query.target, _reach_mm(table, query))
    clauses = ruling.value.get("clauses")
    told = [*(clauses if isinstance(clauses, list) else []), *listed_margins({"free-line": lane_mm})]
    value = ruling.value | {"clauses": told, "free_mm": max(0.0, 2 * lane_mm)}
    decisive = ruling.decisive_mm
    if lane_mm > 0 and lane_mm >= decisive:
        return replace(ruling, value=value)
    margin = lane_mm if lane_mm > 0 else min(lane_mm, -1e-9)
    if margin >= decisive:
        return replace(ruling, value=value)
    return replace(
        ruling, margin_mm=margin, slack_mm=None, conditions=(), form=None, value=value,
        blockers=holders if margin <= 0 else ruling.blockers, because=(_LINE, *ruling.because),
        touches=tuple(dict.fromkeys((*ruling.touches, *holders))),
    )  # fmt: skip


def _reach_mm(table: Situation, query: TargetLegal) -> float:
    reaches = weapon_reaches(table.miniature(query.attacker))
    return reaches.get(query.weapon or "", max(reaches.values(), default=0.0))


def free_line(table: Situation, attacker: str, target: str, reach_mm: float) -> tuple[float, tuple[str, ...]]:
    """How wide the freest line of a blow is to either side, and what closes it. Source: Q/A: melee attacks."""
    base = table.base(attacker)
    way = direction(table.facing_rad(attacker))
    line = dot(base.centre, way)
    part = _within(table.base(target), base.centre, base.reach_mm + reach_mm)
    stop = End(part, way, line)
    if stop.depth_mm() <= 0:
        return -CAPPED_MM, ()
    lane = widest_lane(End(base, way, line), stop, tuple(_between(table, attacker, target)))
    return min(lane.margin_mm, CAPPED_MM), tuple(lane.held_by)


def _within(base: Rounded, centre: tuple[float, float], reach_mm: float) -> Rounded:
    """What of a base lies within reach, as a polygon; all of it where none does, so that the reach decides."""
    (x, y), r = base.centre, base.reach_mm
    turns = [math.tau * k / _SIDES for k in range(_SIDES)]
    rims = [(x + r * math.cos(t), y + r * math.sin(t)) for t in turns]
    circle = [(centre[0] + reach_mm * math.cos(t), centre[1] + reach_mm * math.sin(t)) for t in turns]
    inside = [p for p in rims if math.dist(p, centre) <= reach_mm] + [p for p in circle if math.dist(p, (x, y)) <= r]
    return Rounded(hull(inside)) if len(inside) > 2 else base


def _between(table: Situation, attacker: str, target: str) -> list[Obstacle]:
    """Every base but those knocked down, and every obstruction."""
    bases = (id_ for id_ in in_play(table, attacker, target) if "knocked-down" not in table.miniature(id_).status)
    found = [Obstacle(id_, Area((table.base(id_),))) for id_ in bases]
    walls = (t for t in table.state.terrain if counts_as(table, t) in OBSTRUCTIONS)
    return found + [Obstacle(t.id, table.area(t.id)) for t in walls]


def spray_hits(table: Situation, query: SprayHits) -> Ruling:
    """Whom a spray hits: not those whom terrain hides. Source: Spray Attacks, Prime p. 48."""
    ruling = LATER.rules[SprayHits](table, query)
    others = tuple(table.miniatures)
    hidden = {
        one.id
        for one in ruling.members
        if not is_met(table.ruled(Los(viewer=query.attacker, target=one.id, ignoring=others)))
    }
    members = tuple(_missed(one) if one.id in hidden else one for one in ruling.members)
    return replace(ruling, members=members, because=(*ruling.because, _SPRAY))


def _missed(one: Candidate) -> Candidate:
    def rule(_: Situation) -> Ruling:
        return Ruling(margin_mm=-CAPPED_MM, touches=(one.id,))

    return Candidate(one.id, Ruling(margin_mm=-CAPPED_MM, touches=(one.id,)), rule)


def combined_ranged(table: Situation, query: CombinedRanged) -> Ruling:
    """Who counts in a combined shot; any shooter's cover counts. Source: Combined Ranged Attacks, Prime p. 46."""
    ruling = LATER.rules[CombinedRanged](table, query)
    by_id = ruling.value.get("by_id")
    if not isinstance(by_id, dict) or table.reading("cover-by-helper") != "counts":
        return ruling
    adding = [id_ for id_, told in by_id.items() if isinstance(told, dict) and told.get("part") == "adds"]
    covered = [id_ for id_ in adding if is_met(table.ruled(Cover(attacker=id_, target=query.target)))]
    return replace(ruling, value=ruling.value | {"cover_from": [*covered]}, because=(*ruling.because, _SHARED))
