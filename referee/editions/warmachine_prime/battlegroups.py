"""Battlegroups: the control range of a warcaster or warlock, and who may be taken into it."""

from dataclasses import replace

from models.miniature import Miniature
from models.queries import B2b, ControlArea, TakeControl
from models.units import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.words import Point
from referee.candidates import is_met
from referee.clauses import Clauses, all_of
from referee.editions.warmachine_prime.able import in_formation
from referee.editions.warmachine_prime.distances import base_to_base, farthest, ruler, touched
from referee.editions.warmachine_prime.formations import command_mm
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.sides import are_enemies
from referee.situation import Situation

_CONTROL = because("Control Range", 69, "The control range is twice the current stat in inches, from the base edge.")
_OWN = because("Control Range", 69, "Everybody is in its own control range.")
_GROUP = because("Battlegroup Commander", 68, "Only those of its own battlegroup are its to use.")
_FOCUS = because("Allocating Focus Points", 69, "Focus goes to warjacks of the battlegroup in the control range.")
_FURY = because("Forcing Warbeasts", 101, "Fury comes from warbeasts of the battlegroup in the control range.")
_INERT = because("Inert Warjacks", 59, "An inert warjack cannot gain focus.")
_WILD = because("Wild Warbeasts", 103, "A wild warbeast cannot be forced.")
_PACK = because("Unit", 100, "A pack is ordered and forced while its commander is in its controller's control range.")
_MARSHAL = because("'Jack Marshals", 74, "A warjack has its marshal's benefits within the marshal's command range.")
_TAKE_INERT = because("Inert Warjacks", 59, "A warjack is reactivated base to base, for focus or a Combat Action.")
_TAKE_FREE = because("Autonomous Warjacks", 67, "A warjack without a controller is taken over base to base.")
_TAKE_WILD = because("Wild Warbeasts", 103, "A wild warbeast is taken over base to base, for one fury.")
_HELD = because("Battlegroup Commander", 68, "It has a controller and is no one else's to take.")
_FRIENDS = because("Battlegroup Commander", 68, "Only friends can be of a battlegroup.")
_WHO = because("Autonomous Warjacks", 67, "Battlegroup commanders and 'jack marshals take control.")
_BUSY = because("Autonomous Warjacks", 67, "A marshal who has a warjack already takes no other.")

_FOCUS_USES = frozenset({"allocate", "power-up"})
_FURY_USES = frozenset({"force", "leach", "reave", "transfer"})
_PACK_USES = frozenset({"force", "transfer"})  # what a trooper of a pack may be used for only in formation


def control_mm(table: Situation, caster: str) -> float | None:
    """The control range from the base edge. Source: Control Range, p. 69: twice the current stat in inches."""
    stat = table.miniature(caster).profile.control_stat
    return None if stat is None else inches(2 * stat)


def in_control(table: Situation, caster: str, target: str | Point) -> Ruling:
    """Whether some part is within the control range; the limit itself is. Source: Control Range, p. 69, 101."""
    limit = control_mm(table, caster)
    if limit is None:
        need = f"profile.control_stat of {caster}"
        return Ruling(status="unknown", needs=(need,), because=(_CONTROL,), touches=touched(caster, target))
    return _within(table, caster, target, limit)


def _within(table: Situation, caster: str, target: str | Point, limit: float) -> Ruling:
    if target == caster:
        return Ruling(margin_mm=CAPPED_MM, because=(_CONTROL, _OWN), touches=(caster,))
    between = area_gap(table.area(caster), table.area(target))
    apart = max(0.0, between.mm)
    return Ruling(
        margin_mm=limit - apart,
        lengths_mm={"distance": apart},
        witness=(ruler(between, caster, target, role="clear" if apart <= limit else "blocked"), *_ring(table, caster)),
        because=(_CONTROL,),
        touches=touched(caster, target),
    )


