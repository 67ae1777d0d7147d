"""Attack rolls: what modifies them, and who adds to one combined blow or shot."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from models.pose import Pose
from models.queries import (
    Aim,
    AttackModifiers,
    BackStrike,
    CombinedMelee,
    CombinedRanged,
    Cover,
    ElevationBonus,
    InMeleePenalty,
    MeleeTerrainBonus,
    Screening,
    Stealth,
)
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.attacks.shooting import check_shooter
from referee.editions.warmachine.attacks.targets import stealth
from referee.editions.warmachine.melee.attack_eligibility import (
    check_blow_line,
    check_formation,
    check_sight,
    may_attack,
)
from referee.editions.warmachine.melee.in_melee import melee_state
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.miniatures.distances import shot_mm
from referee.editions.warmachine.miniatures.turn_ledger import actions_of, check_turn
from referee.editions.warmachine.parameters import CHARGE_ATTACK_MM, because
from referee.editions.warmachine.terms import terms_of
from referee.editions.warmachine.terrain.cover import cover
from referee.rules.candidates import evaluate_each, is_met
from referee.rules.conditions import Conditions, all_of_memoized, negate
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import Candidate, FacingMissing, RuleResult, Value, plain_condition
from referee.rules.switches import is_at_least

_RULES = {
    "melee": because("Melee Attack Roll Modifiers", 44, "These change a melee attack roll."),
    "ranged": because("Ranged Attack Roll Modifiers", 49, "These change a ranged attack roll."),
    "magic": because("Magic Attack Roll Modifiers", 55, "These change a magic attack roll."),
}
_FREE = because("Free Strikes", 44, "A free strike gains 2 to the attack roll, and no back strike bonus.")
_HELPLESS = frozenset({"knocked-down", "stationary", "inert"})
_ADVANTAGE = because("Advantages", 17, "Combined attacks take the advantage of that name.")
_UNIT = because("Combined Ranged Attacks", 65, "They all belong to one unit.")
_COMBINED_MELEE = because(
    "Combined Melee Attacks", 65, "Each trooper who could strike the target himself, in reach and formation, adds 1."
)
_COMBINED_RANGED = because(
    "Combined Ranged Attacks", 65, "Each trooper who could shoot at the target himself, in range and formation, adds 1."
)
_TARGET = because("Combined Ranged Attacks", 65, "The target must not be in melee, unless its base is huge.")


@dataclass(frozen=True)
class Change:
    """One thing that may change the roll: a positive bonus helps whom it goes to."""

    name: str
    bonus: int
    bonus_to: str
    find: Callable[[], RuleResult]


def attack_modifiers(table: ExactTable, query: AttackModifiers) -> RuleResult:
    """Attack modifiers: everything that changes this attack roll, and the total. Source: p. 44, 49, 55."""
    evaluated, unknown = _evaluate_tests(_tests(table, query))
    met = [(test, result) for test, result in evaluated if is_met(result, f"has {test.name} against")]
    modifiers = [_modifier_entry(test, result) for test, result in met]
    total = sum((1 if m["bonus_to"] == "attack" else -1) * int(str(m["bonus"])) for m in modifiers)
    tested = [r for _, r in evaluated if r.margin_mm is not None and abs(r.decisive_mm) < CAPPED_MM]
    nearest = min(tested, key=lambda r: abs(r.decisive_mm), default=None)
    telling = [r for _, r in met] or ([] if nearest is None else [nearest])
    return RuleResult(
        status="measured",
        margin_mm=None if nearest is None else nearest.decisive_mm,
        value={"modifiers": [*modifiers], "total": total, "unknown": [*unknown], **_automatic_results(table, query)},
        because=(
            with_effect(table, _RULES[query.attack], _describe_sum(modifiers, total)),
            *(next((reason for reason in r.because if reason.effect), r.because[0]) for r in telling[:3]),
        ),
        readings=tuple(dict.fromkeys(key for r in tested for key in r.readings)),
        doubtful=tuple(dict.fromkeys(key for _, r in evaluated for key in r.doubtful)),
        depends_on_place=() if nearest is None else nearest.depends_on_place,
        depends_on_facing=() if nearest is None else nearest.depends_on_facing,
        needs=tuple(unknown),
    )


def _describe_sum(modifiers: list[Value], total: int) -> str:
    """The sum as players say it."""
    if not modifiers:
        return "Nothing adds to the attack or to the defence."
    parts = (f"{m['name']} {m['bonus']} to the {m['bonus_to']}" for m in modifiers)
    return f"{', '.join(parts)}: {total:+d} for the attacker."


def _tests(table: ExactTable, query: AttackModifiers) -> list[Change]:
    a, t, origin = query.attacker, query.target, query.origin
    if query.reaction == "free-strike":
        always = RuleResult(margin_mm=CAPPED_MM, because=(_FREE,))
        return [Change("free-strike", 2, "attack", lambda: always), *_terrain_tests(table, a, t)]
    back = Change(
        "back-strike", 2, "attack", lambda: table.evaluate_query(BackStrike(attacker=a, target=t, origin=origin))
    )
    if query.attack == "melee":
        return [back, *_terrain_tests(table, a, t)]
    shot, shape = query.attack, query.shape
    thin = "spray" if shape == "spray" else "single"
    covered = table.evaluate_query(Cover.model_validate({"attacker": a, "target": t, "origin": origin, "shape": thin}))
    kind, bonus = str(covered.value["kind"]), int(str(covered.value["bonus"]))
    source = origin if isinstance(origin, str) and origin in table.miniatures else a
    penalty = InMeleePenalty(attacker=a, target=t, attack=shot, shape=shape, origin=origin)
    tests = [
        back,
        Change(kind if bonus else "cover", bonus, "defence", lambda: covered),
        Change(
            "elevation",
            2,
            "defence",
            lambda: table.evaluate_query(ElevationBonus(attacker=source, target=t, attack=shot)),
        ),
        Change("target-in-melee", *terms_of(table).melee_penalty, lambda: table.evaluate_query(penalty)),
        *_screening_tests(table, query),
    ]
    return [*tests, Change("aim", 2, "attack", lambda: table.evaluate_query(Aim(who=a)))] if shot == "ranged" else tests


def _terrain_tests(table: ExactTable, a: str, t: str) -> list[Change]:
    """What ground between them does to a blow, in a book that asks for it."""
    asked = MeleeTerrainBonus(attacker=a, target=t)
    wall = Change("intervening-terrain", 2, "defence", lambda: table.evaluate_query(asked))
    return [wall] if MeleeTerrainBonus in table.edition.rules else []


def _screening_tests(table: ExactTable, query: AttackModifiers) -> list[Change]:
    """What models between them do to a shot, in a book that asks for it; sprays pay no heed to them."""
    asked = Screening(attacker=query.attacker, target=query.target)
    screened = Change("screened", 2, "defence", lambda: table.evaluate_query(asked))
    return [screened] if Screening in table.edition.rules and query.shape != "spray" else []


def _evaluate_tests(tests: list[Change]) -> tuple[list[tuple[Change, RuleResult]], list[str]]:
    """Each test with its result, and what would have to be told for the others."""
    evaluated, unknown = [], []
    for test in tests:
        try:
            result = test.find()
        except FacingMissing as needed:
            unknown.append(f"facing_deg of {needed.id}")
            continue
        if result.status == "unknown":
            unknown.extend(result.needs)
        else:
            evaluated.append((test, result))
    return evaluated, list(dict.fromkeys(unknown))


def _modifier_entry(test: Change, result: RuleResult) -> Value:
    why = result.because[0].says if result.because else None
    return {"name": test.name, "bonus": test.bonus, "bonus_to": test.bonus_to, "why": why}


def _automatic_results(table: ExactTable, query: AttackModifiers) -> Value:
    """What needs no roll, and a base DEF that replaces the printed one; a miss outweighs a hit. Source: p. 42, 61."""
    status = set(table.miniature(query.target).status)
    helpless = bool(status & _HELPLESS)
    asked = Stealth(attacker=query.attacker, target=query.target, origin=query.origin)
    missed = (
        query.attack != "melee"
        and query.shape != "spray"
        and is_met(table.evaluate_query(asked), "is hidden by Stealth from")
    )
    printed = table.miniature(query.target).profile.defence
    hits, terms = helpless and query.attack == "melee", terms_of(table)
    grounded = terms.base_defence(table, query.target)
    reduced = 5.0 if helpless or "crippled-movement" in status else grounded
    return {
        "hits_automatically": hits,
        "misses_automatically": missed and not (hits and terms.automatic_hit_comes_first),
        "base_defence": printed if reduced is None else reduced,
    }


def describe_participants(table: ExactTable, adds: list[str]) -> str:
    return f"Able to take part: {format_names(table, adds)}."


def count_participants(candidates: tuple[Candidate, ...], adds: list[str]) -> Value:
    """Two or more make it a combined attack, the primary attacker among them."""
    together = len(adds) if len(adds) > 1 and candidates and candidates[0].id in adds else 0
    by_id: Value = {
        c.id: {"part": "adds" if c.id in adds else "may-not", "why": None if c.id in adds else _first_failure(c)}
        for c in candidates
    }
    return {"by_id": by_id, "bonus": together, "bonus_to": "attack"}


def _first_failure(candidate: Candidate) -> str:
    """The first condition that does not hold."""
    if candidate.result is None:
        return "not known"
    clauses = candidate.result.value.get("clauses")
    assert isinstance(clauses, list)
    return next((str(c["clause"]) for c in clauses if isinstance(c, dict) and c["answer"] != "yes"), "not known")


def membership_conditions(table: ExactTable, primary: str, id_: str, ability: str) -> Conditions:
    me, unit = table.miniature(id_), table.miniature(primary).unit
    has, same = me.has(ability), me.unit == unit  # without units told, those who strike together are one
    return (
        ("advantage", lambda _: plain_condition(id_, has, _ADVANTAGE)),
        ("unit", lambda _: plain_condition(id_, same, _UNIT)),
        ("formation", lambda at: check_formation(at, id_)),
    )


def combined_melee(table: ExactTable, query: CombinedMelee) -> RuleResult:
    """Combined melee attack: who counts in a combined blow. Source: Combined Melee Attacks, p. 65."""

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_striker(perturbed, query, id_)

    candidates = evaluate_each(table, dict.fromkeys((query.primary, *query.participants)), about)
    adds = [c.id for c in candidates if c.result is not None and is_met(c.result, "takes part against")]
    charge = bool(adds) and all(_is_charge_attack(table, id_, query.target) for id_ in adds)
    return RuleResult(
        status="measured",
        value={**count_participants(candidates, adds), "charge_attack": charge},
        because=(with_effect(table, _COMBINED_MELEE, describe_participants(table, adds)),),
        members=candidates,
    )


def _check_striker(table: ExactTable, query: CombinedMelee, id_: str) -> RuleResult:
    target = query.target
    reaches = weapon_reaches(table.miniature(id_))
    conditions: Conditions = (
        *membership_conditions(table, query.primary, id_, "combined-melee-attack"),
        ("able", lambda at: may_attack(at, id_)),
        ("turn", lambda at: check_turn(at, id_, "melee-attack")),
        ("reach", lambda at: check_reach(at, id_, target, reaches)),
        ("sight", lambda at: check_blow_line(at, id_, target, reach_mm=max(reaches.values(), default=0.0))),
    )
    return all_of_memoized(table, (query, id_), conditions)


def _is_charge_attack(table: ExactTable, id_: str, target: str) -> bool:
    """Whether its blow is a charge attack: it charged this target and came 3 in. Source: Charge, p. 31."""
    turn = table.miniature(id_).this_turn
    if "charge" not in actions_of(table, id_) or turn.charged != target:
        return False
    if turn.path_mm is not None:
        went = sum(math.dist(a, b) for a, b in zip(turn.path_mm, turn.path_mm[1:], strict=False))
    else:
        went = math.dist(turn.start.at_mm, table.centre(id_)) if isinstance(turn.start, Pose) else 0.0
    return is_at_least(went, CHARGE_ATTACK_MM, "has charged 3 in", (id_,))


def combined_ranged(table: ExactTable, query: CombinedRanged) -> RuleResult:
    """Combined ranged attack: who counts in a combined shot; all else goes by the primary attacker.

    Source: Combined Ranged Attacks, p. 65.
    """

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_shooter(perturbed, query, id_)

    candidates = evaluate_each(table, dict.fromkeys((query.primary, *query.participants)), about)
    adds = [c.id for c in candidates if c.result is not None and is_met(c.result, "takes part against")]
    sheltered = cover(table, Cover(attacker=query.primary, target=query.target))
    return RuleResult(
        status="measured",
        value={
            **count_participants(candidates, adds),
            "auto_miss": _is_sure_miss(table, query),
            "cover_from": [query.primary] if is_met(sheltered, "has cover from") else [],
        },
        because=(with_effect(table, _COMBINED_RANGED, describe_participants(table, adds)),),
        members=candidates,
    )


def _check_shooter(table: ExactTable, query: CombinedRanged, id_: str) -> RuleResult:
    target = query.target
    hidden = Stealth(attacker=id_, target=target)
    conditions: Conditions = (
        *membership_conditions(table, query.primary, id_, "combined-ranged-attack"),
        ("may-shoot", lambda at: check_shooter(at, id_, target, query.weapon)),
        ("range", lambda at: check_range(at, query, id_)),
        ("stealth", lambda at: negate(stealth(at, hidden))),
        ("target-free", lambda at: _check_target(at, target)),
        ("sight", lambda at: check_sight(at, id_, target)),
    )
    return all_of_memoized(table, (query, id_), conditions)


def _check_target(table: ExactTable, target: str) -> RuleResult:
    """Whether the target may be shot at together: not in melee, or huge."""
    if is_huge(table.miniature(target)):
        return plain_condition(target, True, _TARGET)
    return negate(melee_state(table, target))


def check_range(table: ExactTable, query: CombinedRanged, id_: str) -> RuleResult:
    """Whether the target is in range of this one's weapon. Source: Combined Ranged Attacks, p. 65."""
    limit = query.range_in
    if limit is None:
        guns = [g.rng_in for g in table.miniature(id_).profile.ranged if query.weapon in (None, g.name)]
        lengths = [g if isinstance(g, float | int) else g[1] for g in guns if g is not None]
        limit = max(lengths, default=None)
    if limit is None:
        return RuleResult(status="unknown", needs=(f"profile.ranged of {id_}",), depends_on_place=(id_,))
    apart, rise = shot_mm(table, id_, query.target)
    key = ("range-elevation",) if rise else ()
    return RuleResult(
        margin_mm=inches(limit) - apart,
        because=(_COMBINED_RANGED,),
        readings=key,
        doubtful=key,
        depends_on_place=(id_, query.target),
    )


def _is_sure_miss(table: ExactTable, query: CombinedRanged) -> bool:
    """Whether the primary attacker's shot would miss by itself."""
    hidden = is_met(
        stealth(table, Stealth(attacker=query.primary, target=query.target)), "is too far for a Stealth target from"
    )
    reach = check_range(table, query, query.primary)
    return hidden or (reach.status == "decided" and not is_met(reach, "has in range"))
