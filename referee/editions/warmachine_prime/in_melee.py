"""In melee: somebody engages it, or it engages somebody."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from pydantic import JsonValue

from models.profile import Profile
from models.queries import InMelee
from models.verdict import CAPPED_MM
from referee.candidates import considered, in_play, word
from referee.clauses import RIVAL_MM, any_of
from referee.editions.warmachine_prime.melee import ENGAGED, HELPLESS, engages, weapon_reaches, why_not
from referee.editions.warmachine_prime.parameters import SPILL_REACH_MM, because
from referee.gap_form import limit_form
from referee.gaps import gap
from referee.ruling import Ruling
from referee.sides import are_enemies
from referee.situation import Situation
from referee.telling import applied, length, margin, name_of

_IN_MELEE = because("Engaged & Engaging", 43, "A model is in melee when it engages an enemy or an enemy engages it.")
_ALONE = because("Engaged & Engaging", 43, "No enemy is near enough for a melee.")
_UNARMED = because("Melee Range", 43, "A model without melee weapons has no melee range.")
Found = TypeVar("Found")
_FAR_MM = 10.0  # this far out of reach neither arc nor sight decides


def in_melee(table: Situation, query: InMelee) -> Ruling:
    """Whether it engages or is engaged; the margin is that of the nearest link. Source: p. 43."""
    others = enemies(table, query.who) if query.against is None else (query.against,)

    def about(nudged: Situation, id_: str) -> Ruling:
        return link(nudged, query.who, id_)

    ruling = melee_state(table, query.who, others)
    by_id: dict[str, JsonValue] = {} if table.lean else {id_: _both_ways(table, query.who, id_) for id_ in others}
    return replace(ruling, value={"by_id": by_id}, members=considered(table, others, about))


def melee_state(table: Situation, who: str, others: tuple[str, ...] | None = None) -> Ruling:
    """The ruling on the nearest link of one miniature to its enemies. Source: Engaged & Engaging, p. 43."""
    return table.recalled(("melee", who, others), lambda nudged: _melee(nudged, who, others))


def _melee(table: Situation, who: str, others: tuple[str, ...] | None) -> Ruling:
    others = enemies(table, who) if others is None else others
    helpless = next((why for status, why in HELPLESS.items() if status in table.miniature(who).status), None)
    if helpless is not None or not others:
        return Ruling(margin_mm=-CAPPED_MM, because=(_IN_MELEE, helpless or _ALONE), touches=(who,))
    ruling = _links(table, who, close_to(table, who, others))
    if ruling.status == "decided" and ruling.decisive_mm <= -CAPPED_MM:  # the near ones cannot fight: who else could?
        ruling = _links(table, who, others)
    return replace(ruling, because=tuple(dict.fromkeys((_IN_MELEE, *(r for r in ruling.because if r != ENGAGED)))))


def _links(table: Situation, who: str, others: tuple[str, ...]) -> Ruling:
    return any_of(tuple(engaging(table, *pair) for pair in _deciding(table, who, others)))


def _deciding(table: Situation, who: str, others: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Who might engage whom: those near enough to deciding at rest."""
    pairs = tuple(pair for id_ in others for pair in ((who, id_), (id_, who)))
    return at_rest(table, who, f"links to {others}", lambda still: _rivals(still, pairs))


def at_rest(table: Situation, who: str, what: str, find: Callable[[Situation], Found]) -> Found:
    """What was found of it with nothing nudged; anew where somebody was put elsewhere."""
    return table.settled((what, who), find)


def _rivals(table: Situation, pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    rulings = {pair: engaging(table, *pair) for pair in pairs}
    best = max((r.decisive_mm for r in rulings.values() if r.status == "decided"), default=0.0)
    return tuple(pair for pair, r in rulings.items() if r.status != "decided" or r.decisive_mm > best - 2 * RIVAL_MM)


def close_to(table: Situation, who: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """Those of them that may hold the nearest link: no farther than the nearest one and the longest reach."""
    return at_rest(table, who, f"close to it of {others}", lambda still: _close_to(still, who, others))


def _close_to(table: Situation, who: str, others: tuple[str, ...]) -> tuple[str, ...]:
    crowd, centre = table.crowd, table.centre(who)
    apart = dict(zip(crowd.ids, crowd.beyond_mm(centre, centre), strict=True))
    limit = max(table.base(who).reach_mm, min(apart[id_] for id_ in others)) + _longest_mm(table) + 2 * _FAR_MM
    return tuple(id_ for id_ in others if apart[id_] <= limit)


def _longest_mm(table: Situation) -> float:
    """The longest reach on the table."""
    reaches = (max(weapon_reaches(m).values(), default=0.0) for m in table.state.miniatures)
    return table.remembered("longest reach", "", lambda: max(reaches, default=0.0))


def link(table: Situation, a: str, b: str) -> Ruling:
    """Whether these two are in melee with each other. Source: Engaged & Engaging, p. 43."""
    return any_of((engaging(table, a, b), engaging(table, b, a)))


def enemies(table: Situation, who: str) -> tuple[str, ...]:
    """All its enemies in play: only enemies engage each other. Source: Engaged & Engaging, p. 43."""
    still = table.still
    return still.remembered("enemies", who, lambda: _enemies(still, who))


def _enemies(table: Situation, who: str) -> tuple[str, ...]:
    me = table.miniature(who)
    return tuple(i for i in in_play(table, who) if are_enemies(table.state, me, table.miniature(i)))


def engaging(table: Situation, attacker: str, target: str) -> Ruling:
    """Whether the attacker engages the target; far out of reach the distance alone tells. Source: p. 43."""
    table = table.regardless_of_facings(but=attacker)
    return table.recalled(("engaging", attacker, target), lambda nudged: _engaging(nudged, attacker, target))


def _engaging(table: Situation, attacker: str, target: str) -> Ruling:
    reaches = weapon_reaches(table.miniature(attacker))
    apart = max(0.0, gap(table.base(attacker), table.base(target)).mm)
    if not reaches:
        return _unarmed(table, attacker, target, apart)
    short = max(reaches.values()) - apart
    if short < -_FAR_MM and why_not(table, attacker, target) is None:
        told = (
            f"{name_of(table, target)} is {length(apart)} from {name_of(table, attacker)}, {margin(short)} for a melee."
        )
        form = limit_form(table, attacker, target, max(reaches.values()))
        why = applied(table, _IN_MELEE, told)
        return Ruling(margin_mm=short, because=(why,), touches=(attacker, target), form=form)
    return engages(table, attacker, target)


def _unarmed(table: Situation, attacker: str, target: str, apart: float) -> Ruling:
    """Without melee weapons nothing is engaged; of a card nobody has told that can only be said from afar."""
    told = table.miniature(attacker).profile != Profile()
    if told or apart > SPILL_REACH_MM or why_not(table, attacker, target) is not None:
        return Ruling(margin_mm=-CAPPED_MM, because=(_UNARMED,), touches=(attacker, target))
    return Ruling(status="unknown", needs=(f"profile.melee of {attacker}",), because=(_UNARMED,), touches=(attacker,))


def _both_ways(table: Situation, who: str, other: str) -> dict[str, JsonValue]:
    return {"engages": _told(table, who, other), "engaged": _told(table, other, who)}


def _told(table: Situation, attacker: str, target: str) -> str | None:
    if table.miniature(attacker).facing_deg is None and table.facings_rad.get(attacker) is None:
        return None
    return word(engaging(table, attacker, target))
