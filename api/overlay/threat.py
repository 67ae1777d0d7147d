"""Threat ring: all that one miniature threatens, as a line that can be put on air."""

from api.answers.answer_line import Line
from api.answers.one_word import OneWord, facts_under_answer
from api.answers.range_rings import range_rings
from api.answers.unconfirmed_bases import careful_referee
from api.evaluation.cache import Ask
from api.evaluation.hypothetical_table import Hypothesis, apply_hypothesis
from api.live.entities import leader_of, members_of
from models.errors import BadQuery, TablesideError
from models.state import TableState
from models.verdict import Answer
from models.vocabulary import Id
from referee.rules.sides import are_enemies

_THREATS = ("charge", "walk")  # the farther first


def threat_line(state: TableState, id_: Id, *, ask: Ask, word: OneWord | None = None) -> Line:
    """How far it threatens, drawn as a ring, and how many enemies are within; with what is so by one player's word.

    Raises: UnknownThing; BadQuery where the rulebook draws no such ring, or it may not be measured now.
    """
    ask = careful_referee(ask)
    line = _threat_line(state, id_, ask)
    if word is None:
        return line
    facts = facts_under_answer(_says(line), state, (id_,), word, lambda table: _says_without(table, id_, ask))
    return line.with_told(facts)


def _says(line: Line) -> object:
    return line.headline, line.note, line.verdict and line.verdict.members


def _says_without(table: TableState, id_: Id, ask: Ask) -> object:
    """What it would say of that table; None where no such ring is drawn there."""
    try:
        return _says(_threat_line(table, id_, ask))
    except TablesideError:
        return None


def _threat_line(state: TableState, id_: Id, ask: Ask) -> Line:
    card, supposed = leader_of(state, id_, field="threat_of").profile, apply_hypothesis(state, Hypothesis())
    me = leader_of(supposed, id_, field="threat_of")
    rings = {ring.slot: ring for ring in range_rings(supposed, me, card=card, ring_in=None, ask=ask)}
    slot = next((slot for slot in _THREATS if slot in rings), None)
    if slot is None:
        raise BadQuery(f"no ring is drawn around {id_!r} here", field="threat_of", value=id_)
    ring = rings[slot]
    own = {m.id for m in members_of(supposed, id_)}
    within = [member.id for member in ring.verdict.members if member.answer is Answer.YES and member.id not in own]
    inside = sum(are_enemies(supposed, me, leader_of(supposed, id_, field="threat_of")) for id_ in within)
    note = f"{inside} {'enemy' if inside == 1 else 'enemies'} within" + (
        ", not by its card" if ring.is_supposed else ""
    )
    headline = f"{ring.length_in:.4g}\u2033"
    return Line(slot="threat", title="A threatens", yes="", no="", headline=headline, note=note, verdict=ring.verdict)
