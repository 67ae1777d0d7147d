"""Attacks: legal targets, combined shots, sprays, structures as targets, aiming, and who is drawn as the nearest."""

from dataclasses import replace
from itertools import pairwise

from pydantic import JsonValue

from models.queries import Aim, CombinedRanged, Cover, Nearest, SprayHits, Stealth, StructureTarget, TargetLegal
from models.terrain import Terrain
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.attacks import shooting, sprays, targets
from referee.editions.warmachine.attacks.attack_rolls import check_range
from referee.editions.warmachine.attacks.shooting import aim_clauses, check_shooter
from referee.editions.warmachine.melee.attack_eligibility import check_formation, check_sight, may_attack
from referee.editions.warmachine.melee.in_melee import melee_state
from referee.editions.warmachine.melee.melee_range import weapon_reaches
from referee.editions.warmachine.miniatures import distances
from referee.editions.warmachine.miniatures.turn_ledger import actions_of, forfeited_parts
from referee.editions.warmachine.mk1_and_mk2.parameters import LEAST_POWER, because
from referee.editions.warmachine.mk1_and_mk2.terrain import ONLY_STRUCTURES, SECTION, is_structure
from referee.editions.warmachine.terrain.features import find_feature
from referee.geometry.containment import covered_mm
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape, disc, polygon_area
from referee.rules.candidates import evaluate_each, is_met
from referee.rules.conditions import Conditions, all_of, all_of_memoized, negate
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import Candidate, RuleResult, Value, ask_for, plain_condition
from referee.rules.switches import is_at_least, is_out_of_reach

_SECTION = because(SECTION, "An attack aims at a section; in range it hits by itself.")
_POWER = because(
    SECTION, f"A plain shot takes a POW of {LEAST_POWER}; melee, magic, AOE, fire and corrosion always count."
)
_JOIN = because("Combined Ranged Attacks", "Who is in formation and could declare the shot may join; all commit first.")
_SPENT = because("Combined Ranged Attacks", "Who turns out to be out of range adds nothing, and its attack is spent.")
_FREE = because("Combined Ranged Attacks", "A target in melee cannot be shot at together.")
_UNIT = because("Combined Ranged Attacks", "They all belong to one unit, and have the advantage of that name.")
_MEASURED = frozenset({"range", "stealth"})  # what is only found out when the attack has been committed
_SPRAYED = because(SECTION, "A spray hits every structure it covers some of.")
_AIM = because("Ranged Attack Roll Modifiers", "Who forfeits its movement gains 2 on its ranged attack rolls.")
_FAR_BEHIND_MM = 10.0  # who is farther behind the nearest is never as near
_TIES = because("Model Destruction and Tokens", "Those who are as near, for all that can be measured, are drawn among.")


def target_legal(table: ExactTable, query: TargetLegal) -> RuleResult:
    """Legal target: whether everything holds that this attack on this target needs; structures are targets too.

    Source: Declaring a Target; Melee Combat; Damaging and Destroying Structures.
    """
    piece = find_feature(table, query.target)
    if piece is None or not is_structure(piece):
        return targets.target_legal(table, query)
    asked = {"attacker": query.attacker, "target": query.target, "attack": query.attack, "weapon": query.weapon}
    return table.evaluate_query(StructureTarget.model_validate(asked))


def structure_target(table: ExactTable, query: StructureTarget) -> RuleResult:
    """Structure as a target: whether the attack may aim at that section, and reaches it; exactly the range does.

    Source: Damaging and Destroying Structures.
    """
    feature = find_feature(table, query.target)
    if feature is None or not is_structure(feature):
        return RuleResult(status="refused", because=(ONLY_STRUCTURES,), advice=f"{query.target} is no structure.")
    section = _aimed_section(table, query, feature)
    if section is None:
        return ask_for("section", because=(_SECTION,), on=(query.attacker, feature.id))
    reach = _reach_mm(table, query)
    if reach is None:
        need = f"profile.{'melee' if query.attack == 'melee' else 'ranged'} of {query.attacker}"
        return ask_for(need, because=(_SECTION,), on=(query.attacker, feature.id))
    between = area_gap(table.area(query.attacker), section)
    apart = max(0.0, between.mm)
    near = RuleResult(margin_mm=reach - apart, because=(_SECTION,), depends_on_place=(query.attacker, feature.id))
    clauses: list[tuple[str, RuleResult]] = [("able", may_attack(table, query.attacker)), ("range", near)]
    if query.attack == "ranged":
        clauses.append(("may-shoot", check_shooter(table, query.attacker)))
    result = all_of(tuple(clauses))
    segment = Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b), of=(query.attacker,))
    return replace(
        result,
        value={**result.value, "auto_hit": is_met(near, "has in range"), "damaging": _damage_answer(table, query)},
        lengths_mm={"distance": apart},
        witness=(segment,),
        because=(_SECTION, _POWER),
        readings=("structure-point",),
        doubtful=("structure-point",) if query.section is not None and apart > 0 else (),
    )


