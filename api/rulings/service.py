"""Ruling service: all rulings of a table, kept in its journal, and which of them lie over the referee's answers."""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from pydantic import BaseModel

from api.answers import answer_line
from api.answers.answer_line import Line as AnswerLine
from api.answers.answer_line import LineRuling
from api.answers.miniature_sheet import MiniatureSheet, OtherMiniature
from api.answers.pair_sheet import Sheet
from api.errors import JournalFailed, NoSuchRuling
from api.journal.entry import Line
from api.journal.interface import Journal
from api.live.messages import RulingSummary
from api.rulings.entries import (
    RULING_ENTRIES,
    PackedBasis,
    RollDecided,
    RulingEnded,
    RulingMade,
    RulingSeen,
    RulingWithdrawn,
    StandingThings,
    find_change,
)
from api.rulings.schemas import DECISION_WORDS, Decision, Ruling, say_decision
from api.seats.permissions import Seat
from models.state import TableState
from models.verdict import Verdict

QuestionKey = str
"""A question with all its fields; the same whichever of two alike is named first."""

_SYMMETRIC = ("b2b", "distance", "within")  # kinds that ask the same of A and B as of B and A
log = logging.getLogger(__name__)


def key_of(verdict: Verdict) -> QuestionKey:
    fields = {"kind": verdict.kind, **verdict.query}
    if verdict.kind in _SYMMETRIC:
        fields["a"], fields["b"] = sorted((str(fields.get("a")), str(fields.get("b"))))
    return json.dumps(fields, sort_keys=True)


def overlaid_answer(
    line: answer_line.Line, *, decision: Decision, stands: str | None, reason: str, n: int, number: int, at_s: float
) -> LineRuling:
    """What stands instead of the referee's answer, or beside it where the judge accepted that."""
    said = stands or (line.headline if decision == "accepted" else None) or DECISION_WORDS[decision]
    return LineRuling(
        n=n,
        number=number,
        at_s=at_s,
        said=said,
        answer=next((word for word, text in (("yes", line.yes), ("no", line.no)) if said == text and text), None),
        decision=decision,
        reason=reason,
    )


@dataclass(frozen=True, slots=True)
class RulingStatus:
    """What is remembered of every ruling."""

    n: int
    number: int
    question: QuestionKey
    at: int | None
    stands: str | None
    waits_for: tuple[Seat, ...]
    withdrawn: str | None = None
    ends: str | None = None
    ended_n: int | None = None  # the line of the journal that ended it

    @property
    def holds(self) -> bool:
        return self.withdrawn is None and self.ends is None

    def held_at(self, at: int) -> bool:
        """Whether it lay over the answers of this moment, or is about it and was not withdrawn."""
        is_about = self.at == at and self.withdrawn is None
        return is_about or (self.n <= at and (self.ended_n is None or self.ended_n > at))


@dataclass(frozen=True, slots=True)
class ShownRuling:
    """A ruling as lists and sheets show it, and what it rests on while it holds."""

    summary: RulingSummary
    answer: LineRuling
    basis: PackedBasis | None

    def with_status(self, status: RulingStatus) -> "ShownRuling":
        changes = {name: getattr(status, name) for name in ("withdrawn", "ends", "waits_for")}
        summary = with_changes(self.summary, **changes)
        return replace(self, summary=summary, basis=self.basis if status.holds else None)


def read_status(line: Line, ruled: RulingMade, number: int) -> RulingStatus:
    assert ruled.line.verdict is not None, "a ruling is about a verdict"
    return RulingStatus(
        n=line.n,
        number=number,
        question=key_of(ruled.line.verdict),
        at=ruled.about.at,
        stands=ruled.stands,
        waits_for=ruled.waits_for,
    )


def overlay_of(line: Line, ruled: RulingMade, status: RulingStatus) -> LineRuling:
    return overlaid_answer(
        ruled.line,
        decision=ruled.decision,
        stands=status.stands,
        reason=ruled.reason,
        n=line.n,
        number=status.number,
        at_s=line.at_s,
    )


