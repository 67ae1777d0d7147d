"""Slams and pushes: the approach of a slam, how far it sends its target, and where a push leaves one."""

from dataclasses import replace

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Los, Push, Slam
from models.units import inches
from models.verdict import CAPPED_MM, Reason, Witness
from referee.candidates import is_met
from referee.clauses import Clauses, all_of
from referee.editions.warmachine_prime.able import able, forfeited
from referee.editions.warmachine_prime.charges import EXTRA_MM, covered_mm
from referee.editions.warmachine_prime.distances import ruler
from referee.editions.warmachine_prime.going import charging
from referee.editions.warmachine_prime.ground import is_colossus, is_huge, size_mm
from referee.editions.warmachine_prime.parameters import CHARGE_ATTACK_MM, because
from referee.editions.warmachine_prime.paths import speed_mm
from referee.editions.warmachine_prime.shoves import (
    COLLATERAL,
    PUSHED,
    SLAMMED,
    away_rad,
    drawn,
    shove,
    told,
)
from referee.editions.warmachine_prime.sight import line_of_sight
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.rush import Aim, Rush, rush
from referee.rush_search import near_enough
from referee.sides import are_enemies
from referee.situation import Situation
from referee.travel import length_mm

REACH_MM, COLOSSAL_REACH_MM = inches(0.5), inches(2)  # Source: Slam, p. 45; Head-Butt, p. 45
MORE_MM = inches(2)  # Source: Slam, p. 46; Power Strike, p. 45

_APPROACH = because("Slam", 45, "Facing the target, straight at it for SPD + 3 in, to the first thing it touches.")
_REACH = because("Slam", 45, "It gets there when the target ends within half an inch, or 2 in of a colossal.")
_FULL = because("Slam", 46, "After 3 in or more the target is thrown back; after less it is only struck.")
_LARGER = because("Slam", 46, "Against a larger base the attack roll suffers 2.")
_HALF = because("Slam", 46, "A slammer with the smaller base sends its target half the distance.")
_HUGE = because("Slam", 46, "A huge-based slammer sends smaller bases 2 in farther.")
_STRIKE = because("Power Strike", 45, "A power strike slams a smaller base d6 + 2 in.")
_FRIEND = because("Power Attacks", 45, "Nobody makes power attacks against friends.")
_FORFEIT = because("Slam", 45, "Who forfeited Movement or Action cannot slam.")
_CRIPPLED = because("Crippled Systems", 58, "With a crippled movement system nobody slams.")


def slam_reach_mm(attacker: Miniature) -> float:
    """Source: Slam, p. 45: half an inch, 2 in of a colossal."""
    return COLOSSAL_REACH_MM if is_colossus(attacker) else REACH_MM


def slam(table: Situation, query: Slam) -> Ruling:
    """Whether the approach ends in reach, and where the target goes. Source: Slam, p. 45-46; Slammed, p. 34."""
    if query.here or query.by == "power-strike":
        return _struck(table, query)
    speed = speed_mm(table, query.attacker) if query.speed_in is None else inches(query.speed_in)
    if speed is None:
        need = f"profile.spd_in of {query.attacker}"
        return Ruling(status="unknown", needs=(need,), because=(_APPROACH,), touches=(query.attacker, query.target))
    reach = slam_reach_mm(table.miniature(query.attacker))
    aim = Aim(table.base(query.attacker), table.base(query.target), reach, target_id=query.target)
    going = near_enough(aim, charging(table, query.attacker))
    found = rush(aim, aim.toward_rad, going, speed + EXTRA_MM)
    travelled = found.stop(None if query.stop_after_in is None else inches(query.stop_after_in))
    ruling = _approach(table, query, found)
    there = table.placed(query.attacker, found.place(travelled))
    value: dict[str, JsonValue] = {
        "travelled_mm": travelled,
        "full": covered_mm(table, travelled, found.walked.ground) >= CHARGE_ATTACK_MM - 1e-9,
        "stopped_by": found.stopped_by,
        **_bonus(table, query),
    }
    if found.gets_there and value["full"]:
        value["slammed"] = _slammed(there, query)
    way = Witness(
        type="segment", role="path", points_mm=(found.walked.path[0], found.place(travelled)), of=(query.attacker,)
    )
    return replace(ruling, value={**ruling.value, **value}, lengths_mm={"travelled": travelled}, witness=(way,))


def _approach(table: Situation, query: Slam, found: Rush) -> Ruling:
    """Source: Slam, p. 45."""
    met = () if found.walked.stopped_by is None else (found.walked.stopped_by,)
    touches = (query.attacker, query.target, *met, *(s.id for s in found.walked.ground))
    reach = Ruling(
        margin_mm=found.left_mm,
        slack_mm=found.slack_mm,
        because=(_APPROACH, _REACH, _FULL),
        touches=tuple(dict.fromkeys(touches)),
    )
    may = all_of(_may(table, query))
    return replace(may, value={}) if may.status == "unknown" or not is_met(may) else reach


