"""Whether rectangles stand on this table at all: armies have round bases or square ones, hardly ever both.

Walls, doors and slabs look like square bases, a network says so of all that one maker built alike, and only the table
as a whole tells them apart: among round bases a rectangle must be seen more surely than alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from models.base import Catalogue, RectBase
from vision.candidates import Candidate, NetworkScore
from vision.measurement.base_fit import BaseFit

_ROUNDS = 3  # from so many measured on they say which army this is
_PRIOR_ODDS = 0.1  # of a rectangle among them: few games and few armies mix both


def are_rectangles_in_play(
    candidates: Iterable[Candidate], measured: Sequence[BaseFit], *, standing: Iterable[BaseFit], catalogue: Catalogue
) -> bool:
    """Whether the surest rectangle is likelier one than not. `standing`: known bases outside of the picture.

    It decides for all: what deceives a network once does so as often as it stands there. Nothing speaks against
    rectangles where the edition has them, where some stand, and where nobody asked a network.
    """
    known = [*measured, *standing]
    has_some = any(isinstance(base, RectBase) for base in (*catalogue.usual, *(fit.base for fit in known)))
    if has_some or len(known) < _ROUNDS:
        return True
    return max((_chance_of(one) for one in candidates if isinstance(one.base, RectBase)), default=1.0) > 0.5


def doubt_rectangles(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The candidates, rectangles as likely as they are among round bases."""
    return tuple(
        replace(one, network_score=NetworkScore(_chance_of(one), one.network_score.p_other))
        if one.network_score is not None and isinstance(one.base, RectBase) else one
        for one in candidates
    )  # fmt: skip


def _chance_of(one: Candidate) -> float:
    return _posterior(one.network_score.p_base) if one.network_score is not None else 1.0


def _posterior(chance: float) -> float:
    return _PRIOR_ODDS * chance / (_PRIOR_ODDS * chance + 1.0 - chance)
