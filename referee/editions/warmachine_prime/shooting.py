"""Shooting: who may make ranged attacks, and who aims."""

import math
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.miniature import Miniature
from models.pose import Pose
from models.queries import Aim, MayShoot
from models.units import radians, wrapped_rad
from models.verdict import CAPPED_MM, Reason
from referee.candidates import is_met
from referee.clauses import Clauses, all_of, any_of, negated
from referee.editions.warmachine_prime.able import ABLE, able, deeds, forfeited, in_formation, why_unable
from referee.editions.warmachine_prime.ground import is_colossus
from referee.editions.warmachine_prime.in_melee import enemies, link, melee_state
from referee.editions.warmachine_prime.melee import reach_ruling, weapon_reaches
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.terms import terms_of
from referee.ruling import FacingNeeded, Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_SHOOT = because("Ranged Attacks", 49, "A model in melee cannot make ranged attacks.")
_HUGE = because("Ranged Attacks While in Melee", 67, "A colossal shoots while in melee.")
_GUNFIGHTER = because("Gunfighter", 52, "A gunfighter may shoot at those it is in melee with.")
_ASSAULT = because("Assault", 52, "After a charge, Assault allows one shot at the target charged, even in melee.")
_RAN = because("Run", 30, "Who runs has forfeited the Combat Action.")
_GAVE_UP = because("Making Attacks", 41, "It has forfeited its Combat Action.")
_CHARGED = because("Charge", 31, "After a charge the Combat Action is spent on melee attacks.")
_POWER = because("Power Attacks", 44, "A slam or trample has spent its Combat Action.")
_BROKEN = because("Weapon Statistics", 19, "That weapon cannot be used now.")
_AIM = because("Aim", 30, "To aim it must neither move nor turn in its Normal Movement, and must not be in melee.")
_MOVED = because("Aim", 30, "It has used its Normal Movement otherwise.")


@dataclass(frozen=True)
class Leave:
    """What a special rule allows: shots at these only, by this rule, in or out of melee."""

    only_at: tuple[str, ...] | None = None
    after_charge: str | None = None
    in_melee: bool = False
    why: tuple[Reason, ...] = ()


def may_shoot(table: Situation, query: MayShoot) -> Ruling:
    """Whether nothing forbids a ranged attack. Source: Ranged Attacks, p. 49; Gunfighter and Assault, p. 52; p. 67."""
    missing = missing_gun(table.miniature(query.attacker), query.weapon)
    if missing is not None:
        return Ruling(status="unknown", needs=(missing,), because=(_SHOOT,), touches=(query.attacker,))
    ruling = shooting(table, query.attacker, query.target, query.weapon)
    if table.lean:
        return ruling
    leave = _leave(table, query.attacker)
    return replace(
        ruling,
        value={
            "reasons": _reasons(table, query, leave),
            "only_at": None if leave.only_at is None else list(leave.only_at),
            "after_charge": leave.after_charge,
        },
    )


def shooting(table: Situation, attacker: str, target: str | None = None, weapon: str | None = None) -> Ruling:
    """Whether this one may make ranged attacks, at this target if one is named. Source: Ranged Attacks, p. 49."""
    asked = ("shooting", attacker, target, weapon)
    return table.recalled(asked, lambda nudged: _shooting(nudged, attacker, target, weapon))


def _shooting(table: Situation, attacker: str, target: str | None, weapon: str | None) -> Ruling:
    barred = _barred(table, attacker, weapon)
    if barred:
        return Ruling(margin_mm=-CAPPED_MM, because=tuple(barred.values()), touches=(attacker,))
    leave = _leave(table, attacker)
    clauses = [("able", able(table, attacker)), ("formation", in_formation(table, attacker))]
    clauses.append(("not-in-melee", _free(table, attacker, target, leave)))
    ruling = all_of(tuple(clauses))
    return replace(ruling, because=(_SHOOT, *leave.why, *(r for r in ruling.because if r not in (_SHOOT, ABLE))))


def _free(table: Situation, attacker: str, target: str | None, leave: Leave) -> Ruling:
    """Whether no melee keeps it from shooting at this target."""
    if leave.only_at is not None and target is not None and target not in leave.only_at and leave.after_charge:
        return Ruling(margin_mm=-CAPPED_MM, because=leave.why, touches=(attacker, target))
    if leave.in_melee:
        return Ruling(margin_mm=CAPPED_MM, because=leave.why, touches=(attacker,))
    outside = negated(melee_state(table, attacker))
    if not table.miniature(attacker).has("gunfighter"):
        return outside
    if target is None:
        return Ruling(margin_mm=CAPPED_MM, because=(_GUNFIGHTER,), touches=(attacker,))
    return any_of((outside, link(table, attacker, target)))


def missing_gun(shooter: Miniature, weapon: str | None) -> str | None:
    """What to tell of a card that shows no ranged weapon, or not the one asked about; None when it does."""
    guns = shooter.profile.ranged
    if not guns and weapon is None:
        return f"profile.ranged of {shooter.id}"
    known = weapon is None or any(gun.name == weapon for gun in guns)
    return None if known else f"weapon {weapon} in profile.ranged of {shooter.id}"


def _barred(table: Situation, attacker: str, weapon: str | None) -> dict[str, Reason]:
    """What has used up or taken away its shooting, whoever stands where."""
    done, leave = deeds(table, attacker), _leave(table, attacker)
    guns = [gun for gun in table.miniature(attacker).profile.ranged if weapon in (None, gun.name)]
    out = bool(guns) and all({"crippled", "locked"} & set(gun.rules) for gun in guns)
    found = {
        "ran": (_RAN, "run" in done),
        "forfeited-action": (_GAVE_UP, "action" in forfeited(table, attacker)),
        "charged": (_CHARGED, "charge" in done and leave.after_charge is None),
        "power-attack": (_POWER, bool({"slam", "trample"} & done)),
        "weapon": (_BROKEN, out),
    }
    return {word: reason for word, (reason, holds) in found.items() if holds}


