"""Attack roll modifiers: what adds up for one attack, the attacker's bonuses and the target's."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import (
    Aim,
    AttackModifiers,
    BackStrike,
    Cover,
    ElevationBonus,
    InMeleePenalty,
    MeleeTerrainBonus,
    Screening,
    Stealth,
)
from models.verdict import CAPPED_MM, Reason
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import FacingMissing, RuleResult

_MELEE = because("Melee Attack Roll Modifiers", 44, "These change a melee attack roll.")
_RANGED = because("Ranged Attack Roll Modifiers", 49, "These change a ranged attack roll.")
_MAGIC = because("Magic Attack Roll Modifiers", 55, "These change a magic attack roll.")
_FREE = because("Free Strikes", 44, "A free strike gains 2 to the attack roll, and no back strike bonus.")
_HELPLESS = frozenset({"knocked-down", "stationary", "inert"})


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
            with_effect(table, _rule_of_attack(query), _describe_sum(modifiers, total)),
            *(_main_reason(r) for r in telling[:3]),
        ),
        readings=tuple(dict.fromkeys(key for r in tested for key in r.readings)),
        doubtful=tuple(dict.fromkeys(key for _, r in evaluated for key in r.doubtful)),
        depends_on_place=() if nearest is None else nearest.depends_on_place,
        depends_on_facing=() if nearest is None else nearest.depends_on_facing,
        needs=tuple(unknown),
    )


def _main_reason(result: RuleResult) -> Reason:
    """The rule that says what it came to, else the first."""
    return next((reason for reason in result.because if reason.effect), result.because[0])


def _describe_sum(modifiers: list[dict[str, JsonValue]], total: int) -> str:
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


def _modifier_entry(test: Change, result: RuleResult) -> dict[str, JsonValue]:
    why = result.because[0].says if result.because else None
    return {"name": test.name, "bonus": test.bonus, "bonus_to": test.bonus_to, "why": why}


def _automatic_results(table: ExactTable, query: AttackModifiers) -> dict[str, JsonValue]:
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


def _rule_of_attack(query: AttackModifiers) -> Reason:
    return {"melee": _MELEE, "ranged": _RANGED, "magic": _MAGIC}[query.attack]
