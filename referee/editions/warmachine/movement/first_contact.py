"""First contact: what a base meets on its way, in order."""

from pydantic import JsonValue

from models.queries import FirstContact
from models.verdict import Witness
from referee.editions.warmachine.movement.path import path_of
from referee.editions.warmachine.movement.table_edge import far_side_mm
from referee.editions.warmachine.movement.way_switches import trace_order, trace_things_on_way
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.features import OBSTACLES, OBSTRUCTIONS
from referee.editions.warmachine.terrain.terrain_class import counts_as
from referee.geometry.shapes import Area
from referee.motion.travel_budget import meetings, place_after
from referee.rules.candidates import in_play
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_CONTACT = because(
    "Base-to-Base & Contact", 33, "It contacts what it comes to touch, and what it touches and moves at."
)


def first_contact(table: ExactTable, query: FirstContact) -> RuleResult:
    """First contact: what the base meets on its way, in order. Source: Base-to-Base & Contact, p. 33."""
    path = path_of(
        table,
        query.mover,
        query.path_mm,
        heading_deg=query.heading_deg,
        distance_mm=far_side_mm(table, query.distance_in),
    )
    if path is None:
        return RuleResult(status="unknown", needs=("path_mm",), because=(_CONTACT,), depends_on_place=(query.mover,))
    grazing = table.reading("graze") != "passes"
    things = _solid_things(table, query.mover)
    met = meetings(table.base(query.mover), path, things, grazing=grazing)
    trace_things_on_way(table, query.mover, path, things, grazing=grazing)
    trace_order(table, query.mover, met)
    contacts: list[JsonValue] = [
        {"id": stop.id, "after_mm": stop.after_mm, "at_mm": list(place_after(path, stop.after_mm))} for stop in met
    ]
    return RuleResult(
        status="measured",
        value={"contacts": contacts},
        lengths_mm={stop.id: stop.after_mm for stop in met[:1]},
        witness=(Witness(type="polyline", role="path", points_mm=path, of=(query.mover,)),),
        because=(_CONTACT,),
        readings=("graze",),
        depends_on_place=(query.mover, *(stop.id for stop in met[:1])),
    )


def _solid_things(table: ExactTable, mover: str) -> tuple[tuple[str, Area], ...]:
    """Every base, and all terrain that is solid."""
    solid = (t for t in table.state.terrain if (counts_as(table, t) or "obstruction") in OBSTACLES | OBSTRUCTIONS)
    return tuple((id_, table.area(id_)) for id_ in (*in_play(table, mover), *(t.id for t in solid)))
