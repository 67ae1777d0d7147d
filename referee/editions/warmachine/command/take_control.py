"""Taking control: who may take over a warjack or warbeast that has lost its commander."""

from dataclasses import replace

from models.miniature import Miniature
from models.queries import B2b, TakeControl
from models.verdict import CAPPED_MM
from referee.editions.warmachine.command.control_area import FRIENDS
from referee.editions.warmachine.miniatures.distances import b2b
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.rules.candidates import is_zero_or_more
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.sides import are_enemies

_TAKE_INERT = because("Inert Warjacks", 59, "A warjack is reactivated base to base, for focus or a Combat Action.")
_TAKE_FREE = because("Autonomous Warjacks", 67, "A warjack without a controller is taken over base to base.")
_TAKE_WILD = because("Wild Warbeasts", 103, "A wild warbeast is taken over base to base, for one fury.")
_HELD = because("Battlegroup Commander", 68, "It has a controller and is no one else's to take.")
_WHO = because("Autonomous Warjacks", 67, "Battlegroup commanders and 'jack marshals take control.")
_BUSY = because("Autonomous Warjacks", 67, "A marshal who has a warjack already takes no other.")


def take_control(table: ExactTable, query: TakeControl) -> RuleResult:
    """Taking control: whether it may be taken over: base to base, and free to take.

    Source: Inert Warjacks, p. 59; Autonomous Warjacks, p. 67; Wild Warbeasts, p. 103.
    """
    target = table.miniature(query.target)
    touching = b2b(table, B2b(a=query.caster, b=query.target))
    result = all_of(
        (
            ("contact", touching),
            ("friend", _check_friendly(table, query)),
            ("free", _check_free(target)),
            ("taker", _check_taker(table, table.miniature(query.caster), target)),
        )
    )
    contact_decides = is_zero_or_more(result) or result.margin_mm == touching.margin_mm
    return replace(
        result,
        value={**result.value, "gap_mm": touching.value["gap_mm"]},
        lengths_mm=touching.lengths_mm,
        witness=touching.witness,
        contact_probability=touching.contact_probability if contact_decides else None,
    )


def _check_friendly(table: ExactTable, query: TakeControl) -> RuleResult:
    enemies = are_enemies(table.state, table.miniature(query.caster), table.miniature(query.target))
    return RuleResult(
        margin_mm=-CAPPED_MM if enemies else CAPPED_MM, because=(FRIENDS,), depends_on_place=(query.target,)
    )


def _check_free(target: Miniature) -> RuleResult:
    """Source: Inert Warjacks, p. 59; Autonomous Warjacks, p. 67; Wild Warbeasts, p. 103."""
    for status, reason in (("inert", _TAKE_INERT), ("autonomous", _TAKE_FREE), ("wild", _TAKE_WILD)):
        if status in target.status:
            return RuleResult(margin_mm=CAPPED_MM, because=(reason,), depends_on_place=(target.id,))
    if target.controller is None and target.type in (None, "warjack", "warbeast"):
        need = f"status of {target.id} (inert, autonomous or wild) or its controller"
        return RuleResult(status="unknown", needs=(need,), because=(_HELD,), depends_on_place=(target.id,))
    return plain_condition(target.id, False, _HELD)


def _check_taker(table: ExactTable, caster: Miniature, target: Miniature) -> RuleResult:
    """Source: Autonomous Warjacks, p. 67: a battlegroup commander, or a marshal who has no warjack yet."""
    if caster.type in ("warcaster", "warlock") or caster.has("battlegroup-commander"):
        return RuleResult(margin_mm=CAPPED_MM, because=(_WHO,), depends_on_place=(caster.id,))
    if not caster.has("jack-marshal") or target.type == "warbeast" or "wild" in target.status:
        return plain_condition(caster.id, False, _WHO)
    busy = any(m.controller == caster.id and m.id != target.id for m in table.state.miniatures)
    if busy and "inert" not in target.status:
        return plain_condition(caster.id, False, _BUSY)
    return RuleResult(margin_mm=CAPPED_MM, because=(_WHO,), depends_on_place=(caster.id,))
