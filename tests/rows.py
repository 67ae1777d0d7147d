"""A law over many rows as one test: a thousand rows are no thousand tests, each of which costs its milliseconds."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import Any

import pytest

_SHOWN = 20
_Law = Callable[..., None]


def every_row(
    names: str | tuple[str, ...], rows: Iterable[Any], ids: Sequence[str] | Callable[[Any], str] | None = None
) -> Callable[[_Law], _Law]:
    """As `pytest.mark.parametrize`, but one test that goes through all rows and names each that breaks the law."""
    keys = [names] if isinstance(names, str) else list(names)
    table = list(_named_values(keys, list(rows), ids))

    def decorate(law: _Law) -> _Law:
        @wraps(law)
        def test(**fixtures: Any) -> None:
            broken: dict[str, BaseException] = {}
            for name, values in table:
                try:
                    law(**dict(zip(keys, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as wrong:
                    broken[name] = wrong
            if broken:
                shown = [f"{name}: {type(e).__name__}: {e}" for name, e in list(broken.items())[:_SHOWN]]
                report = "\n".join([f"{len(broken)} of {len(table)} rows break it; the first ones:", *shown])
                raise AssertionError(report) from next(iter(broken.values()))

        signature = inspect.signature(law)
        fixtures = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        test.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        assert table, f"{law.__name__} has no rows"
        return test

    return decorate


def _named_values(
    keys: list[str], rows: list[Any], ids: Sequence[str] | Callable[[Any], str] | None
) -> Iterator[tuple[str, Sequence[Any]]]:
    """What each row is called, and its values."""
    for k, row in enumerate(rows):
        is_param = hasattr(row, "marks")
        values = row.values if is_param else [row] if len(keys) == 1 else row
        if is_param and row.id:
            yield row.id, values
        elif ids is not None:
            yield ids(values[0]) if callable(ids) else ids[k], values
        else:
            yield f"{k} {' '.join(str(value)[:40] for value in values)}", values
