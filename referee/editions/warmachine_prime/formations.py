"""Formation and command range: who stands near enough to the one who leads."""

from pydantic import JsonValue

from models.queries import CommandRange, Formation
from models.unit import Unit
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from referee.candidates import considered, is_met
from referee.editions.warmachine_prime.able import in_formation
from referee.editions.warmachine_prime.distances import ruler
from referee.editions.warmachine_prime.parameters import because
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation

_FORMATION = because("Unit Formation", 64, "Who is within the unit commander's command range is in formation.")
_COMMAND = because("Model Statistics", 15, "The command range is the CMD stat in inches, from the base edge.")
_OWN = because("Model Statistics", 15, "Everybody is completely within its own command range.")
_MARSHAL = because("'Jack Marshals", 74, "A warjack has its marshal's benefits within the marshal's command range.")
_ORDER = because("Issuing Orders", 64, "An order reaches the troopers that are in formation when it is given.")

# Source: Out of Formation, p. 64; Casting Spells on Out-of-Formation Troopers, p. 72; Flags and Zones, p. 83.
BARRED = ("orders", "attacks", "special-actions", "advances-outside-normal-movement", "friendly-spells",
          "control", "contest")  # fmt: skip


def formation(table: Situation, query: Formation) -> Ruling:
    """Who of a unit is in formation, or whether one of them is; the limit itself is. Source: Unit Formation, p. 64."""
    unit = next(u for u in table.state.units if u.id == query.unit)
    members = _members(table, unit)
    if query.who is not None and query.who not in members:
        return Ruling(status="refused", because=(_FORMATION,), advice=f"{query.who} is not of {query.unit}.")
    if unit.commander is None or unit.commander not in table.miniatures:
        return Ruling(status="unknown", needs=(f"commander of {unit.id}",), because=(_FORMATION,))
    found = {id_: in_formation(table, id_) for id_ in members}
    if query.who is None:
        return _listed(table, unit, found)
    return _one(table, unit, query.who, found[query.who])


def _members(table: Situation, unit: Unit) -> tuple[str, ...]:
    """Those of the unit that are in play. Source: Unit Formation, p. 64."""
    return tuple(m.id for m in table.state.miniatures if m.unit == unit.id and "removed" not in m.status)


def _listed(table: Situation, unit: Unit, found: dict[str, Ruling]) -> Ruling:
    unknown = next((ruling for ruling in found.values() if ruling.status == "unknown"), None)
    if unknown is not None:
        return unknown
    return Ruling(
        status="measured",
        value=_value(table, unit) | {"barred": {id_: _barred(ruling) for id_, ruling in found.items()}},
        witness=_ring(table, unit),
        because=(_FORMATION,),
        members=considered(table, found, in_formation),
    )


def _one(table: Situation, unit: Unit, who: str, found: Ruling) -> Ruling:
    if found.status == "unknown":
        return found
    commander = str(unit.commander)
    between = gap(table.base(commander), table.base(who))
    apart = 0.0 if who == commander else max(0.0, between.mm)
    return Ruling(
        margin_mm=found.margin_mm,
        value=_value(table, unit) | {"distance_mm": apart, "barred": _barred(found)},
        lengths_mm={"distance": apart},
        witness=(ruler(between, commander, who, role="clear" if is_met(found) else "blocked"), *_ring(table, unit)),
        because=(_FORMATION, *(r for r in found.because if r.source.section != "Unit Formation")),
        touches=found.touches,
    )


def _barred(found: Ruling) -> list[JsonValue]:
    """What it may not do where it stands. Source: Out of Formation, p. 64."""
    return [] if is_met(found) else list(BARRED)


def _value(table: Situation, unit: Unit) -> dict[str, JsonValue]:
    return {"commander": unit.commander, "command_mm": command_mm(table, str(unit.commander), unit)}


def command_mm(table: Situation, commander: str, unit: Unit | None = None) -> float | None:
    """The command range from the base edge. Source: Model Statistics, p. 15: as many inches as the CMD stat."""
    told = table.miniature(commander).profile.cmd_in
    if unit is not None and unit.command_in is not None:
        told = unit.command_in
    return None if told is None else inches(told)


def _ring(table: Situation, unit: Unit) -> tuple[Witness, ...]:
    commander, limit = str(unit.commander), command_mm(table, str(unit.commander), unit)
    if limit is None:
        return ()
    base = table.base(commander)
    return (
        Witness(type="circle", role="limit", centre_mm=base.centre, radius_mm=base.reach_mm + limit, of=(commander,)),
    )


def command_range(table: Situation, query: CommandRange) -> Ruling:
    """Whether one is within another's command range; the limit itself is. Source: Model Statistics, p. 15."""
    unit = next((u for u in table.state.units if u.commander == query.commander), None)
    own = unit is not None and table.miniature(query.who).unit == unit.id
    limit = command_mm(table, query.commander, unit if own else None)
    reasons = (_COMMAND, *{"marshal": (_MARSHAL,), "order": (_ORDER,)}.get(query.purpose or "", ()))
    if limit is None:
        need = f"profile.cmd_in of {query.commander}"
        return Ruling(status="unknown", needs=(need,), because=reasons, touches=(query.commander, query.who))
    between = gap(table.base(query.commander), table.base(query.who))
    myself = query.who == query.commander
    apart = 0.0 if myself else max(0.0, between.mm)
    return Ruling(
        margin_mm=CAPPED_MM if myself else limit - apart,
        value={"stat": "command", "range_mm": limit, "distance_mm": apart, "whole_unit": False},
        lengths_mm={"distance": apart},
        witness=(ruler(between, query.commander, query.who, role="clear" if apart <= limit else "blocked"),),
        because=(*reasons, _OWN) if myself else reasons,
        touches=(query.commander, query.who),
    )
