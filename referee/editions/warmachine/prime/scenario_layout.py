"""Scenario layout: where the things of a printed scenario are put."""

from pydantic import JsonValue

from models.queries import ScenarioLayout
from models.verdict import Witness
from referee.editions.warmachine.prime.parameters import because
from referee.editions.warmachine.setup.scenarios import FLAG_MM, PRINTED, ZONE_MM, Layout, lay_out, printed_scenario
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_DEPLOY = because("Setup, Deployment & Victory Conditions", 26, "The first player has 7 in of depth, the second 10 in.")
_NO_TEXT = because("Scenarios", 82, "The book prints nine scenarios; a home-made one is told by its flags and zones.")


def scenario_layout(table: ExactTable, query: ScenarioLayout) -> RuleResult:
    """Scenario layout: where flags, zones and deployment of a printed scenario lie on this table.

    Source: Scenarios, p. 82-87.
    """
    told = table.state.scenario
    name = query.scenario if query.scenario is not None else (told.name if told is not None else None)
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
