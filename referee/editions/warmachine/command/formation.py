"""Formation: who is in it, who is in command range, and shield walls."""

from dataclasses import replace

from models.queries import B2b, CommandRange, DamageArc, Formation, ShieldWall
from models.unit import Unit
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.melee.attack_eligibility import check_formation
from referee.editions.warmachine.miniatures.arcs import damage_arc
from referee.editions.warmachine.miniatures.base_state import commander_of
from referee.editions.warmachine.miniatures.distances import b2b, draw_ruler
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import gap
from referee.rules.candidates import evaluate_each, in_play, is_met, is_zero_or_more
from referee.rules.conditions import all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value, ask_for, plain_condition

_FORMATION = because("Unit Formation", 64, "Who is within the unit commander's command range is in formation.")

# Source: Out of Formation, p. 64; Casting Spells on Out-of-Formation Troopers, p. 72; Flags and Zones, p. 83.
BARRED = ("orders", "attacks", "special-actions", "advances-outside-normal-movement", "friendly-spells",
          "control", "contest")  # fmt: skip
_COMMAND = because("Model Statistics", 15, "The command range is the CMD stat in inches, from the base edge.")
_OWN = because("Model Statistics", 15, "Everybody is completely within its own command range.")
_MARSHAL = because("'Jack Marshals", 74, "A warjack has its marshal's benefits within the marshal's command range.")
_ORDER = because("Issuing Orders", 64, "An order reaches the troopers that are in formation when it is given.")
_WALL_ORDER = because("Issuing Orders", 64, "Its unit has been given the Shield Wall order of its card.")
_BESIDE = because("Issuing Orders", 64, "The card asks for base contact with another that has the order: +4 ARM.")
_ORIGIN = because("Point of Impact & Origin of Damage", 53, "No shield wall against damage from the back arc.")
_WALL_BONUS = 4


def formation(table: ExactTable, query: Formation) -> RuleResult:
    """Formation: who of a unit is in formation, or whether one of them is; the limit itself is.

    Source: Unit Formation, p. 64.
    """
    unit = next(u for u in table.state.units if u.id == query.unit)
    members = list_members(table, unit)
    if query.who is not None and query.who not in members:
        return RuleResult(status="refused", because=(_FORMATION,), advice=f"{query.who} is not of {query.unit}.")
    if commander_of(table, unit) is None:
        return ask_for(f"commander of {unit.id}", because=(_FORMATION,))
    checks = {id_: check_formation(table, id_) for id_ in members}
    if query.who is None:
        return _answer_unit(table, unit, checks)
    return _answer_trooper(table, unit, query.who, checks[query.who])


def list_members(table: ExactTable, unit: Unit) -> tuple[str, ...]:
    """Those of the unit that are in play. Source: Unit Formation, p. 64."""
    return tuple(m.id for m in table.state.miniatures if m.unit == unit.id and "removed" not in m.status)


def _answer_unit(table: ExactTable, unit: Unit, checks: dict[str, RuleResult]) -> RuleResult:
    unknown = next((result for result in checks.values() if result.status == "unknown"), None)
    if unknown is not None:
        return unknown
    return RuleResult(
        status="measured",
        value=_value(table, unit)
        | {
            "barred": {
                id_: [] if is_met(check, "is in formation with") else list(BARRED) for id_, check in checks.items()
            }
        },
        witness=_draw_rim(table, unit),
        because=(_FORMATION,),
        members=evaluate_each(table, checks, check_formation),
    )


def _answer_trooper(table: ExactTable, unit: Unit, trooper: str, check: RuleResult) -> RuleResult:
    if check.status == "unknown":
        return check
    commander = str(commander_of(table, unit))
    between = gap(table.base(commander), table.base(trooper))
    apart = 0.0 if trooper == commander else max(0.0, between.mm)
    return RuleResult(
        margin_mm=check.margin_mm,
        value=_value(table, unit) | {"distance_mm": apart, "barred": [] if is_zero_or_more(check) else [*BARRED]},
        lengths_mm={"distance": apart},
        witness=(
            draw_ruler(between, commander, trooper, role="clear" if is_zero_or_more(check) else "blocked"),
            *_draw_rim(table, unit),
        ),
        because=(_FORMATION, *(r for r in check.because if r.source.section != "Unit Formation")),
        depends_on_place=check.depends_on_place,
    )


def _value(table: ExactTable, unit: Unit) -> Value:
    commander = commander_of(table, unit)
    return {"commander": commander, "command_mm": command_mm(table, str(commander), unit)}


def command_mm(table: ExactTable, commander: str, unit: Unit | None = None) -> float | None:
    """The command range from the base edge. Source: Model Statistics, p. 15: as many inches as the CMD stat."""
    command_in = table.miniature(commander).profile.cmd_in
    if unit is not None and unit.command_in is not None:
        command_in = unit.command_in
    return None if command_in is None else inches(command_in)


