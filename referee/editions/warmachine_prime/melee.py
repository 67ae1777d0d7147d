"""Melee: reach to the part of the target in front, and who engages whom."""

from dataclasses import replace

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Engaged, Los, MeleeRange
from models.units import inches
from models.verdict import CAPPED_MM, Reason, Witness
from referee.arcs import arc_edge, direction, dot
from referee.editions.warmachine_prime.arcs import arc_depth_mm, arc_form
from referee.editions.warmachine_prime.distances import ruler
from referee.editions.warmachine_prime.ground import elevation_mm, level, volume_mm
from referee.editions.warmachine_prime.melee_form import behind_form, reach_form
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.sight import line_of_sight
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import Gap, area_gap, gap
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.sides import are_enemies
from referee.sight.boundary import corners_of, pieces_of
from referee.sight.scene import End
from referee.situation import Situation
from referee.telling import ahead as told_ahead
from referee.telling import applied, length, name_of
from referee.telling import margin as told_margin
from referee.volumes import Volume, apart_mm, rise_mm

_REACH = because("Melee Range", 43, "Reach runs from the base edge to the part of the target in the front arc.")
_BEHIND = because("Melee Range", 43, "No part of the target is in the front arc.")
_LEVELS = because("Melee Range & Elevation", 78, "Across elevations the volumes are measured, not the bases.")
ENGAGED = because("Engaged & Engaging", 43, "An enemy in reach and in sight is engaged.")
_FRIEND = because("Engaged & Engaging", 43, "Only enemies engage each other.", "They are on the same side.")
_DOWN = because("Knockdown", 61, "A knocked down model has no reach and is in no melee.")
_STILL = because("Stationary Models", 61, "A stationary model has no reach and is in no melee.")
_INERT = because("Inert Warjacks", 59, "An inert warjack has no reach and is not engaged.")
HELPLESS: dict[str, Reason] = {"knocked-down": _DOWN, "stationary": _STILL, "inert": _INERT}


def melee_range(table: Situation, query: MeleeRange) -> Ruling:
    """Whether the part of the target in front is within reach. Source: Melee Range, p. 43."""
    for status, reason in HELPLESS.items():
        if status in table.miniature(query.attacker).status:
            return Ruling(margin_mm=-CAPPED_MM, value={"weapons": []}, because=(reason,), touches=_pair(query))
    reaches = _reaches(table.miniature(query.attacker), query)
    return reach_ruling(table, query.attacker, query.target, reaches, weapon=query.weapon)


def reach_ruling(
    table: Situation,
    attacker: str,
    target: str,
    reaches: dict[str, float],
    *,
    weapon: str | None = None,
    level_ground: bool = False,
) -> Ruling:
    """The ruling for these reaches in millimetres, the longest of which decides; `level_ground` forgets the heights.

    Source: Melee Range, p. 43; Melee Range & Elevation, p. 78.
    """
    if not reaches:
        return _no_weapon(table, attacker, target, weapon)
    depth = arc_depth_mm(table, attacker, target)
    if depth < 0 and table.reading("melee-shape") != "ring":
        return _out_of_arc(table, attacker, target, depth, reaches)
    front = front_gap(table, attacker, target)
    terms = terms_of(table)
    rise = 0.0 if level_ground else terms.rise_mm(table, attacker, target)
    doubts, height = terms.rise_doubts(table, attacker, target), terms.between_mm(table, attacker, target)
    apart = apart_mm(front.mm, rise)
    margin = max(reaches.values()) - apart
    form = None if rise else reach_form(table, attacker, target, front, max(reaches.values()))
    in_reach = Ruling(margin_mm=margin, touches=(attacker, target), form=form)
    parts = (in_reach, *_in_arc(table, attacker, target, depth))
    told = _front_told(table, (attacker, target), apart, margin)
    return Ruling(
        margin_mm=margin,
        slack_mm=min(part.decisive_mm for part in parts),
        conditions=parts,
        value={"distance_mm": apart, "height_mm": height, "depth_mm": depth, "weapons": _weapons(reaches, apart)},
        lengths_mm={"distance": apart},
        witness=(ruler(front, attacker, target, role="clear" if margin >= 0 else "blocked"), *_arc(table, attacker)),
        because=(applied(table, _REACH, told), *((_LEVELS,) if rise > 0 else ())),
        readings=("melee-shape", *doubts),
        doubtful=(*_shape_doubts(table, attacker, target, front), *doubts),
        touches=(attacker, target),
        faces=(attacker,),
    )


def _in_arc(table: Situation, attacker: str, target: str, depth_mm: float) -> tuple[Ruling, ...]:
    """That the target lies in front, where it must."""
    if table.reading("melee-shape") == "ring":
        return ()
    return (Ruling(margin_mm=depth_mm, touches=(attacker, target), form=arc_form(table, attacker, target)),)


