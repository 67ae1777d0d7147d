"""Power attack: which warbeast may make which, always at half an inch, at friend or foe."""

from dataclasses import replace

from models.miniature import Miniature
from models.queries import PowerAttack
from models.verdict import CAPPED_MM
from referee.editions.warmachine.charges.power_attack import join_power_attack
from referee.editions.warmachine.melee.attack_eligibility import actions_of, check_blow_line, may_attack
from referee.editions.warmachine.melee.melee_range import check_reach
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.mk1_and_mk2.charges.charge import rush_clauses
from referee.editions.warmachine.mk1_and_mk2.parameters import LARGE_MM, MEDIUM_MM, POWER_REACH_MM, because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.editions.warmachine.terms import terms_of
from referee.rules.conditions import Clauses
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

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


def power_attack(table: ExactTable, query: PowerAttack) -> RuleResult:
    """Power attack: whether it may make that power attack on this target from where it stands.

    Source: Power Attacks.
    """
    if query.attack == "power-strike":
        return RuleResult(status="refused", because=(_KINDS,), advice=f"The book knows no {query.attack}.")
    me, them = table.miniature(query.attacker), table.miniature(query.target)
    reach = _check_reach(table, query)
    return join_power_attack(table, query, _clauses(table, query, me, them), reach, _MINUS)


def _check_reach(table: ExactTable, query: PowerAttack) -> RuleResult:
    """Source: Power Attacks: half an inch; of a trample the reach does not matter."""
    if query.attack == "trample":
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(query.attacker, query.target))
    result = check_reach(table, query.attacker, query.target, {query.attack: POWER_REACH_MM})
    return replace(result, because=(_REACH, *result.because))


def _clauses(table: ExactTable, query: PowerAttack, me: Miniature, them: Miniature) -> Clauses:
    plainly = terms_of(table).lock_bars_power_attacks
    clauses = [
        ("able", may_attack(table, me.id)),
        ("kind", _check_kind(table, query, me)),
        ("charged", plain_condition(me.id, "charge" not in actions_of(table, me.id), _CHARGED)),
        ("size", _check_size(table, query, me, them)),
        ("sight", check_blow_line(table, me.id, them.id, reach_mm=POWER_REACH_MM)),
    ]
    if query.attack in _NEEDED:
        clauses.append(("fist", _check_fists(query, me)))
    if query.attack in _LOCKS:
        lockable = (
            them.type is None or them.type in terms_of(table).power_attackers
        ) and "knocked-down" not in them.status
        clauses.append(("lockable", plain_condition(them.id, lockable, _LOCKABLE)))
    held = me.lock is not None and not me.lock.holder and (me.lock.kind == "headlock" or plainly)
    if query.attack == "head-butt" or plainly:
        clauses.append(("free", plain_condition(me.id, not held, _HELD)))
    if query.attack in _RUSHES:
        clauses += rush_clauses(table, me.id)
    return tuple(clauses)


def _check_kind(table: ExactTable, query: PowerAttack, me: Miniature) -> RuleResult:
    """Source: Power Attacks: all warbeasts, and for a trample the heavy ones."""
    if me.type is None:
        return RuleResult(status="unknown", needs=(f"type of {me.id}",), because=(_WHO,), depends_on_place=(me.id,))
    heavy = size_mm(me) >= LARGE_MM or query.attack != "trample"
    return plain_condition(me.id, me.type in terms_of(table).power_attackers and heavy, _WHO)


def _check_size(table: ExactTable, query: PowerAttack, me: Miniature, them: Miniature) -> RuleResult:
    """Source: Head-butt; Throw; Double-Hand Throw; Trample."""
    if query.attack == "trample":
        return plain_condition(me.id, size_mm(them) < MEDIUM_MM, _SMALL)
    bound = query.attack in ("throw", "double-hand-throw") or (
        query.attack == "head-butt" and not terms_of(table).may_head_butt_larger
    )
    return plain_condition(me.id, not bound or size_mm(them) <= size_mm(me), _LARGER)


def _check_fists(query: PowerAttack, me: Miniature) -> RuleResult:
    """Source: Power Attacks."""
    if all(weapon.name == "bare" for weapon in me.profile.melee):
        need = f"profile.melee of {me.id} (open-fist)"
        return RuleResult(status="unknown", needs=(need,), because=(_FISTS,), depends_on_place=(me.id,))
    fists = [w for w in me.profile.melee if "open-fist" in w.rules and not {"crippled", "locked"} & set(w.rules)]
    return plain_condition(me.id, len(fists) >= _NEEDED[query.attack], _FISTS)
