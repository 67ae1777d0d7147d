"""Redirected shot: whom terrain does not hide may be hit by a shot that missed into a melee."""

from models.queries import Range
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warmachine.attacks.spray_hits import check_line_past
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_DRAWN = because(
    "Targeting a Model in Melee", "Not those to whom terrain closes every line; models in the way hide nobody."
)


def check_redirected(table: ExactTable, source: str | Point, id_: str) -> RuleResult:
    """Whether terrain leaves the attacker a line to it. Source: Targeting a Model in Melee."""
    if not isinstance(source, str) or source not in table.miniatures:
        return RuleResult(margin_mm=CAPPED_MM, because=(_DRAWN,), depends_on_place=(id_,))
    woods = (t.id for t in table.state.terrain if t.kind == "forest")
    past = tuple(woods) if table.reading("redirect-blockers") == "solids" else ()
    found = check_line_past(table, source, id_, (*past, *(e.id for e in table.state.effects)), (_DRAWN,))
    reach = _check_range(table, source, id_)
    return found if reach is None else all_of((("open", found), ("range", reach)))


def _check_range(table: ExactTable, source: str, id_: str) -> RuleResult | None:
    """Whether it is in the declared range, where players leave out who is not; else that is found by the new roll."""
    turn = table.state.turn
    told = None if turn is None or turn.declared is None else turn.declared.range_in
    if told is None or table.reading("redirect-range") != "not-drawn":
        return None
    return table.evaluate_query(Range(attacker=source, target=id_, range_in=told))
