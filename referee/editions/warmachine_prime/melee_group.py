"""The same combat: whom a missed shot into a melee may hit instead."""

from itertools import combinations

from pydantic import JsonValue

from models.queries import InMeleeGroup
from models.words import Point
from referee.candidates import considered, in_play, is_met
from referee.clauses import RIVAL_MM, all_of, any_of
from referee.editions.warmachine_prime.able import deeds, sight_of
from referee.editions.warmachine_prime.ground import is_huge
from referee.editions.warmachine_prime.in_melee import at_rest, link
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import gap
from referee.ruling import Candidate, FacingNeeded, Ruling
from referee.situation import Situation
from referee.telling import applied, names

_GROUP = because(
    "Targeting a Model in Melee", 51, "Drawn are those in melee with the target, and those in melee with them."
)
_SEEN = because("Targeting a Model in Melee", 51, "Only who is in the attacker's sight is drawn; models hide nobody.")
_HUGE = because("Targeting a Huge-Based Model in Melee", 52, "A miss against a huge base misses altogether.")
_ASSAULT = because("Assault", 52, "An Assault shot that misses the one it is in melee with misses altogether.")
_NEAR_MM = 160.0  # two reaches of two inches and what a measuring error may add
_DIE = 6


def in_melee_group(table: Situation, query: InMeleeGroup) -> Ruling:
    """Everybody who may be drawn after a miss. Source: Targeting a Model in Melee, p. 51-52; p. 55 for magic."""
    if is_huge(table.miniature(query.target)):
        return Ruling(status="measured", value={"links": [], "bands": {}, "by_id": {}}, because=(_HUGE,))
    others = tuple(id_ for id_ in in_play(table, query.target, query.attacker))
    if _is_assault(table, query.attacker) and is_met(link(table, query.attacker, query.target)):
        return Ruling(status="measured", value={"links": [], "bands": {}, "by_id": {}}, because=(_ASSAULT,))
    near = in_play(table, query.target)
    partners = tuple(id_ for id_ in near if _apart(table, query.target, id_) < _NEAR_MM / 2)
    source: str | Point = query.attacker if query.origin is None else query.origin

    def about(nudged: Situation, id_: str) -> Ruling:
        return _drawn(nudged, source, query.target, id_, partners)

    found = considered(table, others, about)
    group = [c.id for c in found if c.ruling is not None and is_met(c.ruling)]
    return Ruling(
        status="measured",
        value={
            "links": _links(table, (query.target, *group)),
            "bands": bands(group),
            "by_id": {c.id: {"why": _why(table, query.target, c)} for c in found},
        },
        because=(applied(table, _GROUP, f"Here: {names(table, group)}."), _SEEN),
        members=found,
    )


def _is_assault(table: Situation, attacker: str) -> bool:
    """Whether its shot is that of a charge. Source: Assault, p. 52."""
    return table.miniature(attacker).has("assault") and "charge" in deeds(table, attacker)


def _apart(table: Situation, a: str, b: str) -> float:
    return gap(table.base(a), table.base(b)).mm


def _drawn(table: Situation, source: str | Point, target: str, id_: str, partners: tuple[str, ...]) -> Ruling:
    """Whether it is in the target's combat and in the attacker's sight."""
    group = _in_group(table, target, id_, partners)
    if group.status == "decided" and group.decisive_mm < -25.4:  # far from any of it: sight decides nothing
        return group
    return all_of((("in-melee", group), ("sight", terms_of(table).drawn(table, source, id_))))


def in_sight(table: Situation, source: str | Point, id_: str) -> Ruling:
    """Whether the attacker sees it past all models. Source: Targeting a Model in Melee, p. 51-52."""
    return sight_of(table, source, id_, past_models=True)


def _in_group(table: Situation, target: str, id_: str, partners: tuple[str, ...]) -> Ruling:
    """In melee with the target, or with one who is; only those chains are looked at that may decide."""
    what = f"chains from {target} by {partners}"
    chains = at_rest(table, id_, what, lambda still: _deciding(still, target, id_, partners))
    return any_of(tuple(_chain(table, target, id_, other) for other in chains))


def _deciding(table: Situation, target: str, id_: str, partners: tuple[str, ...]) -> tuple[str | None, ...]:
    near = [p for p in partners if p != id_ and _apart(table, p, id_) < _NEAR_MM / 2]
    chains = {other: _chain(table, target, id_, other) for other in (None, *near)}
    best = max((r.decisive_mm for r in chains.values() if r.status == "decided"), default=0.0)
    return tuple(k for k, r in chains.items() if r.status != "decided" or r.decisive_mm > best - 2 * RIVAL_MM)


def _chain(table: Situation, target: str, id_: str, other: str | None) -> Ruling:
    """In melee with the target, or through one other."""
    if other is None:
        return link(table, target, id_)
    return all_of((("target", link(table, target, other)), ("partner", link(table, other, id_))))


def _links(table: Situation, group: tuple[str, ...]) -> list[JsonValue]:
    return [[a, b] for a, b in combinations(group, 2) if _is_linked(table, a, b)]


def _is_linked(table: Situation, a: str, b: str) -> bool:
    try:
        return is_met(link(table, a, b))
    except FacingNeeded:
        return False


def _why(table: Situation, target: str, candidate: Candidate) -> str:
    if candidate.ruling is None:
        return "facing unknown"
    if is_met(candidate.ruling):
        return "in melee with the target" if _is_linked(table, target, candidate.id) else "in melee with its partner"
    return "out of sight" if "clauses" in candidate.ruling.value else "not in this melee"


def bands(group: list[str]) -> dict[str, JsonValue]:
    """The faces of a die for each: equal shares, what is left over is rolled again.

    Source: Targeting a Model in Melee, p. 51, example 1.
    """
    share = _DIE // len(group) if 0 < len(group) <= _DIE else 0
    return {id_: [k * share + face for face in range(1, share + 1)] for k, id_ in enumerate(group) if share}
