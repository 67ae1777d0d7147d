"""Edition diff: rulebooks side by side, and where one verdict is not what another says."""

from collections.abc import Sequence

from pydantic import JsonValue

from models.verdict import SideBySide, Verdict

_TELLING = ("status", "answer", "margin_mm", "margin_deg", "members", "blockers", "unlock")
_EDGE_MM = 1e-6
_OF_LICENCES = frozenset({"licence", "disclosed", "cap_mm"})


def compare_verdicts(verdicts: Sequence[Verdict]) -> tuple[SideBySide, ...]:
    """The same verdicts, each with the names of what the first one says otherwise."""
    first = verdicts[0]
    return tuple(
        SideBySide.model_validate(
            {name: getattr(verdict, name) for name in Verdict.model_fields}
            | {"parts": differing_fields(first, verdict)}
        )
        for verdict in verdicts
    )


def differing_fields(first: Verdict, other: Verdict) -> tuple[str, ...]:
    """The fields in which two verdicts on one question differ, and the keys of `value`; words and figures alike."""
    fields = [name for name in _TELLING if not _is_same(_comparable_value(first, name), _comparable_value(other, name))]
    keys = [key for key in {**first.value, **other.value} if key not in _OF_LICENCES]
    values = [f"value.{key}" for key in keys if not _is_same(first.value.get(key), other.value.get(key))]
    return (*fields, *values)


def _comparable_value(verdict: Verdict, name: str) -> JsonValue:
    value = verdict.model_dump(mode="json", include={name})[name]
    return [{key: item[key] for key in ("id", "answer", "margin_mm")} for item in value] if name == "members" else value


def _is_same(a: JsonValue, b: JsonValue) -> bool:
    """Whether two told values are the same; numbers within rounding, and None for what is not told."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_is_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_is_same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float | int) and isinstance(b, float | int) and not isinstance(a, bool):
        return abs(a - b) <= _EDGE_MM
    return a == b