def _draw_rim(table: ExactTable, unit: Unit) -> tuple[Witness, ...]:
    commander = str(commander_of(table, unit))
    limit = command_mm(table, commander, unit)
    if limit is None:
        return ()
    base = table.base(commander)
    return (
        Witness(type="circle", role="limit", centre_mm=base.centre, radius_mm=base.reach_mm + limit, of=(commander,)),
    )


def command_range(table: ExactTable, query: CommandRange) -> RuleResult:
    """Command range: whether one is within another's command range; the limit itself is.

    Source: Model Statistics, p. 15.
    """
    unit = next((u for u in table.state.units if commander_of(table, u) == query.commander), None)
    own = unit is not None and table.miniature(query.who).unit == unit.id
    limit = command_mm(table, query.commander, unit if own else None)
    reasons = (_COMMAND, *{"marshal": (_MARSHAL,), "order": (_ORDER,)}.get(query.purpose or "", ()))
    if limit is None:
        return ask_for(f"profile.cmd_in of {query.commander}", because=reasons, on=(query.commander, query.who))
    between = gap(table.base(query.commander), table.base(query.who))
    myself = query.who == query.commander
    apart = 0.0 if myself else max(0.0, between.mm)
    return RuleResult(
        margin_mm=CAPPED_MM if myself else limit - apart,
        value={"stat": "command", "range_mm": limit, "distance_mm": apart, "whole_unit": False},
        lengths_mm={"distance": apart},
        witness=(draw_ruler(between, query.commander, query.who, role="clear" if apart <= limit else "blocked"),),
        because=(*reasons, _OWN) if myself else reasons,
        depends_on_place=(query.commander, query.who),
    )


def shield_wall(table: ExactTable, query: ShieldWall) -> RuleResult:
    """Shield wall: whether the wall protects it: ordered, beside another of it, and not hurt from behind.

    The book leaves the order itself to the card. Source: Issuing Orders, p. 64; Point of Impact & Origin of Damage,
    p. 53.
    """
    ordered = [id_ for id_ in _comrades(table, query.target) if _is_ordered(table, id_)]
    contacts = {id_: b2b(table, B2b(a=query.target, b=id_)) for id_ in ordered}
    clauses = (
        ("ordered", plain_condition(query.target, _is_ordered(table, query.target), _WALL_ORDER)),
        ("beside", _check_beside(table, query.target, contacts)),
        *_arc_clause(table, query),
    )
    result = all_of(clauses)
    touching = [id_ for id_, contact in contacts.items() if is_met(contact, "touches")]
    return replace(
        result,
        value={
            **result.value,
            "neighbours": [*touching],
            "bonus": _WALL_BONUS if is_met(result, "is behind a shield wall") else 0,
            "bonus_to": "armour",
        },
        because=tuple(dict.fromkeys((_WALL_ORDER, *result.because))),
        readings=tuple(dict.fromkeys(("shield-wall-needs", *result.readings))),
        doubtful=(*result.doubtful, *(("shield-wall-needs",) if touching else ())),
    )


def _comrades(table: ExactTable, id_: str) -> tuple[str, ...]:
    unit = table.miniature(id_).unit
    return tuple(o for o in in_play(table, id_) if unit is not None and table.miniature(o).unit == unit)


def _is_ordered(table: ExactTable, id_: str) -> bool:
    """Whether it, or its unit, has been told to have the order. Source: Issuing Orders, p. 64."""
    me = table.miniature(id_)
    units = (u for u in table.state.units if u.id == me.unit)
    return "shield-wall" in me.status or any("shield-wall" in u.orders for u in units)


def _check_beside(table: ExactTable, id_: str, contacts: dict[str, RuleResult]) -> RuleResult:
    """One neighbour in contact is enough, or one to each hand where players read the card so."""
    nearest = sorted(contacts.values(), key=lambda contact: -contact.decisive_mm)
    wanted = 2 if table.reading("shield-wall-needs") == "neighbours-both" else 1
    if len(nearest) < wanted:
        return plain_condition(id_, False, _BESIDE)
    if wanted == 1:
        return replace(any_of(tuple(nearest)), because=(_BESIDE,))
    return replace(all_of(tuple(("beside", contact) for contact in nearest[:2])), because=(_BESIDE,))


def _arc_clause(table: ExactTable, query: ShieldWall) -> tuple[tuple[str, RuleResult], ...]:
    """Where the damage comes from; nothing to ask where no attacker is stated."""
    if query.attacker is None and query.origin is None:
        return (("from-the-front", RuleResult(margin_mm=CAPPED_MM, depends_on_place=(query.target,))),)
    arc = damage_arc(table, DamageArc(target=query.target, attacker=query.attacker, origin=query.origin))
    return (("from-the-front", replace(arc, because=(_ORIGIN, *arc.because[1:]))),)
