"""Melee range: how far blows reach, in plan and across heights, and how that changes as bases move."""

import math
from dataclasses import replace
from functools import partial

from models.miniature import Miniature
from models.profile import Profile
from models.queries import Engaged, Los, MeleeRange
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.miniatures.arcs import arc_depth_mm, arc_form, swing_mm
from referee.editions.warmachine.miniatures.base_state import elevation_mm, keeps_its_height, level, volume_mm
from referee.editions.warmachine.miniatures.distances import draw_ruler
from referee.editions.warmachine.miniatures.turn_ledger import HELPLESS
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import Gap, Volume, apart_mm, area_gap, gap, rise_mm
from referee.geometry.shapes import RoundedShape
from referee.line_of_sight.boundary_curve import corners_of, pieces_of
from referee.line_of_sight.scene import End
from referee.margins.distance_margin import limit_form
from referee.margins.front_arc import arc_edge, direction, dot
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import describe_arc_depth as told_ahead
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.explanations import format_margin as told_margin
from referee.rules.margin_form import FormProvider, KnownForm, Minimum
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.sides import are_enemies
from referee.rules.switches import is_at_least, is_out_of_reach

_REACH = because("Melee Range", 43, "Reach runs from the base edge to the part of the target in the front arc.")
_BEHIND = because("Melee Range", 43, "No part of the target is in the front arc.")
_LEVELS = because("Melee Range & Elevation", 78, "Across elevations the volumes are measured, not the bases.")
ENGAGED = because("Engaged & Engaging", 43, "An enemy in reach and in sight is engaged.")
_FRIEND = because("Engaged & Engaging", 43, "Only enemies engage each other.", "They are on the same side.")
UNARMED = because("Melee Range", 43, "A model without melee weapons has no melee range.")
_SIGMAS = 6.0  # nearer than so many sigmas to where another form begins, the form is not told
_BOTH_WAYS = 1.5  # so many sigmas of a place go into what lies between two that both move


def melee_range(table: ExactTable, query: MeleeRange) -> RuleResult:
    """Melee range: whether the part of the target in front is within reach. Source: Melee Range, p. 43."""
    for status, reason in HELPLESS.items():
        if status in table.miniature(query.attacker).status:
            return RuleResult(
                margin_mm=-CAPPED_MM,
                value={"weapons": []},
                because=(reason,),
                depends_on_place=(query.attacker, query.target),
            )
    reaches = _reaches_of(table.miniature(query.attacker), query)
    return check_reach(table, query.attacker, query.target, reaches, weapon=query.weapon)


def check_reach(
    table: ExactTable,
    attacker: str,
    target: str,
    reaches: dict[str, float],
    *,
    weapon: str | None = None,
    level_ground: bool = False,
) -> RuleResult:
    """The result for these reaches in millimetres, the longest of which decides; `level_ground` forgets the heights.

    Source: Melee Range, p. 43; Melee Range & Elevation, p. 78.
    """
    if not reaches:
        return _answer_no_weapon(table, attacker, target, weapon)
    depth = arc_depth_mm(table, attacker, target)
    if depth < 0 and table.reading("melee-shape") != "ring":
        return _answer_out_of_arc(table, attacker, target, depth, reaches)
    front = front_gap(table, attacker, target)
    terms = terms_of(table)
    rise = 0.0 if level_ground else terms.rise_mm(table, attacker, target)
    doubts, height = terms.rise_doubts(table, attacker, target), terms.height_between_mm(table, attacker, target)
    apart = apart_mm(front.mm, rise)
    margin = max(reaches.values()) - apart
    form = None if rise else reach_form(table, attacker, target, front, max(reaches.values()))
    in_reach = RuleResult(margin_mm=margin, depends_on_place=(attacker, target), form=form)
    parts = (in_reach, *_arc_conditions(table, attacker, target, depth))
    shorter = {name: reach for name, reach in reaches.items() if reach < max(reaches.values())}
    for name, reach in shorter.items():  # the longest decides; of the others it is told
        is_at_least(reach - apart, 0.0, f"is in reach of the {name} of", (target, attacker), is_noted=True)
    effect, role = _describe_front(table, (attacker, target), apart, margin), "clear" if margin >= 0 else "blocked"
    return RuleResult(
        margin_mm=margin,
        slack_mm=min(part.decisive_mm for part in parts),
        conditions=parts,
        value={
            "distance_mm": apart,
            "height_mm": height,
            "depth_mm": depth,
            "weapons": [_weapon_entry(name, reach - apart) for name, reach in reaches.items()],
        },
        lengths_mm={"distance": apart},
        witness=(draw_ruler(front, attacker, target, role=role), *_arc(table, attacker)),
        because=(with_effect(table, _REACH, effect), *((_LEVELS,) if rise > 0 else ())),
        readings=("melee-shape", *doubts),
        doubtful=(*_shape_doubts(table, attacker, target, front), *doubts),
        depends_on_place=(attacker, target),
        depends_on_facing=(attacker,),
    )


