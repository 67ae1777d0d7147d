"""Threats: the surest way in which each enemy may reach a miniature, and it each enemy."""

from collections.abc import Iterator

from api.answers.answer_line import Line, query_of, render_line
from api.answers.pair_questions import QuestionLine, is_met_or_open
from api.answers.range_rings import charge_in, longest_reach_in
from api.evaluation.cache import Ask
from models.miniature import Miniature
from models.profile import RangedWeapon
from models.queries import QUERIES
from models.state import TableState
from models.unit_conversion import MM_PER_INCH
from referee import edition_of
from referee.rules.exact_table import ExactTable

_SIGMAS = 3.0  # beyond a limit by so much doubt nothing is worth asking


def threats_between(
    state: TableState, me: Miniature, foe: Miniature, *, apart_mm: float, sigma_mm: float, ask: Ask
) -> Iterator[Line]:
    """What the enemy may do to me (A), then what I may do to it (B), as far as that holds or is too close to call."""
    for striker, struck, letters in ((foe, me, ("B", "A")), (me, foe, ("A", "B"))):
        for wanted, limit_in in _threat_questions(state, striker, struck, letters):
            if apart_mm > limit_in * MM_PER_INCH + _SIGMAS * sigma_mm:
                continue
            verdict = ask(state, query_of(wanted))
            if is_met_or_open(verdict):
                yield render_line(wanted, verdict)
                break
        yield from _ask_shot(state, striker, struck, letters, near_mm=apart_mm - _SIGMAS * sigma_mm, ask=ask)


def _ask_shot(
    state: TableState, striker: Miniature, struck: Miniature, letters: tuple[str, str], *, near_mm: float, ask: Ask
) -> Iterator[Line]:
    """Its longest gun, where that is in range and may see."""
    gun = max(striker.profile.ranged, key=_range_in, default=None)
    if gun is None or near_mm > _range_in(gun) * MM_PER_INCH or state.edition not in QUERIES["range"].EDITIONS:
        return
    (one, other), mark = letters, "" if letters[0] == "A" else "-ba"
    pair = {"attacker": striker.id, "target": struck.id, "weapon": gun.name}
    shot = QuestionLine(f"gun{mark}", f"{one} shoots {other}: {gun.name}", "range", pair, yes="In range")
    verdict = ask(state, query_of(shot))
    if not is_met_or_open(verdict):
        return
    sight = QuestionLine(f"sight{mark}", "", "los", {"viewer": striker.id, "target": struck.id})
    if is_met_or_open(ask(state, query_of(sight))):
        yield render_line(shot, verdict)


def _range_in(gun: RangedWeapon) -> float:
    """How far it shoots at most; nothing is told of one whose card is silent."""
    told = gun.rng_in[1] if isinstance(gun.rng_in, tuple) else gun.rng_in
    return told or 0.0


def _threat_questions(
    state: TableState, striker: Miniature, struck: Miniature, letters: tuple[str, str]
) -> Iterator[tuple[QuestionLine, float]]:
    """The surest threat first, each with the distance beyond which it is not worth asking."""
    one, other = letters
    mark, pair = "" if one == "A" else "-ba", {"attacker": striker.id, "target": struck.id}
    charge = charge_in(state, striker)
    if state.edition in QUERIES["engaged"].EDITIONS:
        engaged = QuestionLine(
            f"engaged{mark}", f"{one} engages {other}", "engaged", pair, yes="Engaged", no="Not engaged"
        )
        yield engaged, _engage_in(state, striker)
    if charge is not None:
        yield QuestionLine(f"charge{mark}", f"{one} charges {other}", "charge", pair, yes="Gets there"), charge


def _engage_in(state: TableState, striker: Miniature) -> float:
    """How near it engages: as the rulebook's own setting says, else as far as its longest weapon reaches."""
    edition = edition_of(state)
    if edition.engage_in is None:
        return longest_reach_in(striker)
    return edition.engage_in(ExactTable(state, edition))
