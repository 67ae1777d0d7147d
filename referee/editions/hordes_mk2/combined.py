"""Combined shots: all who join have committed their attack before anything is measured."""

from pydantic import JsonValue

from models.queries import CombinedRanged, Cover, Stealth
from models.verdict import CAPPED_MM
from referee.candidates import considered, is_met
from referee.clauses import Conditions, all_settled, negated
from referee.editions.hordes_mk2.parameters import because
from referee.editions.warmachine_prime.able import in_formation, sight_of
from referee.editions.warmachine_prime.combined import in_range
from referee.editions.warmachine_prime.in_melee import melee_state
from referee.editions.warmachine_prime.shooting import shooting
from referee.ruling import Candidate, Ruling
from referee.situation import Situation
from referee.telling import applied, names

_JOIN = because("Combined Ranged Attacks", "Who is in formation and could declare the shot may join; all commit first.")
_SPENT = because("Combined Ranged Attacks", "Who turns out to be out of range adds nothing, and its attack is spent.")
_FREE = because("Combined Ranged Attacks", "A target in melee cannot be shot at together.")
_UNIT = because("Combined Ranged Attacks", "They all belong to one unit, and have the advantage of that name.")
_MEASURED = frozenset({"range", "stealth"})  # what is only found out when the attack has been committed


def combined_ranged(table: Situation, query: CombinedRanged) -> Ruling:
    """Who adds to a combined shot, who has spent its attack, and who may not join. Source: Combined Ranged Attacks."""

    def about(nudged: Situation, id_: str) -> Ruling:
        return _shoots(nudged, query, id_)

    found = considered(table, dict.fromkeys((query.primary, *query.participants)), about)
    parts = {c.id: _part(c) for c in found}
    adds = [id_ for id_, part in parts.items() if part[0] == "adds"]
    primary = parts.get(query.primary, ("may-not", None))[0]
    sheltered = table.ruled(Cover(attacker=query.primary, target=query.target))
    by_id: dict[str, JsonValue] = {id_: {"part": part, "why": why} for id_, (part, why) in parts.items()}
    return Ruling(
        status="measured",
        value={
            "by_id": by_id,
            "bonus": len(adds),
            "bonus_to": "attack",
            "auto_miss": primary == "spent",
            "cover_from": [query.primary] if is_met(sheltered) else [],
        },
        because=(applied(table, _JOIN, f"Adding to the shot: {names(table, adds)}."), _SPENT),
        members=found,
    )


def _part(candidate: Candidate) -> tuple[str, str | None]:
    """What part it takes, and the first condition that keeps it from adding."""
    ruling = candidate.ruling
    if ruling is not None and is_met(ruling):
        return "adds", None
    clauses = ruling.value.get("clauses") if ruling is not None else None
    told = clauses if isinstance(clauses, list) else []
    failed = [str(c["clause"]) for c in told if isinstance(c, dict) and c["answer"] != "yes"]
    if failed and _MEASURED.issuperset(failed):
        return "spent", failed[0]
    return "may-not", next((clause for clause in failed if clause not in _MEASURED), "not known")


def _shoots(table: Situation, query: CombinedRanged, id_: str) -> Ruling:
    target, unit = query.target, table.miniature(query.primary).unit
    me = table.miniature(id_)
    joins = me.has("combined-ranged-attack") and me.unit == unit
    conditions: Conditions = (
        ("unit", lambda _: Ruling(margin_mm=CAPPED_MM if joins else -CAPPED_MM, because=(_UNIT,), touches=(id_,))),
        ("formation", lambda at: in_formation(at, id_)),
        ("may-shoot", lambda at: shooting(at, id_, target, query.weapon)),
        ("sight", lambda at: sight_of(at, id_, target)),
        ("target-free", lambda at: _free(at, target)),
        ("range", lambda at: in_range(at, query, id_)),
        ("stealth", lambda at: negated(at.ruled(Stealth(attacker=id_, target=target)))),
    )
    return all_settled(table, (query, id_), conditions)


def _free(table: Situation, target: str) -> Ruling:
    found = negated(melee_state(table, target))
    return Ruling(
        margin_mm=found.decisive_mm,
        zero_is_met=found.zero_is_met,
        because=(_FREE,),
        touches=found.touches,
        faces=found.faces,
        status=found.status,
        needs=found.needs,
    )
