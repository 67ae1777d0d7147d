"""Assault: the ranged attack that follows the movement of a charge."""

from dataclasses import replace

from models.pose import Pose
from models.queries import Assault, Range
from models.unit_conversion import radians
from models.verdict import Reason
from referee.editions.warmachine.melee.attack_eligibility import actions_of
from referee.editions.warmachine.melee.in_melee import check_link, melee_state
from referee.editions.warmachine.miniatures.distances import in_range
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.rules.candidates import is_zero_or_more
from referee.rules.conditions import Clauses, all_of, negate
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_ASSAULT = because("Assault", 52, "With Assault one ranged attack at the charge's target follows the movement.")
_IN_MELEE = because("Assault", 52, "Not when the charge began in melee.")
_CHARGED = because("Assault", 52, "The shot goes at the model that was charged, and belongs to the charge.")


def assault(table: ExactTable, query: Assault) -> RuleResult:
    """Assault: whether the assault shot is made, and reaches. Source: Assault, p. 52."""
    return join_assault(table, query, check_began_free(table, query.attacker, _IN_MELEE))


def check_began_free(table: ExactTable, who: str, why: Reason, partner: str | None = None) -> RuleResult:
    """Whether it was in no melee when its charge began, or in none with that partner: as told, else as it stood.

    Where it began is the start of its activation, or its place now as long as it has not moved; where neither is
    told, it was in none unless that is told. Source: Assault, p. 52.
    """
    turn = table.miniature(who).this_turn
    if turn.engaged_before:
        told = partner is None or partner in turn.engaged_before
        return plain_condition(who, not told, why)
    started = turn.start if isinstance(turn.start, Pose) else None
    if started is None and (actions_of(table, who) or turn.charged is not None):
        return plain_condition(who, True, why)
    then = table if started is None else _put_back(table, who, started)
    melee = melee_state(then, who) if partner is None else check_link(then, who, partner)
    return replace(negate(melee), because=(why,))


def _put_back(table: ExactTable, who: str, start: Pose) -> ExactTable:
    """The table as it was when the activation of that one began."""
    there = table.with_place(who, start.at_mm)
    return there if start.facing_deg is None else there.with_facing(who, radians(start.facing_deg))


def join_assault(table: ExactTable, query: Assault, began: RuleResult) -> RuleResult:
    """The shot of an assault, of which `began` says whether its charge began as the book asks."""
    me = table.miniature(query.attacker)
    range_ = in_range(table, Range(attacker=query.attacker, target=query.target, weapon=query.weapon))
    clauses: Clauses = (
        ("ability", plain_condition(query.attacker, me.has("assault"), _ASSAULT)),
        ("charge", _check_charged(table, query)),
        ("began", began),
        ("range", range_),
    )
    result = all_of(clauses)
    failed = [r for name, r in clauses if name != "range" and r.status == "decided" and not is_zero_or_more(r)]
    margin = result.margin_mm if failed or range_.status != "decided" else range_.margin_mm
    charged = me.this_turn.charged == query.target
    return replace(
        result,
        margin_mm=margin,
        slack_mm=result.decisive_mm,
        value={**result.value, "charge": "charge" in me.this_turn.moved or charged, "order": None},
        witness=range_.witness,
        because=(_ASSAULT, *(r for r in result.because if r != _ASSAULT)),
    )


def _check_charged(table: ExactTable, query: Assault) -> RuleResult:
    """Source: Assault, p. 52: the target is the model charged, whether the charge got there or not."""
    me, turn = table.miniature(query.attacker), table.state.turn
    declared = turn.declared if turn is not None else None
    if declared is not None and declared.what == "charge" and declared.by == me.id:
        return plain_condition(query.attacker, declared.target in (None, query.target), _CHARGED)
    if me.this_turn.charged is not None:
        return plain_condition(query.attacker, me.this_turn.charged == query.target, _CHARGED)
    if "charge" in me.this_turn.moved:
        return plain_condition(query.attacker, True, _CHARGED)
    need = f"this_turn.charged of {query.attacker}"
    told = bool(me.this_turn.moved)
    unknown = RuleResult(status="unknown", needs=(need,), because=(_CHARGED,), depends_on_place=(me.id,))
    return plain_condition(query.attacker, False, _CHARGED) if told else unknown
