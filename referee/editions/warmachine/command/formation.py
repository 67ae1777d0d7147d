"""Formation: who of a unit is within the command range of its commander."""

from pydantic import JsonValue

from models.queries import Formation
from models.unit import Unit
from models.unit_conversion import inches
from models.verdict import Witness
from referee.editions.warmachine.melee.attack_eligibility import check_formation
from referee.editions.warmachine.miniatures.distances import draw_ruler
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import gap
from referee.rules.candidates import evaluate_each, is_met, is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_FORMATION = because("Unit Formation", 64, "Who is within the unit commander's command range is in formation.")

# Source: Out of Formation, p. 64; Casting Spells on Out-of-Formation Troopers, p. 72; Flags and Zones, p. 83.
BARRED = ("orders", "attacks", "special-actions", "advances-outside-normal-movement", "friendly-spells",
          "control", "contest")  # fmt: skip


def formation(table: ExactTable, query: Formation) -> RuleResult:
    """Formation: who of a unit is in formation, or whether one of them is; the limit itself is.

    Source: Unit Formation, p. 64.
    """
    unit = next(u for u in table.state.units if u.id == query.unit)
    members = list_members(table, unit)
    if query.who is not None and query.who not in members:
        return RuleResult(status="refused", because=(_FORMATION,), advice=f"{query.who} is not of {query.unit}.")
    if unit.commander is None or unit.commander not in table.miniatures:
        return RuleResult(status="unknown", needs=(f"commander of {unit.id}",), because=(_FORMATION,))
    found = {id_: check_formation(table, id_) for id_ in members}
    if query.who is None:
        return _answer_unit(table, unit, found)
    return _answer_trooper(table, unit, query.who, found[query.who])


def list_members(table: ExactTable, unit: Unit) -> tuple[str, ...]:
    """Those of the unit that are in play. Source: Unit Formation, p. 64."""
    return tuple(m.id for m in table.state.miniatures if m.unit == unit.id and "removed" not in m.status)


def _answer_unit(table: ExactTable, unit: Unit, found: dict[str, RuleResult]) -> RuleResult:
    unknown = next((result for result in found.values() if result.status == "unknown"), None)
    if unknown is not None:
        return unknown
    return RuleResult(
        status="measured",
        value=_value(table, unit)
        | {"barred": {id_: [] if is_met(one, "is in formation with") else list(BARRED) for id_, one in found.items()}},
        witness=_draw_rim(table, unit),
        because=(_FORMATION,),
        members=evaluate_each(table, found, check_formation),
    )


def _answer_trooper(table: ExactTable, unit: Unit, who: str, found: RuleResult) -> RuleResult:
    if found.status == "unknown":
        return found
    commander = str(unit.commander)
    between = gap(table.base(commander), table.base(who))
    apart = 0.0 if who == commander else max(0.0, between.mm)
    return RuleResult(
        margin_mm=found.margin_mm,
        value=_value(table, unit) | {"distance_mm": apart, "barred": _list_bars(found)},
        lengths_mm={"distance": apart},
        witness=(
            draw_ruler(between, commander, who, role="clear" if is_zero_or_more(found) else "blocked"),
            *_draw_rim(table, unit),
        ),
        because=(_FORMATION, *(r for r in found.because if r.source.section != "Unit Formation")),
        depends_on_place=found.depends_on_place,
    )


def _list_bars(found: RuleResult) -> list[JsonValue]:
    """What it may not do where it stands. Source: Out of Formation, p. 64."""
    return [] if is_zero_or_more(found) else list(BARRED)


def _value(table: ExactTable, unit: Unit) -> dict[str, JsonValue]:
    return {"commander": unit.commander, "command_mm": command_mm(table, str(unit.commander), unit)}


def command_mm(table: ExactTable, commander: str, unit: Unit | None = None) -> float | None:
    """The command range from the base edge. Source: Model Statistics, p. 15: as many inches as the CMD stat."""
    told = table.miniature(commander).profile.cmd_in
    if unit is not None and unit.command_in is not None:
        told = unit.command_in
    return None if told is None else inches(told)


def _draw_rim(table: ExactTable, unit: Unit) -> tuple[Witness, ...]:
    commander, limit = str(unit.commander), command_mm(table, str(unit.commander), unit)
    if limit is None:
        return ()
    base = table.base(commander)
    return (
        Witness(type="circle", role="limit", centre_mm=base.centre, radius_mm=base.reach_mm + limit, of=(commander,)),
    )