def _aimed_section(table: ExactTable, query: StructureTarget, feature: Terrain) -> Area | None:
    """The part that is aimed at; all of it where that is how the table reads it, or where it has no sections."""
    whole = table.area(feature.id)
    if table.reading("structure-point") == "any-part" or (query.section is None and not feature.sections):
        return whole
    if query.section is None:
        return None
    if isinstance(query.section, tuple):
        return Area((disc(query.section, 0.0),))
    if query.section >= len(feature.sections):
        return None
    line = feature.sections[query.section]
    return Area(tuple(RoundedShape((a, b)) for a, b in pairwise(line)) or (disc(line[0], 0.0),))


def _reach_mm(table: ExactTable, query: StructureTarget) -> float | None:
    profile = table.miniature(query.attacker).profile
    if query.attack == "melee":
        return max(weapon_reaches(table.miniature(query.attacker), query.weapon).values(), default=None)
    if query.attack == "magic":
        spells = [s.rng_in for s in profile.spells if query.weapon in (None, s.name)]
        return max((inches(r) for r in spells if isinstance(r, float | int)), default=None)
    guns = [w.rng_in for w in profile.ranged if query.weapon in (None, w.name) and w.rng_in is not None]
    return max((inches(g if isinstance(g, float | int) else g[1]) for g in guns), default=None)


def _damage_answer(table: ExactTable, query: StructureTarget) -> bool | str:
    """Whether it can hurt; of a plain shot that hangs on a POW that no card here tells."""
    guns = [w for w in table.miniature(query.attacker).profile.ranged if query.weapon in (None, w.name)]
    plain = query.attack == "ranged" and all(w.aoe_in is None for w in guns)
    return f"with POW {LEAST_POWER} or more" if plain else True


def combined_ranged(table: ExactTable, query: CombinedRanged) -> RuleResult:
    """Combined ranged attack: who adds to a combined shot, who has spent its attack, and who may not join.

    Source: Combined Ranged Attacks.
    """

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_shooter(perturbed, query, id_)

    candidates = evaluate_each(table, dict.fromkeys((query.primary, *query.participants)), about)
    parts = {c.id: _part_of(c) for c in candidates}
    adds = [id_ for id_, part in parts.items() if part[0] == "adds"]
    primary = parts.get(query.primary, ("may-not", None))[0]
    sheltered = table.evaluate_query(Cover(attacker=query.primary, target=query.target))
    by_id: Value = {id_: {"part": part, "why": why} for id_, (part, why) in parts.items()}
    return RuleResult(
        status="measured",
        value={
            "by_id": by_id,
            "bonus": len(adds),
            "bonus_to": "attack",
            "auto_miss": primary == "spent",
            "cover_from": [query.primary] if is_met(sheltered, "has cover from") else [],
        },
        because=(with_effect(table, _JOIN, f"Adding to the shot: {format_names(table, adds)}."), _SPENT),
        members=candidates,
    )


def _part_of(candidate: Candidate) -> tuple[str, str | None]:
    """What part it takes, and the first condition that keeps it from adding."""
    result = candidate.result
    if result is not None and is_met(result):
        return "adds", None
    clauses = result.value.get("clauses") if result is not None else None
    checked = clauses if isinstance(clauses, list) else []
    failed = [str(c["clause"]) for c in checked if isinstance(c, dict) and c["answer"] != "yes"]
    if failed and _MEASURED.issuperset(failed):
        return "spent", failed[0]
    return "may-not", next((clause for clause in failed if clause not in _MEASURED), "not known")


def _check_shooter(table: ExactTable, query: CombinedRanged, id_: str) -> RuleResult:
    target, unit = query.target, table.miniature(query.primary).unit
    me = table.miniature(id_)
    joins = me.has("combined-ranged-attack") and me.unit == unit
    conditions: Conditions = (
        ("unit", lambda _: plain_condition(id_, joins, _UNIT)),
        ("formation", lambda at: check_formation(at, id_)),
        ("may-shoot", lambda at: check_shooter(at, id_, target, query.weapon)),
        ("sight", lambda at: check_sight(at, id_, target)),
        ("target-free", lambda at: _check_target(at, target)),
        ("range", lambda at: check_range(at, query, id_)),
        ("stealth", lambda at: negate(at.evaluate_query(Stealth(attacker=id_, target=target)))),
    )
    return all_of_memoized(table, (query, id_), conditions)


