"""Whether somebody told the same while somebody else was telling it: the later one is asked to look first."""

from collections.abc import Iterable, Iterator

from api.corrections.correction import (
    AboutContact,
    AboutMiniature,
    AboutTable,
    Correction,
    Lay,
    Reject,
    Several,
    TakeAway,
)
from api.corrections.step import StepMade

Told = tuple[str, str]
"""Of whom or what, and which of its words; no word: the whole of it."""


def told_since(seen: int, steps: Iterable[StepMade], correction: Correction) -> StepMade | None:
    """The newest step that tells the same as the correction and was changed after line `seen`; None when none is."""
    told = frozenset(_told(correction))
    later = sorted((step for step in steps if step.changed_n > seen), key=lambda step: -step.changed_n)
    return next((step for step in later if told & frozenset(_told(step.correction))), None)


def _told(correction: Correction) -> Iterator[Told]:
    match correction:
        case AboutMiniature():
            yield from ((id_, field) for id_ in correction.ids for field in correction.told())
        case AboutTable():
            yield from (("table", field) for field in correction.told())
        case AboutContact():
            yield " ".join(sorted((correction.a, correction.b))), "contact"
        case Lay():
            yield from ((thing.id, "") for _, laid in correction.things() for thing in laid)
        case TakeAway():
            yield from ((id_, "") for id_ in correction.ids)
        case Several():
            for one in correction.corrections:
                yield from _told(one)
        case Reject():
            return