def _arc_conditions(table: ExactTable, attacker: str, target: str, depth_mm: float) -> tuple[RuleResult, ...]:
    """That the target lies in front, where it must."""
    if table.reading("melee-shape") == "ring":
        return ()
    return (
        RuleResult(margin_mm=depth_mm, depends_on_place=(attacker, target), form=arc_form(table, attacker, target)),
    )


def _describe_front(table: ExactTable, pair: tuple[str, str], apart_mm: float, margin_mm: float) -> str:
    mine, theirs = (name_of(table, id_) for id_ in pair)
    left = told_margin(margin_mm, short="out of reach")
    return f"From {mine} to the part of {theirs} in front it is {format_length(apart_mm)}, {left}."


def _weapon_entry(weapon: str, margin_mm: float) -> Value:
    return {"name": weapon, "answer": "yes" if margin_mm >= -1e-9 else "no", "margin_mm": margin_mm}


def _shape_doubts(table: ExactTable, attacker: str, target: str, front: Gap) -> tuple[str, ...]:
    """Where the nearest part of the target lies behind the arc line, the shape of the melee range matters."""
    nearest = gap(table.base(attacker), table.base(target))
    ahead = dot(nearest.at_b, direction(table.facing_rad(attacker))) - dot(
        table.centre(attacker), direction(table.facing_rad(attacker))
    )
    behind = table.miniature(attacker).front_arc_deg != 360 and (ahead < 0 or front.mm > nearest.mm + 1e-9)
    return ("melee-shape",) if behind else ()


def answer_unarmed(table: ExactTable, attacker: str, *because: Reason) -> RuleResult:
    """The unarmed: who has a card without a melee weapon has no melee range; of an empty card that cannot be said.

    Source: Melee Range, p. 43.
    """
    if table.miniature(attacker).profile == Profile():
        return ask_for(f"profile.melee of {attacker}", because=because[:1], on=(attacker,))
    return RuleResult(margin_mm=-CAPPED_MM, because=because, depends_on_place=(attacker,))


def _answer_no_weapon(table: ExactTable, attacker: str, target: str, weapon: str | None) -> RuleResult:
    between = area_gap(table.area(attacker), table.area(target))
    if weapon is None and table.miniature(attacker).profile != Profile():
        unarmed = answer_unarmed(table, attacker, UNARMED)
        return replace(unarmed, value={"weapons": []}, lengths_mm={"distance": max(0.0, between.mm)})
    return RuleResult(
        status="unknown",
        value={"distance_mm": max(0.0, between.mm)},
        lengths_mm={"distance": max(0.0, between.mm)},
        witness=(draw_ruler(between, attacker, target, role="limit"),),
        because=(_REACH,),
        needs=(name_missing_weapon(attacker, weapon),),
        depends_on_place=(attacker, target),
    )


def name_missing_weapon(attacker: str, weapon: str | None) -> str:
    """What to tell of a card that does not show the melee weapon asked about."""
    return f"profile.melee of {attacker}" if weapon is None else f"weapon {weapon} in profile.melee of {attacker}"


