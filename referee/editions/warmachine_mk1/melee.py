"""Blows: models never hide a target from engaging, and any base in between stops the blow itself."""

import math
from dataclasses import replace
from typing import Literal

from pydantic import JsonValue

from models.queries import (
    CombinedRanged,
    Cover,
    FreeStrike,
    InMeleeGroup,
    InMeleePenalty,
    Lock,
    Los,
    SprayHits,
    Sweep,
    TargetLegal,
)
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.arcs import direction, dot
from referee.candidates import considered, in_play, is_met
from referee.clauses import all_of
from referee.editions.hordes_mk2 import EDITION as LATER
from referee.editions.warmachine_mk1.parameters import because
from referee.editions.warmachine_prime import melee_group
from referee.editions.warmachine_prime.features import OBSTRUCTIONS
from referee.editions.warmachine_prime.melee import HELPLESS, reach_ruling, weapon_reaches
from referee.editions.warmachine_prime.terrain import counts_as
from referee.ruling import Candidate, Ruling
from referee.shapes import Area, Rounded, hull
from referee.sight import End, Obstacle, widest_lane
from referee.situation import Situation
from referee.telling import applied, length, names

_LINE = because("Q/A: melee attacks", "A line of the blow must be free of every other base, whatever its size.")
_SPRAY = because("Spray Attacks, Prime p. 48", "Only terrain keeps one under the template from being hit.")
_SHARED = because("Combined Ranged Attacks, Prime p. 46", "Cover from any of those who shoot counts against all.")
_ALL = because("Q/A: Circular Strike", "It strikes everybody in reach, friend or foe, or is not made at all.")
_RELEASED = because("Armlock/Headlock, Prime p. 43", "A lock ends when either is disabled or leaves play.")
_SIDES = 24
_FAR_MM = 25.4  # this far out of reach no line decides
_DUST_MM = 1e-6


def free_line(table: Situation, attacker: str, target: str, reach_mm: float) -> Ruling:
    """Whether some line from its base through its front arc gets at what is in reach, free of every other base.

    The margin is how far all that is in the way could grow. Source: Q/A: melee attacks.
    """
    base = table.base(attacker)
    start, stop = _ends(table, attacker, _within(table.base(target), base.centre, base.reach_mm + reach_mm))
    if stop.depth_mm() < -_DUST_MM:
        return Ruling(margin_mm=stop.depth_mm(), because=(_LINE,), touches=(attacker, target), faces=(attacker,))
    lane = widest_lane(start, stop, tuple(_between(table, attacker, target)))
    free = min(lane.margin_mm, CAPPED_MM)
    role = "clear" if free > 0 else "blocked"
    line = Witness.model_validate(
        {"type": "segment", "role": role, "points_mm": (lane.start, lane.stop), "of": (attacker, target)}
    )
    held = tuple(lane.held_by)
    return Ruling(
        margin_mm=free,
        zero_is_met=table.reading("los-touch") == "clear",
        witness=(line,),
        blockers=held if free <= 0 else (),
        because=(applied(table, _LINE, _told(table, held, free)),),
        readings=("los-touch", "melee-line-start"),
        touches=tuple(dict.fromkeys((attacker, target, *held))),
        faces=(attacker,),
    )


def _told(table: Situation, held: tuple[str, ...], free_mm: float) -> str:
    if free_mm >= CAPPED_MM:
        return "Nothing is in the way."
    who = names(table, list(held))
    return (
        f"Past {who} it is clear by {length(free_mm)}." if free_mm > 0 else f"In its way: {who}, by {length(-free_mm)}."
    )


def _ends(table: Situation, attacker: str, part: Rounded) -> tuple[End, End]:
    """Where the line may start and end: both ahead of the arc line."""
    base = table.base(attacker)
    if table.miniature(attacker).front_arc_deg == 360:
        return End(base), End(part)
    way = direction(table.facing_rad(attacker))
    line = dot(base.centre, way)
    start = End(base) if table.reading("melee-line-start") == "anywhere" else End(base, way, line)
    return start, End(part, way, line)