def _front_told(table: Situation, pair: tuple[str, str], apart_mm: float, margin_mm: float) -> str:
    mine, theirs = (name_of(table, id_) for id_ in pair)
    left = told_margin(margin_mm, short="out of reach")
    return f"From {mine} to the part of {theirs} in front it is {length(apart_mm)}, {left}."


def _weapons(reaches: dict[str, float], apart_mm: float) -> list[JsonValue]:
    return [_told(name, reach - apart_mm) for name, reach in reaches.items()]


def _told(weapon: str, margin_mm: float) -> dict[str, JsonValue]:
    return {"name": weapon, "answer": "yes" if margin_mm >= -1e-9 else "no", "margin_mm": margin_mm}


def _shape_doubts(table: Situation, attacker: str, target: str, front: Gap) -> tuple[str, ...]:
    """Where the nearest part of the target lies behind the arc line, the shape of the melee range matters."""
    nearest = gap(table.base(attacker), table.base(target))
    ahead = dot(nearest.at_b, direction(table.facing_rad(attacker))) - dot(
        table.centre(attacker), direction(table.facing_rad(attacker))
    )
    behind = table.miniature(attacker).front_arc_deg != 360 and (ahead < 0 or front.mm > nearest.mm + 1e-9)
    return ("melee-shape",) if behind else ()


def _no_weapon(table: Situation, attacker: str, target: str, weapon: str | None) -> Ruling:
    between = area_gap(table.area(attacker), table.area(target))
    return Ruling(
        status="unknown",
        value={"distance_mm": max(0.0, between.mm)},
        lengths_mm={"distance": max(0.0, between.mm)},
        witness=(ruler(between, attacker, target, role="limit"),),
        because=(_REACH,),
        needs=(missing_weapon(attacker, weapon),),
        touches=(attacker, target),
    )


def missing_weapon(attacker: str, weapon: str | None) -> str:
    """What to tell of a card that does not show the melee weapon asked about."""
    return f"profile.melee of {attacker}" if weapon is None else f"weapon {weapon} in profile.melee of {attacker}"


def _out_of_arc(table: Situation, attacker: str, target: str, depth: float, reaches: dict[str, float]) -> Ruling:
    """Out of reach as well, the lesser margin counts: else a far base near the arc line would be too close."""
    between = area_gap(table.area(attacker), table.area(target))
    return Ruling(
        margin_mm=min(depth, max(reaches.values()) - between.mm),
        value={
            "distance_mm": max(0.0, between.mm),
            "depth_mm": depth,
            "weapons": [_told(name, min(depth, reach - between.mm)) for name, reach in reaches.items()],
        },
        lengths_mm={"distance": max(0.0, between.mm)},
        witness=(ruler(between, attacker, target, role="blocked"), *_arc(table, attacker)),
        because=(_REACH, applied(table, _BEHIND, told_ahead(table, attacker, target, depth))),
        readings=("melee-shape",),
        doubtful=("melee-shape",) if between.mm <= max(reaches.values()) else (),
        touches=(attacker, target),
        faces=(attacker,),
        form=behind_form(table, attacker, target, max(reaches.values())),
    )


def front_gap(table: Situation, attacker: str, target: str) -> Gap:
    """From the attacker's base to the nearest point of the target in its front arc, which must not be empty.

    Source: Melee Range, p. 43: the range ends at the front arc.
    """
    mine, theirs = table.base(attacker), table.base(target)
    between = gap(mine, theirs)
    if table.miniature(attacker).front_arc_deg == 360 or table.reading("melee-shape") != "front-part":
        return between
    ahead = direction(table.facing_rad(attacker))
    line = dot(table.centre(attacker), ahead)
    if dot(between.at_b, ahead) >= line:
        return between
    end = End(theirs, ahead, line)
    points = corners_of(end) or [pieces_of(end)[0].start]
    flat = points[-2:] if len(points) >= 2 else points * 2
    cut = Rounded(tuple((float(p.real), float(p.imag)) for p in dict.fromkeys(flat)))
    return min((between, gap(mine, cut)), key=lambda g: 0 if g is not between else 1)


def between_volumes_mm(table: Situation, attacker: str, target: str) -> float:
    """The height between the two volumes when they stand on different levels. Source: p. 78."""
    if level(table, attacker) == level(table, target):
        return 0.0
    return rise_mm(_volume(table, attacker), _volume(table, target))


def _volume(table: Situation, id_: str) -> Volume:
    low = elevation_mm(table, id_)
    return Volume(table.area(id_), low, low + volume_mm(table.miniature(id_)))


def _reaches(attacker: Miniature, query: MeleeRange) -> dict[str, float]:
    if query.reach_in is not None:
        return {"reach": inches(query.reach_in)}
    return weapon_reaches(attacker, query.weapon)


