"""Morale check: who has to pass a command check for terror or losses."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Los, MoraleCheck
from models.verdict import CAPPED_MM
from referee.editions.warmachine.melee.melee_range import HELPLESS, check_reach, weapon_reaches
from referee.editions.warmachine.mk1_and_mk2.parameters import TERROR_MM, because
from referee.geometry.distance import gap
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.conditions import all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.sides import are_enemies

_ABOMINATION = because("Terrifying Entity", "Everybody within 3 in of an abomination, friend or foe, is tested.")
_TERROR = because("Terrifying Entity", "Enemies in its melee range, or with it in theirs, are tested.")
_EXEMPT = because("Fearless Models", "Who never flees is not tested: the fearless, warbeasts, those who flee already.")
_LOSSES = because("Massive Casualties", "A unit that has lost half of those it had this turn is tested, once.")
_WHEN = because("Terrifying Entity", "Tested when the normal movement ends that brought them near, a unit all at once.")


def morale_check(table: ExactTable, query: MoraleCheck) -> RuleResult:
    """Morale check: who has to pass a command check now. Source: Terrifying Entity; Massive Casualties."""
    if query.cause in ("terror", "abomination"):
        return _test_by_entity(table, query)
    if query.cause == "casualties":
        return _test_by_losses(table, query)
    return RuleResult(status="refused", because=(_LOSSES,), advice=f"The book has no check for {query.cause}.")


def _test_by_entity(table: ExactTable, query: MoraleCheck) -> RuleResult:
    if query.source is None:
        return RuleResult(status="unknown", needs=("source",), because=(_TERROR,))
    source, cause = query.source, query.cause
    others = tuple(id_ for id_ in in_play(table, source) if _is_testable(table, cause, source, id_))
    ids = tuple(sorted(others, key=lambda id_: gap(table.base(source), table.base(id_)).mm))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_near(perturbed, source, id_) if cause == "abomination" else _check_terror(perturbed, source, id_)

    found = evaluate_each(table, ids, about)
    tested = [c.id for c in found if c.result is not None and is_met(c.result)]
    units = dict.fromkeys(table.miniature(id_).unit or id_ for id_ in tested)
    return RuleResult(
        status="measured",
        value={"when": "end-of-normal-movement", "units": [*units], "threshold": None},
        because=(_ABOMINATION if cause == "abomination" else _TERROR, _WHEN, _EXEMPT),
        readings=() if cause == "abomination" else ("terror-sight",),
        members=found,
    )


def _is_testable(table: ExactTable, cause: str, source: str, id_: str) -> bool:
    """Source: Terrifying Entity; Fearless Models; Warbeast Special Rules; Fleeing."""
    me = table.miniature(id_)
    foe = are_enemies(table.state, table.miniature(source), me)
    same = me.unit is not None and me.unit == table.miniature(source).unit
    return (foe or (cause == "abomination" and not same)) and not _is_exempt(me)


def _is_exempt(miniature: Miniature) -> bool:
    """Source: Fearless Models; Warbeast Special Rules; Warbeast Constructs; Fleeing."""
    fearless = miniature.has("fearless") or miniature.has("construct") or miniature.type in ("warbeast", "warjack")
    return fearless or "fleeing" in miniature.status


def _check_near(table: ExactTable, source: str, id_: str) -> RuleResult:
    apart = max(0.0, gap(table.base(source), table.base(id_)).mm)
    form = limit_form(table, source, id_, TERROR_MM)
    return RuleResult(margin_mm=TERROR_MM - apart, because=(_ABOMINATION,), depends_on_place=(source, id_), form=form)


def _check_terror(table: ExactTable, source: str, id_: str) -> RuleResult:
    """In the entity's melee range, or with it in one's own. Source: Terrifying Entity, which asks for no sight."""
    near = any_of((_check_reach(table, source, id_), _check_reach(table, id_, source)))
    if table.reading("terror-sight") == "reach-only" or not is_met(near, "is within melee range of"):
        return replace(near, doubtful=(*near.doubtful, "terror-sight"))
    seen = any_of(
        (table.evaluate_query(Los(viewer=source, target=id_)), table.evaluate_query(Los(viewer=id_, target=source)))
    )
    return all_of((("reach", near), ("sight", seen)))


def _check_reach(table: ExactTable, attacker: str, target: str) -> RuleResult:
    helpless = next((why for word, why in HELPLESS.items() if word in table.miniature(attacker).status), None)
    reaches = weapon_reaches(table.miniature(attacker))
    if helpless is not None or not reaches:
        return RuleResult(margin_mm=-CAPPED_MM, because=(helpless or _TERROR,), depends_on_place=(attacker, target))
    return check_reach(table, attacker, target, reaches)


def _test_by_losses(table: ExactTable, query: MoraleCheck) -> RuleResult:
    """Source: Massive Casualties."""
    unit = next((u for u in table.state.units if u.id == query.unit), None)
    if unit is None:
        return RuleResult(status="unknown", needs=("unit",), because=(_LOSSES,))
    had = None if unit.started is None or unit.started.turn is None else unit.started.turn.models
    if had is None:
        return RuleResult(status="unknown", needs=(f"started.turn of {unit.id}",), because=(_LOSSES,))
    left = [m.id for m in table.state.miniatures if m.unit == unit.id and "removed" not in m.status]
    lost, threshold = had - len(left), math.ceil(had / 2)
    tested = lost >= threshold > 0
    value: dict[str, JsonValue] = {
        "when": "at-once", "units": [unit.id] if tested else [], "threshold": threshold, "lost": lost,
    }  # fmt: skip

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        holds = tested and not _is_exempt(perturbed.miniature(id_))
        return RuleResult(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(_LOSSES,), depends_on_place=(id_,))

    return RuleResult(
        status="measured", value=value, because=(_LOSSES, _EXEMPT), members=evaluate_each(table, left, about)
    )
