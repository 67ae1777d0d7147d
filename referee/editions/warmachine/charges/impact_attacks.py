"""Impact attacks: whom cavalry strikes where its charge first touches somebody."""

import math

from models.profile import Profile
from models.queries import ImpactAttacks
from models.unit_conversion import inches, radians
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warmachine.charges.charge import EXTRA_MM
from referee.editions.warmachine.melee.melee_range import check_reach
from referee.editions.warmachine.movement.movement_costs import passability_of_charge
from referee.editions.warmachine.movement.path import speed_mm
from referee.editions.warmachine.movement.way_switches import trace_order, trace_things_on_way
from referee.editions.warmachine.parameters import CHARGE_ATTACK_MM, DEFAULT_REACH_MM, because
from referee.motion.travel_budget import (
    Stop,
    farthest_within_budget,
    meetings,
    place_after,
    slow_stretches,
    straight_path,
)
from referee.rules.candidates import evaluate_each, in_play
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, is_at_least

_IMPACT = because("Impact Attacks", 75, "Contact after 3 in or more of a charge earns impact attacks.")
_MOUNT = because("Mount Attacks", 75, "The mount reaches half an inch, and strikes everybody in its reach.")
_TOO_SOON = because("Impact Attacks", 75, "Contact before 3 in ends the movement without impact attacks.")
_CAVALRY = because("Cavalry", 75, "Only cavalry makes impact attacks.")


def impact_attacks(table: ExactTable, query: ImpactAttacks) -> RuleResult:
    """Impact attacks: whom impact attacks strike where the charge first touches somebody.

    Source: Impact Attacks, p. 75.
    """
    me = table.miniature(query.attacker)
    if query.attack == "stomp":
        return RuleResult(status="refused", because=(_IMPACT,), advice="The book knows no stomp.")
    if not me.has("cavalry") and me.profile != Profile():
        return RuleResult(status="refused", because=(_CAVALRY,), advice=f"{me.id} is no cavalry.")
    heading, speed = _heading(table, query), speed_mm(table, query.attacker)
    if heading is None or speed is None:
        need = "target or heading_deg" if heading is None else f"profile.spd_in of {query.attacker}"
        return RuleResult(status="unknown", needs=(need,), because=(_IMPACT,), depends_on_place=(query.attacker,))
    contact = _find_contact(table, query, heading, speed + EXTRA_MM)
    return _answer_contact(table, query, heading, speed + EXTRA_MM, contact)


def _heading(table: ExactTable, query: ImpactAttacks) -> float | None:
    if query.heading_deg is not None:
        return radians(query.heading_deg)
    if query.target is None:
        return None
    (ax, ay), (bx, by) = table.centre(query.attacker), table.centre(query.target)
    return math.atan2(by - ay, bx - ax)


def _find_contact(table: ExactTable, query: ImpactAttacks, heading: float, budget: float) -> Stop | None:
    """The first base it touches within its movement. Source: Charge, p. 31; Impact Attacks, p. 75."""
    base, path = table.base(query.attacker), straight_path(table.centre(query.attacker), heading, budget)
    going = passability_of_charge(table, query.attacker)
    bases = tuple((id_, table.area(id_)) for id_ in in_play(table, query.attacker))
    solid = tuple(thing for thing in going.stops if thing[0] not in table.miniatures)
    reach = farthest_within_budget(budget, slow_stretches(base, path, going.slow), budget)
    grazing = table.reading("graze") != "passes"
    walls = [stop.after_mm for stop in meetings(base, path, solid)]
    met = meetings(base, path, bases, grazing=grazing)
    way = straight_path(table.centre(query.attacker), heading, reach)
    trace_things_on_way(table, query.attacker, way, (*bases, *solid), grazing=grazing)
    trace_order(table, query.attacker, sorted([*met, *meetings(base, path, solid)], key=lambda stop: stop.after_mm))
    return next((stop for stop in met if stop.after_mm <= min([reach, *walls]) + EXACT_MM), None)


def _answer_contact(
    table: ExactTable, query: ImpactAttacks, heading: float, budget: float, contact: Stop | None
) -> RuleResult:
    start = table.centre(query.attacker)
    there = start if contact is None else place_after(straight_path(start, heading, budget), contact.after_mm)
    earned = contact is not None and is_at_least(
        contact.after_mm, CHARGE_ATTACK_MM, "comes 3 in before it touches", (query.attacker, contact.id)
    )

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_mount_reach(perturbed, query.attacker, id_, there, heading)

    resumes = earned and contact is not None and contact.id != query.target
    ids = tuple(id_ for id_ in in_play(table, query.attacker)) if earned else ()
    return RuleResult(
        status="measured",
        value={
            "contact_mm": None if contact is None else contact.after_mm,
            "contact": None if contact is None else contact.id,
            "resumes": resumes,
            "poses": {query.attacker: {"at_mm": list(there), "facing_deg": math.degrees(heading) % 360.0}},
        },
        lengths_mm={} if contact is None else {"contact": contact.after_mm},
        witness=(Witness(type="segment", role="path", points_mm=(start, there), of=(query.attacker,)),),
        because=(_IMPACT, _MOUNT) if earned or contact is None else (_IMPACT, _TOO_SOON),
        depends_on_place=(query.attacker, *(() if contact is None else (contact.id,))),
        members=evaluate_each(table, ids, about),
    )


def _check_mount_reach(table: ExactTable, attacker: str, id_: str, there: Point, heading: float) -> RuleResult:
    """Source: Mount Attacks, p. 75."""
    mounts = [w for w in table.miniature(attacker).profile.melee if "mount" in w.rules]
    reach = inches(mounts[0].reach_in) if mounts else DEFAULT_REACH_MM
    return check_reach(table.with_end(attacker, there).with_facing(attacker, heading), attacker, id_, {"mount": reach})
