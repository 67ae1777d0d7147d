"""Command: command range, command checks for terror and losses, rallying, and the way back out of a control area."""

import math
from dataclasses import replace

from models.miniature import Miniature
from models.queries import CommandRange, Formation, Los, MoraleCheck, Rally, Rollback
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.command import formation
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.base_state import commander_of
from referee.editions.warmachine.miniatures.turn_ledger import HELPLESS
from referee.editions.warmachine.mk1_and_mk2.parameters import TERROR_MM, because
from referee.editions.warmachine.movement.path import path_of, speed_mm
from referee.geometry.distance import gap
from referee.geometry.shapes import Area
from referee.margins.distance_margin import limit_form
from referee.motion.sweep import lengths_within
from referee.motion.travel_budget import length_mm, place_after, swept_gap
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.conditions import all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult, Value, ask_for, plain_condition
from referee.rules.sides import are_enemies
from referee.rules.switches import is_at_least

_CHECKS = because("Command Checks", "One of the unit within the command range lends its CMD to all of the unit.")
_ABOMINATION = because("Terrifying Entity", "Everybody within 3 in of an abomination, friend or foe, is tested.")
_TERROR = because("Terrifying Entity", "Enemies in its melee range, or with it in theirs, are tested.")
_EXEMPT = because("Fearless Models", "Who never flees is not tested: the fearless, warbeasts, those who flee already.")
_LOSSES = because("Massive Casualties", "A unit that has lost half of those it had this turn is tested, once.")
_WHEN = because("Terrifying Entity", "Tested when the normal movement ends that brought them near, a unit all at once.")
_RALLY = because("Rallying", "A trooper in formation with its leader, or near a Commander, may rally.")
_BACK = because("Measuring Control Areas", "An enemy who came into the effect goes back to where it came in.")
_OUT = because("Measuring Control Areas", "Its way never came into the control area.")


def command_range(table: ExactTable, query: CommandRange) -> RuleResult:
    """Command range: whether one is within the command range, for its whole unit where the check is the unit's.

    A lone fleer rallies for itself: of the others' reach it has nothing. Source: Command Checks; Rallying.
    """
    own = formation.command_range(table, query)
    unit = table.miniature(query.who).unit
    mates = [m.id for m in table.state.miniatures if unit is not None and m.unit == unit and "removed" not in m.status]
    flees_whole = all("fleeing" in table.miniature(id_).status for id_ in mates)
    is_of_unit = query.purpose == "test" or (query.purpose == "rally" and flees_whole)
    shared = is_of_unit and own.status == "decided" and len(mates) > 1
    if not shared or query.commander in mates:
        return own
    asked = [formation.command_range(table, query.model_copy(update={"who": id_})) for id_ in mates]
    best = any_of(tuple(asked))  # that hangs on everybody who might be the nearest
    return replace(best, value={**best.value, "whole_unit": True}, because=(_CHECKS, *best.because))


def morale_check(table: ExactTable, query: MoraleCheck) -> RuleResult:
    """Morale check: who has to pass a command check now. Source: Terrifying Entity; Massive Casualties."""
    if query.cause in ("terror", "abomination"):
        return _test_by_entity(table, query)
    if query.cause == "casualties":
        return _test_by_losses(table, query)
    return RuleResult(status="refused", because=(_LOSSES,), advice=f"The book has no check for {query.cause}.")