def _within(base: Rounded, centre: Point, reach_mm: float) -> Rounded:
    """What of a base lies within reach: a lens, in its corners; all of it where none does, so that reach decides."""
    (x, y), r = base.centre, base.reach_mm
    apart = math.dist((x, y), centre)
    if apart <= reach_mm - r or apart > reach_mm + r + _DUST_MM or not base.is_disc():
        return base
    toward = math.atan2(y - centre[1], x - centre[0])
    mine = math.acos(_cosine(apart, reach_mm, r))
    theirs = math.acos(_cosine(apart, r, reach_mm))
    rim = [_on(centre, reach_mm, toward + mine * k / _SIDES) for k in range(-_SIDES, _SIDES + 1)]
    back = [_on((x, y), r, toward + math.pi + theirs * k / _SIDES) for k in range(-_SIDES, _SIDES + 1)]
    lens = hull([*rim, *back])
    return Rounded(lens) if len(lens) > 2 else Rounded((_on((x, y), r, toward + math.pi),), 0.0)


def _cosine(apart: float, one: float, other: float) -> float:
    """Of the angle at the middle of one circle to where it meets the other."""
    return max(-1.0, min(1.0, (apart * apart + one * one - other * other) / (2 * apart * one)))


def _on(centre: Point, radius: float, angle: float) -> Point:
    return (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))


def _between(table: Situation, attacker: str, target: str) -> list[Obstacle]:
    """Every base but those knocked down, and every obstruction."""
    bases = (id_ for id_ in in_play(table, attacker, target) if "knocked-down" not in table.miniature(id_).status)
    found = [Obstacle(id_, Area((table.base(id_),))) for id_ in bases]
    walls = (t for t in table.state.terrain if counts_as(table, t) in OBSTRUCTIONS)
    return found + [Obstacle(t.id, table.area(t.id)) for t in walls]


def target_legal(table: Situation, query: TargetLegal) -> Ruling:
    """Whether that may be attacked; of a blow also how wide its line is. Source: Q/A: melee attacks; Prime p. 46."""
    ruling = LATER.rules[TargetLegal](table, query)
    clauses = ruling.value.get("clauses")
    if query.attack != "melee" or table.lean or not isinstance(clauses, list):
        return ruling
    lines = (c["margin_mm"] for c in clauses if isinstance(c, dict) and c["clause"] == "free-line")
    width = next((mm for mm in lines if isinstance(mm, float)), None)
    return replace(ruling, value=ruling.value | {"free_mm": None if width is None else max(0.0, 2 * width)})


def engaging(table: Situation, attacker: str, target: str) -> Ruling:
    """What engaging takes besides reach: that terrain does not shut the target off wholly. Source: Melee Range, p. 39.

    The book gives no definition: the house rule `engage-line` says what is read into it.
    """
    wanted = table.reading("engage-line")
    if wanted == "nothing":
        ruling = Ruling(margin_mm=CAPPED_MM, touches=(attacker, target))
    else:
        purpose: Literal["melee"] | None = "melee" if wanted == "free-of-terrain" else None
        ruling = table.ruled(Los(viewer=attacker, target=target, purpose=purpose))
    key = ("engage-line",)
    return replace(ruling, readings=(*ruling.readings, *key), doubtful=(*ruling.doubtful, *key))


def free_strike(table: Situation, query: FreeStrike) -> Ruling:
    """Whether somebody may strike as it goes, and how often. Source: Free Strikes, Prime p. 40."""
    ruling = LATER.rules[FreeStrike](table, query)
    if table.nudges:
        return ruling
    left = LATER.rules[FreeStrike](table.still, query).value.get("by_id")
    exits = {id_: told for id_, told in left.items() if isinstance(told, dict)} if isinstance(left, dict) else {}
    again = any(told["times"] != 1 for told in exits.values())
    once = table.reading("free-strike-again") == "once"
    strikes = {id_: 1 if once else told["times"] for id_, told in exits.items()}
    by_id: dict[str, JsonValue] = {id_: told | {"strikes": strikes[id_]} for id_, told in exits.items()}
    key = ("free-strike-again",)
    return replace(
        ruling,
        value={**ruling.value, "by_id": by_id},
        readings=(*ruling.readings, *key),
        doubtful=(*ruling.doubtful, *(key if again else ())),
        tells=(*ruling.tells, *sorted(strikes.items())) if again else ruling.tells,
    )


