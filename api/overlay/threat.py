"""The ring of all that one miniature threatens, as a line that can be put on air."""

from api.fielded import leading
from api.line import Line
from api.memory import Ask
from api.rings import rings_of
from api.supposing import Supposing, as_supposed
from models.errors import BadQuery
from models.state import TableState
from models.verdict import Answer
from models.words import Id

_THREATS = ("charge", "walk")  # the farther first


def threat_line(state: TableState, who: Id, *, ask: Ask) -> Line:
    """How far it threatens, drawn as a ring, and how many enemies are within.

    Raises: UnknownThing; BadQuery where the rulebook draws no such ring, or it may not be measured now.
    """
    card, supposed = leading(state, who, field="threat_of").profile, as_supposed(state, Supposing())
    me = leading(supposed, who, field="threat_of")
    rings = {ring.slot: ring for ring in rings_of(supposed, me, card=card, ring_in=None, ask=ask)}
    slot = next((slot for slot in _THREATS if slot in rings), None)
    if slot is None:
        raise BadQuery(f"no ring is drawn around {who!r} here", field="threat_of", value=who)
    ring = rings[slot]
    inside = sum(member.answer is Answer.YES for member in ring.verdict.members)
    note = f"{inside} within" + (", not by its card" if ring.is_supposed else "")
    headline = f"{ring.length_in:.4g}\u2033"
    return Line(slot="threat", title="A threatens", yes="", no="", headline=headline, note=note, verdict=ring.verdict)