def _may(table: Situation, query: Slam) -> Clauses:
    """What a slam needs before it starts. Source: Slam, p. 45; Power Attacks, p. 45; Crippled Movement, p. 58."""
    me, them = table.miniature(query.attacker), table.miniature(query.target)
    sight = line_of_sight(table, Los(viewer=query.attacker, target=query.target))
    return (
        ("able", able(table, query.attacker)),
        ("whole", _plain(query, not forfeited(table, query.attacker), _FORFEIT)),
        *terms_of(table).rush_clauses(table, me.id),
        ("enemy", _plain(query, terms_of(table).at_friends or are_enemies(table.state, me, them), _FRIEND)),
        ("movement", _plain(query, "crippled-movement" not in me.status, _CRIPPLED)),
        ("sight", sight),
    )


def _plain(query: Slam, holds: bool, reason: Reason) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,), touches=(query.attacker,))


def _bonus(table: Situation, query: Slam) -> dict[str, JsonValue]:
    """Source: Slam, p. 46."""
    larger = size_mm(table.miniature(query.target)) > size_mm(table.miniature(query.attacker))
    return {"bonus": -2 if larger and query.by == "slam" else 0, "bonus_to": "attack"}


def _struck(table: Situation, query: Slam) -> Ruling:
    """A slam from where it stands: the approach is behind it, or a power strike had none. Source: p. 45-46."""
    me = table.miniature(query.attacker)
    reach = slam_reach_mm(me) if query.by == "slam" else _fist_mm(me)
    between = area_gap(table.area(query.attacker), table.area(query.target))
    if reach is None:
        need = f"profile.melee of {query.attacker} (open-fist)"
        return Ruling(status="unknown", needs=(need,), because=(_STRIKE,), touches=(query.attacker, query.target))
    path = me.this_turn.path_mm
    gone = None if path is None or query.by == "power-strike" else length_mm(path)
    full = gone is None or gone >= CHARGE_ATTACK_MM - 1e-9
    value: dict[str, JsonValue] = {"travelled_mm": gone, "full": full, "stopped_by": None, **_bonus(table, query)}
    if full:
        value["slammed"] = _slammed(table, query)
    return Ruling(
        margin_mm=reach - max(0.0, between.mm),
        value=value,
        lengths_mm={"distance": max(0.0, between.mm)},
        witness=(ruler(between, query.attacker, query.target, role="limit"),),
        because=(_REACH, _FULL) if query.by == "slam" else (_STRIKE,),
        touches=(query.attacker, query.target),
    )


def _fist_mm(me: Miniature) -> float | None:
    """The reach of its longest open fist. Source: Power Strike, p. 45."""
    fists = [inches(w.reach_in) for w in me.profile.melee if "open-fist" in w.rules and "crippled" not in w.rules]
    return max(fists, default=None)


def _slammed(table: Situation, query: Slam) -> JsonValue:
    """Where the target goes; nothing when the attack missed, or the roll is not told. Source: Slammed, p. 34."""
    if query.hit is False:
        return None
    distance, reasons = _distance_mm(table, query)
    if distance is None:
        return None
    away = away_rad(table, query.attacker, query.target)
    found = shove(table, query.target, "slammed", away, distance, query.attacker)
    return {**told(table, query.target, found), "distance_mm": distance, "why": [r.says for r in reasons]}


def _distance_mm(table: Situation, query: Slam) -> tuple[float | None, tuple[Reason, ...]]:
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


def push(table: Situation, query: Push) -> Ruling:
    """Where a push leaves the target. Source: Pushed, p. 34; Massive, p. 67."""
    usual = terms_of(table).push_mm
    distance = usual if query.distance_in is None else inches(query.distance_in)
    if distance is None:
        return Ruling(status="unknown", needs=("distance_in",), because=(PUSHED,), touches=(query.target,))
    heading = away_rad(table, query.attacker, query.target)
    found = shove(table, query.target, "pushed", heading, distance)
    value = told(table, query.target, found)
    kept: dict[str, JsonValue] = {key: value[key] for key in ("travelled_mm", "poses", "stopped_by", "fall")}
    still = terms_of(table).why_still(table, query.target, "pushed")
    return Ruling(
        status="measured",
        value={**kept, "follow_mm": 0.0 if usual is None else found.travelled_mm},
        lengths_mm={"travelled": found.travelled_mm},
        witness=drawn(query.target, found, table.base(query.target).reach_mm),
        because=(PUSHED,) if still is None else (PUSHED, still),
        touches=(query.attacker, query.target, *((found.stopped_by,) if _is_thing(table, found.stopped_by) else ())),
    )


def _is_thing(table: Situation, id_: str | None) -> bool:
    return id_ is not None and id_ in table.state.by_id
