"""Shooting: who may make ranged attacks at all, and who aims."""

import math
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.miniature import Miniature
from models.pose import Pose
from models.queries import Aim, MayShoot
from models.unit_conversion import radians, wrap_rad
from models.verdict import CAPPED_MM, Reason
from referee.editions.warmachine.charges.charge_attacks import check_began_free
from referee.editions.warmachine.melee.attack_eligibility import ABLE, check_formation, may_attack, why_may_not_attack
from referee.editions.warmachine.melee.in_melee import check_link, enemies, is_linked, melee_state
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.base_state import is_colossus
from referee.editions.warmachine.miniatures.turn_ledger import actions_of, check_turn, forfeited_parts, ledger_of
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.margins.front_arc import direction, dot
from referee.rules.candidates import is_met, is_zero_or_more
from referee.rules.conditions import Clauses, all_of, any_of, negate
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import FacingMissing, RuleResult, Value, ask_for
from referee.rules.switches import EXACT_MM

_SHOOT = because("Ranged Attacks", 49, "A model in melee cannot make ranged attacks.")
_HUGE = because("Ranged Attacks While in Melee", 67, "A colossal shoots while in melee.")
_GUNFIGHTER = because("Gunfighter", 52, "A gunfighter may shoot at those it is in melee with.")
_ASSAULT = because("Assault", 52, "After a charge, Assault allows one shot at the target charged, even in melee.")
_BROKEN = because("Weapon Statistics", 19, "That weapon cannot be used now.")
_AIM = because("Aim", 30, "To aim it must neither move nor turn in its Normal Movement, and must not be in melee.")
_DIRECTIONS = 24
_MOVED = because("Aim", 30, "It has used its Normal Movement otherwise.")
_DEED_WORDS = {"run": "ran", "charge": "charged", "slam": "power-attack", "trample": "power-attack"}


@dataclass(frozen=True)
class ShootingPermission:
    """What a special rule allows: shots at these only, by this rule, in or out of melee."""

    only_at: tuple[str, ...] | None = None
    after_charge: str | None = None
    in_melee: bool = False
    why: tuple[Reason, ...] = ()


def may_shoot(table: ExactTable, query: MayShoot) -> RuleResult:
    """Ranged attack eligibility: whether nothing forbids a ranged attack.

    Source: Ranged Attacks, p. 49; Gunfighter, p. 52; Assault, p. 52; Ranged Attacks While in Melee, p. 67.
    """
    missing = name_missing_gun(table.miniature(query.attacker), query.weapon)
    if missing is not None:
        return ask_for(missing, because=(_SHOOT,), on=(query.attacker,))
    result = check_shooter(table, query.attacker, query.target, query.weapon)
    if table.margins_only:
        return result
    leave = _permission_of(table, query.attacker)
    return replace(
        result,
        value={
            "reasons": _reasons(table, query, leave),
            "only_at": None if leave.only_at is None else list(leave.only_at),
            "after_charge": leave.after_charge,
        },
    )


def check_shooter(table: ExactTable, attacker: str, target: str | None = None, weapon: str | None = None) -> RuleResult:
    """Whether this one may make ranged attacks, at this target if one is named. Source: Ranged Attacks, p. 49."""
    asked = ("shooting", attacker, target, weapon)
    return table.evaluate_memoized(asked, lambda perturbed: _evaluate_shooter(perturbed, attacker, target, weapon))


def _evaluate_shooter(table: ExactTable, attacker: str, target: str | None, weapon: str | None) -> RuleResult:
    barred = _bars_of(table, attacker, weapon)
    if barred:
        return RuleResult(margin_mm=-CAPPED_MM, because=tuple(barred.values()), depends_on_place=(attacker,))
    leave = _permission_of(table, attacker)
    clauses = [("able", may_attack(table, attacker)), ("formation", check_formation(table, attacker))]
    clauses.append(("not-in-melee", _check_melee(table, attacker, target, leave)))
    result = all_of(tuple(clauses))
    return replace(result, because=(_SHOOT, *leave.why, *(r for r in result.because if r not in (_SHOOT, ABLE))))


