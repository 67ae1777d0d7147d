"""Disclosure: what players are told where measuring takes a licence; all figures, some, or the bare answer."""

from typing import Any

from pydantic import JsonValue

from models.queries import BaseQuery
from models.verdict import Answer, Member, Reason, Verdict
from referee.rules.edition import Edition
from referee.rules.exact_table import ExactTable
from referee.rules.licence import Licence

_ROUNDING_MM = 0.01
_NO_MARGIN: dict[str, Any] = {
    "probability": None,
    "estimate": None,
    "margin_mm": None,
    "margin_deg": None,
    "sigma_mm": None,
    "sigma_deg": None,
    "capped": False,
    "at_edge": False,
}


def query_fields(query: BaseQuery) -> dict[str, object]:
    """The question as it stands in a verdict: only what was given."""
    return {"kind": query.kind} | query.model_dump(mode="json", exclude_defaults=True)  # type: ignore[attr-defined]


def refuse_unlicensed(table: ExactTable, query: BaseQuery, edition: Edition, licence: Licence) -> Verdict:
    """The refusal of a question that may not be measured now: what would open it, and nothing of what is so."""
    return Verdict(
        kind=query.kind,  # type: ignore[attr-defined]
        edition=edition.id,
        book=table.state.book_stamp,
        status="refused",
        value={"licence": licence.name},
        unlock=licence.unlock,
        advice=licence.advice,
        state_id=table.state.state_id,
        query=query_fields(query),
    )


def disclose(verdict: Verdict, licence: Licence) -> Verdict:
    """The verdict with as much of its figures as the licence lets players know."""
    fields: dict[str, Any] = {"licence": licence.name, "disclosed": "figures"}
    fields |= {} if licence.cap_mm is None else {"cap_mm": licence.cap_mm}
    if licence.disclosed == "verdict":
        return _disclose_answer(verdict, fields | {"disclosed": "verdict"}, with_witness=True)
    if licence.only_within and (verdict.answer is Answer.NO or _lies_beyond(verdict, licence)):
        return _disclose_answer(verdict, fields | {"disclosed": "verdict"}, with_witness=False)
    if licence.only_within and verdict.members:
        return _disclose_within_limit(verdict, fields)
    return Verdict.model_validate(_fields(verdict) | {"value": verdict.value | fields})


def _lies_beyond(verdict: Verdict, licence: Licence) -> bool:
    """Whether a length in it is longer than may be measured."""
    cap = licence.cap_mm
    return cap is not None and any(length.value_mm > cap + _ROUNDING_MM for length in verdict.measured)


def _disclose_within_limit(verdict: Verdict, fields: dict[str, Any]) -> Verdict:
    """A list with all figures of those within the limit, and of the rest only that they are not."""
    outside = {m.id for m in verdict.members if m.answer is Answer.NO}
    by_id = verdict.value.get("by_id")
    value = verdict.value | fields
    if isinstance(by_id, dict):
        value["by_id"] = {id_: _drop_figures(figures) if id_ in outside else figures for id_, figures in by_id.items()}
    hidden = {} if not (verdict.margin_mm is not None and verdict.margin_mm < 0) else _NO_MARGIN
    because = tuple(Reason(source=r.source, says=r.says) for r in verdict.because) if outside else verdict.because
    members = tuple(map(_hide_beyond_limit, verdict.members))
    return Verdict.model_validate(
        _fields(verdict) | {"value": value, "members": members, "because": because, "measured": ()} | hidden
    )


def _fields(verdict: Verdict) -> dict[str, Any]:
    return {name: getattr(verdict, name) for name in Verdict.model_fields}


def _disclose_answer(verdict: Verdict, fields: dict[str, Any], *, with_witness: bool) -> Verdict:
    """The answer without any figure."""
    value = _drop_figures(verdict.value)
    assert isinstance(value, dict)
    return Verdict.model_validate(
        _fields(verdict)
        | _NO_MARGIN
        | {
            "measured": (),
            "value": value | fields,
            "members": tuple(Member(id=m.id, answer=m.answer) for m in verdict.members),
            "witness": verdict.witness if with_witness else (),
            "because": tuple(Reason(source=r.source, says=r.says) for r in verdict.because),
        }
    )


def _hide_beyond_limit(member: Member) -> Member:
    """Of one beyond the limit only that it is."""
    return Member(id=member.id, answer=member.answer) if member.answer is Answer.NO else member


def _drop_figures(value: JsonValue) -> JsonValue:
    """The same words with every number, and every list of numbers, left out."""
    if isinstance(value, dict):
        return {key: _drop_figures(item) for key, item in value.items() if not _is_figure(item)}
    return [_drop_figures(item) for item in value if not _is_figure(item)] if isinstance(value, list) else value


def _is_figure(value: JsonValue) -> bool:
    if isinstance(value, list):
        return bool(value) and all(_is_figure(item) for item in value)
    return isinstance(value, float | int) and not isinstance(value, bool)
