"""Attacks: power attacks, sweeps, the charge of a frenzied warbeast, and standing up again."""

from pydantic import JsonValue

from models.miniature import Miniature
from models.profile import Profile
from models.queries import Frenzy, Los, PowerAttack, StandUp, Sweep
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.charges.charge_attacks import describe_straight_charge
from referee.editions.warmachine.charges.power_attacks import COLOSSAL_REACH_MM, REACH_MM, join_power_attack
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.melee.attack_eligibility import may_attack
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.arcs import check_field
from referee.editions.warmachine.miniatures.base_state import is_colossus, size_mm
from referee.editions.warmachine.miniatures.turn_ledger import HELPLESS, check_turn
from referee.editions.warmachine.movement.move import check_stand_up
from referee.editions.warmachine.parameters import MEDIUM_MM, because
from referee.geometry.distance import gap
from referee.rules.candidates import evaluate_each, in_play, is_met, is_zero_or_more
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import RuleResult, Value, ask_for, plain_condition
from referee.rules.sides import are_enemies
from referee.rules.switches import is_at_least, is_out_of_reach

_WHO = because("Power Attacks", 44, "All warjacks head-butt and slam, heavy ones trample, colossals power strike.")
_KINDS = because("Power Attacks", 44, "Head-butt, slam, sweep, throw, trample and power strike are all there are.")
_FRIEND = because("Power Attacks", 44, "Nobody makes power attacks against friends.")
_FIST = because("Throw", 46, "It takes a weapon with Open Fist that is not crippled.")
_LARGER = because("Head-Butt", 45, "Nobody head-butts or throws a larger base.")
_SMALLER = because("Power Strike", 45, "A power strike takes a colossal and a target with a smaller base.")
_FIELD = because("Power Strike", 45, "The target has to be in the field of fire of the fist.")
_SMALL = because("Trample", 48, "Small bases are trampled.")
_MINUS = because("Slam", 46, "A slam at a larger base suffers 2 on the attack roll.")
_OF_PRIME = frozenset({"head-butt", "slam", "throw", "trample", "power-strike"})
_FISTS = frozenset({"throw", "power-strike"})
_SWEEP = because(
    "Sweep",
    46,
    "It strikes everybody in the arm's field of fire and reach; models do not hide one another, terrain does.",
)
_FAR_MM = 25.4  # this far out of reach neither field nor sight decides
_FRENZY = because("Threshold & Frenzy", 98, "A frenzied warbeast charges the nearest model in sight, friend or foe.")
_PACK = because("Pack Frenzy", 100, "The other models of its pack are left out.")
_LOST = because("Threshold & Frenzy", 98, "Who cannot charge loses its activation.")
_BARRED: dict[str, tuple[str, ...]] = {"action": ("run", "charge", "slam", "trample")}  # Source: Knockdown, p. 61


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
        ("turn", check_turn(table, me.id, query.attack if query.attack in ("slam", "trample") else "power-attack")),
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
        return ask_for(f"type of {me.id}", because=(_WHO,), on=(me.id,))
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
        return ask_for(f"profile.melee of {me.id}", because=(_FIST,), on=(me.id,))
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


def sweep(table: ExactTable, query: Sweep) -> RuleResult:
    """Sweep: everybody a sweep strikes at. Source: Sweep, p. 46."""
    attacker = table.miniature(query.attacker)
    if not is_colossus(attacker):
        return RuleResult(
            status="refused", because=(_SWEEP,), advice=f"Only colossals sweep; {query.attacker} is none."
        )
    reach, location = _reach_and_side(attacker, query)
    if reach is None or location is None:
        missing = "profile.melee" if reach is None else "location"
        return ask_for(f"{missing} of {query.attacker}", because=(_SWEEP,))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_struck(perturbed, query.attacker, id_, reach, location)

    ids = in_play(table, query.attacker)
    members = evaluate_each(table, ids, about)
    struck = [c.id for c in members if c.result is not None and is_zero_or_more(c.result)]
    reason = with_effect(table, _SWEEP, f"Struck at: {format_names(table, struck)}.")
    return RuleResult(status="measured", because=(reason,), members=members)


