"""Scenarios: where their things and terrain are put, and where reinforcements come on."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import Reinforcements, ScenarioLayout, TerrainPlacement
from models.terrain import Terrain
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.editions.warmachine.setup.deployment import clearance_clauses, place, played_scenario
from referee.editions.warmachine.setup.scenarios import (
    FLAG_MM,
    PRINTED,
    ZONE_MM,
    Layout,
    PrintedScenario,
    lay_out,
    printed_scenario,
)
from referee.editions.warmachine.terrain.features import FEATURES, counts_as, find_feature, ground_of
from referee.geometry.containment import depth_of_base
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, disc, polygon_area
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_DEPLOY = because("Setup, Deployment & Victory Conditions", 26, "The first player has 7 in of depth, the second 10 in.")
_NO_TEXT = because("Scenarios", 82, "The book prints nine scenarios; a home-made one is told by its flags and zones.")
FLAG_CLEAR_MM = inches(5)  # Source: Close Quarters, p. 84
_ZONES = because("Incoming", 85, "No obstruction is put inside a control zone.")
_FLAGS = because("Close Quarters", 84, "Within 5 in of a flag nothing is put that keeps a base from touching it.")
AMBUSH_MM = inches(3)  # Source: Cephalyx Theme Force, p. 94
RESERVE_MM = inches(8)  # Source: Reinforcements, p. 86
_AMBUSH = because("Cephalyx Theme Force", 94, "Ambush: completely within 3 in of any edge but the back of the enemy's.")
_LATER = because("Cephalyx Theme Force", 94, "Not before the player's second turn.")
_NO_AMBUSH = because("Outflank", 86, "Ambush is lost in this scenario.")
_RESERVE = because("Reinforcements", 86, "Completely within 8 in of the player's own rear edge, from his second turn.")
_CASTER = because("Reinforcements", 86, "A warcaster cannot be a reinforcement.")


def scenario_layout(table: ExactTable, query: ScenarioLayout) -> RuleResult:
    """Scenario layout: where flags, zones and deployment of a printed scenario lie on this table.

    Source: Scenarios, p. 82-87.
    """
    stated = table.state.scenario
    name = query.scenario if query.scenario is not None else (stated.name if stated is not None else None)
    if name is None:
        return RuleResult(status="unknown", needs=("scenario",), because=(_NO_TEXT,))
    scenario = printed_scenario(name)
    if scenario is None:
        known = ", ".join(PRINTED)
        return RuleResult(
            status="refused", because=(_NO_TEXT,), advice=f"The book prints no {name!r}; it prints {known}."
        )
    laid = lay_out(table.state, scenario)
    if laid is None:
        return RuleResult(status="unknown", needs=("sides: the edge of the first player",), because=(_DEPLOY,))
    return RuleResult(
        status="measured",
        value=_value(laid),
        witness=_draw_layout(laid),
        because=(scenario.reason("Flags and zones are measured from the players' edges and right hands."), _DEPLOY),
    )


def _value(laid: Layout) -> dict[str, JsonValue]:
    return {
        "flags": [list(point) for point in laid.flags],
        "zones": [{"centre_mm": list(point), "diameter_mm": ZONE_MM} for point in laid.zones],
        "deployment": {
            side: [[list(point) for point in outline] for outline in outlines]
            for side, outlines in laid.deployment.items()
        },
    }


def _draw_layout(laid: Layout) -> tuple[Witness, ...]:
    flags = (Witness(type="circle", role="limit", centre_mm=p, radius_mm=FLAG_MM / 2) for p in laid.flags)
    zones = (Witness(type="circle", role="limit", centre_mm=p, radius_mm=ZONE_MM / 2) for p in laid.zones)
    outlines = (outline for some in laid.deployment.values() for outline in some)
    return (*flags, *zones, *(Witness(type="polygon", role="limit", points_mm=o) for o in outlines))


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


def reinforcements(table: ExactTable, query: Reinforcements) -> RuleResult:
    """Reinforcements: whether it may come on along that edge.

    Source: Cephalyx Theme Force, p. 94; Reinforcements, p. 86.
    """
    if not query.edge.startswith("edge:"):
        return RuleResult(status="refused", because=(_AMBUSH, _RESERVE), advice="Name a table edge, such as edge:left.")
    if query.manner == "pursuit":
        return RuleResult(status="refused", because=(_RESERVE,), advice="The book knows no return of pursuers.")
    table = place(table, query.who, query.to)
    manner = query.manner or ("ambush" if table.miniature(query.who).has("ambush") else "reserve")
    limit = AMBUSH_MM if manner == "ambush" else RESERVE_MM
    special = _ambush_clauses(table, query) if manner == "ambush" else _reserve_clauses(table, query)
    result = all_of((("strip", _check_strip(table, query, limit)), *special, *clearance_clauses(table, query.who)))
    outline = _outline_of_strip(table, query.edge, limit)
    return replace(
        result,
        value={**result.value, "depth_mm": limit, "manner": manner},
        witness=(Witness(type="polygon", role="limit", points_mm=outline),),
    )


def _outline_of_strip(table: ExactTable, edge: str, limit: float) -> tuple[Point, ...]:
    width, depth = table.state.table.width_mm, table.state.table.depth_mm
    boxes = {
        "edge:near": (0.0, 0.0, width, limit),
        "edge:far": (0.0, depth - limit, width, depth),
        "edge:left": (0.0, 0.0, limit, depth),
        "edge:right": (width - limit, 0.0, width, depth),
    }
    left, near, right, far = boxes[edge]
    return ((left, near), (right, near), (right, far), (left, far))


def _check_strip(table: ExactTable, query: Reinforcements, limit: float) -> RuleResult:
    reason = _AMBUSH if limit == AMBUSH_MM else _RESERVE
    depth = depth_of_base(table.base(query.who), (polygon_area(_outline_of_strip(table, query.edge, limit)),))
    return RuleResult(margin_mm=depth, because=(reason,), depends_on_place=(query.who,))


def _ambush_clauses(table: ExactTable, query: Reinforcements) -> Clauses:
    """Source: Cephalyx Theme Force, p. 94; Outflank, p. 86."""
    me, scenario = table.miniature(query.who), played_scenario(table)
    rears = {f"edge:{s.edge}" for s in table.state.sides if s.id != me.side}
    lost = scenario is not None and (scenario.outflanks or scenario.reserves)
    return (
        ("edge", plain_condition(query.who, query.edge not in rears, _AMBUSH)),
        (
            "ability",
            plain_condition(query.who, me.has("ambush") and not lost, *((_NO_AMBUSH,) if lost else (_AMBUSH,))),
        ),
        ("turn", _check_after_first_turn(table, query.who, _LATER)),
    )


def _reserve_clauses(table: ExactTable, query: Reinforcements) -> Clauses:
    """Source: Reinforcements, p. 86."""
    me, scenario = table.miniature(query.who), played_scenario(table)
    own = {f"edge:{s.edge}" for s in table.state.sides if s.id == me.side}
    return (
        ("edge", plain_condition(query.who, query.edge in own, _RESERVE)),
        ("scenario", plain_condition(query.who, scenario is not None and scenario.reserves, _RESERVE)),
        ("kind", plain_condition(query.who, me.type != "warcaster", _CASTER)),
        ("turn", _check_after_first_turn(table, query.who, _RESERVE)),
    )


def _check_after_first_turn(table: ExactTable, miniature: str, reason: Reason) -> RuleResult:
    """Whether it is not the player's first turn any more."""
    turn = table.state.turn
    if turn is None or turn.round is None:
        return RuleResult(status="unknown", needs=("turn.round",), because=(reason,), depends_on_place=(miniature,))
    return plain_condition(miniature, turn.round >= 2, reason)
