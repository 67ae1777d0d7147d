"""Who threatens whom, seen from one miniature: the surest way each enemy may reach it, and it each enemy."""

from collections.abc import Iterator

from api.line import Line, query_of, shown_line
from api.memory import Ask
from api.pair_lines import Wanted
from api.rings import charge_in, longest_reach_in
from models.miniature import Miniature
from models.queries import QUERIES
from models.state import TableState
from models.units import MM_PER_INCH
from models.verdict import Answer

_SIGMAS = 3.0  # beyond a limit by so much doubt nothing is worth asking


def threats_between(
    state: TableState, me: Miniature, foe: Miniature, *, apart_mm: float, sigma_mm: float, ask: Ask
) -> Iterator[Line]:
    """What the enemy may do to me (A), then what I may do to it (B), as far as that holds or is too close to call."""
    for striker, struck, letters in ((foe, me, ("B", "A")), (me, foe, ("A", "B"))):
        for wanted, limit_in in _deeds(state, striker, struck, letters):
            if apart_mm > limit_in * MM_PER_INCH + _SIGMAS * sigma_mm:
                continue
            verdict = ask(state, query_of(wanted))
            if verdict.answer in (Answer.YES, Answer.TOO_CLOSE):
                yield shown_line(wanted, verdict)
                break


def _deeds(
    state: TableState, striker: Miniature, struck: Miniature, letters: tuple[str, str]
) -> Iterator[tuple[Wanted, float]]:
    """The surest threat first, each with the distance beyond which it is not worth asking."""
    one, other = letters
    mark, pair = "" if one == "A" else "-ba", {"attacker": striker.id, "target": struck.id}
    charge = charge_in(state, striker)
    if state.edition in QUERIES["engaged"].EDITIONS:
        engaged = Wanted(f"engaged{mark}", f"{one} engages {other}", "engaged", pair, yes="Engaged", no="Not engaged")
        yield engaged, longest_reach_in(striker)
    if charge is not None:
        yield Wanted(f"charge{mark}", f"{one} charges {other}", "charge", pair, yes="Gets there"), charge
