"""Attack eligibility: whether a miniature may attack at all, and whether it strikes from behind."""

from dataclasses import replace
from typing import Literal

from models.queries import BackStrike, Los
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason
from models.vocabulary import Point
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.miniatures.arcs import arc_depth_mm
from referee.editions.warmachine.miniatures.base_state import commander_of
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.miniatures.turn_ledger import LOST, ledger_of
from referee.editions.warmachine.movement.path import path_of
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import gap
from referee.margins.distance_margin import limit_form
from referee.margins.front_arc import arc_edge, depth_line, foremost
from referee.rules.candidates import in_play, is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import describe_arc_depth as told_ahead
from referee.rules.explanations import format_length, format_margin, name_of, with_effect
from referee.rules.rule_result import RuleResult, ask_for

ABLE = because("Making Attacks", 41, "Nothing keeps it from making attacks.")
_FORMED = because("Unit Formation", 64, "In formation is who stands within the commander's command range.")
_BACK = because("Back Strikes", 42, "The base the attack comes from must lie completely in the target's back arc.")
_INERT = because("Inert Warjacks", 59, "An inert warjack has no facing.", "It has no back to strike.")
_ROUND = because("Facing", 21, "All round it is front.", "It has no back to strike.")


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
    row = next((row for row in ledger_of(table, id_).bars if "attack" in row.acts), None)
    return terms_of(table).attack_bar(table, id_) if row is None else (row.deed, row.rule)


def check_formation(table: ExactTable, id_: str) -> RuleResult:
    """Whether a trooper is in its commander's command range; the limit itself is. Source: Unit Formation, p. 64."""
    if "out-of-formation" in table.miniature(id_).status:
        return RuleResult(margin_mm=-CAPPED_MM, because=(LOST,), depends_on_place=(id_,))
    if (formed := terms_of(table).formation_check) is not None:
        return formed(table, id_)
    commander, command = _command(table, id_)
    if commander is None or commander == id_:
        return RuleResult(margin_mm=CAPPED_MM, because=(_FORMED,), depends_on_place=(id_,))
    if command is None:
        return ask_for(f"profile.cmd_in of {commander}", because=(_FORMED,), on=(id_,))
    apart = max(0.0, gap(table.base(commander), table.base(id_)).mm)
    far, spare = format_length(apart), format_margin(command - apart)
    effect = f"{name_of(table, id_)} is {far} from {name_of(table, commander)}, {spare}."
    why = with_effect(table, _FORMED if apart <= command else LOST, effect)
    form = limit_form(table, commander, id_, command)
    return RuleResult(margin_mm=command - apart, because=(why,), depends_on_place=(commander, id_), form=form)


def _command(table: ExactTable, id_: str) -> tuple[str | None, float | None]:
    """The commander of its unit, and the command range in millimetres."""
    unit = next((u for u in table.state.units if u.id == table.miniature(id_).unit), None)
    commander = commander_of(table, unit)
    if unit is None or commander is None:
        return None, None
    command_in = unit.command_in if unit.command_in is not None else table.miniature(commander).profile.cmd_in
    return commander, None if command_in is None else inches(command_in)


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


def back_strike(table: ExactTable, query: BackStrike) -> RuleResult:
    """Back strike: whether the origin of the attack lies wholly behind the target at the blow; touching the arc line
    does not.

    Source: Back Strikes, p. 42; for tramples at first contact, p. 48: the end of the path given.
    """
    if query.path_mm is not None:
        table = table.with_end(query.attacker, (path_of(table, query.attacker, query.path_mm) or query.path_mm)[-1])
    origin: str | Point = query.attacker if query.origin is None else query.origin
    result = check_behind(table, query.target, origin)
    return replace(result, value={"bonus": 2 if is_zero_or_more(result) else 0, "bonus_to": "attack"})


def check_behind(table: ExactTable, target: str, origin: str | Point) -> RuleResult:
    """Whether the origin lies wholly behind the target where both stand. Source: Back Strikes, p. 42."""
    if "inert" in table.miniature(target).status:
        return RuleResult(
            margin_mm=-CAPPED_MM, because=(_BACK, _INERT), depends_on_place=ids_that_matter(target, origin)
        )
    depth = arc_depth_mm(table, target, origin)
    if depth >= CAPPED_MM:
        return RuleResult(
            margin_mm=-CAPPED_MM, because=(_BACK, _ROUND), depends_on_place=ids_that_matter(target, origin)
        )
    centre, facing = table.centre(target), table.facing_rad(target)
    ahead = foremost(facing, table.area(origin))
    length = max(abs(ahead[0] - centre[0]), abs(ahead[1] - centre[1]), 60.0)
    return RuleResult(
        margin_mm=-depth,
        zero_is_met=table.reading("arc-line-touch") == "back",
        lengths_mm={"depth": depth},
        witness=(arc_edge(target, centre, facing, length), depth_line(ahead, centre, facing, target)),
        because=(with_effect(table, _BACK, told_ahead(table, target, origin, depth)),),
        readings=("arc-line-touch",),
        doubtful=("arc-line-touch",) if abs(depth) < 1e-6 else (),
        depends_on_place=ids_that_matter(origin, target),
        depends_on_facing=(target,),
    )
