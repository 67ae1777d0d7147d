"""Combined attacks of a unit: who counts, and what they add."""

import math

from pydantic import JsonValue

from models.pose import Pose
from models.queries import CombinedMelee, CombinedRanged, Cover, Stealth
from models.units import inches
from models.verdict import CAPPED_MM, Reason
from referee.candidates import considered, is_met
from referee.clauses import Conditions, all_settled, negated
from referee.editions.warmachine_prime.able import able, deeds, in_formation, line_of_blow, sight_of
from referee.editions.warmachine_prime.cover import cover
from referee.editions.warmachine_prime.distances import shot_mm
from referee.editions.warmachine_prime.ground import is_huge
from referee.editions.warmachine_prime.in_melee import melee_state
from referee.editions.warmachine_prime.melee import reach_ruling, weapon_reaches
from referee.editions.warmachine_prime.parameters import CHARGE_ATTACK_MM, because
from referee.editions.warmachine_prime.shooting import shooting
from referee.editions.warmachine_prime.stealth import stealth
from referee.ruling import Candidate, Ruling
from referee.situation import Situation
from referee.telling import applied, names

_RANGED = because(
    "Combined Ranged Attacks", 65, "Each trooper who could shoot at the target himself, in range and formation, adds 1."
)
_MELEE = because(
    "Combined Melee Attacks", 65, "Each trooper who could strike the target himself, in reach and formation, adds 1."
)
_ADVANTAGE = because("Advantages", 17, "Combined attacks take the advantage of that name.")
_UNIT = because("Combined Ranged Attacks", 65, "They all belong to one unit.")
_TARGET = because("Combined Ranged Attacks", 65, "The target must not be in melee, unless its base is huge.")


def combined_ranged(table: Situation, query: CombinedRanged) -> Ruling:
    """Who counts in a combined shot; all else goes by the primary attacker. Source: Combined Ranged Attacks, p. 65."""

    def about(nudged: Situation, id_: str) -> Ruling:
        return _shoots(nudged, query, id_)

    found = considered(table, dict.fromkeys((query.primary, *query.participants)), about)
    adds = [c.id for c in found if c.ruling is not None and is_met(c.ruling)]
    sheltered = cover(table, Cover(attacker=query.primary, target=query.target))
    return Ruling(
        status="measured",
        value={
            **_counted(found, adds),
            "auto_miss": _misses(table, query),
            "cover_from": [query.primary] if is_met(sheltered) else [],
        },
        because=(applied(table, _RANGED, _able_told(table, adds)),),
        members=found,
    )


def combined_melee(table: Situation, query: CombinedMelee) -> Ruling:
    """Who counts in a combined blow. Source: Combined Melee Attacks, p. 65."""

    def about(nudged: Situation, id_: str) -> Ruling:
        return _strikes(nudged, query, id_)

    found = considered(table, dict.fromkeys((query.primary, *query.participants)), about)
    adds = [c.id for c in found if c.ruling is not None and is_met(c.ruling)]
    charge = bool(adds) and all(_charged(table, id_, query.target) for id_ in adds)
    return Ruling(
        status="measured",
        value={**_counted(found, adds), "charge_attack": charge},
        because=(applied(table, _MELEE, _able_told(table, adds)),),
        members=found,
    )


def _able_told(table: Situation, adds: list[str]) -> str:
    return f"Able to take part: {names(table, adds)}."


def _counted(found: tuple[Candidate, ...], adds: list[str]) -> dict[str, JsonValue]:
    """Two or more make it a combined attack, the primary attacker among them."""
    together = len(adds) if len(adds) > 1 and found and found[0].id in adds else 0
    by_id: dict[str, JsonValue] = {
        c.id: {"part": "adds" if c.id in adds else "may-not", "why": None if c.id in adds else _failed(c)}
        for c in found
    }
    return {"by_id": by_id, "bonus": together, "bonus_to": "attack"}