def _leave(table: Situation, attacker: str) -> Leave:
    me, charged = table.miniature(attacker), "charge" in deeds(table, attacker)
    if charged and me.has("assault") and not me.this_turn.engaged_before:
        at = () if me.this_turn.charged is None else (me.this_turn.charged,)
        return Leave(only_at=at or None, after_charge="assault", in_melee=True, why=(_ASSAULT,))
    if is_colossus(me) and not charged:
        return Leave(in_melee=True, why=(_HUGE,))
    if me.has("gunfighter"):
        fought = _is_reached if charged else _is_partner
        partners = tuple(id_ for id_ in enemies(table, attacker) if fought(table, attacker, id_))
        bound = partners if partners or charged else None
        return Leave(only_at=bound, after_charge="gunfighter" if charged else None, why=(_GUNFIGHTER,))
    return Leave()


def _is_reached(table: Situation, a: str, b: str) -> bool:
    """Whether the other is in its own melee range. Source: Gunfighter, p. 52."""
    try:
        return is_met(reach_ruling(table, a, b, weapon_reaches(table.miniature(a))))
    except FacingNeeded:
        return False


def _is_partner(table: Situation, a: str, b: str) -> bool:
    try:
        return is_met(link(table, a, b))
    except FacingNeeded:
        return False


def _reasons(table: Situation, query: MayShoot, leave: Leave) -> list[JsonValue]:
    words: list[JsonValue] = [*_barred(table, query.attacker, query.weapon)]
    status = why_unable(table, query.attacker)
    words += [status] if status is not None else []
    words += [] if is_met(in_formation(table, query.attacker)) else ["out-of-formation"]
    free = _free(table, query.attacker, query.target, leave)
    return words + ([] if is_met(free) or free.status == "unknown" else ["in-melee"])


def aim(table: Situation, query: Aim) -> Ruling:
    """Whether it stood still and may aim. The tolerances take the doubt of its place and facing. Source: Aim, p. 30."""
    moved = deeds(table, query.who) & {"advance", "run", "charge", "slam", "trample", "fly", "pivot"}
    start = table.miniature(query.who).this_turn.start
    if not isinstance(start, Pose):
        return _untracked(query.who, bool(moved))
    shift, turn = _shift_mm(table, query.who, start), _turn_deg(table, query.who, start)
    still = _still(table, query.who, shift, turn)
    if (moved and is_met(still)) or "movement" in forfeited(table, query.who):
        still = Ruling(margin_mm=-CAPPED_MM, because=(_MOVED,), touches=(query.who,))
    clauses = (
        ("still", still),
        ("able", able(table, query.who)),
        *not_in_melee(table, query.who),
    )
    ruling = all_of(clauses)
    if is_met(ruling):
        ruling = replace(ruling, slack_mm=ruling.margin_mm, margin_mm=still.margin_mm)
    value: dict[str, JsonValue] = {**ruling.value, "shift_mm": shift, "turn_deg": turn, "bonus": 2 * is_met(ruling)}
    told = applied(table, _AIM, _stirred(table, query.who, shift, turn))
    return replace(ruling, value=value, because=(told, *(r for r in ruling.because if r not in (_AIM, ABLE))))


def not_in_melee(table: Situation, who: str) -> Clauses:
    """That it is in no melee, where the book asks for it. Source: Aim, p. 30."""
    return () if terms_of(table).aims_in_melee else (("not-in-melee", negated(melee_state(table, who))),)


def _stirred(table: Situation, who: str, shift_mm: float, turn_deg: float | None) -> str:
    turned = "" if turn_deg is None else f" and turned by {turn_deg:.1f} degrees"
    return f"{name_of(table, who)} has moved {length(shift_mm)}{turned} since its activation began."


def _untracked(who: str, moved: bool) -> Ruling:
    if moved:
        return Ruling(margin_mm=-CAPPED_MM, value={"bonus": 0}, because=(_AIM, _MOVED), touches=(who,))
    return Ruling(status="unknown", needs=(f"this_turn.start of {who}",), because=(_AIM,), touches=(who,))


def _still(table: Situation, who: str, shift: float, turn: float | None) -> Ruling:
    """Whether place and facing are those of the start; a turn is told in millimetres of the rim."""
    miniature = table.miniature(who)
    tolerance = max(table.state.still_tolerance_mm, 2 * math.sqrt(miniature.covariance()[0][0]))
    allowed = max(table.state.facing_tolerance_deg, 2 * miniature.sigma.facing_deg)
    if turn is None or turn <= allowed:
        return Ruling(margin_mm=tolerance - shift, because=(_AIM,))
    rim = table.base(who).reach_mm * math.radians(allowed - turn)
    return Ruling(margin_mm=min(tolerance - shift, rim), because=(_AIM,))


def _shift_mm(table: Situation, who: str, start: Pose) -> float:
    path = table.miniature(who).this_turn.path_mm or ()
    return max(math.dist(start.at_mm, at) for at in (table.miniature(who).at_mm, *path))


def _turn_deg(table: Situation, who: str, start: Pose) -> float | None:
    now = table.miniature(who).facing_rad
    if now is None or start.facing_deg is None:
        return None
    return abs(math.degrees(wrapped_rad(now - radians(start.facing_deg))))
