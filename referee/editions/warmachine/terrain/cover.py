"""Cover and concealment, and the bonus for a target of a blow behind an obstacle."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Cover, MeleeTerrainBonus
from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine import parameters
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.miniatures.distances import hinges, ids_that_matter
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import Grant, Shelter, terms_of
from referee.editions.warmachine.terrain.features import (
    OBSTACLES,
    OBSTRUCTIONS,
    check_sheltered,
    crossing_of,
    granted_behind,
    granted_inside,
)
from referee.geometry.containment import depth_of_base, reach_into
from referee.geometry.distance import area_gap, gap
from referee.geometry.shapes import RoundedShape
from referee.rules.candidates import is_met, is_zero_or_more
from referee.rules.conditions import any_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.explanations import format_margin as told_margin
from referee.rules.rule_result import RuleResult, Value

_BEHIND = because(
    "Concealment & Cover", 50, "Some line from volume to volume must pass the feature within 1 in of the target's base."
)
_INSIDE = because("Forests", 79, "Concealment inside takes the whole base inside.")
_RUBBLE = because("Rubble", 79, "Cover inside takes the whole base inside.")
_CLOUD = because("Cloud Effects", 60, "Concealment in a cloud takes the whole base inside.")
_WATER = because("Advantages", 17, "Amphibious models wholly in shallow water have concealment.")
_EFFECT = because("Concealment & Cover", 50, "An effect grants it to those within.")
_HUGE = because("Concealment & Cover", 50, "Huge bases never gain from cover or concealment.")
_SPRAY = because("Spray Attacks", 54, "Sprays take no notice of cover and concealment.")
_EYELESS = because("Advantages", 17, "Eyeless Sight takes no notice of concealment.")
_NOTHING = because("Concealment & Cover", 50, "No feature shelters the target from there.")
_RIVAL_MM = 60.0  # what is this far behind the best cannot become it by a measuring error
_BETWEEN = because(
    "Melee Attack Roll Modifiers", 44, "Any part of the target obscured by an obstacle or obstruction gains it 2 DEF."
)
_OPEN = because("Obstacles", 80, "No obstacle or obstruction stands between them.")
_RIM_STEPS = 48


def cover(table: ExactTable, query: Cover) -> RuleResult:
    """Cover: whether the target has cover or concealment from there; the better counts.

    Source: Concealment & Cover, p. 50.
    """
    if is_huge(table.miniature(query.target)):
        return _answer_none(query.target, _HUGE)
    if query.shape == "spray":
        return _answer_none(query.target, _SPRAY)
    source: str | Point = query.attacker if query.origin is None else query.origin
    shelters = list_shelters(table, source, query.target)
    eyeless = table.miniature(query.attacker).has("eyeless-sight")
    counted = [s for s in shelters if not (eyeless and s.grant == "concealment")]
    if not counted:
        return _answer_none(query.target, _EYELESS if shelters else _NOTHING)
    extra = (_EYELESS,) if len(counted) < len(shelters) else ()
    return _answer_best(table, source, query.target, counted, extra)


_BONUS: dict[Grant, int] = {"none": 0, "concealment": 2, "cover": 4}


def _answer_none(target: str, reason: Reason) -> RuleResult:
    value: Value = {"kind": "none", "bonus": 0, "bonus_to": "defence", "features": []}
    return RuleResult(margin_mm=-CAPPED_MM, value=value, because=(reason,), depends_on_place=(target,))


def _answer_best(
    table: ExactTable, source: str | Point, target: str, shelters: list[Shelter], extra: tuple[Reason, ...]
) -> RuleResult:
    met = [s for s in shelters if is_met(s.result, f"has {s.grant} of {s.id} from")]
    best = max(met or shelters, key=lambda s: (_BONUS[s.grant] if met else 0, s.result.margin_mm or 0.0))
    either = any_of(tuple(s.result for s in shelters))
    grant: Grant = best.grant if met else "none"
    features: list[JsonValue] = [_feature_entry(s) for s in shelters]
    return replace(
        either,
        margin_mm=best.result.margin_mm,
        slack_mm=either.decisive_mm,
        value={"kind": grant, "bonus": _BONUS[grant], "bonus_to": "defence", "features": features},
        witness=_witness(table, source, target, best),
        because=(*best.result.because, *extra),
        depends_on_place=tuple(dict.fromkeys((*ids_that_matter(source, target), *either.depends_on_place))),
        readings=tuple(dict.fromkeys(key for s in shelters for key in s.result.readings)),
        doubtful=tuple(dict.fromkeys(key for s in shelters for key in s.result.doubtful)),
    )


def _feature_entry(shelter: Shelter) -> JsonValue:
    run = shelter.crossing.run if shelter.crossing is not None else None
    obscures = run is not None if shelter.crossing is not None else is_zero_or_more(shelter.result)
    obscures = obscures if shelter.obscures is None else shelter.obscures
    return {
        "id": shelter.id,
        "grants": shelter.grant,
        "obscures": obscures,
        "near_mm": None if run is None else run.mm,
        "margin_mm": shelter.result.margin_mm,
    }


def _witness(table: ExactTable, source: str | Point, target: str, best: Shelter) -> tuple[Witness, ...]:
    run = best.crossing.run if best.crossing is not None else None
    if run is not None:
        line = (table.area(source).parts[0].centre, run.at_area, run.at_base)
        return (
            Witness(type="segment", role="limit", points_mm=(run.at_area, run.at_base), of=(best.id, target)),
            Witness(type="polyline", role="path", points_mm=line, of=ids_that_matter(source, target)),
        )
    base = table.base(target)
    of = (target, best.id)
    return (Witness(type="circle", role="hit", centre_mm=base.centre, radius_mm=base.reach_mm, of=of),)


def list_shelters(table: ExactTable, source: str | Point, target: str) -> list[Shelter]:
    """Everything that might grant the target cover or concealment. Source: Concealment & Cover, p. 50; p. 79-81."""
    shelters = [s for ones in _shelters_by_feature(table, source, target).values() for s in ones]
    if any(t.kind == "trench" for t in table.state.terrain):
        shelters.append(Shelter("trench", "cover", check_sheltered(table, target, source)))
    return shelters


def _shelters_by_feature(table: ExactTable, source: str | Point, target: str) -> dict[str, list[Shelter]]:
    """What each piece of terrain and each effect may grant; of perturbed tables as at rest, where too far from it.

    So a result has the same conditions wherever things are perturbed to.
    """
    far = _distant_shelters(table.unperturbed, source, target) if table.margins_only else {}
    terms = terms_of(table)
    return {
        **{t.id: far.get(t.id) or terms.terrain_shelter(table, source, target, t) for t in table.state.terrain},
        **{e.id: far.get(e.id) or terms.effect_shelter(table, target, e) for e in table.state.effects},
    }


def _distant_shelters(table: ExactTable, source: str | Point, target: str) -> dict[str, list[Shelter]]:
    """What comes so little near to sheltering that no nudge makes it shelter."""

    def find() -> dict[str, list[Shelter]]:
        every = _shelters_by_feature(table, source, target)
        best = max((s.result.decisive_mm for ones in every.values() for s in ones), default=0.0)
        far = best - _RIVAL_MM
        return {id_: ones for id_, ones in every.items() if all(s.result.decisive_mm <= far for s in ones)}

    return table.memoize_for(f"shelters from {source}", target, find)


def terrain_shelter(table: ExactTable, source: str | Point, target: str, terrain: Terrain) -> list[Shelter]:
    """What a piece of terrain may grant. Source: Concealment & Cover, p. 50; Standard Terrain Features, p. 79-81."""
    behind, inside = granted_behind(terrain), granted_inside(terrain)
    if behind != "none":
        return [_shelter_behind(table, source, target, terrain, behind)]
    if terrain.kind == "trench":
        return []
    if terrain.kind in parameters.SHALLOW_WATER and table.miniature(target).has("amphibious"):
        return [Shelter(terrain.id, "concealment", _check_inside(table, target, terrain.id, _WATER))]
    if inside == "none":
        return []
    why = _RUBBLE if inside == "cover" else _INSIDE
    within = Shelter(terrain.id, inside, _check_inside(table, target, terrain.id, why))
    asked = table.reading("cover-from-behind") == "bonus"
    if not asked and (
        table.perturbations or area_gap(table.area(target), table.area(terrain.id)).mm > parameters.COVER_MM
    ):
        return [within]  # too far under either reading; or perturbed: what is in doubt is told of the table at rest
    behind_it = _shelter_behind(table, source, target, terrain, inside)
    key = ("cover-from-behind",)
    both = [_with_doubts(s, key, key if is_zero_or_more(behind_it.result) else ()) for s in (within, behind_it)]
    return both if asked else both[:1]


def _with_doubts(shelter: Shelter, used: tuple[str, ...], in_doubt: tuple[str, ...]) -> Shelter:
    """The same shelter, with further house rules used and in doubt."""
    result = shelter.result
    more = replace(result, readings=(*result.readings, *used), doubtful=(*result.doubtful, *in_doubt))
    return replace(shelter, result=more)


def effect_shelter(table: ExactTable, target: str, effect: Effect) -> list[Shelter]:
    """What an effect may grant. Source: Cloud Effects, p. 60; Concealment & Cover, p. 50."""
    grant = granted_inside(effect)
    if grant == "none":
        return []
    if effect.kind in parameters.CLOUD_EFFECTS:
        return [Shelter(effect.id, grant, _check_in_cloud(table, target, effect.id))]
    depth = reach_into(table.base(target), table.area(effect.id))
    return [
        Shelter(
            effect.id,
            grant,
            RuleResult(margin_mm=depth, because=(_EFFECT,), depends_on_place=hinges(table, target, effect.id)),
        )
    ]


def _check_in_cloud(table: ExactTable, target: str, cloud: str) -> RuleResult:
    """Source: Cloud Effects, p. 60."""
    base, area = table.base(target), table.area(cloud)
    whole, some = depth_of_base(base, (area,)), reach_into(base, area)
    return RuleResult(
        margin_mm=whole if table.reading("cloud-inside") == "completely" else some,
        because=(with_effect(table, _CLOUD, _describe_inside(cloud, whole)),),
        readings=("cloud-inside",),
        doubtful=("cloud-inside",) if (whole >= 0) != (some >= 0) else (),
        depends_on_place=hinges(table, target, cloud),
    )


def _describe_inside(feature: str, depth_mm: float) -> str:
    if depth_mm < 0:
        return f"{format_length(-depth_mm)} of the base are outside {feature}."
    return f"The base is wholly inside {feature}, by {format_length(depth_mm)}."


def _describe_no_line(table: ExactTable, target: str, feature: str, depth_mm: float) -> str:
    if -parameters.FAR_MM < depth_mm < 0:
        return f"{feature} stays {format_length(-depth_mm)} out of the lines to {name_of(table, target)}."
    return f"No line to {name_of(table, target)} passes through {feature} on its way."


def _describe_run(feature: str, run_mm: float) -> str:
    spare = told_margin(parameters.COVER_MM - run_mm)
    return f"Along the shortest such line {feature} is {format_length(run_mm)} from the base, {spare}."


def _check_inside(table: ExactTable, target: str, feature: str, why: Reason) -> RuleResult:
    depth = depth_of_base(table.base(target), (table.area(feature),))
    return RuleResult(
        margin_mm=depth,
        because=(with_effect(table, why, _describe_inside(feature, depth)),),
        depends_on_place=(target, feature),
    )


def _shelter_behind(table: ExactTable, source: str | Point, target: str, terrain: Terrain, grant: Grant) -> Shelter:
    """Within an inch of the target's base, measured along a line through the feature; exactly an inch counts."""
    crossing = crossing_of(table, source, target, terrain)
    touches = ids_that_matter(source, target, terrain.id)
    nearest = max(0.0, area_gap(table.area(target), table.area(terrain.id)).mm)
    if crossing.run is None:
        least = min(crossing.depth_mm, parameters.COVER_MM - nearest)
        reason = with_effect(table, _BEHIND, _describe_no_line(table, target, terrain.id, crossing.depth_mm))
        result = RuleResult(margin_mm=max(-CAPPED_MM, least), because=(reason,), depends_on_place=touches)
        return Shelter(terrain.id, grant, result, crossing)
    run = nearest if table.reading("cover-distance") == "nearest" else crossing.run.mm
    margin = parameters.COVER_MM - run
    differs = (crossing.run.mm <= parameters.COVER_MM) != (nearest <= parameters.COVER_MM)
    result = RuleResult(
        margin_mm=margin,
        slack_mm=min(margin, crossing.depth_mm),
        because=(with_effect(table, _BEHIND, _describe_run(terrain.id, run)),),
        readings=("cover-distance",),
        doubtful=("cover-distance",) if differs else (),
        depends_on_place=touches,
    )
    return Shelter(terrain.id, grant, result, crossing)