def _check_melee(table: ExactTable, attacker: str, target: str | None, leave: ShootingPermission) -> RuleResult:
    """Whether no melee keeps it from shooting at this target."""
    if leave.only_at is not None and target is not None and target not in leave.only_at and leave.after_charge:
        return RuleResult(margin_mm=-CAPPED_MM, because=leave.why, depends_on_place=(attacker, target))
    if leave.in_melee:
        return RuleResult(margin_mm=CAPPED_MM, because=leave.why, depends_on_place=(attacker,))
    outside = negate(melee_state(table, attacker))
    if not table.miniature(attacker).has("gunfighter"):
        return outside
    if target is None:
        return RuleResult(margin_mm=CAPPED_MM, because=(_GUNFIGHTER,), depends_on_place=(attacker,))
    return any_of((outside, check_link(table, attacker, target)))


def name_missing_gun(shooter: Miniature, weapon: str | None) -> str | None:
    """What to tell of a card that shows no ranged weapon, or not the one asked about; None when it does."""
    guns = shooter.profile.ranged
    if not guns and weapon is None:
        return f"profile.ranged of {shooter.id}"
    known = weapon is None or any(gun.name == weapon for gun in guns)
    return None if known else f"weapon {weapon} in profile.ranged of {shooter.id}"


def _bars_of(table: ExactTable, attacker: str, weapon: str | None) -> dict[str, Reason]:
    """What has used up or taken away its shooting, wherever bases stand."""
    me, leave = table.miniature(attacker), _permission_of(table, attacker)
    traits = frozenset({"shoots-after-charge"} if leave.after_charge is not None else ())
    rows = (row for row in ledger_of(table, attacker, traits=traits).bars if "ranged-attack" in row.acts)
    bars = {_DEED_WORDS.get(row.deed, row.deed): row.rule for row in rows if row.deed not in me.status}
    guns = [gun for gun in me.profile.ranged if weapon in (None, gun.name)]
    out = bool(guns) and all({"crippled", "locked"} & set(gun.rules) for gun in guns)
    return bars | ({"weapon": _BROKEN} if out else {})


def _permission_of(table: ExactTable, attacker: str) -> ShootingPermission:
    me, charged = table.miniature(attacker), "charge" in actions_of(table, attacker)
    if charged and me.has("assault") and _began_free(table, attacker):
        at = () if me.this_turn.charged is None else (me.this_turn.charged,)
        return ShootingPermission(only_at=at or None, after_charge="assault", in_melee=True, why=(_ASSAULT,))
    if is_colossus(me) and not charged:
        return ShootingPermission(in_melee=True, why=(_HUGE,))
    if me.has("gunfighter"):
        fought = _is_in_own_reach if charged else is_linked
        partners = tuple(id_ for id_ in enemies(table, attacker) if fought(table, attacker, id_))
        bound = partners if partners or charged else None
        return ShootingPermission(only_at=bound, after_charge="gunfighter" if charged else None, why=(_GUNFIGHTER,))
    return ShootingPermission()


def _began_free(table: ExactTable, attacker: str) -> bool:
    try:
        return is_met(check_began_free(table, attacker, _ASSAULT), "began its charge free with")
    except FacingMissing:
        return True


def _is_in_own_reach(table: ExactTable, a: str, b: str) -> bool:
    """Whether the other is in its own melee range. Source: Gunfighter, p. 52."""
    try:
        return is_met(check_reach(table, a, b, weapon_reaches(table.miniature(a))), "has in its melee range")
    except FacingMissing:
        return False


def _reasons(table: ExactTable, query: MayShoot, leave: ShootingPermission) -> list[JsonValue]:
    reasons: list[JsonValue] = [*_bars_of(table, query.attacker, query.weapon)]
    status = why_may_not_attack(table, query.attacker)
    reasons += [status] if status is not None else []
    reasons += [] if is_zero_or_more(check_formation(table, query.attacker)) else ["out-of-formation"]
    free = _check_melee(table, query.attacker, query.target, leave)
    return reasons + ([] if is_zero_or_more(free) or free.status == "unknown" else ["in-melee"])


def aim(table: ExactTable, query: Aim) -> RuleResult:
    """Aim: whether it stood still, within the table's tolerances, and may aim.

    Source: Aim, p. 30.
    """
    moved = actions_of(table, query.who) & {"advance", "run", "charge", "slam", "trample", "fly", "pivot"}
    start = table.miniature(query.who).this_turn.start
    if not isinstance(start, Pose):
        return _answer_untracked(table, query.who, bool(moved) or "movement" in forfeited_parts(table, query.who))
    shift, turn = _shift_mm(table, query.who, start), _turn_rad(table, query.who, start)
    still = _check_stillness(table, query.who, start, shift, turn)
    turned = None if turn is None else abs(math.degrees(turn))
    if (moved and is_met(still, "stands where its activation began")) or "movement" in forfeited_parts(
        table, query.who
    ):
        still = RuleResult(margin_mm=-CAPPED_MM, because=(_MOVED,), depends_on_place=(query.who,))
    clauses = (("still", still), *aim_clauses(table, query.who))
    result = all_of(clauses)
    if is_zero_or_more(result):
        result = replace(result, slack_mm=result.margin_mm, margin_mm=still.margin_mm)
    value: Value = {**result.value, "shift_mm": shift, "turn_deg": turned, "bonus": 2 * is_zero_or_more(result)}
    reason = with_effect(table, _AIM, _describe_shift(table, query.who, shift, turned))
    return replace(result, value=value, because=(reason, *(r for r in result.because if r not in (_AIM, ABLE))))


