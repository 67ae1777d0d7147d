"""Power attacks: how their conditions join, slams, and pushes."""

from dataclasses import replace

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Los, PowerAttack, Push, Slam
from models.unit_conversion import inches
from models.verdict import Reason, Witness
from referee.editions.warmachine.charges.charge import EXTRA_MM, covered_mm, slack_past_rooms_mm, trace_rooms
from referee.editions.warmachine.charges.involuntary_movement import (
    COLLATERAL,
    PUSHED,
    SLAMMED,
    ShoveResult,
    away_rad,
    describe_shove,
    draw_shove,
    shove,
)
from referee.editions.warmachine.charges.stops import explain_stop
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.melee.attack_eligibility import may_attack
from referee.editions.warmachine.miniatures.base_state import is_colossus, is_huge, size_mm
from referee.editions.warmachine.miniatures.distances import draw_ruler
from referee.editions.warmachine.miniatures.turn_ledger import check_turn
from referee.editions.warmachine.movement.path import passability_of_charge, speed_mm
from referee.editions.warmachine.parameters import CHARGE_ATTACK_MM, because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import area_gap
from referee.motion.charge_search import keep_reachable
from referee.motion.straight_charge import ChargeAim, StraightCharge, straight_charge
from referee.motion.travel_budget import length_mm
from referee.rules.candidates import is_met, is_zero_or_more
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import explain_short_way
from referee.rules.rule_result import RuleResult, Value, ask_for, plain_condition
from referee.rules.sides import are_enemies
from referee.rules.switches import is_at_least

REACH_MM, COLOSSAL_REACH_MM = inches(0.5), inches(2)  # Source: Slam, p. 45; Head-Butt, p. 45
MORE_MM = inches(2)  # Source: Slam, p. 46; Power Strike, p. 45
_APPROACH = because("Slam", 45, "Facing the target, straight at it for SPD + 3 in, to the first thing it touches.")
_REACH = because("Slam", 45, "It gets there when the target ends within half an inch, or 2 in of a colossal.")
_FULL = because("Slam", 46, "After 3 in or more the target is thrown back; after less it is only struck.")
_HALF = because("Slam", 46, "A slammer with the smaller base sends its target half the distance.")
_HUGE = because("Slam", 46, "A huge-based slammer sends smaller bases 2 in farther.")
_STRIKE = because("Power Strike", 45, "A power strike slams a smaller base d6 + 2 in.")
_FRIEND = because("Power Attacks", 44, "Nobody makes power attacks against friends.")


def join_power_attack(
    table: ExactTable, query: PowerAttack, clauses: Clauses, reach: RuleResult, larger_base: Reason
) -> RuleResult:
    """The margin is that of the reach where all else holds; a slam at a larger base suffers 2 on its roll."""
    result = all_of((*clauses, ("reach", reach)))
    failed = [r for _, r in clauses if r.status != "decided" or not is_zero_or_more(r)]
    mine, theirs = (size_mm(table.miniature(id_)) for id_ in (query.attacker, query.target))
    larger = query.attack == "slam" and theirs > mine
    return replace(
        result,
        margin_mm=result.margin_mm if failed or reach.status != "decided" else reach.decisive_mm,
        value={**result.value, "bonus": -2 if larger else 0, "bonus_to": "attack"},
        witness=reach.witness,
        because=(*result.because, *((larger_base,) if larger else ())),
    )


def slam_reach_mm(attacker: Miniature) -> float:
    """Source: Slam, p. 45: half an inch, 2 in of a colossal."""
    return COLOSSAL_REACH_MM if is_colossus(attacker) else REACH_MM


