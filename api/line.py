"""One line of what a phone lists: a question in words, and its answer in a word or a number."""

from pydantic import Field

from api.pair_lines import Told, Wanted, failed
from models.frozen import Frozen
from models.queries import QUERY, Asked
from models.units import MM_PER_INCH
from models.verdict import Answer, Verdict


class Line(Frozen):
    """One line of the sheet. `title` has A and B for the two, and goes on with the length that `turns_on` names."""

    slot: str
    turns_on: Told | None = Field(None, description="what the player told that decides here")
    title: str
    yes: str
    no: str
    headline: str | None = Field(description="the answer in a word or a number; null: still being worked out")
    note: str | None = Field(None, description="what stands behind the headline, such as the modifiers of an attack")
    verdict: Verdict | None = Field(description="null: still being worked out")


_OUT_OF_ARC = "Not in front"
_COUNTS = ("shooters", "stand-and-shoot")  # what is worth knowing of them is how many


def query_of(line: Wanted) -> Asked:
    """The question that a line asks."""
    return QUERY.validate_python({"kind": line.kind, **line.fields})


def shown_line(line: Wanted, verdict: Verdict | None) -> Line:
    """The line with its answer in a word; without a verdict it is still being worked out."""
    no = _OUT_OF_ARC if verdict is not None and _is_by_arc(verdict) else line.no
    return Line(
        slot=line.slot,
        turns_on=line.turns_on,
        title=line.title,
        yes=line.yes,
        no=no,
        headline=None if verdict is None else _headline(verdict, line.yes, no),
        note=None if verdict is None else _note(verdict),
        verdict=verdict,
    )


def answered(query: Asked, verdict: Verdict) -> Line:
    """The answer to any one question as a line of its own."""
    return shown_line(Wanted(slot=verdict.kind, title=type(query).title(), kind=verdict.kind, fields={}), verdict)


def _is_by_arc(verdict: Verdict) -> bool:
    """What nothing blocks but the viewer's back is not called blocked."""
    return verdict.kind == "los" and verdict.value.get("decided_by") == "arc"


def _headline(verdict: Verdict, yes: str, no: str) -> str:
    """The answer in a word or a number, as a player says it."""
    if verdict.status in ("unknown", "refused"):
        return "Cannot tell" if verdict.status == "unknown" else "Not now"
    value = verdict.value
    if verdict.kind in _COUNTS and verdict.answer is Answer.YES and isinstance(count := value.get("count"), int):
        return f"{count} may"
    if verdict.answer is Answer.TOO_CLOSE and verdict.needs:
        return "Set facing"  # two feet apart, nobody calls it too close
    if verdict.answer is not None:
        return {Answer.YES: yes, Answer.NO: no, Answer.TOO_CLOSE: "Too close"}[verdict.answer]
    if isinstance(total := value.get("total"), int | float):
        return f"{total:+g} to hit".replace("-", "\u2212")
    if isinstance(where := value.get("grid") or value.get("arc") or value.get("result"), str):
        return where.capitalize()
    if isinstance(chance := value.get("chance"), dict) and isinstance(p := chance.get("p"), int | float):
        return f"{100 * p:.0f} %"
    return f"{verdict.measured[0].value_mm / MM_PER_INCH:.2f}\u2033" if verdict.measured else "Measured"


def _note(verdict: Verdict) -> str | None:
    """What stands behind the headline: the modifiers of an attack, or what keeps it from being made."""
    if verdict.kind == "attack-modifiers":
        told = verdict.value.get("modifiers")
        found = [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
        return ", ".join(f"{one['name']} {one['bonus']:+g}" for one in found) or None
    return ", ".join(failed(verdict)) or None
