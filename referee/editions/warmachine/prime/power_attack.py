"""Power attack: who may make which against whom."""

from models.miniature import Miniature
from models.profile import Profile
from models.queries import Los, PowerAttack
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.charges.power_attack import join_power_attack
from referee.editions.warmachine.charges.slam import COLOSSAL_REACH_MM, REACH_MM
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.melee.attack_eligibility import actions_of, may_attack
from referee.editions.warmachine.melee.melee_range import check_reach
from referee.editions.warmachine.miniatures.base_state import is_colossus, size_mm
from referee.editions.warmachine.miniatures.field_of_fire import check_field
from referee.editions.warmachine.parameters import MEDIUM_MM
from referee.editions.warmachine.plain_condition import plain_condition
from referee.editions.warmachine.prime.parameters import because
from referee.rules.conditions import Clauses
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.sides import are_enemies

_WHO = because("Power Attacks", 44, "All warjacks head-butt and slam, heavy ones trample, colossals power strike.")
_KINDS = because("Power Attacks", 44, "Head-butt, slam, sweep, throw, trample and power strike are all there are.")
_FRIEND = because("Power Attacks", 44, "Nobody makes power attacks against friends.")
_CHARGED = because("Power Attacks", 44, "None in an activation in which it charged.")
_FIST = because("Throw", 46, "It takes a weapon with Open Fist that is not crippled.")
_LARGER = because("Head-Butt", 45, "Nobody head-butts or throws a larger base.")
_SMALLER = because("Power Strike", 45, "A power strike takes a colossal and a target with a smaller base.")
_FIELD = because("Power Strike", 45, "The target has to be in the field of fire of the fist.")
_SMALL = because("Trample", 48, "Small bases are trampled.")
_MINUS = because("Slam", 46, "A slam at a larger base suffers 2 on the attack roll.")
_OF_PRIME = frozenset({"head-butt", "slam", "throw", "trample", "power-strike"})
_FISTS = frozenset({"throw", "power-strike"})


def power_attack(table: ExactTable, query: PowerAttack) -> RuleResult:
    """Power attack: whether it may make that power attack on this target from where it stands.

    Source: Power Attacks, p. 44-48.
    """
    if query.attack not in _OF_PRIME:
        return RuleResult(status="refused", because=(_KINDS,), advice=f"The book knows no {query.attack}.")
    me, them = table.miniature(query.attacker), table.miniature(query.target)
    reach = _check_reach(table, query, me)
    return join_power_attack(table, query, _clauses(table, query, me, them), reach, _MINUS)


def _clauses(table: ExactTable, query: PowerAttack, me: Miniature, them: Miniature) -> Clauses:
    clauses = [
        ("able", may_attack(table, me.id)),
        ("kind", _check_kind(query, me)),
        ("enemy", plain_condition(me.id, are_enemies(table.state, me, them), _FRIEND)),
        ("charged", plain_condition(me.id, "charge" not in actions_of(table, me.id), _CHARGED)),
        ("size", _check_size(query, me, them)),
        ("sight", line_of_sight(table, Los(viewer=me.id, target=them.id))),
    ]
    if query.attack in _FISTS:
        clauses.append(("fist", _check_fist(me)))
    if query.attack == "power-strike":
        clauses.append(("field", _check_field(table, query, me)))
    return tuple(clauses)


def _check_kind(query: PowerAttack, me: Miniature) -> RuleResult:
    """Source: Power Attacks, p. 44: what light, heavy and colossal ones may do."""
    if me.type is None:
        return RuleResult(status="unknown", needs=(f"type of {me.id}",), because=(_WHO,), depends_on_place=(me.id,))
    able_kind = me.type in ("warjack", "warbeast")
    if query.attack == "trample":
        able_kind = able_kind and size_mm(me) > MEDIUM_MM
    if query.attack == "power-strike":
        able_kind = able_kind and is_colossus(me)
    return plain_condition(me.id, able_kind, _WHO)


def _check_size(query: PowerAttack, me: Miniature, them: Miniature) -> RuleResult:
    """Source: Head-Butt and Power Strike, p. 45; Throw, p. 46; Trample, p. 48."""
    mine, theirs = size_mm(me), size_mm(them)
    if query.attack == "trample":
        return plain_condition(me.id, theirs < MEDIUM_MM, _SMALL)
    if query.attack == "power-strike":
        return plain_condition(me.id, theirs < mine, _SMALLER)
    return plain_condition(me.id, query.attack == "slam" or theirs <= mine, _LARGER)


def _fists_of(me: Miniature) -> dict[str, tuple[float, str | None]]:
    """Its open fists that are not crippled: reach and location of each. Source: Throw, p. 46."""
    fists = (w for w in me.profile.melee if "open-fist" in w.rules and "crippled" not in w.rules)
    return {w.name: (inches(w.reach_in), w.location) for w in fists}


def _check_fist(me: Miniature) -> RuleResult:
    if me.profile == Profile():
        return RuleResult(
            status="unknown", needs=(f"profile.melee of {me.id}",), because=(_FIST,), depends_on_place=(me.id,)
        )
    return plain_condition(me.id, bool(_fists_of(me)), _FIST)


def _check_field(table: ExactTable, query: PowerAttack, me: Miniature) -> RuleResult:
    """Source: Power Strike, p. 45."""
    sides = [location for _, location in _fists_of(me).values() if location in ("left", "right")]
    if not sides:
        return RuleResult(margin_mm=CAPPED_MM, because=(_FIELD,), depends_on_place=(me.id,))
    return max((check_field(table, me.id, query.target, side) for side in sides), key=lambda r: r.decisive_mm)


def _check_reach(table: ExactTable, query: PowerAttack, me: Miniature) -> RuleResult:
    """Source: Head-Butt, Slam and Power Strike, p. 45; Throw, p. 46: of a trample the reach does not matter."""
    if query.attack == "trample":
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(me.id, query.target))
    if query.attack in _FISTS:
        reaches = {name: reach for name, (reach, _) in _fists_of(me).items()}
        if not reaches:
            return _check_fist(me)
        return check_reach(table, me.id, query.target, reaches)
    own = COLOSSAL_REACH_MM if is_colossus(me) else REACH_MM
    return check_reach(table, me.id, query.target, {query.attack: own})
