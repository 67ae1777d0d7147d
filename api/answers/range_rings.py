"""Range rings: reach, walk and charge, command and control, and a written book's own lengths around one miniature."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from api.evaluation.cache import Ask
from api.evaluation.hypothetical_table import LONGEST_IN
from api.evaluation.measuring_policy import is_measuring_free
from api.live.entities import plays_units
from models.frozen import Frozen
from models.miniature import Miniature
from models.profile import Profile
from models.queries import QUERIES, QUERY
from models.state import TableState
from models.unit_conversion import MM_PER_INCH
from models.verdict import Verdict
from referee import edition_of

RingSlot = Literal["reach", "walk", "charge", "command", "control", "named", "told"]
_MOST_NAMED = 12  # of a written book's lengths: more rings than that nobody tells apart


class Ring(Frozen):
    """All that is within a length of the base; the verdict's witness is the ring, its members say who is inside."""

    slot: RingSlot
    name: str | None = Field(None, description="what the written book calls this length")
    length_in: float
    is_supposed: bool = Field(description="whether a length in it stands on no card")
    verdict: Verdict


def longest_reach_in(miniature: Miniature) -> float:
    return max((weapon.reach_in for weapon in miniature.profile.melee), default=0.0)


def charge_in(state: TableState, miniature: Miniature) -> float | None:
    """How far it charges and strikes; None where the book or the card has no such number."""
    extra_mm, speed_in = edition_of(state).charge_extra_mm, miniature.profile.spd_in
    if extra_mm is None or speed_in is None:
        return None
    return speed_in + extra_mm / MM_PER_INCH + longest_reach_in(miniature)


def range_rings(state: TableState, me: Miniature, *, card: Profile, ring_in: float | None, ask: Ask) -> Iterator[Ring]:
    """Its rings as supposed, `card` being what stands on its own; none where the edition draws none, or may not now."""
    if state.edition not in QUERIES["aura"].EDITIONS or plays_units(state) or not is_measuring_free(state):
        return
    for question in _ring_questions(state, me, card, ring_in):
        if question.fields.get("range_in", 0.0) > LONGEST_IN:
            continue  # a card may tell anything; nobody draws a ring beyond every table
        verdict = ask(state, QUERY.validate_python({"kind": "aura", "source": me.id, **question.fields}))
        limit_mm = verdict.value.get("limit_mm")
        length_in = (
            round(limit_mm / MM_PER_INCH, 6) if isinstance(limit_mm, int | float) else question.fields.get("range_in")
        )
        is_drawn = any(witness.type == "circle" for witness in verdict.witness)
        if is_drawn and isinstance(length_in, int | float):
            yield Ring(
                slot=question.slot,
                name=question.name,
                length_in=length_in,
                is_supposed=question.is_supposed,
                verdict=verdict,
            )


@dataclass(frozen=True)
class _RingQuestion:
    """What to ask for a ring; whether a length in it is supposed, and what the book calls it."""

    slot: RingSlot
    fields: dict[str, Any]
    is_supposed: bool = False
    name: str | None = None


def _ring_questions(state: TableState, me: Miniature, card: Profile, ring_in: float | None) -> Iterator[_RingQuestion]:
    reach_in, speed_in, charge = longest_reach_in(me), me.profile.spd_in, charge_in(state, me)
    is_supposed = not card.melee or card.spd_in is None
    yield _RingQuestion("reach", {"range_in": reach_in}, not card.melee)
    if speed_in is not None:
        yield _RingQuestion("walk", {"range_in": speed_in + reach_in}, is_supposed)
    if charge is not None:
        yield _RingQuestion("charge", {"range_in": charge}, is_supposed)
    if card.cmd_in is not None:
        yield _RingQuestion("command", {"effect": "command"})
    if card.control_stat is not None:
        yield _RingQuestion("control", {"effect": "control"})
    yield from _named_ring_questions(state)
    if ring_in is not None:
        yield _RingQuestion("told", {"range_in": ring_in})


def _named_ring_questions(state: TableState) -> Iterator[_RingQuestion]:
    """The lengths that a written book gives a name, in its order."""
    if (book := state.written_book) is not None:
        for name in [*book.rules.ranges][:_MOST_NAMED]:
            yield _RingQuestion("named", {"range_in": book.rules.range_in(name)}, name=name)
