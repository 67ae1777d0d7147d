"""What else comes with a charge: impact attacks, the assault shot, and where a frenzied beast goes."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.profile import Profile
from models.queries import Assault, Charge, Frenzy, ImpactAttacks, Los, Range
from models.units import inches, radians
from models.verdict import CAPPED_MM, Reason, Witness
from models.words import Point
from referee.candidates import considered, in_play, is_met
from referee.clauses import Clauses, all_of
from referee.editions.warmachine_prime.charges import EXTRA_MM, charge
from referee.editions.warmachine_prime.distances import in_range
from referee.editions.warmachine_prime.going import charging
from referee.editions.warmachine_prime.melee import reach_ruling
from referee.editions.warmachine_prime.parameters import CHARGE_ATTACK_MM, DEFAULT_REACH_MM, because
from referee.editions.warmachine_prime.paths import speed_mm
from referee.editions.warmachine_prime.sight import line_of_sight
from referee.gaps import gap
from referee.ruling import FacingNeeded, Ruling
from referee.situation import Situation
from referee.travel import Stop, farthest_for, meetings, place_after, slow_stretches, straight

_IMPACT = because("Impact Attacks", 75, "Contact after 3 in or more of a charge earns impact attacks.")
_MOUNT = because("Mount Attacks", 75, "The mount reaches half an inch, and strikes everybody in its reach.")
_TOO_SOON = because("Impact Attacks", 75, "Contact before 3 in ends the movement without impact attacks.")
_CAVALRY = because("Cavalry", 75, "Only cavalry makes impact attacks.")
_ASSAULT = because("Assault", 52, "With Assault one ranged attack at the charge's target follows the movement.")
_IN_MELEE = because("Assault", 52, "Not when the charge began in melee.")
_CHARGED = because("Assault", 52, "The shot goes at the model that was charged, and belongs to the charge.")
_FRENZY = because("Threshold & Frenzy", 98, "A frenzied warbeast charges the nearest model in sight, friend or foe.")
_PACK = because("Pack Frenzy", 100, "The other models of its pack are left out.")
_LOST = because("Threshold & Frenzy", 98, "Who cannot charge loses its activation.")


def impact_attacks(table: Situation, query: ImpactAttacks) -> Ruling:
    """Whom impact attacks strike where the charge first touches somebody. Source: Impact Attacks, p. 75."""
    me = table.miniature(query.attacker)
    if query.attack == "stomp":
        return Ruling(status="refused", because=(_IMPACT,), advice="The book knows no stomp.")
    if not me.has("cavalry") and me.profile != Profile():
        return Ruling(status="refused", because=(_CAVALRY,), advice=f"{me.id} is no cavalry.")
    heading, speed = _heading(table, query), speed_mm(table, query.attacker)
    if heading is None or speed is None:
        need = "target or heading_deg" if heading is None else f"profile.spd_in of {query.attacker}"
        return Ruling(status="unknown", needs=(need,), because=(_IMPACT,), touches=(query.attacker,))
    contact = _contact(table, query, heading, speed + EXTRA_MM)
    return _struck(table, query, heading, speed + EXTRA_MM, contact)


def _heading(table: Situation, query: ImpactAttacks) -> float | None:
    if query.heading_deg is not None:
        return radians(query.heading_deg)
    if query.target is None:
        return None
    (ax, ay), (bx, by) = table.centre(query.attacker), table.centre(query.target)
    return math.atan2(by - ay, bx - ax)


def _contact(table: Situation, query: ImpactAttacks, heading: float, budget: float) -> Stop | None:
    """The first base it touches within its movement. Source: Charge, p. 31; Impact Attacks, p. 75."""
    base, path = table.base(query.attacker), straight(table.centre(query.attacker), heading, budget)
    going = charging(table, query.attacker)
    bases = tuple((id_, table.area(id_)) for id_ in in_play(table, query.attacker))
    solid = tuple(thing for thing in going.stops if thing[0] not in table.miniatures)
    reach = farthest_for(budget, slow_stretches(base, path, going.slow), budget)
    grazing = table.reading("graze") != "passes"
    walls = [stop.after_mm for stop in meetings(base, path, solid)]
    met = meetings(base, path, bases, grazing=grazing)
    return next((stop for stop in met if stop.after_mm <= min([reach, *walls]) + 1e-9), None)


def _struck(table: Situation, query: ImpactAttacks, heading: float, budget: float, contact: Stop | None) -> Ruling:
    start = table.centre(query.attacker)
    there = start if contact is None else place_after(straight(start, heading, budget), contact.after_mm)
    earned = contact is not None and contact.after_mm >= CHARGE_ATTACK_MM - 1e-9

    def about(nudged: Situation, id_: str) -> Ruling:
        return _in_mount_reach(nudged, query.attacker, id_, there, heading)

    resumes = earned and contact is not None and contact.id != query.target
    ids = tuple(id_ for id_ in in_play(table, query.attacker)) if earned else ()
    return Ruling(
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
        touches=(query.attacker, *(() if contact is None else (contact.id,))),
        members=considered(table, ids, about),
    )


def _in_mount_reach(table: Situation, attacker: str, id_: str, there: Point, heading: float) -> Ruling:
    """Source: Mount Attacks, p. 75."""
    mounts = [w for w in table.miniature(attacker).profile.melee if "mount" in w.rules]
    reach = inches(mounts[0].reach_in) if mounts else DEFAULT_REACH_MM
    return reach_ruling(table.placed(attacker, there).facing(attacker, heading), attacker, id_, {"mount": reach})


def assault(table: Situation, query: Assault) -> Ruling:
    """Whether the assault shot is made, and reaches. Source: Assault, p. 52."""
    me = table.miniature(query.attacker)
    range_ = in_range(table, Range(attacker=query.attacker, target=query.target, weapon=query.weapon))
    clauses: Clauses = (
        ("ability", _plain(query, me.has("assault"), _ASSAULT)),
        ("charge", _charged(table, query)),
        ("began", _plain(query, not me.this_turn.engaged_before, _IN_MELEE)),
        ("range", range_),
    )
    ruling = all_of(clauses)
    failed = [r for name, r in clauses if name != "range" and r.status == "decided" and not is_met(r)]
    margin = ruling.margin_mm if failed or range_.status != "decided" else range_.margin_mm
    charged = me.this_turn.charged == query.target
    return replace(
        ruling,
        margin_mm=margin,
        value={**ruling.value, "charge": "charge" in me.this_turn.moved or charged, "order": None},
        witness=range_.witness,
        because=(_ASSAULT, *(r for r in ruling.because if r != _ASSAULT)),
    )


def _charged(table: Situation, query: Assault) -> Ruling:
    """Source: Assault, p. 52: the target is the model charged, whether the charge got there or not."""
    me, turn = table.miniature(query.attacker), table.state.turn
    declared = turn.declared if turn is not None else None
    if declared is not None and declared.what == "charge" and declared.by == me.id:
        return _plain(query, declared.target in (None, query.target), _CHARGED)
    if me.this_turn.charged is not None:
        return _plain(query, me.this_turn.charged == query.target, _CHARGED)
    if "charge" in me.this_turn.moved:
        return _plain(query, True, _CHARGED)
    need = f"this_turn.charged of {query.attacker}"
    told = bool(me.this_turn.moved)
    unknown = Ruling(status="unknown", needs=(need,), because=(_CHARGED,), touches=(me.id,))
    return _plain(query, False, _CHARGED) if told else unknown


def _plain(query: Assault, holds: bool, reason: Reason) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,), touches=(query.attacker,))


def frenzy(table: Situation, query: Frenzy) -> Ruling:
    """Whom a frenzied warbeast charges. Source: Threshold & Frenzy, p. 98; Pack Frenzy, p. 100."""
    me = table.miniature(query.who)
    mates = {m.id for m in table.state.miniatures if me.unit is not None and m.unit == me.unit}
    others = tuple(id_ for id_ in in_play(table, query.who) if id_ not in mates)
    apart = {id_: max(0.0, gap(table.base(query.who), table.base(id_)).mm) for id_ in others}
    ids = tuple(sorted(others, key=lambda id_: apart[id_]))

    def about(nudged: Situation, id_: str) -> Ruling:
        return line_of_sight(nudged, Los(viewer=query.who, target=id_, purpose="charge"))

    seen = [id_ for id_ in ids if _is_seen(table, query.who, id_)]
    ties: list[JsonValue] = [id_ for id_ in seen if apart[id_] <= apart[seen[0]] + 1e-6] if seen else []
    charges = bool(seen) and query.may_charge and "crippled-movement" not in me.status
    value: dict[str, JsonValue] = {
        "target": seen[0] if charges else None,
        "mode": "charge" if charges else "none",
        "ties": ties if len(ties) > 1 else [],
        "distance_mm": {id_: apart[id_] for id_ in seen},
    }
    if charges and not table.lean:
        value |= _rush_at(table, query.who, seen[0])
    return Ruling(
        status="measured",
        value=value,
        because=(_FRENZY, *((_PACK,) if len(mates) > 1 else ()), *(() if charges else (_LOST,))),
        touches=(query.who,),
        members=considered(table, ids, about),
    )


def _is_seen(table: Situation, who: str, id_: str) -> bool:
    return is_met(line_of_sight(table, Los(viewer=who, target=id_, purpose="charge")))


def _rush_at(table: Situation, who: str, target: str) -> dict[str, JsonValue]:
    """Where its charge straight at the target ends. Source: Threshold & Frenzy, p. 98."""
    (ax, ay), (bx, by) = table.centre(who), table.centre(target)
    heading = math.degrees(math.atan2(by - ay, bx - ax))
    try:
        found = charge(table, Charge(attacker=who, target=target, heading_deg=heading))
    except FacingNeeded:
        return {}
    return {key: found.value[key] for key in ("travelled_mm", "poses", "stopped_by") if key in found.value}
