"""Answer line: a question in words, and its answer in a word or a number, as a phone lists it."""

import re
from typing import Literal

from pydantic import Field

from api.answers.pair_questions import QuestionLine, ToldLength, Topic, failed_clauses
from api.corrections.told_facts import ToldFact
from api.live.entities import leader_of
from models.frozen import Frozen
from models.miniature import Miniature
from models.queries import QUERY, BaseQuery
from models.state import TableState
from models.unit import Unit
from models.unit_conversion import MM_PER_INCH, inches
from models.verdict import Answer, Verdict
from models.vocabulary import Id


class LineRuling(Frozen):
    """What a judge ruled about a line. It lies over the referee's answer, which stays beneath."""

    n: int = Field(description="its line of the journal")
    number: int = Field(description="which ruling of the game it is, from 1")
    at_s: float
    said: str = Field(description="what stands, in a word or a few")
    answer: Literal["yes", "no"] | None = Field(description="what stands, where it is one of the line's two answers")
    decision: Literal["accepted", "overruled", "rolled"]
    reason: str


class Line(Frozen):
    """One line of the sheet. `title` has A and B for the two, and goes on with the length that `turns_on` names."""

    slot: str
    turns_on: ToldLength | None = Field(None, description="what the player told that decides here")
    topic: Topic | None = Field(None, description="what a player is about to do who asks; null: whatever it is")
    is_of_b: bool = Field(False, description="whether it is B that would do it")
    permits: bool = Field(False, description="whether a no means that the rules forbid it")
    is_plain: bool = Field(False, description="whether it holds or fails by so much that nobody would argue")
    length_in: float | None = Field(None, description="that length in inches; null: nobody knows it, or none decides")
    title: str
    yes: str
    no: str
    headline: str | None = Field(description="the answer in a word or a number; null: still being worked out")
    note: str | None = Field(None, description="what stands behind the headline, such as the modifiers of an attack")
    verdict: Verdict | None = Field(description="null: still being worked out")
    told: tuple[ToldFact, ...] = Field((), description="what it rests on by one player's word alone")
    ruling: LineRuling | None = Field(None, description="what the judge ruled, while it holds")

    def with_told(self, facts: tuple[ToldFact, ...]) -> "Line":
        """The same line, which rests on what these tell; that is never folded away."""
        laid = {"told": facts, "is_plain": self.is_plain and not facts}
        return Line(**{name: getattr(self, name) for name in Line.model_fields} | laid)

    def with_ruling(self, ruling: LineRuling) -> "Line":
        """The same line with what the judge ruled laid over its answer; nobody may miss that."""
        laid = {"ruling": ruling, "is_plain": False}
        return Line(**{name: getattr(self, name) for name in Line.model_fields} | laid)


_OUT_OF_ARC = "Not in front"
_CALL = re.compile(r"([a-z][a-z0-9_]*)\([a-z0-9_, ]*\)")
_COUNTS = ("shooters", "stand-and-shoot")  # what is worth knowing of them is how many
_FAR_MM, _FAR_DEG = inches(3), 30.0  # from the limit: nobody lays a tape for it
_FAR_SIGMAS = 10.0
_MOST_WEAPONS = 4
# What keeps an attack or a move from being made, as one says it at a table.
CLAUSE_WORDS = {
    "able": "it may not act",
    "allowance": "too far",
    "arc": "not in its arc",
    "distance": "too far",
    "free": "no room at the end",
    "lock": "locked in melee",
    "may-shoot": "it may not shoot now",
    "near": "another is nearer",
    "not-in-melee": "in melee",
    "turn": "its turn leaves it none",
    "range": "too far",
    "reach": "too far",
    "sight": "not seen",
    "target": "no legal target",
    "way": "something is in the way",
}


def query_of(line: QuestionLine) -> BaseQuery:
    return QUERY.validate_python({"kind": line.kind, **line.fields})


def render_line(line: QuestionLine, verdict: Verdict | None) -> Line:
    """The line with its answer in a word; without a verdict it is still being worked out."""
    no = _OUT_OF_ARC if verdict is not None and _is_by_arc(verdict) else line.no
    return Line(
        slot=line.slot,
        turns_on=line.turns_on,
        length_in=line.length_in,
        title=line.title,
        yes=line.yes,
        no=no,
        topic=line.topic,
        is_of_b=line.is_of_b,
        permits=line.permits,
        is_plain=verdict is not None and _is_plain(line, verdict),
        headline=None if verdict is None else _write_headline(verdict, line.yes, no),
        note=None if verdict is None else _write_note(verdict),
        verdict=verdict,
    )


def answer_line(query: BaseQuery, verdict: Verdict) -> Line:
    """The answer to any one question as a line of its own."""
    return render_line(
        QuestionLine(slot=verdict.kind, title=type(query).title(), kind=verdict.kind, fields={}), verdict
    )