def melee_terrain_bonus(table: ExactTable, query: MeleeTerrainBonus) -> RuleResult:
    """Melee terrain bonus: whether an obstacle or obstruction obscures part of the target; one line that grazes it is
    enough.

    Source: Melee Attack Roll Modifiers, p. 44; Obstacles, p. 80; Obstructions, p. 81.
    """
    kinds = OBSTACLES | OBSTRUCTIONS
    depths = [(t, _depth_mm(table, query, t)) for t in table.state.terrain if t.kind in kinds]
    if not depths:
        return RuleResult(
            margin_mm=-CAPPED_MM, value=_value(None), because=(_BETWEEN, _OPEN), depends_on_place=_ids_of(query)
        )
    best, depth = max(depths, key=lambda item: item[1])
    result = RuleResult(margin_mm=max(-CAPPED_MM, depth))
    met = is_zero_or_more(result)
    a, b = table.centre(query.attacker), table.centre(query.target)
    return RuleResult(
        margin_mm=result.margin_mm,
        value=_value(best.id if met else None),
        witness=(Witness(type="segment", role="blocked" if met else "clear", points_mm=(a, b), of=_ids_of(query)),),
        because=(with_effect(table, _BETWEEN, _describe_depth(best.id, depth)),),
        readings=("obscured",),
        doubtful=("obscured",) if depth >= 0 or table.reading("obscured") == "hidden-part" else (),
        depends_on_place=(*_ids_of(query), *(t.id for t, d in depths if d > depth - 30.0)),
    )