def _check_target(table: ExactTable, target: str) -> RuleResult:
    free = negate(melee_state(table, target))
    return RuleResult(
        margin_mm=free.decisive_mm,
        zero_is_met=free.zero_is_met,
        because=(_FREE,),
        depends_on_place=free.depends_on_place,
        depends_on_facing=free.depends_on_facing,
        status=free.status,
        needs=free.needs,
        conditions=free.conditions,
        joined_by=free.joined_by,
        form=free.form,
    )


def spray_hits(table: ExactTable, query: SprayHits) -> RuleResult:
    """Spray: whom the template covers, and which structures.

    Source: Spray Attacks; Damaging and Destroying Structures.
    """
    result = sprays.spray_hits(table, query)
    if query.outline_mm is None or result.status != "decided":
        return result
    laid = polygon_area(sprays.outline_of(result))
    hit: list[JsonValue] = [t.id for t in table.state.terrain if is_structure(t) and _is_covered(table, laid, t)]
    return replace(
        result,
        value={**result.value, "structures": hit},
        because=(*result.because[: 3 if hit else None], *((_SPRAYED,) if hit else ())),
    )


def _is_covered(table: ExactTable, laid: Area, terrain: Terrain) -> bool:
    covered = max(covered_mm(laid, part) for part in table.area(terrain.id).parts)
    return is_at_least(covered, 0.0, "is under the spray", table.movers_of(terrain.id))


def aim(table: ExactTable, query: Aim) -> RuleResult:
    """Aim: whether it aims: it has forfeited its movement, or neither moved nor turned.

    Source: Ranged Attack Roll Modifiers.
    """
    if "movement" not in forfeited_parts(table, query.who) or actions_of(table, query.who):
        return shooting.aim(table, query)
    given_up = RuleResult(margin_mm=CAPPED_MM, because=(_AIM,), depends_on_place=(query.who,))
    result = all_of((("still", given_up), *aim_clauses(table, query.who)))
    value = {**result.value, "shift_mm": 0.0, "turn_deg": 0.0, "bonus": 2 * is_met(result, "aims")}
    return replace(result, value=value, because=(_AIM, *(r for r in result.because if r != _AIM)))


def nearest(table: ExactTable, query: Nearest) -> RuleResult:
    """Nearest: everybody by distance; whom a measuring error could swap is drawn.

    Source: Model Destruction and Tokens.
    """
    result = distances.nearest(table, query)
    by_id = result.value.get("by_id")
    if table.reading("nearest-tie") == "exact" or not isinstance(by_id, dict) or not by_id:
        return result
    gaps = {id_: float(str(entry["distance_mm"])) for id_, entry in by_id.items() if isinstance(entry, dict)}
    first = min(gaps, key=gaps.__getitem__)
    ties = [
        id_
        for id_, mm in gaps.items()
        if is_tied(id_, first, mm - gaps[first], _doubt_mm(table, id_, first), result.depends_on_place)
    ]
    value: Value = {**result.value, "ties": [*ties] if len(ties) > 1 else []}
    advice = "They are equally near: draw one at random." if len(ties) > 1 else None
    doubtful = ("nearest-tie",) if len(ties) > 1 else ()
    return replace(result, value=value, advice=advice, readings=("nearest-tie",), doubtful=doubtful,
                   because=(*result.because, *((_TIES,) if len(ties) > 1 else ())))  # fmt: skip


def is_tied(id_: str, first: str, behind_mm: float, doubt_mm: float, on: tuple[str, ...]) -> bool:
    """Whether it is as near as the nearest, for all that can be measured."""
    if id_ == first or is_out_of_reach(behind_mm, _FAR_BEHIND_MM + doubt_mm):
        return id_ == first
    return is_at_least(doubt_mm, behind_mm, "is as near as", tuple(dict.fromkeys((id_, first, *on))))


def _doubt_mm(table: ExactTable, a: str, b: str) -> float:
    """The combined error of two places."""
    if a not in table.miniatures or b not in table.miniatures or a == b:
        return 0.0
    return float(sum(table.miniature(id_).covariance()[0][0] for id_ in (a, b)) ** 0.5)
