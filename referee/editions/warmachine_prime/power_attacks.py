"""Power attacks: who may make which against whom."""

from dataclasses import replace

from models.miniature import Miniature
from models.profile import Profile
from models.queries import Los, PowerAttack
from models.units import inches
from models.verdict import CAPPED_MM, Reason
from referee.candidates import is_met
from referee.clauses import Clauses, all_of
from referee.editions.warmachine_prime.able import able, deeds
from referee.editions.warmachine_prime.fields_of_fire import field_ruling
from referee.editions.warmachine_prime.ground import is_colossus, size_mm
from referee.editions.warmachine_prime.melee import reach_ruling
from referee.editions.warmachine_prime.parameters import MEDIUM_MM, because
from referee.editions.warmachine_prime.sight import line_of_sight
from referee.editions.warmachine_prime.slams import COLOSSAL_REACH_MM, REACH_MM
from referee.ruling import Ruling
from referee.sides import are_enemies
from referee.situation import Situation

_WHO = because("Power Attacks", 45, "All warjacks head-butt and slam, heavy ones trample, colossals power strike.")
_KINDS = because("Power Attacks", 45, "Head-butt, slam, sweep, throw, trample and power strike are all there are.")
_FRIEND = because("Power Attacks", 45, "Nobody makes power attacks against friends.")
_CHARGED = because("Power Attacks", 45, "None in an activation in which it charged.")
_FIST = because("Throw", 46, "It takes a weapon with Open Fist that is not crippled.")
_LARGER = because("Head-Butt", 45, "Nobody head-butts or throws a larger base.")
_SMALLER = because("Power Strike", 45, "A power strike takes a colossal and a target with a smaller base.")
_FIELD = because("Power Strike", 45, "The target has to be in the field of fire of the fist.")
_SMALL = because("Trample", 48, "Small bases are trampled.")
_MINUS = because("Slam", 46, "A slam at a larger base suffers 2 on the attack roll.")
_OF_PRIME = frozenset({"head-butt", "slam", "throw", "trample", "power-strike"})
_FISTS = frozenset({"throw", "power-strike"})


def power_attack(table: Situation, query: PowerAttack) -> Ruling:
    """Whether it may make that power attack on this target from where it stands. Source: Power Attacks, p. 45-48."""
    if query.attack not in _OF_PRIME:
        return Ruling(status="refused", because=(_KINDS,), advice=f"The book knows no {query.attack}.")
    me, them = table.miniature(query.attacker), table.miniature(query.target)
    reach = _reach(table, query, me)
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


def _clauses(table: Situation, query: PowerAttack, me: Miniature, them: Miniature) -> Clauses:
    clauses = [
        ("able", able(table, me.id)),
        ("kind", _kind(query, me)),
        ("enemy", _plain(me, are_enemies(table.state, me, them), _FRIEND)),
        ("charged", _plain(me, "charge" not in deeds(table, me.id), _CHARGED)),
        ("size", _size(query, me, them)),
        ("sight", line_of_sight(table, Los(viewer=me.id, target=them.id))),
    ]
    if query.attack in _FISTS:
        clauses.append(("fist", _fist(me)))
    if query.attack == "power-strike":
        clauses.append(("field", _field(table, query, me)))
    return tuple(clauses)


def _plain(who: Miniature, holds: bool, reason: Reason) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,), touches=(who.id,))


def _kind(query: PowerAttack, me: Miniature) -> Ruling:
    """Source: Power Attacks, p. 45: what light, heavy and colossal ones may do."""
    if me.type is None:
        return Ruling(status="unknown", needs=(f"type of {me.id}",), because=(_WHO,), touches=(me.id,))
    able_kind = me.type in ("warjack", "warbeast")
    if query.attack == "trample":
        able_kind = able_kind and size_mm(me) > MEDIUM_MM
    if query.attack == "power-strike":
        able_kind = able_kind and is_colossus(me)
    return _plain(me, able_kind, _WHO)


def _size(query: PowerAttack, me: Miniature, them: Miniature) -> Ruling:
    """Source: Head-Butt and Power Strike, p. 45; Throw, p. 46; Trample, p. 48."""
    mine, theirs = size_mm(me), size_mm(them)
    if query.attack == "trample":
        return _plain(me, theirs < MEDIUM_MM, _SMALL)
    if query.attack == "power-strike":
        return _plain(me, theirs < mine, _SMALLER)
    return _plain(me, query.attack == "slam" or theirs <= mine, _LARGER)


def _fists(me: Miniature) -> dict[str, tuple[float, str | None]]:
    """Its open fists that are not crippled: reach and location of each. Source: Throw, p. 46."""
    fists = (w for w in me.profile.melee if "open-fist" in w.rules and "crippled" not in w.rules)
    return {w.name: (inches(w.reach_in), w.location) for w in fists}


def _fist(me: Miniature) -> Ruling:
    if me.profile == Profile():
        return Ruling(status="unknown", needs=(f"profile.melee of {me.id}",), because=(_FIST,), touches=(me.id,))
    return _plain(me, bool(_fists(me)), _FIST)


def _field(table: Situation, query: PowerAttack, me: Miniature) -> Ruling:
    """Source: Power Strike, p. 45."""
    sides = [location for _, location in _fists(me).values() if location in ("left", "right")]
    if not sides:
        return Ruling(margin_mm=CAPPED_MM, because=(_FIELD,), touches=(me.id,))
    return max((field_ruling(table, me.id, query.target, side) for side in sides), key=lambda r: r.decisive_mm)


def _reach(table: Situation, query: PowerAttack, me: Miniature) -> Ruling:
    """Source: Head-Butt, Slam and Power Strike, p. 45; Throw, p. 46: of a trample the reach does not matter."""
    if query.attack == "trample":
        return Ruling(margin_mm=CAPPED_MM, touches=(me.id, query.target))
    if query.attack in _FISTS:
        reaches = {name: reach for name, (reach, _) in _fists(me).items()}
        if not reaches:
            return _fist(me)
        return reach_ruling(table, me.id, query.target, reaches)
    own = COLOSSAL_REACH_MM if is_colossus(me) else REACH_MM
    return reach_ruling(table, me.id, query.target, {query.attack: own})