def show_ruling(line: Line, ruled: RulingMade, status: RulingStatus) -> ShownRuling:
    basis = PackedBasis(ruled.basis) if ruled.basis is not None and status.holds else None
    return ShownRuling(_summarise(line, ruled, status), overlay_of(line, ruled, status), basis)


def make_ruling(line: Line, ruled: RulingMade, status: RulingStatus) -> Ruling:
    kept = {
        name: getattr(ruled, name)
        for name in ("by", "decision", "reason", "about", "line", "compared", "evidence", "told")
    }
    a, b = _names(ruled)
    fields = {name: getattr(status, name) for name in ("number", "withdrawn", "ends", "stands")}
    return Ruling(n=line.n, at_s=line.at_s, a=a, b=b, **kept, **fields)


def with_changes(summary: RulingSummary, **changes: object) -> RulingSummary:
    return RulingSummary(**fields_of(summary) | changes)


def fields_of(value: BaseModel) -> dict[str, Any]:
    """The fields of a frozen value as they are, to make another of."""
    return {name: getattr(value, name) for name in type(value).model_fields}


def _summarise(line: Line, ruled: RulingMade, status: RulingStatus) -> RulingSummary:
    pair = ruled.about.pair
    a, b = _names(ruled)
    return RulingSummary(
        n=line.n,
        number=status.number,
        at_s=line.at_s,
        by=ruled.by,
        slot=ruled.about.slot,
        said=say_decision(ruled.decision, status.stands),
        reason=ruled.reason,
        title=ruled.line.title,
        headline=ruled.line.headline,
        a=a,
        b=b,
        ids=(pair.a, pair.b),
        withdrawn=status.withdrawn,
        ends=status.ends,
        waits_for=status.waits_for,
    )


def _names(ruled: RulingMade) -> tuple[str, str]:
    names = {m.id: m.name or m.id for m in ruled.state.miniatures}
    pair = ruled.about.pair
    return names.get(pair.a, pair.a), names.get(pair.b, pair.b)


MOST_BRIEFS = 100