def slam(table: ExactTable, query: Slam) -> RuleResult:
    """Slam: whether the approach ends in reach, and where the target goes. Source: Slam, p. 45-46; Slammed, p. 34."""
    if query.here or query.by == "power-strike":
        return _slam_in_place(table, query)
    speed = speed_mm(table, query.attacker) if query.speed_in is None else inches(query.speed_in)
    if speed is None:
        return ask_for(f"profile.spd_in of {query.attacker}", because=(_APPROACH,), on=(query.attacker, query.target))
    reach = slam_reach_mm(table.miniature(query.attacker))
    aim = ChargeAim(table.base(query.attacker), table.base(query.target), reach, target_id=query.target)
    going = keep_reachable(aim, passability_of_charge(table, query.attacker))
    rush = straight_charge(aim, aim.toward_rad, going, speed + EXTRA_MM)
    travelled = rush.stop(None if query.stop_after_in is None else inches(query.stop_after_in))
    result = _check_approach(table, query, rush)
    ended = table.with_end(query.attacker, rush.place(travelled))
    value: Value = {
        "travelled_mm": travelled,
        "full": is_at_least(
            covered_mm(table, travelled, rush.travelled.ground),
            CHARGE_ATTACK_MM,
            "comes 3 in on its way to",
            (query.attacker, query.target),
        ),
        "stopped_by": rush.stopped_by,
        **_roll_bonus(table, query),
    }
    if rush.succeeds and value["full"]:
        value["slammed"] = _send_target(ended, query)
    path = Witness(
        type="segment", role="path", points_mm=(rush.travelled.path[0], rush.place(travelled)), of=(query.attacker,)
    )
    return replace(
        result,
        value={**result.value, **value},
        lengths_mm={"travelled": travelled},
        witness=(path,),
        because=(*result.because, *_explain_slammed(table, query, value.get("slammed"))),
    )


def _check_approach(table: ExactTable, query: Slam, rush: StraightCharge) -> RuleResult:
    """Source: Slam, p. 45."""
    met = () if rush.travelled.stopped_by is None else (rush.travelled.stopped_by,)
    touches = (query.attacker, query.target, *met, *(s.id for s in rush.travelled.ground))
    trace_rooms(table, rush, query.attacker, query.target)
    wanted_mm = None if query.stop_after_in is None else inches(query.stop_after_in)
    reach = RuleResult(
        margin_mm=rush.left_mm,
        slack_mm=slack_past_rooms_mm(rush),
        because=(_APPROACH, explain_stop(table, _REACH, rush, wanted_mm), _FULL),
        depends_on_place=tuple(dict.fromkeys(touches)),
    )
    may = all_of(_preconditions(table, query))
    return replace(may, value={}) if may.status == "unknown" or not is_met(may, "may begin a slam at") else reach


def _preconditions(table: ExactTable, query: Slam) -> Clauses:
    """What a slam needs before it starts. Source: Slam, p. 45; Power Attacks, p. 44; Crippled Movement, p. 58."""
    me, them = table.miniature(query.attacker), table.miniature(query.target)
    sight = line_of_sight(table, Los(viewer=query.attacker, target=query.target))
    return (
        ("able", may_attack(table, query.attacker)),
        ("turn", check_turn(table, query.attacker, "slam")),
        *terms_of(table).rush_clauses(table, me.id),
        (
            "enemy",
            plain_condition(
                query.attacker, terms_of(table).may_attack_friends or are_enemies(table.state, me, them), _FRIEND
            ),
        ),
        ("sight", sight),
    )


def _roll_bonus(table: ExactTable, query: Slam) -> Value:
    """Source: Slam, p. 46."""
    larger = size_mm(table.miniature(query.target)) > size_mm(table.miniature(query.attacker))
    return {"bonus": -2 if larger and query.by == "slam" else 0, "bonus_to": "attack"}


def _slam_in_place(table: ExactTable, query: Slam) -> RuleResult:
    """A slam from where it stands: the approach is behind it, or a power strike had none. Source: p. 45-46."""
    me = table.miniature(query.attacker)
    reach = slam_reach_mm(me) if query.by == "slam" else _fist_mm(me)
    between = area_gap(table.area(query.attacker), table.area(query.target))
    if reach is None:
        need = f"profile.melee of {query.attacker} (open-fist)"
        return ask_for(need, because=(_STRIKE,), on=(query.attacker, query.target))
    path = me.this_turn.path_mm
    gone = None if path is None or query.by == "power-strike" else length_mm(path)
    full = gone is None or is_at_least(gone, CHARGE_ATTACK_MM, "has come 3 in", ())
    value: Value = {"travelled_mm": gone, "full": full, "stopped_by": None, **_roll_bonus(table, query)}
    if full:
        value["slammed"] = _send_target(table, query)
    return RuleResult(
        margin_mm=reach - max(0.0, between.mm),
        value=value,
        lengths_mm={"distance": max(0.0, between.mm)},
        witness=(draw_ruler(between, query.attacker, query.target, role="limit"),),
        because=(
            *((_REACH, _FULL) if query.by == "slam" else (_STRIKE,)),
            *_explain_slammed(table, query, value.get("slammed")),
        ),
        depends_on_place=(query.attacker, query.target),
    )