def sweep(table: Situation, query: Sweep) -> Ruling:
    """Whom a blow at everybody in reach strikes, friends too. Source: Q/A: Circular Strike."""
    reaches = weapon_reaches(table.miniature(query.attacker), query.weapon)
    reach = inches(query.reach_in) if query.reach_in is not None else max(reaches.values(), default=None)
    if reach is None:
        return Ruling(status="unknown", needs=(f"profile.melee of {query.attacker}",), because=(_ALL,))
    barred = next((why for word, why in HELPLESS.items() if word in table.miniature(query.attacker).status), None)

    def about(nudged: Situation, id_: str) -> Ruling:
        if barred is not None:
            return Ruling(margin_mm=-CAPPED_MM, because=(barred,), touches=(query.attacker,))
        near = reach_ruling(nudged, query.attacker, id_, {"sweep": reach})
        if near.decisive_mm < -_FAR_MM:
            return all_of((("reach", near),))
        return all_of((("reach", near), ("free-line", free_line(nudged, query.attacker, id_, reach))))

    members = considered(table, in_play(table, query.attacker), about)
    struck = [c.id for c in members if c.ruling is not None and is_met(c.ruling)]
    return Ruling(
        status="measured", because=(applied(table, _ALL, f"Struck: {names(table, struck)}."),), members=members
    )


def in_melee_penalty(table: Situation, query: InMeleePenalty) -> Ruling:
    """Whether the target is in melee; only a spell from within that melee is spared. Source: Prime p. 46, p. 55."""
    if query.attack == "magic" or query.origin is not None:
        return LATER.rules[InMeleePenalty](table, query)
    return LATER.rules[InMeleePenalty](table, query.model_copy(update={"origin": table.centre(query.attacker)}))


def in_melee_group(table: Situation, query: InMeleeGroup) -> Ruling:
    """Whom a miss into a melee may hit: not the target, nor where the attack comes from. Source: Prime p. 46, p. 55."""
    if isinstance(query.origin, str) and query.origin in table.miniatures:
        query = query.model_copy(update={"attacker": query.origin, "origin": None})
    return melee_group.in_melee_group(table, query)


def lock(table: Situation, query: Lock) -> Ruling:
    """Whether the lock still holds; a disabled one ends it too. Source: Armlock/Headlock, Prime p. 43."""
    ruling = LATER.rules[Lock](table, query)
    off = [f"{id_} disabled" for id_ in (query.attacker, query.target) if "disabled" in table.miniature(id_).status]
    broken = ruling.value.get("broken_by")
    if not off or not isinstance(broken, list):
        return ruling
    told: dict[str, JsonValue] = {"may_move": True, "broken_by": [*broken, *off]}
    return replace(ruling, margin_mm=-CAPPED_MM, value=told, because=(_RELEASED,))


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
    return replace(ruling, members=members, because=(*ruling.because[:3], _SPRAY))


def _missed(one: Candidate) -> Candidate:
    def rule(_: Situation) -> Ruling:
        return Ruling(margin_mm=-CAPPED_MM, touches=(one.id,))

    return Candidate(one.id, Ruling(margin_mm=-CAPPED_MM, touches=(one.id,)), rule)


def combined_ranged(table: Situation, query: CombinedRanged) -> Ruling:
    """Who counts in a combined shot; any shooter's cover counts. Source: Combined Ranged Attacks, Prime p. 46."""
    ruling = LATER.rules[CombinedRanged](table, query)
    others = {id_ for id_ in query.participants if not _charged_alike(table, query.primary, id_)}
    if others:
        query = query.model_copy(update={"participants": tuple(p for p in query.participants if p not in others)})
        ruling = _left_out(LATER.rules[CombinedRanged](table, query), others)
    by_id = ruling.value.get("by_id")
    if not isinstance(by_id, dict) or table.reading("cover-by-helper") != "counts":
        return ruling
    parts = {"adds", "spent"}
    joined = [id_ for id_, told in by_id.items() if isinstance(told, dict) and told.get("part") in parts]
    covered = [id_ for id_ in joined if is_met(table.ruled(Cover(attacker=id_, target=query.target)))]
    return replace(ruling, value=ruling.value | {"cover_from": [*covered]}, because=(*ruling.because, _SHARED))


def _charged_alike(table: Situation, primary: str, id_: str) -> bool:
    """Whether both charged the same model, or neither charged. Source: Q/A on combined shots in an assault."""
    one, other = (table.miniature(i).this_turn.charged for i in (primary, id_))
    return one == other


def _left_out(ruling: Ruling, others: set[str]) -> Ruling:
    """The same shot, with those who take no part in it. Source: Q/A on combined shots in an assault."""
    by_id = ruling.value.get("by_id")
    told: dict[str, JsonValue] = {id_: {"part": "may-not", "why": "charged-another"} for id_ in sorted(others)}
    members = tuple(_missed(Candidate(id_, None, lambda _: ruling)) for id_ in sorted(others))
    value = ruling.value | {"by_id": (by_id if isinstance(by_id, dict) else {}) | told}
    return replace(ruling, value=value, members=(*ruling.members, *members))