class Rulings:
    """Rulings of a table: writes them and finds them again; `changed` is called after each.

    The journal's rulings are gone through once, at the start: writing one takes as long after many as after none.
    Of one that is over its status alone is remembered (`ruling_memory`); it is read from the journal when asked for.
    """

    def __init__(self, journal: Journal, *, changed: Callable[[], None]) -> None:
        self._journal = journal
        self._changed = changed
        self._known: dict[int, RulingStatus] = {}
        self._lines: list[int] = []  # where each ruling stands, the first of the game first
        self._shown: dict[int, ShownRuling] = {}  # those that hold, and the newest
        self._by_key: dict[tuple[str, Seat], int] = {}
        self._laid: dict[QuestionKey, LineRuling] = {}  # replaced whole: sheets are written on other threads
        for line in journal.lines(*RULING_ENTRIES):
            self._note(line)
        self._lay()

    def briefs(self) -> tuple[RulingSummary, ...]:
        """The newest rulings, the oldest of them first."""
        return tuple(self._tell_successor(n) for n in reversed(self._newest_numbers()))

    def write(self, ruled: RulingMade) -> Ruling:
        """The ruling, kept. Raises: JournalFailed."""
        line = self._journal.write(ruled)
        self._note(line)
        self._tell()
        return make_ruling(line, ruled, self._known[line.n])

    def find_by_key(self, key: str | None, *, by: Seat) -> Ruling | None:
        """The ruling that this seat wrote with this key, though its answer may never have arrived."""
        n = None if key is None else self._by_key.get((key, by))
        return None if n is None else self.get(n)

    def withdraw(self, n: int, reason: str, *, by: Seat) -> Ruling:
        """The ruling, which does not hold any more. Raises: NoSuchRuling, JournalFailed."""
        if self.get(n).withdrawn is not None:
            raise self._refused(n, "was withdrawn already")
        return self._change(n, RulingWithdrawn(by=by, ruling=n, reason=reason))

    def decide_roll(self, n: int, stands: str, *, by: Seat) -> Ruling:
        """What the players rolled stands. Raises: NoSuchRuling when nobody was to roll, JournalFailed."""
        if self.get(n).decision != "rolled":
            raise self._refused(n, "lets nobody roll")
        return self._change(n, RollDecided(by=by, ruling=n, stands=stands))

    def note_seen(self, n: int, *, by: Seat) -> Ruling:
        """This player saw it; who had, or is not waited for, changes nothing. Raises: NoSuchRuling, JournalFailed."""
        ruling = self.get(n)
        waits_for = self._known[n].waits_for
        return self._change(n, RulingSeen(by=by, ruling=n)) if by in waits_for else ruling

    def _refused(self, n: int, why: str) -> NoSuchRuling:
        number = self._known[n].number
        return NoSuchRuling(f"ruling {number} {why}", field="number", value=number)

    def note_table(self, state: TableState) -> None:
        """The table is this now: rulings end whose miniatures or terrain moved."""
        resting = {n: ruling.basis for n, ruling in self._shown.items() if ruling.basis is not None}
        standing = StandingThings.of(state) if resting else None
        ended = False
        for n, basis in resting.items():
            assert standing is not None
            if (why := find_change(basis.whole(), standing)) is not None:
                ended = True
                self._end(n, why)
        if ended:
            self._tell()

    def lay_over(self, sheet: Sheet, *, at: int | None = None) -> Sheet:
        """The sheet with what the judge ruled laid over its answers, of now or of an earlier moment."""
        return Sheet(**fields_of(sheet) | {"lines": self.lay_lines(sheet.lines, at)})

    def lay_around(self, sheet: MiniatureSheet, *, at: int | None = None) -> MiniatureSheet:
        """The same for all that is around one miniature."""
        others = tuple(
            OtherMiniature(**fields_of(other) | {"lines": self.lay_lines(other.lines, at)}) for other in sheet.others
        )
        return MiniatureSheet(**fields_of(sheet) | {"others": others})

    def line_of(self, number: int) -> int:
        """The line of the journal on which the ruling of this number stands. Raises: NoSuchRuling."""
        if not 1 <= number <= len(self._lines):
            says = f"there is no ruling {number}; {len(self._lines)} were made so far"
            raise NoSuchRuling(says, field="number", value=number)
        return self._lines[number - 1]

    def get(self, n: int) -> Ruling:
        """The ruling on this line. Raises: NoSuchRuling."""
        ruled, line = self.entry_of(n)
        return make_ruling(line, ruled, self._known[n])

    def entry_of(self, n: int) -> tuple[RulingMade, Line]:
        """What the journal holds of a ruling. Raises: NoSuchRuling."""
        line = next(self._journal.lines(RulingMade, after=n - 1), None)
        if line is None or line.n != n or not isinstance(line.entry, RulingMade):
            raise NoSuchRuling(f"no ruling stands on line {n}", field="n", value=n)
        return line.entry, line

    def lay_lines(self, lines: Sequence[AnswerLine], at: int | None) -> tuple[AnswerLine, ...]:
        """The same for answers that are shown without their sheet."""
        if not (self._laid if at is None else self._known):
            return tuple(lines)
        questions = [None if line.verdict is None else key_of(line.verdict) for line in lines]
        laid = self._laid if at is None else self._laid_at(at, {*questions})
        over = zip(lines, (None if question is None else laid.get(question) for question in questions), strict=True)
        return tuple(line if ruled is None else line.with_ruling(ruled) for line, ruled in over)

    def _laid_at(self, at: int, questions: set[QuestionKey | None]) -> dict[QuestionKey, LineRuling]:
        """The newest of these that lay over the answers of this moment."""
        held = {
            status.question: status
            for status in tuple(self._known.values())
            if status.question in questions and status.held_at(at)
        }
        return {question: self._overlay(status) for question, status in held.items()}

    def _overlay(self, status: RulingStatus) -> LineRuling:
        shown = self._shown.get(status.n)
        if shown is not None:
            return shown.answer
        ruled, line = self.entry_of(status.n)
        return overlay_of(line, ruled, status)

    def _change(self, n: int, entry: RollDecided | RulingSeen | RulingWithdrawn) -> Ruling:
        self._note(self._journal.write(entry))
        self._tell()
        return self.get(n)

    def _end(self, n: int, why: str) -> None:
        """It does not hold any more, whether or not that can be written down."""
        try:
            self._note(self._journal.write(RulingEnded(ruling=n, why=why)))
        except JournalFailed as wrong:
            log.error("ruling ended unwritten n=%s why=%s", n, wrong.detail)
            self._replace(n, ends=why)

    def _tell(self) -> None:
        self._lay()
        self._changed()

    def _lay(self) -> None:
        """Lay those that hold over the answers; of those that neither hold nor are new only the status stays."""
        newest = set(self._newest_numbers())
        self._shown = {n: ruling for n, ruling in self._shown.items() if ruling.basis is not None or n in newest}
        resting = (n for n, ruling in self._shown.items() if ruling.basis is not None)
        self._laid = {self._known[n].question: self._shown[n].answer for n in resting}

    def _newest_numbers(self) -> tuple[int, ...]:
        """The newest rulings, the newest of them first."""
        return tuple(islice(reversed(self._known), MOST_BRIEFS))

    def _tell_successor(self, n: int) -> RulingSummary:
        """A ruling beneath a newer one about the same holds no more, for as long as that does."""
        known, summary = self._known[n], self._shown[n].summary
        newer = self._laid.get(known.question)
        if not known.holds or newer is None or newer.n == n:
            return summary
        return with_changes(summary, ends=f"ruling {newer.number} took its place")

    def _note(self, line: Line) -> None:
        match line.entry:
            case RulingMade(key=key, by=by) as ruled:
                self._lines.append(line.n)
                self._known[line.n] = read_status(line, ruled, len(self._lines))
                self._shown[line.n] = show_ruling(line, ruled, self._known[line.n])
                if key is not None:
                    self._by_key.setdefault((key, by), line.n)
            case RulingWithdrawn(ruling=n, reason=reason):
                self._replace(n, withdrawn=reason, waits_for=(), **self._end_line(n, line))
            case RollDecided(ruling=n, stands=stands) if n in self._known:
                self._decide(n, stands)
            case RulingSeen(ruling=n, by=by) if n in self._known:
                self._replace(n, waits_for=tuple(seat for seat in self._known[n].waits_for if seat != by))
            case RulingEnded(ruling=n, why=why):
                self._replace(n, ends=why, **self._end_line(n, line))

    def _end_line(self, n: int, line: Line) -> dict[str, int]:
        """From this line on it lies over nothing, unless it ended before."""
        return {"ended_n": line.n} if n in self._known and self._known[n].ended_n is None else {}

    def _decide(self, n: int, stands: str) -> None:
        """A roll has its result, and players are to see that too."""
        ruled, line = self.entry_of(n)
        status = self._known[n] = replace(self._known[n], stands=stands, waits_for=ruled.waits_for)
        if n in self._shown:
            self._shown[n] = show_ruling(line, ruled, status)

    def _replace(self, n: int, **changes: Any) -> None:
        """Other words about a ruling that is known."""
        if n not in self._known:
            return
        status = self._known[n] = replace(self._known[n], **changes)
        if n in self._shown:
            self._shown[n] = self._shown[n].with_status(status)