def _fist_mm(me: Miniature) -> float | None:
    """The reach of its longest open fist. Source: Power Strike, p. 45."""
    fists = [inches(w.reach_in) for w in me.profile.melee if "open-fist" in w.rules and "crippled" not in w.rules]
    return max(fists, default=None)


def _send_target(table: ExactTable, query: Slam) -> JsonValue:
    """Where the target goes; nothing when the attack missed, or the roll is not told. Source: Slammed, p. 34."""
    if query.hit is False:
        return None
    distance, reasons = _distance_mm(table, query)
    if distance is None:
        return None
    away = away_rad(table, query.attacker, query.target)
    shoved = shove(table, query.target, "slammed", away, distance, query.attacker)
    return {**describe_shove(table, query.target, shoved), "distance_mm": distance, "why": [r.says for r in reasons]}


def _explain_slammed(table: ExactTable, query: Slam, sent: JsonValue) -> tuple[Reason, ...]:
    """What stopped the target before it had gone as far as it was slammed."""
    if not isinstance(sent, dict):
        return ()
    went, wanted, stopper = sent["travelled_mm"], sent["distance_mm"], sent["stopped_by"]
    assert isinstance(went, float | int)
    assert isinstance(wanted, float | int)
    by = stopper if isinstance(stopper, str) else None
    reason = explain_short_way(table, SLAMMED, query.target, wanted_mm=wanted, went_mm=went, stopped_by=by)
    return () if reason == SLAMMED else (reason,)


def _distance_mm(table: ExactTable, query: Slam) -> tuple[float | None, tuple[Reason, ...]]:
    """How far it is slammed. Source: Slam, p. 46; Power Strike, p. 45."""
    if query.distance_in is not None:
        return inches(query.distance_in), (SLAMMED,)
    if query.dice.slam is None:
        return None, ()
    me, them = table.miniature(query.attacker), table.miniature(query.target)
    rolled = inches(query.dice.slam)
    if query.by == "power-strike":
        return rolled + MORE_MM, (_STRIKE, SLAMMED, COLLATERAL)
    if size_mm(me) < size_mm(them):
        return rolled / 2, (_HALF, SLAMMED, COLLATERAL)
    if is_huge(me) and size_mm(them) < size_mm(me):
        return rolled + MORE_MM, (_HUGE, SLAMMED, COLLATERAL)
    return rolled, (SLAMMED, COLLATERAL)


def push(table: ExactTable, query: Push) -> RuleResult:
    """Push: where a push leaves the target. Source: Pushed, p. 34; Massive, p. 67."""
    usual = terms_of(table).push_mm
    distance = usual if query.distance_in is None else inches(query.distance_in)
    if distance is None:
        return ask_for("distance_in", because=(PUSHED,), on=(query.target,))
    heading = away_rad(table, query.attacker, query.target)
    shoved = shove(table, query.target, "pushed", heading, distance)
    value = describe_shove(table, query.target, shoved)
    kept: Value = {key: value[key] for key in ("travelled_mm", "poses", "stopped_by", "fall")}
    still = terms_of(table).why_not_moved(table, query.target, "pushed")
    return RuleResult(
        status="measured",
        value={**kept, "follow_mm": 0.0 if usual is None else shoved.travelled_mm},
        lengths_mm={"travelled": shoved.travelled_mm},
        witness=draw_shove(query.target, shoved, table.base(query.target).reach_mm),
        because=(_explain(table, query, shoved, distance),) if still is None else (PUSHED, still),
        depends_on_place=(
            query.attacker,
            query.target,
            *((shoved.stopped_by,) if _is_thing(table, shoved.stopped_by) else ()),
        ),
    )


def _explain(table: ExactTable, query: Push, shoved: ShoveResult, distance: float) -> Reason:
    """The rule, and what stopped the push short."""
    went, stopper = shoved.travelled_mm, shoved.stopped_by
    return explain_short_way(table, PUSHED, query.target, wanted_mm=distance, went_mm=went, stopped_by=stopper)


def _is_thing(table: ExactTable, id_: str | None) -> bool:
    return id_ is not None and id_ in table.state.by_id
