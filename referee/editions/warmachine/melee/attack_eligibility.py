"""Attack eligibility: who may attack at all, by its statuses, and who is in formation."""

from typing import Literal

from models.queries import Los
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason
from models.vocabulary import Point
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.melee.melee_range import HELPLESS
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import gap
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import in_play
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_margin, name_of, with_effect
from referee.rules.rule_result import RuleResult

ABLE = because("Making Attacks", 41, "Nothing keeps it from making attacks.")
_BARRED = because("Making Attacks", 41, "It has been told that it cannot attack.")
_LOST = because("Out of Formation", 64, "A trooper out of its commander's command range cannot attack.")
_FORMED = because("Unit Formation", 64, "In formation is who stands within the commander's command range.")
_WILD = because("Wild Warbeasts", 103, "A wild warbeast makes no attacks.")
_WHY: dict[str, Reason] = {**HELPLESS, "wild": _WILD, "cannot-attack": _BARRED, "disabled": _BARRED, "removed": _BARRED}


def may_attack(table: ExactTable, id_: str) -> RuleResult:
    """Whether no status keeps it from attacking. Source: Knockdown and Stationary Models, p. 61; Inert, p. 59."""
    barred = _find_bar(table, id_)
    if barred is not None:
        return RuleResult(margin_mm=-CAPPED_MM, because=(barred[1],), depends_on_place=(id_,))
    return RuleResult(margin_mm=CAPPED_MM, because=(ABLE,), depends_on_place=(id_,))


def why_may_not_attack(table: ExactTable, id_: str) -> str | None:
    """What keeps it from attacking. Source: Knockdown, Stationary Models, p. 61; Inert Warjacks, p. 59."""
    barred = _find_bar(table, id_)
    return None if barred is None else barred[0]


def _find_bar(table: ExactTable, id_: str) -> tuple[str, Reason] | None:
    status = next((status for status in _WHY if status in table.miniature(id_).status), None)
    return terms_of(table).attack_bar(table, id_) if status is None else (status, _WHY[status])


def check_formation(table: ExactTable, id_: str) -> RuleResult:
    """Whether a trooper is in its commander's command range; the limit itself is. Source: Unit Formation, p. 64."""
    if "out-of-formation" in table.miniature(id_).status:
        return RuleResult(margin_mm=-CAPPED_MM, because=(_LOST,), depends_on_place=(id_,))
    if (formed := terms_of(table).formation_check) is not None:
        return formed(table, id_)
    commander, command = _command(table, id_)
    if commander is None or commander == id_:
        return RuleResult(margin_mm=CAPPED_MM, because=(_FORMED,), depends_on_place=(id_,))
    if command is None:
        return RuleResult(
            status="unknown", needs=(f"profile.cmd_in of {commander}",), because=(_FORMED,), depends_on_place=(id_,)
        )
    apart = max(0.0, gap(table.base(commander), table.base(id_)).mm)
    far, spare = format_length(apart), format_margin(command - apart)
    told = f"{name_of(table, id_)} is {far} from {name_of(table, commander)}, {spare}."
    why = with_effect(table, _FORMED if apart <= command else _LOST, told)
    form = limit_form(table, commander, id_, command)
    return RuleResult(margin_mm=command - apart, because=(why,), depends_on_place=(commander, id_), form=form)


def _command(table: ExactTable, id_: str) -> tuple[str | None, float | None]:
    """The commander of its unit, and the command range in millimetres."""
    unit = next((u for u in table.state.units if u.id == table.miniature(id_).unit), None)
    if unit is None or unit.commander is None or unit.commander not in table.miniatures:
        return None, None
    told = unit.command_in if unit.command_in is not None else table.miniature(unit.commander).profile.cmd_in
    return unit.commander, None if told is None else inches(told)


def actions_of(table: ExactTable, id_: str) -> frozenset[str]:
    """What it counts as having done this turn, its unit's deeds included. Source: Unit Activation, p. 64."""
    miniature = table.miniature(id_)
    units = (u.this_turn for u in table.state.units if u.id == miniature.unit)
    return frozenset(word for turn in (miniature.this_turn, *units) for word in turn.moved)


def forfeited_parts(table: ExactTable, id_: str) -> frozenset[str]:
    """What it has given up this turn, with its unit. Source: Normal Movement & Advancing, p. 30."""
    miniature = table.miniature(id_)
    units = (u.this_turn for u in table.state.units if u.id == miniature.unit)
    return frozenset(word for turn in (miniature.this_turn, *units) for word in turn.forfeited)


def check_blow_line(table: ExactTable, source: str | Point, target: str, *, reach_mm: float) -> RuleResult:
    """Whether a blow gets at its target: by sight, or by a line of its own where the book has one. Source: p. 41."""
    free = terms_of(table).free_line
    if free is None or not isinstance(source, str) or source not in table.miniatures:
        return check_sight(table, source, target, purpose="melee")
    return free(table, source, target, reach_mm)


def check_sight(
    table: ExactTable,
    source: str | Point,
    target: str,
    *,
    past_models: bool = False,
    purpose: Literal["shot", "melee"] = "shot",
) -> RuleResult:
    """Whether the source of an attack has a line of sight; a bare point cannot look. Source: p. 40."""
    if not isinstance(source, str) or source not in table.miniatures:
        return RuleResult(status="unknown", needs=("origin as a miniature",))
    past = in_play(table, source, target) if past_models else ()
    return line_of_sight(table, Los(viewer=source, target=target, ignoring=past, purpose=purpose))
