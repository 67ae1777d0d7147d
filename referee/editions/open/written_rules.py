"""Written rules: what a rule in the language of a written book says of a table, with margin, witness and members."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from pydantic import JsonValue

from models.book_language.declarations import ParameterType
from models.book_language.program import CheckedRule, Program, identifier
from models.queries import BaseQuery, Cover, Engaged, Formation, WrittenRule
from models.state import TableState
from models.verdict import CAPPED_MM, Reason
from referee.editions.open.expression_values import (
    CannotTell,
    Count,
    Dice,
    Event,
    Extreme,
    Place,
    Quantity,
    TooManyTotals,
    Value,
    WordDice,
    settle,
)
from referee.editions.open.expressions import MOST_STEPS, Evaluation, Names, TooManySteps
from referee.editions.open.measures import place_of
from referee.editions.open.settings import because
from referee.rules.candidates import evaluate_each, in_play, is_zero_or_more
from referee.rules.edition import Rule
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import NobodyLeft, RuleResult

_EQUAL_MM = 1e-6


def written_rule(table: ExactTable, query: WrittenRule) -> RuleResult:
    """Written rule: what the expression that the book names comes to on this table."""
    program = _program_of(table.state)
    rule = None if program is None else program.rules.get(identifier(query.rule))
    if program is None or rule is None:
        known = ", ".join(program.rules) if program is not None else ""
        advice = f"The rulebook names no rule {query.rule!r}, only {known or 'none'}."
        return RuleResult(status="refused", because=(because(query.rule, "A rule of the book."),), advice=advice)
    asked = (query.a, query.b, query.c)
    if (fault := _misfit(table, rule, asked)) is not None:
        return RuleResult(status="refused", because=(_reason(query.rule, rule),), advice=fault)
    places = {name: place_of(table, at) for name, at in zip(rule.parameters, asked, strict=False) if at is not None}
    return evaluate_rule(table, program, rule, places, section=query.rule)


def _program_of(state: TableState) -> Program | None:
    book = state.written_book
    return None if book is None else book.rules.program


def _reason(section: str, rule: CheckedRule) -> Reason:
    return because(section, f"By the rulebook: {' '.join(rule.text.split())}.")


def _misfit(table: ExactTable, rule: CheckedRule, asked: tuple[object, ...]) -> str | None:
    """What is wrong with what a rule is asked about; None where it fits."""
    kinds: Mapping[str, ParameterType] = rule.parameters
    for field, at in zip("abc", asked, strict=True):
        number = "abc".index(field)
        if (at is not None) != (number < len(kinds)):
            return f"The rule {rule.name!r} is about {len(kinds)}: {', '.join(kinds) or 'nothing'}."
        wanted = list(kinds.values())[number] if number < len(kinds) else "place"
        known = table.miniatures if wanted == "miniature" else table.state.by_id
        if wanted != "place" and at not in known:
            return f"The rule {rule.name!r} takes a {wanted} as its {list(kinds)[number]}, and {at!r} is none."
    return None


def evaluate_rule(
    table: ExactTable, program: Program, rule: CheckedRule, places: Mapping[str, Place], *, section: str
) -> RuleResult:
    """The result of a rule about these places; what it cannot tell, or takes too long over, is said."""
    reason = _reason(section, rule)
    try:
        result = _result_of(Evaluation(table, program, rule.text).evaluate(rule.tree, {**places}))
        if rule.tree.kind == "each" and rule.tree.text in ("count", "least", "greatest"):
            result = _with_members(table, program, rule, places, result)
    except CannotTell as unknown:
        return replace(unknown.result, because=(reason, *unknown.result.because))
    except (TooManySteps, TooManyTotals):
        advice = f"The rule {section!r} goes over more than {MOST_STEPS} steps on this table."
        return RuleResult(status="refused", because=(reason,), advice=advice)
    return replace(result, because=tuple(dict.fromkeys((reason, *result.because))))


def _result_of(value: Value) -> RuleResult:
    """The result that a value makes, before its members are told."""
    if isinstance(value, RuleResult):
        return value
    if isinstance(value, Event):
        return _event_result(value)
    if isinstance(value, Quantity | Extreme | Count):
        return _quantity_result(settle(value))
    if isinstance(value, Dice):
        totals: dict[str, JsonValue] = {f"{float(t) + value.offset.value:g}": str(p) for t, p in value.odds.items()}
        return RuleResult(status="measured", value={"totals": totals}, depends_on_place=value.offset.on)
    if isinstance(value, WordDice):
        return RuleResult(status="measured", value={"totals": {word: str(p) for word, p in value.odds.items()}})
    if isinstance(value, str):
        return RuleResult(status="measured", value={"result": value})
    if isinstance(value, Place):
        at: JsonValue = value.at if isinstance(value.at, str) else list(value.at)
        return RuleResult(status="measured", value={"thing": at}, depends_on_place=value.on)
    return RuleResult(status="measured", value={"members": [place.id for place in value]})


def _event_result(event: Event) -> RuleResult:
    """The chance of a roll, with the margin of the best one; a no where none is enough."""
    if event.best.status != "decided" or not is_zero_or_more(event.best):
        return replace(event.best, value={**event.best.value, "chance": _chance(event)})
    return replace(event.best, status="measured", value={**event.best.value, "chance": _chance(event)})


def _chance(event: Event) -> dict[str, JsonValue]:
    needs: dict[str, JsonValue] = {} if event.needs is None else {"needs": event.needs}
    return needs | {"exact": str(event.chance), "p": float(event.chance)}


def _quantity_result(quantity: Quantity) -> RuleResult:
    names, value = {"length": "length_mm", "angle": "angle_deg"}, quantity.value
    return RuleResult(
        status="measured",
        value={names.get(quantity.unit, "number"): int(value) if value == round(value) else value},
        lengths_mm={"measured": quantity.value} if quantity.unit == "length" else {},
        witness=quantity.witness,
        depends_on_place=quantity.on,
        depends_on_facing=quantity.turning,
    )


def _with_members(
    table: ExactTable, program: Program, rule: CheckedRule, places: Mapping[str, Place], result: RuleResult
) -> RuleResult:
    """The result of a rule that counts or picks, with each of those that it goes over."""
    tree = rule.tree
    if tree.text == "count":
        ids = [
            place.id for place, _, _ in Evaluation(table, program, rule.text).members(replace(tree, where=None), places)
        ]

        def counts(perturbed: ExactTable, id_: str) -> RuleResult:
            run = Evaluation(perturbed, program, rule.text, only=id_, outermost=tree)
            value = run.evaluate(tree, {**places})
            assert isinstance(value, Count), "it counts"
            return value.results.get(id_, RuleResult(margin_mm=-CAPPED_MM))

        return replace(result, members=evaluate_each(table, [id_ for id_ in ids if id_ is not None], counts))
    return _with_order(table, program, rule, places, result)


def _values(table: ExactTable, program: Program, rule: CheckedRule, names: Names) -> dict[str, tuple[Place, Quantity]]:
    """Of each member of a group its value, in millimetres where it has a scale, the smallest first wanted."""
    run = Evaluation(table, program, rule.text)
    assert rule.tree.body is not None, "the type check lets nothing else through"
    values = {}
    for place, inner, meant in run.members(rule.tree, names):
        if is_zero_or_more(meant):
            values[str(place.at)] = (place, settle(run.number(rule.tree.body, inner)))
    return values


def _with_order(
    table: ExactTable, program: Program, rule: CheckedRule, places: Mapping[str, Place], result: RuleResult
) -> RuleResult:
    """Everybody by value, the chosen first: a member's margin is by how much it is ahead of the next best."""
    sign = 1.0 if rule.tree.text == "least" else -1.0
    values = _values(table, program, rule, places)
    order = sorted(values, key=lambda id_: sign * values[id_][1].value)
    best = values[order[0]][1]

    def ahead(perturbed: ExactTable, id_: str) -> RuleResult:
        now = _values(perturbed, program, rule, places)
        others = [other for other in now if other != id_]
        if id_ not in now or not others:
            return RuleResult(margin_mm=CAPPED_MM, depends_on_place=values[id_][0].on)
        scale = 1.0 if best.unit == "length" else best.scale_mm or CAPPED_MM
        rival = min(others, key=lambda other: sign * now[other][1].value)
        margin = sign * scale * (now[rival][1].value - now[id_][1].value)
        on = dict.fromkeys((*now[id_][1].on, *now[rival][1].on))
        return RuleResult(margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin)), depends_on_place=tuple(on))

    ties = [id_ for id_ in order if abs(values[id_][1].value - best.value) < _EQUAL_MM]
    by_id: dict[str, JsonValue] = {id_: {"value": values[id_][1].value} for id_ in order}
    return replace(
        result,
        value={"thing": order[0], "ties": ties if len(ties) > 1 else [], "by_id": by_id},  # type: ignore[dict-item]
        lengths_mm={},
        witness=best.witness,
        depends_on_place=best.on,
        members=evaluate_each(table, order, ahead),
        advice="They are equal: by this rule alone nobody is ahead." if len(ties) > 1 else None,
    )


