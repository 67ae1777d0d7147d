"""Power attacks: which warbeast may make which, always at half an inch, at friend or foe."""

from dataclasses import replace

from models.miniature import Miniature
from models.queries import PowerAttack
from models.verdict import CAPPED_MM, Reason
from referee.candidates import is_met
from referee.clauses import Clauses, all_of
from referee.editions.hordes_mk2.charges import rush_clauses
from referee.editions.hordes_mk2.parameters import LARGE_MM, MEDIUM_MM, POWER_REACH_MM, because
from referee.editions.warmachine_prime.able import able, deeds, line_of_blow
from referee.editions.warmachine_prime.ground import size_mm
from referee.editions.warmachine_prime.melee import reach_ruling
from referee.editions.warmachine_prime.terms import terms_of
from referee.ruling import Ruling
from referee.situation import Situation

_WHO = because("Power Attacks", "All warbeasts head-butt, push and slam; heavy ones trample.")
_KINDS = because("Power Attacks", "Head-butt, lock, push, slam, both throws and trample are all there are.")
_CHARGED = because("Power Attacks", "A power attack is no charge attack.")
_FISTS = because("Power Attacks", "Locks and throws take an Open Fist, a double-hand throw two.")
_LARGER = because("Head-butt", "Nobody head-butts or throws a larger base.")
_LOCKABLE = because("Headlock/Weapon Lock", "Only a warbeast that stands can be locked.")
_HELD = because("Head-butt", "Nobody head-butts while held in a headlock.")
_SMALL = because("Trample", "Small bases are trampled.")
_MINUS = because("Slam", "A slam at a larger base suffers 2 on the attack roll.")
_REACH = because("Power Attacks", "Power attacks reach half an inch, whatever the weapon.")
_LOCKS = frozenset({"headlock", "weapon-lock"})
_NEEDED = {"headlock": 1, "weapon-lock": 1, "throw": 1, "double-hand-throw": 2}
_RUSHES = frozenset({"slam", "trample"})


def power_attack(table: Situation, query: PowerAttack) -> Ruling:
    """Whether it may make that power attack on this target from where it stands. Source: Power Attacks."""
    if query.attack == "power-strike":
        return Ruling(status="refused", because=(_KINDS,), advice=f"The book knows no {query.attack}.")
    me, them = table.miniature(query.attacker), table.miniature(query.target)
    reach = _reach(table, query)
    clauses = (*_clauses(table, query, me, them), ("reach", reach))
    ruling = all_of(clauses)
    failed = [r for name, r in clauses if name != "reach" and (r.status != "decided" or not is_met(r))]
    larger = query.attack == "slam" and size_mm(them) > size_mm(me)
    return replace(
        ruling,
        margin_mm=ruling.margin_mm if failed or reach.status != "decided" else reach.decisive_mm,
        value={**ruling.value, "bonus": -2 if larger else 0, "bonus_to": "attack"},
        witness=reach.witness,
        because=(*ruling.because, *((_MINUS,) if larger else ())),
    )


def _reach(table: Situation, query: PowerAttack) -> Ruling:
    """Source: Power Attacks: half an inch; of a trample the reach does not matter."""
    if query.attack == "trample":
        return Ruling(margin_mm=CAPPED_MM, touches=(query.attacker, query.target))
    ruling = reach_ruling(table, query.attacker, query.target, {query.attack: POWER_REACH_MM})
    return replace(ruling, because=(_REACH, *ruling.because))


def _clauses(table: Situation, query: PowerAttack, me: Miniature, them: Miniature) -> Clauses:
    plainly = terms_of(table).locked_strike_plainly
    clauses = [
        ("able", able(table, me.id)),
        ("kind", _kind(table, query, me)),
        ("charged", _plain(me, "charge" not in deeds(table, me.id), _CHARGED)),
        ("size", _size(table, query, me, them)),
        ("sight", line_of_blow(table, me.id, them.id, reach_mm=POWER_REACH_MM)),
    ]
    if query.attack in _NEEDED:
        clauses.append(("fist", _fists(query, me)))
    if query.attack in _LOCKS:
        lockable = (them.type is None or them.type in terms_of(table).brutes) and "knocked-down" not in them.status
        clauses.append(("lockable", _plain(them, lockable, _LOCKABLE)))
    held = me.lock is not None and not me.lock.holder and (me.lock.kind == "headlock" or plainly)
    if query.attack == "head-butt" or plainly:
        clauses.append(("free", _plain(me, not held, _HELD)))
    if query.attack in _RUSHES:
        clauses += rush_clauses(table, me.id)
    return tuple(clauses)


def _plain(who: Miniature, holds: bool, reason: Reason) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,), touches=(who.id,))


def _kind(table: Situation, query: PowerAttack, me: Miniature) -> Ruling:
    """Source: Power Attacks: all warbeasts, and for a trample the heavy ones."""
    if me.type is None:
        return Ruling(status="unknown", needs=(f"type of {me.id}",), because=(_WHO,), touches=(me.id,))
    heavy = size_mm(me) >= LARGE_MM or query.attack != "trample"
    return _plain(me, me.type in terms_of(table).brutes and heavy, _WHO)


def _size(table: Situation, query: PowerAttack, me: Miniature, them: Miniature) -> Ruling:
    """Source: Head-butt; Throw; Double-Hand Throw; Trample."""
    if query.attack == "trample":
        return _plain(me, size_mm(them) < MEDIUM_MM, _SMALL)
    bound = query.attack in ("throw", "double-hand-throw") or (
        query.attack == "head-butt" and not terms_of(table).butts_larger
    )
    return _plain(me, not bound or size_mm(them) <= size_mm(me), _LARGER)


def _fists(query: PowerAttack, me: Miniature) -> Ruling:
    """Source: Power Attacks."""
    if all(weapon.name == "bare" for weapon in me.profile.melee):
        need = f"profile.melee of {me.id} (open-fist)"
        return Ruling(status="unknown", needs=(need,), because=(_FISTS,), touches=(me.id,))
    fists = [w for w in me.profile.melee if "open-fist" in w.rules and not {"crippled", "locked"} & set(w.rules)]
    return _plain(me, len(fists) >= _NEEDED[query.attack], _FISTS)
