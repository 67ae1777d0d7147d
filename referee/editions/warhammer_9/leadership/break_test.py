"""Break test: the odds that a unit stands after a lost round of combat."""

from pydantic import JsonValue

from models.queries import MoraleCheck, Steadfast
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9.combat.steadfast import steadfast
from referee.editions.warhammer_9.leadership.inspiring_presence import (
    command_doubts,
    leadership_of,
    led_chance,
    standard_near,
)
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import leading_miniature
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.rule_result import Candidate, RuleResult

_BREAK = because("Taking a Break Test", 48, "Two dice, at most its Leadership less the difference it lost by.")


def break_test(table: ExactTable, query: MoraleCheck) -> RuleResult:
    """Break test: what a unit needs to stand after it lost by so much.

    Steadfast units lose nothing of their own Leadership, unbreakable ones take no test. Source: Taking a Break Test,
    Steadfast, p. 48; Inspiring Presence, Hold Your Ground, p. 85; Unbreakable, p. 67.
    """
    missing = tuple(name for name in ("unit", "lost_by") if getattr(query, name) is None)
    if query.unit is None or query.lost_by is None:
        return RuleResult(status="unknown", needs=missing, because=(_BREAK,))
    held = steadfast(table, Steadfast(unit=query.unit))
    firm = (held.margin_mm or 0.0) > 0
    led = leadership_of(table, query.unit, penalty=query.lost_by, steadfast=firm)
    if led is None:
        return RuleResult(status="unknown", needs=(f"profile.ld of {query.unit}",), because=(_BREAK,))
    tests = not leading_miniature(table, query.unit).has("unbreakable")
    standard = standard_near(table, query.unit)
    chance: JsonValue = led_chance(led, again=standard is not None) if tests else None
    value: dict[str, JsonValue] = {
        "when": "after the combat",
        "units": [query.unit] * tests,
        "threshold": None,
        "steadfast": firm,
        "ld": led.ld,
        "general": led.general,
        "battle_standard": standard,
        "chances": {query.unit: chance} if tests else {},
    }
    says = f"{name_of(table, query.unit)} stands on {led.ld:g} or less." if tests else "It does not break."
    return RuleResult(
        status="measured",
        value=value,
        members=(_candidate(query.unit, tests=tests),),
        because=(with_effect(table, _BREAK, says), *held.because),
        readings=(*held.readings, "unit-in-range", "garrison-edge"),
        outcome_house_rules=(*held.outcome_house_rules, *command_doubts(table, query.unit)),
    )


def _candidate(id_: str, *, tests: bool) -> Candidate:
    result = RuleResult(margin_mm=CAPPED_MM if tests else -CAPPED_MM)
    return Candidate(id_, result, lambda _: result)