def _test_by_entity(table: ExactTable, query: MoraleCheck) -> RuleResult:
    if query.source is None:
        return ask_for("source", because=(_TERROR,))
    source, cause = query.source, query.cause
    others = tuple(id_ for id_ in in_play(table, source) if _is_testable(table, cause, source, id_))
    ids = tuple(sorted(others, key=lambda id_: gap(table.base(source), table.base(id_)).mm))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_near(perturbed, source, id_) if cause == "abomination" else _check_terror(perturbed, source, id_)

    members = evaluate_each(table, ids, about)
    tested = [c.id for c in members if c.result is not None and is_met(c.result)]
    units = dict.fromkeys(table.miniature(id_).unit or id_ for id_ in tested)
    return RuleResult(
        status="measured",
        value={"when": "end-of-normal-movement", "units": [*units], "threshold": None},
        because=(_ABOMINATION if cause == "abomination" else _TERROR, _WHEN, _EXEMPT),
        readings=() if cause == "abomination" else ("terror-sight",),
        members=members,
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
        return ask_for("unit", because=(_LOSSES,))
    had = None if unit.started is None or unit.started.turn is None else unit.started.turn.models
    if had is None:
        return ask_for(f"started.turn of {unit.id}", because=(_LOSSES,))
    left = [m.id for m in table.state.miniatures if m.unit == unit.id and "removed" not in m.status]
    lost, threshold = had - len(left), math.ceil(had / 2)
    tested = lost >= threshold > 0
    value: Value = {
        "when": "at-once", "units": [unit.id] if tested else [], "threshold": threshold, "lost": lost,
    }  # fmt: skip

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        holds = tested and not _is_exempt(perturbed.miniature(id_))
        return plain_condition(id_, holds, _LOSSES)

    return RuleResult(
        status="measured", value=value, because=(_LOSSES, _EXEMPT), members=evaluate_each(table, left, about)
    )


def rally(table: ExactTable, query: Rally) -> RuleResult:
    """Rally: whether it may try to rally; help near another trooper counts only for a unit that flees whole.

    Source: Rallying.
    """
    me = table.miniature(query.who)
    if "fleeing" not in me.status:
        return RuleResult(margin_mm=-CAPPED_MM, because=(_RALLY,), depends_on_place=(me.id,))
    troop = [
        m for m in table.state.miniatures if me.unit is not None and m.unit == me.unit and "removed" not in m.status
    ]
    together = troop if all("fleeing" in m.status for m in troop) else []
    helps = [_check_help(table, me.id, me.unit, whole=bool(together))]
    helps += [
        table.evaluate_query(CommandRange(commander=c.id, who=fleer, purpose="rally"))
        for c in table.state.miniatures
        for fleer in dict.fromkeys((me.id, *(m.id for m in together)))
        if c.has("commander") and c.side == me.side and c.id != fleer and "removed" not in c.status
    ]
    best = any_of(tuple(r for r in helps if r.status == "decided"))
    return RuleResult(
        margin_mm=best.decisive_mm,
        because=(with_effect(table, _RALLY, _describe_help(best.decisive_mm)),),
        depends_on_place=tuple(dict.fromkeys((me.id, *best.depends_on_place))),
        conditions=best.conditions,
        joined_by="greatest",
    )


def _describe_help(margin_mm: float) -> str:
    """By how much somebody is near enough to help it."""
    if abs(margin_mm) >= CAPPED_MM:
        return "Nobody has to be near." if margin_mm > 0 else "Nobody can help it."
    return (
        f"Help is near by {format_length(margin_mm)}."
        if margin_mm >= 0
        else f"Help is {format_length(-margin_mm)} too far."
    )


def _check_help(table: ExactTable, fleer: str, unit: str | None, *, whole: bool) -> RuleResult:
    """A solo needs nobody; a trooper its leader's formation, and a unit that flees whole its leader on the table.

    Source: Rallying.
    """
    present = commander_of(table, next((u for u in table.state.units if u.id == unit), None)) is not None
    if unit is None or (whole and present):
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(fleer,))
    if not present:
        return RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(fleer,))
    formed = table.evaluate_query(Formation(unit=unit, who=fleer))
    return formed if formed.margin_mm is not None else RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(fleer,))


def rollback(table: ExactTable, query: Rollback) -> RuleResult:
    """Rollback: where an enemy goes back to that moved in a control area nobody had measured.

    Source: Measuring Control Areas.
    """
    stat, path = table.miniature(query.caster).profile.control_stat, path_of(table, query.mover, query.path_mm)
    if stat is None or path is None:
        need = f"profile.control_stat of {query.caster}" if stat is None else "path_mm"
        return ask_for(need, because=(_BACK,), on=(query.caster, query.mover))
    around = table.area(query.caster)
    base, reach = table.base(query.mover), inches(2 * stat)
    inside = lengths_within(base, path, Area(around.parts), reach)
    nearest = min(swept_gap(base, path, part) for part in around.parts)
    comes = is_at_least(reach, nearest, "comes into the control area of", (query.mover, query.caster))
    entered = inside[0][0] if inside and comes else None
    whole, budget = length_mm(path), speed_mm(table, query.mover)
    end = whole if entered is None else _allowed_mm(entered, whole, query.rate, budget)
    at = place_after(path, end)
    return RuleResult(
        status="measured",
        value={"entered_mm": entered, "poses": {query.mover: {"at_mm": list(at)}}, "travelled_mm": end},
        lengths_mm={} if entered is None else {"entered": entered},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_BACK,) if entered is not None else (_BACK, _OUT),
        depends_on_place=(query.caster, query.mover),
    )


def _allowed_mm(entered: float, whole: float, rate: float | None, budget: float | None) -> float:
    """How far the way leads: to the area's rim, or on beyond it at the rate the effect leaves."""
    if rate is None:
        return entered
    left = max(0.0, (budget if budget is not None else whole) - entered)
    return min(whole, entered + rate * left)