def weapon_reaches(attacker: Miniature, weapon: str | None = None) -> dict[str, float]:
    """The reach of each melee weapon, or of the one named. Source: Melee Range, p. 43; Gunfighter, p. 52."""
    reaches = {w.name: inches(w.reach_in) for w in attacker.profile.melee if weapon in (None, w.name)}
    if not reaches and weapon is None and attacker.has("gunfighter"):
        return {"gunfighter": inches(0.5)}
    return reaches


def engaged(table: Situation, query: Engaged) -> Ruling:
    """Whether the attacker has the target, an enemy, in reach and sight, neither helpless.

    Source: Engaged & Engaging, p. 43.
    """
    ruling = engages(table, query.attacker, query.target)
    if table.lean:  # the way back is merely told
        return ruling
    back = engages(table, query.target, query.attacker, optional=True)
    return replace(ruling, value=ruling.value | {"back": _word(back)})


def _word(ruling: Ruling) -> str | None:
    """Yes or no of the exact table; None when it cannot be told."""
    if ruling.status != "decided" or ruling.margin_mm is None:
        return None
    return "yes" if ruling.margin_mm > 0 or (ruling.margin_mm == 0 and ruling.zero_is_met) else "no"


def engages(table: Situation, attacker: str, target: str, *, optional: bool = False) -> Ruling:
    """Whether the attacker has the target in reach and sight; `optional` takes an unknown facing for an answer.

    Source: Engaged & Engaging, p. 43.
    """
    if reason := why_not(table, attacker, target):
        return Ruling(margin_mm=-CAPPED_MM, because=(ENGAGED, reason), touches=(attacker, target))
    if optional and table.miniature(attacker).facing_deg is None:
        return Ruling(status="unknown", needs=(f"facing_deg of {attacker}",))
    reach = _engaging_reach(table, attacker, target)
    if reach.status == "unknown" or reach.decisive_mm < -25.4:  # far out of reach: sight decides nothing
        return replace(reach, because=(ENGAGED, *reach.because))
    own = terms_of(table).engaging
    if own is not None:
        return _both(reach, own(table, attacker, target))
    return _both(reach, line_of_sight(table, Los(viewer=attacker, target=target, purpose="melee")))


def _engaging_reach(table: Situation, attacker: str, target: str) -> Ruling:
    """The reach that engages; across levels the book speaks of attacks. Source: Melee Range & Elevation, p. 78."""
    flat = table.reading("engage-elevation") == "attacks"
    reaches = weapon_reaches(table.miniature(attacker))
    ruling = reach_ruling(table, attacker, target, reaches, level_ground=flat)
    if ruling.status == "unknown" or terms_of(table).rise_mm(table, attacker, target) == 0.0:
        return ruling
    key = ("engage-elevation",)
    return replace(ruling, readings=(*ruling.readings, *key), doubtful=(*ruling.doubtful, *key))


def _both(reach: Ruling, sight: Ruling) -> Ruling:
    if sight.status == "unknown":
        return replace(sight, because=(ENGAGED, *sight.because))
    least = min(reach, sight, key=lambda r: r.decisive_mm)
    return replace(
        least,
        slack_mm=None,
        margin_mm=least.decisive_mm,
        conditions=(reach, sight),
        joined_by="least",
        form=None,
        value={"reach_mm": reach.margin_mm, "sight_mm": sight.margin_mm, **reach.value},
        lengths_mm=reach.lengths_mm,
        witness=reach.witness if least is reach else (*sight.witness, *reach.witness),
        because=tuple(dict.fromkeys((ENGAGED, *least.because))),
        readings=tuple(dict.fromkeys((*reach.readings, *sight.readings))),
        doubtful=tuple(dict.fromkeys((*reach.doubtful, *sight.doubtful))),
        touches=tuple(dict.fromkeys((*reach.touches, *sight.touches))),
        faces=reach.faces,
    )


def why_not(table: Situation, attacker: str, target: str) -> Reason | None:
    """What keeps these two out of melee with each other, whatever the distance.

    Source: Engaged & Engaging, p. 43; Knockdown and Stationary Models, p. 61; Inert Warjacks, p. 59.
    """
    if attacker == target or not are_enemies(table.state, table.miniature(attacker), table.miniature(target)):
        return _FRIEND
    for id_ in (attacker, target):
        for status, reason in HELPLESS.items():
            if status in table.miniature(id_).status:
                return reason
    barred = terms_of(table).unable(table, attacker)
    return None if barred is None else barred[1]


def _pair(query: MeleeRange) -> tuple[str, str]:
    return (query.attacker, query.target)


def _arc(table: Situation, attacker: str) -> tuple[Witness, ...]:
    if table.miniature(attacker).front_arc_deg == 360:
        return ()
    return (arc_edge(attacker, table.centre(attacker), table.facing_rad(attacker), 60.0),)
