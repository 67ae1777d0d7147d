"""Which bases cannot both stand where they were seen, and which blocks took whose places."""

from collections.abc import Iterable, Mapping, Sequence

from vision.gap import gap_mm
from vision.identity import Known
from vision.locating import SeenBase

_SHARED = 0.2  # of both radii, by which bases overlap that cannot both stand there


def blocks_of(seen: Iterable[SeenBase], *, on: Sequence[Known] | None = None) -> set[int]:
    """The blocks of these; of those alone that stand where these stood, when they are given."""
    return {one.place.unit for one in seen if one.place is not None and (on is None or is_taken(one, by=on))}


def standing_in(blocks: set[int], seen: Iterable[SeenBase], standing: Mapping[str, Known]) -> list[str]:
    """Whose places are taken by members of these blocks."""
    members = [one for one in seen if one.place is not None and one.place.unit in blocks]
    return [id_ for id_, one in standing.items() if is_taken(one.seen, by=members)]


def is_taken(seen: SeenBase, *, by: Iterable[SeenBase | Known]) -> bool:
    """Whether another stands where this base would."""
    fits = [one.seen.fit if isinstance(one, Known) else one.fit for one in by]
    return any(gap_mm(seen.fit, fit)[0] < -_SHARED * (seen.fit.small_mm + fit.small_mm) for fit in fits)
