"""Questions about many: each one considered is asked about alone."""

from collections.abc import Callable, Iterable

from referee.ruling import Candidate, FacingUntold, Ruling
from referee.sides import friends_of
from referee.situation import Situation

About = Callable[[Situation, str], Ruling]


def considered(table: Situation, ids: Iterable[str], about: About) -> tuple[Candidate, ...]:
    """What is found of each; nothing where only margins are wanted."""
    return () if table.lean else tuple(_candidate(table, id_, about) for id_ in ids)


def _candidate(table: Situation, id_: str, about: About) -> Candidate:
    def alone(nudged: Situation) -> Ruling:
        return about(nudged, id_)

    try:
        ruling = alone(table)
    except FacingUntold as needed:
        return Candidate(id_, None, alone, (f"facing_deg of {needed.id}",))
    return Candidate(id_, None if ruling.status == "unknown" else ruling, alone, ruling.needs)


def is_met(ruling: Ruling) -> bool:
    """Whether the condition holds on the exact table."""
    if ruling.status != "decided":
        return False
    return ruling.decisive_mm > 1e-6 or (ruling.decisive_mm >= -1e-6 and ruling.zero_is_met)


def word(ruling: Ruling) -> str | None:
    """Yes or no of the exact table; None when it cannot be told."""
    if ruling.status != "decided":
        return None
    return "yes" if is_met(ruling) else "no"


def in_play(table: Situation, *but: str) -> tuple[str, ...]:
    """Every miniature that has not just left play, but for these."""
    return tuple(m.id for m in table.state.miniatures if m.id not in but and "removed" not in m.status)


def of_side(table: Situation, ids: Iterable[str], side: str | None, only: str | None) -> tuple[str, ...]:
    """Those of them that are friends, or enemies, of a side; nobody is a friend of no side."""
    if only is None:
        return tuple(ids)
    friends = frozenset[str | None]() if side is None else friends_of(table.state, side)
    return tuple(id_ for id_ in ids if (table.miniature(id_).side in friends) == (only == "friends"))
