"""Cover and concealment: behind a feature within an inch along the line, or completely inside one."""

from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Cover
from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM, Reason, Witness
from models.words import Point
from referee.areas import depth_of_base, reach_into
from referee.candidates import is_met
from referee.clauses import any_of
from referee.editions.warmachine_prime import parameters
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.features import Crossing, Grant, crossing, granted_behind, granted_inside
from referee.editions.warmachine_prime.ground import is_huge
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.terms import terms_of
from referee.editions.warmachine_prime.trenches import sheltered
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of
from referee.telling import margin as told_margin

_BEHIND = because(
    "Concealment & Cover",
    50,
    "Some line from volume to volume must pass the feature within 1 in of the target's base.",
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
_BONUS: dict[Grant, int] = {"none": 0, "concealment": 2, "cover": 4}


@dataclass(frozen=True)
class Shelter:
    """One thing that may grant cover or concealment, and whether it does."""

    id: str
    grant: Grant
    ruling: Ruling
    crossing: Crossing | None = None
    obscures: bool | None = None
    """Whether it obscures the target, where that does not go by the crossing."""


def cover(table: Situation, query: Cover) -> Ruling:
    """Whether the target has cover or concealment from there; the better counts. Source: Concealment & Cover, p. 50."""
    if is_huge(table.miniature(query.target)):
        return _none(query.target, _HUGE)
    if query.shape == "spray":
        return _none(query.target, _SPRAY)
    source: str | Point = query.attacker if query.origin is None else query.origin
    found = shelters(table, source, query.target)
    eyeless = table.miniature(query.attacker).has("eyeless-sight")
    counted = [s for s in found if not (eyeless and s.grant == "concealment")]
    if not counted:
        return _none(query.target, _EYELESS if found else _NOTHING)
    extra = (_EYELESS,) if len(counted) < len(found) else ()
    return _best(table, source, query.target, counted, extra)


def _none(target: str, reason: Reason) -> Ruling:
    value: dict[str, JsonValue] = {"kind": "none", "bonus": 0, "bonus_to": "defence", "features": []}
    return Ruling(margin_mm=-CAPPED_MM, value=value, because=(reason,), touches=(target,))


def _best(
    table: Situation, source: str | Point, target: str, found: list[Shelter], extra: tuple[Reason, ...]
) -> Ruling:
    met = [s for s in found if is_met(s.ruling)]
    best = max(met or found, key=lambda s: (_BONUS[s.grant] if met else 0, s.ruling.margin_mm or 0.0))
    either = any_of(tuple(s.ruling for s in found))
    grant: Grant = best.grant if met else "none"
    features: list[JsonValue] = [_told(s) for s in found]
    return replace(
        either,
        margin_mm=best.ruling.margin_mm,
        slack_mm=either.decisive_mm,
        value={"kind": grant, "bonus": _BONUS[grant], "bonus_to": "defence", "features": features},
        witness=_witness(table, source, target, best),
        because=(*best.ruling.because, *extra),
        touches=tuple(dict.fromkeys((*touched(source, target), *either.touches))),
        readings=tuple(dict.fromkeys(key for s in found for key in s.ruling.readings)),
        doubtful=tuple(dict.fromkeys(key for s in found for key in s.ruling.doubtful)),
    )


def _told(shelter: Shelter) -> JsonValue:
    run = shelter.crossing.run if shelter.crossing is not None else None
    obscures = run is not None if shelter.crossing is not None else is_met(shelter.ruling)
    obscures = obscures if shelter.obscures is None else shelter.obscures
    return {
        "id": shelter.id,
        "grants": shelter.grant,
        "obscures": obscures,
        "near_mm": None if run is None else run.mm,
        "margin_mm": shelter.ruling.margin_mm,
    }


def _witness(table: Situation, source: str | Point, target: str, best: Shelter) -> tuple[Witness, ...]:
    run = best.crossing.run if best.crossing is not None else None
    if run is not None:
        line = (table.area(source).parts[0].centre, run.at_area, run.at_base)
        return (
            Witness(type="segment", role="limit", points_mm=(run.at_area, run.at_base), of=(best.id, target)),
            Witness(type="polyline", role="path", points_mm=line, of=touched(source, target)),
        )
    base = table.base(target)
    of = (target, best.id)
    return (Witness(type="circle", role="hit", centre_mm=base.centre, radius_mm=base.reach_mm, of=of),)


def shelters(table: Situation, source: str | Point, target: str) -> list[Shelter]:
    """Everything that might grant the target cover or concealment. Source: Concealment & Cover, p. 50; p. 79-81."""
    found = [s for ones in _by_feature(table, source, target).values() for s in ones]
    if any(t.kind == "trench" for t in table.state.terrain):
        found.append(Shelter("trench", "cover", sheltered(table, target, source)))
    return found


def _by_feature(table: Situation, source: str | Point, target: str) -> dict[str, list[Shelter]]:
    """What each piece of terrain and each effect may grant; of nudged tables as at rest, where it is too far from it.

    So a ruling has the same conditions wherever things are nudged to.
    """
    far = _too_far(table.still, source, target) if table.lean else {}
    terms = terms_of(table)
    return {
        **{t.id: far.get(t.id) or terms.of_terrain(table, source, target, t) for t in table.state.terrain},
        **{e.id: far.get(e.id) or terms.of_effect(table, target, e) for e in table.state.effects},
    }


def _too_far(table: Situation, source: str | Point, target: str) -> dict[str, list[Shelter]]:
    """What comes so little near to sheltering that no nudge makes it shelter."""

    def find() -> dict[str, list[Shelter]]:
        every = _by_feature(table, source, target)
        best = max((s.ruling.decisive_mm for ones in every.values() for s in ones), default=0.0)
        return {id_: ones for id_, ones in every.items() if all(_is_far(s, best) for s in ones)}

    return table.remembered(f"shelters from {source}", target, find)


def _is_far(shelter: Shelter, best_mm: float) -> bool:
    return shelter.ruling.decisive_mm <= best_mm - _RIVAL_MM


def of_terrain(table: Situation, source: str | Point, target: str, terrain: Terrain) -> list[Shelter]:
    """What a piece of terrain may grant. Source: Concealment & Cover, p. 50; Standard Terrain Features, p. 79-81."""
    behind, inside = granted_behind(terrain), granted_inside(terrain)
    if behind != "none":
        return [_behind(table, source, target, terrain, behind)]
    if terrain.kind == "trench":
        return []
    if terrain.kind in parameters.SHALLOW_WATER and table.miniature(target).has("amphibious"):
        return [Shelter(terrain.id, "concealment", _inside(table, target, terrain.id, _WATER))]
    if inside == "none":
        return []
    why = _RUBBLE if inside == "cover" else _INSIDE
    within = Shelter(terrain.id, inside, _inside(table, target, terrain.id, why))
    asked = table.reading("cover-from-behind") == "bonus"
    if not asked and (table.nudges or area_gap(table.area(target), table.area(terrain.id)).mm > parameters.COVER_MM):
        return [within]  # too far under either reading; or nudged: what is in doubt is told of the table at rest
    behind_it = _behind(table, source, target, terrain, inside)
    key = ("cover-from-behind",)
    both = [_read_by(s, key, key if is_met(behind_it.ruling) else ()) for s in (within, behind_it)]
    return both if asked else both[:1]


def _read_by(shelter: Shelter, used: tuple[str, ...], in_doubt: tuple[str, ...]) -> Shelter:
    """The same shelter, with further house rules used and in doubt."""
    ruling = shelter.ruling
    more = replace(ruling, readings=(*ruling.readings, *used), doubtful=(*ruling.doubtful, *in_doubt))
    return replace(shelter, ruling=more)


def of_effect(table: Situation, target: str, effect: Effect) -> list[Shelter]:
    """What an effect may grant. Source: Cloud Effects, p. 60; Concealment & Cover, p. 50."""
    grant = granted_inside(effect)
    if grant == "none":
        return []
    if effect.kind in parameters.CLOUD_EFFECTS:
        return [Shelter(effect.id, grant, _in_cloud(table, target, effect.id))]
    depth = reach_into(table.base(target), table.area(effect.id))
    return [Shelter(effect.id, grant, Ruling(margin_mm=depth, because=(_EFFECT,), touches=(target, effect.id)))]


def _in_cloud(table: Situation, target: str, cloud: str) -> Ruling:
    """Source: Cloud Effects, p. 60."""
    base, area = table.base(target), table.area(cloud)
    whole, some = depth_of_base(base, (area,)), reach_into(base, area)
    return Ruling(
        margin_mm=whole if table.reading("cloud-inside") == "completely" else some,
        because=(applied(table, _CLOUD, _inside_told(cloud, whole)),),
        readings=("cloud-inside",),
        doubtful=("cloud-inside",) if (whole >= 0) != (some >= 0) else (),
        touches=(target, cloud),
    )


def _inside_told(feature: str, depth_mm: float) -> str:
    if depth_mm < 0:
        return f"{length(-depth_mm)} of the base are outside {feature}."
    return f"The base is wholly inside {feature}, by {length(depth_mm)}."


def _no_line(table: Situation, target: str, feature: str, depth_mm: float) -> str:
    if -parameters.FAR_MM < depth_mm < 0:
        return f"{feature} stays {length(-depth_mm)} out of the lines to {name_of(table, target)}."
    return f"No line to {name_of(table, target)} passes through {feature} on its way."


def _run_told(feature: str, run_mm: float) -> str:
    spare = told_margin(parameters.COVER_MM - run_mm)
    return f"Along the shortest such line {feature} is {length(run_mm)} from the base, {spare}."


def _inside(table: Situation, target: str, feature: str, why: Reason) -> Ruling:
    depth = depth_of_base(table.base(target), (table.area(feature),))
    return Ruling(
        margin_mm=depth, because=(applied(table, why, _inside_told(feature, depth)),), touches=(target, feature)
    )


def _behind(table: Situation, source: str | Point, target: str, terrain: Terrain, grant: Grant) -> Shelter:
    """Within an inch of the target's base, measured along a line through the feature; exactly an inch counts."""
    found = crossing(table, source, target, terrain)
    touches = touched(source, target, terrain.id)
    nearest = max(0.0, area_gap(table.area(target), table.area(terrain.id)).mm)
    if found.run is None:
        least = min(found.depth_mm, parameters.COVER_MM - nearest)
        told = applied(table, _BEHIND, _no_line(table, target, terrain.id, found.depth_mm))
        ruling = Ruling(margin_mm=max(-CAPPED_MM, least), because=(told,), touches=touches)
        return Shelter(terrain.id, grant, ruling, found)
    run = nearest if table.reading("cover-distance") == "nearest" else found.run.mm
    margin = parameters.COVER_MM - run
    differs = (found.run.mm <= parameters.COVER_MM) != (nearest <= parameters.COVER_MM)
    ruling = Ruling(
        margin_mm=margin,
        slack_mm=min(margin, found.depth_mm),
        because=(applied(table, _BEHIND, _run_told(terrain.id, run)),),
        readings=("cover-distance",),
        doubtful=("cover-distance",) if differs else (),
        touches=touches,
    )
    return Shelter(terrain.id, grant, ruling, found)