def _reach_and_side(attacker: Miniature, query: Sweep) -> tuple[float | None, str | None]:
    """The reach of the arm in millimetres and its side."""
    arms = [w for w in attacker.profile.melee if query.weapon in (None, w.name) and "crippled" not in w.rules]
    arms = [w for w in arms if query.location in (None, w.location)] or arms
    weapon = arms[0] if arms and (query.weapon or len(arms) == 1 or query.location) else None
    location = query.location or (weapon.location if weapon is not None else None)
    if query.reach_in is not None:
        return inches(query.reach_in), location
    reach = weapon_reaches(attacker, weapon.name)[weapon.name] if weapon is not None else None
    return reach, location if location in ("left", "right") else None


def _check_struck(table: ExactTable, attacker: str, target: str, reach: float, location: str) -> RuleResult:
    helpless = next((why for status, why in HELPLESS.items() if status in table.miniature(attacker).status), None)
    if helpless is not None:
        return RuleResult(margin_mm=-CAPPED_MM, because=(helpless,), depends_on_place=(attacker,))
    short = reach - max(0.0, gap(table.base(attacker), table.base(target)).mm)
    if is_out_of_reach(-short, _FAR_MM):
        return RuleResult(margin_mm=short, because=(_SWEEP,), depends_on_place=(attacker, target))
    others = in_play(table, attacker, target)
    return all_of(
        (
            ("reach", check_reach(table, attacker, target, {"arm": reach})),
            ("field", check_field(table, attacker, target, location)),
            ("sight", line_of_sight(table, Los(viewer=attacker, target=target, ignoring=others, purpose="melee"))),
        )
    )


def frenzy(table: ExactTable, query: Frenzy) -> RuleResult:
    """Frenzy: whom a frenzied warbeast charges. Source: Threshold & Frenzy, p. 98; Pack Frenzy, p. 100."""
    me = table.miniature(query.who)
    mates = {m.id for m in table.state.miniatures if me.unit is not None and m.unit == me.unit}
    others = tuple(id_ for id_ in in_play(table, query.who) if id_ not in mates)
    apart = {id_: max(0.0, gap(table.base(query.who), table.base(id_)).mm) for id_ in others}
    ids = tuple(sorted(others, key=lambda id_: apart[id_]))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return line_of_sight(perturbed, Los(viewer=query.who, target=id_, purpose="charge"))

    seen = [id_ for id_ in ids if _is_in_sight(table, query.who, id_)]
    for rival in seen[1:2]:  # whom it would charge in its place
        on = (seen[0], rival, query.who)
        is_at_least(apart[rival], apart[seen[0]], f"is nearer to {query.who} than", on, is_noted=True)
    ties: list[JsonValue] = [id_ for id_ in seen if apart[id_] <= apart[seen[0]] + 1e-6] if seen else []
    charges = bool(seen) and query.may_charge and "crippled-movement" not in me.status
    value: Value = {
        "target": seen[0] if charges else None,
        "mode": "charge" if charges else "none",
        "ties": ties if len(ties) > 1 else [],
        "distance_mm": {id_: apart[id_] for id_ in seen},
    }
    if charges and not table.margins_only:
        value |= describe_straight_charge(table, query.who, seen[0])
    return RuleResult(
        status="measured",
        value=value,
        because=(_FRENZY, *((_PACK,) if len(mates) > 1 else ()), *(() if charges else (_LOST,))),
        depends_on_place=(query.who,),
        members=evaluate_each(table, ids, about),
    )


def _is_in_sight(table: ExactTable, warbeast: str, id_: str) -> bool:
    return is_met(line_of_sight(table, Los(viewer=warbeast, target=id_, purpose="charge")), "is seen to charge at")


def stand_up(table: ExactTable, query: StandUp) -> RuleResult:
    """Standing up: whether it may rise now. Source: Knockdown, p. 61."""
    return check_stand_up(table, query, _BARRED)