def _failed(candidate: Candidate) -> str:
    """The first condition that does not hold."""
    if candidate.ruling is None:
        return "not known"
    clauses = candidate.ruling.value.get("clauses")
    assert isinstance(clauses, list)
    return next((str(c["clause"]) for c in clauses if isinstance(c, dict) and c["answer"] != "yes"), "not known")


def _told(holds: bool, reason: Reason, *ids: str) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,), touches=ids)


def _belongs(table: Situation, primary: str, id_: str, ability: str) -> Conditions:
    me, unit = table.miniature(id_), table.miniature(primary).unit
    has, same = me.has(ability), me.unit == unit  # without units told, those who strike together are one
    return (
        ("advantage", lambda _: _told(has, _ADVANTAGE, id_)),
        ("unit", lambda _: _told(same, _UNIT, id_)),
        ("formation", lambda at: in_formation(at, id_)),
    )


def _shoots(table: Situation, query: CombinedRanged, id_: str) -> Ruling:
    target = query.target
    hidden = Stealth(attacker=id_, target=target)
    conditions: Conditions = (
        *_belongs(table, query.primary, id_, "combined-ranged-attack"),
        ("may-shoot", lambda at: shooting(at, id_, target, query.weapon)),
        ("range", lambda at: in_range(at, query, id_)),
        ("stealth", lambda at: negated(stealth(at, hidden))),
        ("target-free", lambda at: _open(at, target)),
        ("sight", lambda at: sight_of(at, id_, target)),
    )
    return all_settled(table, (query, id_), conditions)


def _open(table: Situation, target: str) -> Ruling:
    """Whether the target may be shot at together: not in melee, or huge."""
    if is_huge(table.miniature(target)):
        return _told(True, _TARGET, target)
    return negated(melee_state(table, target))


def in_range(table: Situation, query: CombinedRanged, id_: str) -> Ruling:
    """Whether the target is in range of this one's weapon. Source: Combined Ranged Attacks, p. 65."""
    limit = query.range_in
    if limit is None:
        guns = [g.rng_in for g in table.miniature(id_).profile.ranged if query.weapon in (None, g.name)]
        lengths = [g if isinstance(g, float | int) else g[1] for g in guns if g is not None]
        limit = max(lengths, default=None)
    if limit is None:
        return Ruling(status="unknown", needs=(f"profile.ranged of {id_}",), touches=(id_,))
    apart, rise = shot_mm(table, id_, query.target)
    key = ("range-elevation",) if rise else ()
    return Ruling(
        margin_mm=inches(limit) - apart, because=(_RANGED,), readings=key, doubtful=key, touches=(id_, query.target)
    )


def _misses(table: Situation, query: CombinedRanged) -> bool:
    """Whether the primary attacker's shot would miss by itself."""
    hidden = is_met(stealth(table, Stealth(attacker=query.primary, target=query.target)))
    reach = in_range(table, query, query.primary)
    return hidden or (reach.status == "decided" and not is_met(reach))


def _strikes(table: Situation, query: CombinedMelee, id_: str) -> Ruling:
    target = query.target
    reaches = weapon_reaches(table.miniature(id_))
    conditions: Conditions = (
        *_belongs(table, query.primary, id_, "combined-melee-attack"),
        ("able", lambda at: able(at, id_)),
        ("reach", lambda at: reach_ruling(at, id_, target, reaches)),
        ("sight", lambda at: line_of_blow(at, id_, target, reach_mm=max(reaches.values(), default=0.0))),
    )
    return all_settled(table, (query, id_), conditions)


def _charged(table: Situation, id_: str, target: str) -> bool:
    """Whether its blow is a charge attack: it charged this target and came 3 in. Source: Charge, p. 31."""
    turn = table.miniature(id_).this_turn
    if "charge" not in deeds(table, id_) or turn.charged != target:
        return False
    if turn.path_mm is not None:
        went = sum(math.dist(a, b) for a, b in zip(turn.path_mm, turn.path_mm[1:], strict=False))
    else:
        went = math.dist(turn.start.at_mm, table.centre(id_)) if isinstance(turn.start, Pose) else 0.0
    return went >= CHARGE_ATTACK_MM - 1e-6
