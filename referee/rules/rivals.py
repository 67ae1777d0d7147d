"""Rivals: who of several comes first, and whether the next might as well."""

from collections.abc import Mapping

from referee.rules.switches import is_at_least


def first_of(mm: Mapping[str, float], clause: str = "is nearer than", *, also: tuple[str, ...] = ()) -> str | None:
    """Whose number is the least, of equals the first named; in the trace: by how much the next is behind.

    `also` is what all the numbers hang on besides those whose they are.
    """
    first = min(mm, key=mm.__getitem__, default=None)
    if first is None or len(mm) < 2:
        return first
    second = min((id_ for id_ in mm if id_ != first), key=mm.__getitem__)
    a, b = sorted((first, second))  # the same switch whoever comes first
    is_at_least(mm[b], mm[a], clause, tuple(dict.fromkeys((a, b, *also))))
    return first