def _describe_depth(feature: str, depth_mm: float) -> str:
    if depth_mm <= -CAPPED_MM:
        return f"No line between them passes through {feature}."
    how = f"reaches {format_length(depth_mm)} into" if depth_mm >= 0 else f"stays {format_length(-depth_mm)} out of"
    return f"{feature} {how} the lines between them."


def _value(feature: str | None) -> Value:
    return {"bonus": 0 if feature is None else 2, "bonus_to": "defence", "feature": feature}


def _ids_of(query: MeleeTerrainBonus) -> tuple[str, str]:
    return (query.attacker, query.target)


def _depth_mm(table: ExactTable, query: MeleeTerrainBonus, terrain: Terrain) -> float:
    """How deep lines from one to the other cross it; negative when none does."""
    crossing = crossing_of(table, query.attacker, query.target, terrain)
    if crossing.run is None or table.reading("obscured") != "hidden-part":
        return crossing.depth_mm
    parts = table.area(terrain.id).parts
    return max(_hidden_mm(table.base(query.attacker), table.base(query.target), part) for part in parts)


def _hidden_mm(attacker: RoundedShape, target: RoundedShape, part: RoundedShape) -> float:
    """How deep the feature lies across every line to the best hidden point of the target's rim.

    Between both outermost lines to one point a convex feature that crosses them crosses every other.
    """
    rim = (target.farthest_along(_direction(k)) for k in range(_RIM_STEPS))
    return max(min(-gap(RoundedShape((end, q)), part).mm for end in _outermost(attacker, q)) for q in rim)


def _direction(k: int) -> Point:
    turn = math.tau * k / _RIM_STEPS
    return (math.cos(turn), math.sin(turn))


def _outermost(base: RoundedShape, q: Point) -> tuple[Point, Point]:
    """The two points of a base that lie outermost as seen from q."""
    (x, y), away = base.centre, math.dist(base.centre, q)
    across = (-(y - q[1]) / away, (x - q[0]) / away)
    return base.farthest_along(across), base.farthest_along((-across[0], -across[1]))