_REPLACED: Mapping[str, tuple[type[BaseQuery], tuple[str, ...]]] = {
    "engaged": (Engaged, ("attacker", "target")),
    "cover": (Cover, ("attacker", "target")),
}


def replaced_rules(program: Program) -> dict[type[BaseQuery], Rule]:
    """The built-in questions that a book answers by a rule of its own of that name."""
    rules: dict[type[BaseQuery], Rule] = {}
    for name, (query, fields) in _REPLACED.items():
        if (rule := program.rules.get(name)) is not None:
            rules[query] = partial(_answer_by, program, rule, fields)
    if (rule := program.rules.get("coherent")) is not None:
        rules[Formation] = partial(_coherency_by, program, rule)
    return rules


def _answer_by(
    program: Program, rule: CheckedRule, fields: tuple[str, ...], table: ExactTable, query: BaseQuery
) -> RuleResult:
    places = [place_of(table, getattr(query, field)) for field in fields]
    return evaluate_rule(table, program, rule, dict(zip(rule.parameters, places, strict=False)), section=rule.name)


def _coherency_by(program: Program, rule: CheckedRule, table: ExactTable, query: Formation) -> RuleResult:
    """Coherency: who of a unit keeps to the book's own rule. Raises: NobodyLeft."""

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        places = dict(zip(rule.parameters, (place_of(perturbed, id_),), strict=False))
        return evaluate_rule(perturbed, program, rule, places, section=rule.name)

    ids = tuple(id_ for id_ in in_play(table) if table.miniature(id_).unit == query.unit)
    if not ids:
        raise NobodyLeft(query.unit)
    if query.who is not None:
        return about(table, query.who)
    out: list[JsonValue] = [id_ for id_ in ids if not is_zero_or_more(about(table, id_))]
    reason = _reason(rule.name, rule)
    return RuleResult(
        status="measured", value={"out": out}, because=(reason,), members=evaluate_each(table, ids, about)
    )