def _ring(table: Situation, caster: str) -> tuple[Witness, ...]:
    base, limit = table.base(caster), control_mm(table, caster)
    if limit is None:
        return ()
    return (Witness(type="circle", role="limit", centre_mm=base.centre, radius_mm=base.reach_mm + limit, of=(caster,)),)


def control_area(table: Situation, query: ControlArea) -> Ruling:
    """Whether it is in the control area, and free for the purpose asked about. Source: Control Range, p. 69, 101."""
    purpose, target = query.purpose, query.target
    if purpose is None:
        return _measured(table, query, in_control(table, query.caster, target), ())
    if not isinstance(target, str) or target not in table.miniatures:
        return Ruling(status="refused", because=(_CONTROL,), advice="Name a miniature as the target.")
    clauses = _clauses(table, query.caster, target, purpose)
    return _measured(table, query, all_of(clauses), clauses)


def _measured(table: Situation, query: ControlArea, ruling: Ruling, clauses: Clauses) -> Ruling:
    """The same ruling with the lengths a player wants to hear."""
    source, target = table.area(query.caster), table.area(query.target)
    apart = 0.0 if query.target == query.caster else max(0.0, area_gap(source, target).mm)
    limit = control_mm(table, query.caster)
    whole = query.target == query.caster or (limit is not None and farthest(source, target)[0] <= limit + 1e-9)
    value = {"radius_mm": limit, "distance_mm": apart, "completely": None if limit is None else _word(whole)}
    witness = next((r.witness for _, r in clauses if r.witness), ruling.witness)
    return replace(ruling, value={**ruling.value, **value}, lengths_mm={"distance": apart}, witness=witness)