def _is_plain(line: QuestionLine, verdict: Verdict) -> bool:
    """Whether it is met or missed by far; what the rules allow or forbid is worth a line either way."""
    if line.permits or verdict.answer not in (Answer.YES, Answer.NO):
        return False
    if verdict.margin_mm is not None:
        return verdict.capped or abs(verdict.margin_mm) > max(_FAR_MM, _FAR_SIGMAS * (verdict.sigma_mm or 0.0))
    if verdict.margin_deg is not None:
        return abs(verdict.margin_deg) > max(_FAR_DEG, _FAR_SIGMAS * (verdict.sigma_deg or 0.0))
    return verdict.capped


def _is_by_arc(verdict: Verdict) -> bool:
    """What nothing blocks but the viewer's back is not called blocked."""
    return verdict.kind == "los" and verdict.value.get("decided_by") == "arc"


def _write_headline(verdict: Verdict, yes: str, no: str) -> str:
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
    if verdict.kind == "rule" and (text := _rule_headline(verdict)) is not None:
        return text
    return f"{verdict.measured[0].value_mm / MM_PER_INCH:.2f}\u2033" if verdict.measured else "Measured"


def _rule_headline(verdict: Verdict) -> str | None:
    """What a rule of a book gives that is no length: who it is, or a number."""
    if isinstance(thing := verdict.value.get("thing"), str):
        return "Equal" if verdict.value.get("ties") else thing
    number = verdict.value.get("number", verdict.value.get("angle_deg"))
    return f"{number:g}" if isinstance(number, int | float) else None


def _write_note(verdict: Verdict) -> str | None:
    """What stands behind the headline: the modifiers of an attack, or what keeps it from being made."""
    if verdict.kind == "attack-modifiers":
        modifiers = verdict.value.get("modifiers")
        known = (
            [modifier for modifier in modifiers if isinstance(modifier, dict)] if isinstance(modifiers, list) else []
        )
        return ", ".join(f"{modifier['name']} {modifier['bonus']:+g}" for modifier in known) or None
    if verdict.book is not None and verdict.needs:
        return f"needs {', '.join(verdict.needs)}".replace("profile.spd_in", "the speed")
    if verdict.kind == "rule":
        return _write_rule_note(verdict)
    return ", ".join(CLAUSE_WORDS.get(clause, clause.replace("-", " ")) for clause in failed_clauses(verdict)) or None


def _write_rule_note(verdict: Verdict) -> str | None:
    """By how much, and how surely, the one that is picked is ahead; else which rules of the book do not hold."""
    first = verdict.members[0] if verdict.members and isinstance(verdict.value.get("thing"), str) else None
    if first is not None and first.margin_mm is not None and not verdict.value.get("ties"):
        sureness = "" if first.probability is None else f" \u00b7 {100 * first.probability:.0f} %"
        return f"{first.margin_mm / MM_PER_INCH:+.2f}\u2033{sureness}"
    chance = verdict.value.get("chance")
    if isinstance(chance, dict) and isinstance(needs := chance.get("needs"), int | float):
        return f"{needs:g}+"
    called = [written[1].replace("_", " ") for name in failed_clauses(verdict) if (written := _CALL.fullmatch(name))]
    return ", ".join(called) or None


def describe_card(state: TableState, id_: Id, *, letter: str) -> str:
    """The numbers that count for it, and where they were read. Raises: UnknownThing."""
    me = leader_of(state, id_, field="")
    numbers = _numbers(state, me)
    needed = () if state.written_book is not None else _needed(me)  # by a book nothing is supposed
    missing = [name for name, is_told in needed if not is_told]
    source = f" (card: {me.profile.source})" if me.profile.source else " (as told at the table)" if numbers else ""
    supposed = f"{'; ' if numbers else ''}{' and '.join(missing)} supposed" if missing else ""
    known = f"{', '.join(numbers)}{source}{supposed}"
    return f"{letter} {me.name or me.id}: {known}" if known else ""


def _needed(me: Miniature) -> tuple[tuple[str, bool], ...]:
    return (("speed", me.profile.spd_in is not None), ("reach", bool(me.profile.melee)))


def _numbers(state: TableState, me: Miniature) -> list[str]:
    """Speed, weapons with their lengths, command range, abilities: as far as they are told."""
    card = me.profile
    numbers = [f"speed {card.spd_in:g}″"] if card.spd_in is not None else []
    numbers += [f"{weapon.name} reach {weapon.reach_in:g}″" for weapon in card.melee[:_MOST_WEAPONS]]
    numbers += [f"{gun.name} {_range(gun.rng_in)}" for gun in card.ranged[:_MOST_WEAPONS] if gun.rng_in is not None]
    unit = state.by_id.get(me.unit or "")
    command_in = unit.command_in if isinstance(unit, Unit) and unit.command_in is not None else card.cmd_in
    numbers += [f"command {command_in:g}″"] if command_in is not None else []
    return numbers + [ability.replace("-", " ") for ability in card.abilities]


def _range(rng_in: object) -> str:
    return f"{rng_in[0]:g}–{rng_in[1]:g}″" if isinstance(rng_in, tuple) else f"{rng_in:g}″"