def aim_clauses(table: ExactTable, shooter: str) -> Clauses:
    """What aiming takes besides stillness: that its turn leaves it, and no melee where the book asks for that.

    Source: Aim, p. 30.
    """
    free = () if terms_of(table).may_aim_in_melee else (("not-in-melee", negate(melee_state(table, shooter))),)
    return ("able", may_attack(table, shooter)), ("turn", check_turn(table, shooter, "aim", judged="done")), *free


def _describe_shift(table: ExactTable, shooter: str, shift_mm: float, turn_deg: float | None) -> str:
    turned = "" if turn_deg is None else f" and turned by {turn_deg:.1f} degrees"
    return f"{name_of(table, shooter)} has moved {format_length(shift_mm)}{turned} since its activation began."


def _answer_untracked(table: ExactTable, shooter: str, moved: bool) -> RuleResult:
    """Of one whose start is not told: no, where anything else forbids it."""
    if moved:
        return RuleResult(margin_mm=-CAPPED_MM, value={"bonus": 0}, because=(_AIM, _MOVED), depends_on_place=(shooter,))
    untold = ask_for(f"this_turn.start of {shooter}", because=(_AIM,), on=(shooter,))
    result = all_of((("still", untold), *aim_clauses(table, shooter)))
    if result.status != "decided":
        return untold
    return replace(result, value={**result.value, "bonus": 0}, because=(_AIM, *result.because))


def _check_stillness(
    table: ExactTable, shooter: str, start: Pose, shift_mm: float, turn_rad: float | None
) -> RuleResult:
    """Whether place and facing are those of the start; a turn is told in millimetres of the rim."""
    rest = table.state.still_tolerance_mm - shift_mm
    sides = [table.state.still_tolerance_mm - mm for mm in _shifts_mm(table, shooter, start)]
    rims = []
    if turn_rad is not None:
        allowed, reach = radians(table.state.facing_tolerance_deg), table.base(shooter).reach_mm
        rims = [reach * (allowed - turn_rad), reach * (allowed + turn_rad)]
    parts = tuple(RuleResult(margin_mm=mm, depends_on_place=(shooter,)) for mm in (*sides, *rims))
    turned = min(rims, default=CAPPED_MM)
    return RuleResult(
        margin_mm=min(rest, turned) if turned < -EXACT_MM else rest,
        slack_mm=min(part.decisive_mm for part in parts),
        conditions=parts,
        because=(_AIM,),
        depends_on_place=(shooter,),
        depends_on_facing=() if turn_rad is None else (shooter,),
    )


def _shifts_mm(table: ExactTable, shooter: str, start: Pose) -> list[float]:
    """How far it has moved in directions all round, the first of which it has at rest: steady, as its length is not."""
    (x, y), (sx, sy) = table.unperturbed.centre(shooter), start.at_mm
    first = math.atan2(y - sy, x - sx)
    here = table.centre(shooter)
    ways = (direction(first + math.tau * k / _DIRECTIONS) for k in range(_DIRECTIONS))
    on_its_way = [math.dist(start.at_mm, at) for at in table.miniature(shooter).this_turn.path_mm or ()]
    return [*on_its_way, *(dot((here[0] - sx, here[1] - sy), axis) for axis in ways)]


def _shift_mm(table: ExactTable, shooter: str, start: Pose) -> float:
    path = table.miniature(shooter).this_turn.path_mm or ()
    return max(math.dist(start.at_mm, at) for at in (table.centre(shooter), *path))


def _turn_rad(table: ExactTable, shooter: str, start: Pose) -> float | None:
    """How far it has turned, anticlockwise."""
    if table.miniature(shooter).facing_rad is None or start.facing_deg is None:
        return None
    return wrap_rad(table.facing_rad(shooter) - radians(start.facing_deg))