def _word(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _clauses(table: Situation, caster: str, target: str, purpose: str) -> Clauses:
    if purpose == "marshal":
        return (("command", _by_marshal(table, caster, target)), ("battlegroup", of_group(table, caster, target)))
    lead = _leader(table, target)
    clauses = [
        ("control", in_control(table, caster, target if purpose == "transfer" else lead)),
        ("battlegroup", of_group(table, caster, lead)),
    ]
    if lead != target and purpose in _PACK_USES:
        clauses.append(("formation", in_formation(table, target)))
    if purpose in _FOCUS_USES | _FURY_USES:
        clauses.append(("kind", _of_kind(table, table.miniature(target), purpose)))
    return tuple(clauses)


def _leader(table: Situation, target: str) -> str:
    """The commander of its pack, else itself. Source: Warbeast Packs, p. 100."""
    me = table.miniature(target)
    unit = next((u for u in table.state.units if u.id == me.unit), None)
    if unit is None or unit.commander is None or unit.commander not in table.miniatures:
        return target
    return unit.commander


def _by_marshal(table: Situation, marshal: str, target: str) -> Ruling:
    """Source: 'Jack Marshals, p. 74: within the command range."""
    limit = command_mm(table, marshal)
    if limit is None:
        return Ruling(status="unknown", needs=(f"profile.cmd_in of {marshal}",), because=(_MARSHAL,))
    return replace(_within(table, marshal, target, limit), because=(_MARSHAL,))


def of_group(table: Situation, commander: str, target: str) -> Ruling:
    """Whether it is of the commander's battlegroup. Source: Battlegroup Commander, p. 68, 101."""
    controller = table.miniature(target).controller
    if target == commander:
        return Ruling(margin_mm=CAPPED_MM, because=(_GROUP,), touches=(target,))
    if are_enemies(table.state, table.miniature(commander), table.miniature(target)):
        return Ruling(margin_mm=-CAPPED_MM, because=(_FRIENDS,), touches=(target,))
    if controller is None and not _is_free(table.miniature(target)):
        return Ruling(status="unknown", needs=(f"controller of {target}",), because=(_GROUP,), touches=(target,))
    margin = CAPPED_MM if controller == commander else -CAPPED_MM
    return Ruling(margin_mm=margin, because=(_GROUP,), touches=(target,))


def _of_kind(table: Situation, target: Miniature, purpose: str) -> Ruling:
    """Source: Allocating Focus Points, p. 69; Forcing Warbeasts, p. 101; Inert, p. 59; Wild, p. 103."""
    wanted, reason = ("warjack", _FOCUS) if purpose in _FOCUS_USES else ("warbeast", _FURY)
    if target.type not in (None, "trooper", wanted):
        return _barred(target, reason)
    if purpose in _FOCUS_USES and "inert" in target.status:
        return _barred(target, _INERT)
    if not terms_of(table).unforced.get(purpose, frozenset[str]()).isdisjoint(target.status):
        return _barred(target, _WILD)
    return Ruling(margin_mm=CAPPED_MM, because=(reason,), touches=(target.id,))


def _barred(target: Miniature, reason: Reason) -> Ruling:
    return Ruling(margin_mm=-CAPPED_MM, because=(reason,), touches=(target.id,))


def take_control(table: Situation, query: TakeControl) -> Ruling:
    """Whether it may be taken over: base to base, and free to take.

    Source: Inert Warjacks, p. 59; Autonomous Warjacks, p. 67; Wild Warbeasts, p. 103.
    """
    target = table.miniature(query.target)
    touching = base_to_base(table, B2b(a=query.caster, b=query.target))
    ruling = all_of(
        (
            ("contact", touching),
            ("friend", _friendly(table, query)),
            ("free", _free(target)),
            ("taker", _taker(table, table.miniature(query.caster), target)),
        )
    )
    return replace(
        ruling,
        value={**ruling.value, "gap_mm": touching.value["gap_mm"]},
        lengths_mm=touching.lengths_mm,
        witness=touching.witness,
        contact=touching.contact if is_met(ruling) or ruling.margin_mm == touching.margin_mm else None,
    )


def _friendly(table: Situation, query: TakeControl) -> Ruling:
    enemies = are_enemies(table.state, table.miniature(query.caster), table.miniature(query.target))
    return Ruling(margin_mm=-CAPPED_MM if enemies else CAPPED_MM, because=(_FRIENDS,), touches=(query.target,))


def _is_free(target: Miniature) -> bool:
    """Whether it has been told that nobody controls it."""
    return bool({"inert", "autonomous", "wild"} & set(target.status))


def _free(target: Miniature) -> Ruling:
    """Source: Inert Warjacks, p. 59; Autonomous Warjacks, p. 67; Wild Warbeasts, p. 103."""
    for status, reason in (("inert", _TAKE_INERT), ("autonomous", _TAKE_FREE), ("wild", _TAKE_WILD)):
        if status in target.status:
            return Ruling(margin_mm=CAPPED_MM, because=(reason,), touches=(target.id,))
    if target.controller is None and target.type in (None, "warjack", "warbeast"):
        need = f"status of {target.id} (inert, autonomous or wild) or its controller"
        return Ruling(status="unknown", needs=(need,), because=(_HELD,), touches=(target.id,))
    return _barred(target, _HELD)


def _taker(table: Situation, caster: Miniature, target: Miniature) -> Ruling:
    """Source: Autonomous Warjacks, p. 67: a battlegroup commander, or a marshal who has no warjack yet."""
    if caster.type in ("warcaster", "warlock") or caster.has("battlegroup-commander"):
        return Ruling(margin_mm=CAPPED_MM, because=(_WHO,), touches=(caster.id,))
    if not caster.has("jack-marshal") or target.type == "warbeast" or "wild" in target.status:
        return _barred(caster, _WHO)
    busy = any(m.controller == caster.id and m.id != target.id for m in table.state.miniatures)
    if busy and "inert" not in target.status:
        return _barred(caster, _BUSY)
    return Ruling(margin_mm=CAPPED_MM, because=(_WHO,), touches=(caster.id,))