def _answer_out_of_arc(
    table: ExactTable, attacker: str, target: str, depth: float, reaches: dict[str, float]
) -> RuleResult:
    """Out of reach as well, the lesser margin counts: else a far base near the arc line would be too close."""
    between = area_gap(table.area(attacker), table.area(target))
    return RuleResult(
        margin_mm=min(depth, max(reaches.values()) - between.mm),
        value={
            "distance_mm": max(0.0, between.mm),
            "depth_mm": depth,
            "weapons": [_weapon_entry(name, min(depth, reach - between.mm)) for name, reach in reaches.items()],
        },
        lengths_mm={"distance": max(0.0, between.mm)},
        witness=(draw_ruler(between, attacker, target, role="blocked"), *_arc(table, attacker)),
        because=(_REACH, with_effect(table, _BEHIND, told_ahead(table, attacker, target, depth))),
        readings=("melee-shape",),
        doubtful=("melee-shape",) if between.mm <= max(reaches.values()) else (),
        depends_on_place=(attacker, target),
        depends_on_facing=(attacker,),
        form=behind_form(table, attacker, target, max(reaches.values())),
    )


def front_gap(table: ExactTable, attacker: str, target: str) -> Gap:
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
    cut = RoundedShape(tuple((float(p.real), float(p.imag)) for p in dict.fromkeys(flat)))
    return min((between, gap(mine, cut)), key=lambda g: 0 if g is not between else 1)


def between_volumes_mm(table: ExactTable, attacker: str, target: str) -> float:
    """The height between the two volumes when they stand on different levels. Source: p. 78."""
    if level(table, attacker) == level(table, target):
        return 0.0
    return rise_mm(_volume(table, attacker), _volume(table, target))


def _volume(table: ExactTable, id_: str) -> Volume:
    low = elevation_mm(table, id_)
    return Volume(table.area(id_), low, low + volume_mm(table.miniature(id_)))


def _reaches_of(attacker: Miniature, query: MeleeRange) -> dict[str, float]:
    if query.reach_in is not None:
        return {"reach": inches(query.reach_in)}
    return weapon_reaches(attacker, query.weapon)


def weapon_reaches(attacker: Miniature, weapon: str | None = None) -> dict[str, float]:
    """The reach of each melee weapon, or of the one named. Source: Melee Range, p. 43; Gunfighter, p. 52."""
    reaches = {w.name: inches(w.reach_in) for w in attacker.profile.melee if weapon in (None, w.name)}
    if not reaches and weapon is None and attacker.has("gunfighter"):
        return {"gunfighter": inches(0.5)}
    return reaches


def engaged(table: ExactTable, query: Engaged) -> RuleResult:
    """Engaged: whether the attacker has the target, an enemy, in reach and sight, neither helpless.

    Source: Engaged & Engaging, p. 43.
    """
    result = check_engages_enemy(table, query.attacker, query.target)
    if table.margins_only:  # the way back is merely told
        return result
    back = check_engages_enemy(table, query.target, query.attacker, optional=True)
    return replace(result, value=result.value | {"back": _answer_word(back)})


def _answer_word(result: RuleResult) -> str | None:
    """Yes or no of the exact table; None when it cannot be told."""
    if result.status != "decided" or result.margin_mm is None:
        return None
    return "yes" if result.margin_mm > 0 or (result.margin_mm == 0 and result.zero_is_met) else "no"


def check_engages_enemy(table: ExactTable, attacker: str, target: str, *, optional: bool = False) -> RuleResult:
    """Whether the attacker has the target in reach and sight; `optional` takes an unknown facing for an answer.

    Source: Engaged & Engaging, p. 43.
    """
    if reason := why_not_engaged(table, attacker, target):
        return RuleResult(margin_mm=-CAPPED_MM, because=(ENGAGED, reason), depends_on_place=(attacker, target))
    if optional and table.miniature(attacker).facing_deg is None:
        return RuleResult(status="unknown", needs=(f"facing_deg of {attacker}",))
    reach = _check_engaging_reach(table, attacker, target)
    if reach.status == "unknown" or is_out_of_reach(-reach.decisive_mm, 25.4):  # there, sight decides nothing
        return replace(reach, because=(ENGAGED, *reach.because))
    own = terms_of(table).engagement
    if own is not None:
        return _join_reach_and_sight(reach, own(table, attacker, target))
    return _join_reach_and_sight(reach, line_of_sight(table, Los(viewer=attacker, target=target, purpose="melee")))


