"""Terrain placement: where a scenario lets a piece of terrain be put."""

from models.queries import TerrainPlacement
from models.terrain import Terrain
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.prime.parameters import because
from referee.editions.warmachine.setup.scenarios import (
    FLAG_MM,
    ZONE_MM,
    Layout,
    PrintedScenario,
    lay_out,
    printed_scenario,
)
from referee.editions.warmachine.terrain.features import find_feature
from referee.editions.warmachine.terrain.terrain_class import FEATURES, counts_as, ground_of
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, disc
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

FLAG_CLEAR_MM = inches(5)  # Source: Close Quarters, p. 84
_ZONES = because("Incoming", 85, "No obstruction is put inside a control zone.")
_FLAGS = because("Close Quarters", 84, "Within 5 in of a flag nothing is put that keeps a base from touching it.")


def terrain_placement(table: ExactTable, query: TerrainPlacement) -> RuleResult:
    """Terrain placement: whether a piece may lie there in this scenario; touching a limit is too near.

    Source: Scenarios, p. 84-87.
    """
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(FEATURES,), advice=f"{query.feature} is no terrain.")
    scenario = printed_scenario(table.state.scenario.name if table.state.scenario is not None else None)
    if scenario is None:
        return RuleResult(status="unknown", needs=("scenario.name",), because=(_ZONES, _FLAGS))
    closed = ground_of(feature, counts_as(table, feature)) == "impassable"
    return all_of(
        (
            ("zones", _check_off_zones(table, feature, scenario, closed)),
            ("flags", _check_off_flags(table, feature, scenario, closed)),
        )
    )


def _layout_of(table: ExactTable, scenario: PrintedScenario) -> Layout:
    """Where flags and zones lie: as told, else as printed."""
    flags = tuple(o.at_mm for o in table.state.objectives if o.kind == "flag" and o.at_mm is not None)
    zones = tuple(table.area(z.id).parts[0].centre for z in table.state.zones if z.kind == "control")
    if flags or zones:
        return Layout(flags, zones)
    return lay_out(table.state, scenario) or Layout()


def _check_off_zones(table: ExactTable, feature: Terrain, scenario: PrintedScenario, closed: bool) -> RuleResult:
    """Source: Incoming, p. 85."""
    zones = tuple(z.id for z in table.state.zones if z.kind == "control")
    areas = [table.area(z) for z in zones] or [
        Area((disc(centre, ZONE_MM / 2),)) for centre in _layout_of(table, scenario).zones
    ]
    if not closed or not areas:
        return RuleResult(margin_mm=CAPPED_MM, because=(_ZONES,), depends_on_place=(feature.id,))
    apart = min(area_gap(table.area(feature.id), area).mm for area in areas)
    return RuleResult(margin_mm=apart, zero_is_met=False, because=(_ZONES,), depends_on_place=(feature.id, *zones))


def _check_off_flags(table: ExactTable, feature: Terrain, scenario: PrintedScenario, closed: bool) -> RuleResult:
    """Source: Close Quarters, p. 84."""
    flags = _layout_of(table, scenario).flags
    if not closed or not flags:
        return RuleResult(margin_mm=CAPPED_MM, because=(_FLAGS,), depends_on_place=(feature.id,))
    apart = min(area_gap(table.area(feature.id), Area((disc(at, FLAG_MM / 2),))).mm for at in flags)
    return RuleResult(
        margin_mm=apart - FLAG_CLEAR_MM, zero_is_met=False, because=(_FLAGS,), depends_on_place=(feature.id,)
    )