def _check_engaging_reach(table: ExactTable, attacker: str, target: str) -> RuleResult:
    """The reach that engages; across levels the book speaks of attacks. Source: Melee Range & Elevation, p. 78."""
    flat = table.reading("engage-elevation") == "attacks"
    reaches = weapon_reaches(table.miniature(attacker))
    result = check_reach(table, attacker, target, reaches, level_ground=flat)
    if result.status == "unknown" or terms_of(table).rise_mm(table, attacker, target) == 0.0:
        return result
    key = ("engage-elevation",)
    return replace(result, readings=(*result.readings, *key), doubtful=(*result.doubtful, *key))


def _join_reach_and_sight(reach: RuleResult, sight: RuleResult) -> RuleResult:
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
        depends_on_place=tuple(dict.fromkeys((*reach.depends_on_place, *sight.depends_on_place))),
        depends_on_facing=reach.depends_on_facing,
    )


def why_not_engaged(table: ExactTable, attacker: str, target: str) -> Reason | None:
    """What keeps these two out of melee with each other, whatever the distance.

    Source: Engaged & Engaging, p. 43; Knockdown and Stationary Models, p. 61; Inert Warjacks, p. 59.
    """
    if attacker == target or not are_enemies(table.state, table.miniature(attacker), table.miniature(target)):
        return _FRIEND
    for id_ in (attacker, target):
        for status, reason in HELPLESS.items():
            if status in table.miniature(id_).status:
                return reason
    barred = terms_of(table).attack_bar(table, attacker)
    return None if barred is None else barred[1]


def _arc(table: ExactTable, attacker: str) -> tuple[Witness, ...]:
    if table.miniature(attacker).front_arc_deg == 360:
        return ()
    return (arc_edge(attacker, table.centre(attacker), table.facing_rad(attacker), 60.0),)


def reach_form(table: ExactTable, attacker: str, target: str, nearest: Gap, reach_mm: float) -> FormProvider | None:
    """Tells the form of what is left of a reach to the nearest point of a target on the same level.

    None where that point is, or may come to be, behind the arc line, where nothing else is told.
    """
    limit = limit_form(table, attacker, target, reach_mm, least_is_touching=True)
    if limit is None:
        return None
    if table.miniature(attacker).front_arc_deg == 360:
        return partial(_level_form, table, attacker, target, math.inf, limit)
    ahead = direction(table.facing_rad(attacker))
    return partial(
        _level_form, table, attacker, target, dot(nearest.at_b, ahead) - dot(table.centre(attacker), ahead), limit
    )


def _level_form(
    table: ExactTable,
    attacker: str,
    target: str,
    ahead_mm: float,
    limit: FormProvider,
    sigma_mm: float,
    sigma_rad: float,
) -> KnownForm | None:
    within = _SIGMAS * _BOTH_WAYS * sigma_mm
    if ahead_mm < within + _SIGMAS * swing_mm(table, attacker, target):
        return None
    if not all(keeps_its_height(table, id_, within) for id_ in (attacker, target)):
        return None
    return limit(sigma_mm, sigma_rad)


def behind_form(table: ExactTable, attacker: str, target: str, reach_mm: float) -> FormProvider | None:
    """Tells the form of the lesser of both margins for a target that is and stays out of the arc."""
    limit, depth = limit_form(table, attacker, target, reach_mm), arc_form(table, attacker, target)
    return None if limit is None or depth is None else partial(_behind_form, table, attacker, target, limit, depth)


def _behind_form(
    table: ExactTable,
    attacker: str,
    target: str,
    limit: FormProvider,
    depth: FormProvider,
    sigma_mm: float,
    sigma_rad: float,
) -> KnownForm | None:
    left, into = limit(sigma_mm, sigma_rad), depth(sigma_mm, sigma_rad)
    within = _SIGMAS * (_BOTH_WAYS * sigma_mm + swing_mm(table, attacker, target))
    if left is None or into is None or into.lengths["depth"].mm > -within:
        return None
    return KnownForm(Minimum((left.margin, into.margin)), left.lengths)
