"""Ruling service: all rulings of a table, kept in its journal, and which of them lie over the referee's answers."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from api.answers.answer_line import Line as AnswerLine
from api.answers.answer_line import LineRuling
from api.answers.miniature_sheet import MiniatureSheet, OtherMiniature
from api.answers.pair_sheet import Sheet
from api.errors import JournalFailed, NoSuchRuling
from api.journal.entry import Line
from api.journal.interface import Journal
from api.live.ruling_summary import RulingSummary
from api.rulings.basis import RulingBasis, find_change
from api.rulings.entries import (
    RULING_ENTRIES,
    RollDecided,
    RulingEnded,
    RulingMade,
    RulingSeen,
    RulingWithdrawn,
)
from api.rulings.overlaid_answer import QuestionKey, key_of, overlaid_answer
from api.rulings.schemas import Ruling, say_decision
from api.seats.permissions import Seat
from models.state import TableState

log = logging.getLogger(__name__)

MOST_BRIEFS = 100


@dataclass(frozen=True)
class _KnownRuling:
    """What is remembered of a ruling: a line on the list, and what it lies over for how long."""

    summary: RulingSummary
    question: QuestionKey
    answer: LineRuling
    stands: str | None
    basis: RulingBasis | None
    at: int | None
    ended_n: int | None = None  # the line of the journal that ended it

    @property
    def holds(self) -> bool:
        return self.summary.withdrawn is None and self.summary.ends is None

    def held_at(self, at: int) -> bool:
        """Whether it lay over the answers of this moment, or is about it."""
        if self.summary.withdrawn is not None:
            return False
        return self.at == at or (self.summary.n <= at and (self.ended_n is None or self.ended_n > at))


class Rulings:
    """Rulings of a table: writes them and finds them again; `changed` is called after each.

    The journal's rulings are gone through once, at the start: writing one takes as long after many as after none.
    """

    def __init__(self, journal: Journal, *, changed: Callable[[], None]) -> None:
        self._journal = journal
        self._changed = changed
        self._count = 0
        self._known: dict[int, _KnownRuling] = {}
        self._by_key: dict[tuple[str, Seat], int] = {}
        self._laid: dict[QuestionKey, LineRuling] = {}  # replaced whole: sheets are written on other threads
        for line in journal.lines(*RULING_ENTRIES):
            self._note(line)
        self._lay()

    def briefs(self) -> tuple[RulingSummary, ...]:
        """The newest rulings, the oldest of them first."""
        known = tuple(self._known.values())[-MOST_BRIEFS:]
        return tuple(self._tell_successor(one) for one in known)

    def write(self, ruled: RulingMade) -> Ruling:
        """The ruling, kept. Raises: JournalFailed."""
        line = self._journal.write(ruled)
        self._note(line)
        self._tell()
        return _make_ruling(line, ruled, self._known[line.n])

    def find_by_key(self, key: str | None, *, by: Seat) -> Ruling | None:
        """The ruling that this seat wrote with this key, though its answer may never have arrived."""
        n = None if key is None else self._by_key.get((key, by))
        return None if n is None else self.get(n)

    def withdraw(self, n: int, reason: str, *, by: Seat) -> Ruling:
        """The ruling, which does not hold any more. Raises: NoSuchRuling, JournalFailed."""
        if self.get(n).withdrawn is not None:
            raise NoSuchRuling(f"ruling {n} was withdrawn already", field="n", value=n)
        return self._change(n, RulingWithdrawn(by=by, ruling=n, reason=reason))

    def decide_roll(self, n: int, stands: str, *, by: Seat) -> Ruling:
        """What the players rolled stands. Raises: NoSuchRuling when nobody was to roll, JournalFailed."""
        if self.get(n).decision != "rolled":
            raise NoSuchRuling(f"ruling {n} lets nobody roll", field="n", value=n)
        return self._change(n, RollDecided(by=by, ruling=n, stands=stands))

    def note_seen(self, n: int, *, by: Seat) -> Ruling:
        """This player saw it; who had, or is not waited for, changes nothing. Raises: NoSuchRuling, JournalFailed."""
        ruling = self.get(n)
        waits_for = self._known[n].summary.waits_for
        return self._change(n, RulingSeen(by=by, ruling=n)) if by in waits_for else ruling

    def note_table(self, state: TableState) -> None:
        """The table is this now: rulings end whose miniatures or terrain moved."""
        ended = False
        for known in tuple(self._known.values()):
            if known.basis is None or not known.holds or (why := find_change(known.basis, state)) is None:
                continue
            ended = True
            self._end(known, why)
        if ended:
            self._tell()

    def lay_over(self, sheet: Sheet, *, at: int | None = None) -> Sheet:
        """The sheet with what the judge ruled laid over its answers, of now or of an earlier moment."""
        return Sheet(**_fields(sheet) | {"lines": self._lay_lines(sheet.lines, at)})

    def lay_around(self, sheet: MiniatureSheet) -> MiniatureSheet:
        """The same for all that is around one miniature."""
        others = tuple(
            OtherMiniature(**_fields(one) | {"lines": self._lay_lines(one.lines, None)}) for one in sheet.others
        )
        return MiniatureSheet(**_fields(sheet) | {"others": others})

    def get(self, n: int) -> Ruling:
        """The ruling on this line. Raises: NoSuchRuling."""
        ruled, line = self.entry_of(n)
        return _make_ruling(line, ruled, self._known[n])

    def entry_of(self, n: int) -> tuple[RulingMade, Line]:
        """What the journal holds of a ruling. Raises: NoSuchRuling."""
        line = next(self._journal.lines(RulingMade, after=n - 1), None)
        if line is None or line.n != n or not isinstance(line.entry, RulingMade):
            raise NoSuchRuling(f"no ruling stands on line {n}", field="n", value=n)
        return line.entry, line

    def _lay_lines(self, lines: Iterable[AnswerLine], at: int | None) -> tuple[AnswerLine, ...]:
        laid = self._laid if at is None else _newest(one for one in tuple(self._known.values()) if one.held_at(at))
        if not laid:
            return tuple(lines)
        over = ((line, None if line.verdict is None else laid.get(key_of(line.verdict))) for line in lines)
        return tuple(line if ruled is None else line.with_ruling(ruled) for line, ruled in over)

    def _change(self, n: int, entry: RollDecided | RulingSeen | RulingWithdrawn) -> Ruling:
        self._note(self._journal.write(entry))
        self._tell()
        return self.get(n)

    def _end(self, known: _KnownRuling, why: str) -> None:
        """It does not hold any more, whether or not that can be written down."""
        try:
            self._note(self._journal.write(RulingEnded(ruling=known.summary.n, why=why)))
        except JournalFailed as wrong:
            log.error("ruling ended unwritten n=%s why=%s", known.summary.n, wrong.detail)
            self._replace(known.summary.n, ends=why)

    def _tell(self) -> None:
        self._lay()
        self._changed()

    def _lay(self) -> None:
        self._laid = _newest(one for one in self._known.values() if one.basis is not None and one.holds)

    def _tell_successor(self, known: _KnownRuling) -> RulingSummary:
        """A ruling beneath a newer one about the same holds no more, for as long as that does."""
        newer = self._laid.get(known.question)
        if not known.holds or newer is None or newer.n == known.summary.n:
            return known.summary
        return _with(known.summary, ends=f"ruling {newer.number} took its place")

    def _note(self, line: Line) -> None:
        """Take in what the journal says."""
        match line.entry:
            case RulingMade(key=key, by=by) as ruled:
                self._count += 1
                self._known[line.n] = _know(line, ruled, self._count)
                if key is not None:
                    self._by_key.setdefault((key, by), line.n)
            case RulingWithdrawn(ruling=n, reason=reason):
                self._replace(n, withdrawn=reason, waits_for=())
            case RollDecided(ruling=n, stands=stands) if n in self._known:
                self._decide(n, stands)
            case RulingSeen(ruling=n, by=by) if n in self._known:
                waits_for = tuple(seat for seat in self._known[n].summary.waits_for if seat != by)
                self._replace(n, waits_for=waits_for)
            case RulingEnded(ruling=n, why=why) if n in self._known:
                self._replace(n, ends=why)
                self._known[n] = replace(self._known[n], ended_n=line.n)

    def _decide(self, n: int, stands: str) -> None:
        """A roll has its result, and players are to see that too."""
        ruled, line = self.entry_of(n)
        was = self._known[n]
        known = _know(line, ruled, was.summary.number, stands=stands)
        summary = _with(known.summary, withdrawn=was.summary.withdrawn, ends=was.summary.ends)
        self._known[n] = replace(known, summary=summary, ended_n=was.ended_n)

    def _replace(self, n: int, **changes: object) -> None:
        if n in self._known:
            self._known[n] = replace(self._known[n], summary=_with(self._known[n].summary, **changes))


def _newest(rulings: Iterable[_KnownRuling]) -> dict[QuestionKey, LineRuling]:
    """The newest ruling about each question."""
    return {one.question: one.answer for one in rulings}


def _know(line: Line, ruled: RulingMade, number: int, *, stands: str | None = None) -> _KnownRuling:
    """`stands` is what a roll decided."""
    assert ruled.line.verdict is not None, "a ruling is about a verdict"
    stands = stands or ruled.stands
    answer = overlaid_answer(
        ruled.line,
        decision=ruled.decision,
        stands=stands,
        reason=ruled.reason,
        n=line.n,
        number=number,
        at_s=line.at_s,
    )
    return _KnownRuling(
        summary=_summarise(line, ruled, number, stands),
        question=key_of(ruled.line.verdict),
        answer=answer,
        stands=stands,
        basis=ruled.basis,
        at=ruled.about.at,
    )


def _summarise(line: Line, ruled: RulingMade, number: int, stands: str | None) -> RulingSummary:
    pair = ruled.about.pair
    a, b = _names(ruled)
    return RulingSummary(
        n=line.n,
        number=number,
        at_s=line.at_s,
        by=ruled.by,
        slot=ruled.about.slot,
        said=say_decision(ruled.decision, stands),
        reason=ruled.reason,
        title=ruled.line.title,
        headline=ruled.line.headline,
        a=a,
        b=b,
        ids=(pair.a, pair.b),
        withdrawn=None,
        waits_for=ruled.waits_for,
    )


def _names(ruled: RulingMade) -> tuple[str, str]:
    names = {m.id: m.name or m.id for m in ruled.state.miniatures}
    pair = ruled.about.pair
    return names.get(pair.a, pair.a), names.get(pair.b, pair.b)


def _make_ruling(line: Line, ruled: RulingMade, known: _KnownRuling) -> Ruling:
    kept = {
        name: getattr(ruled, name)
        for name in ("by", "decision", "reason", "about", "line", "compared", "evidence", "told")
    }
    (a, b), summary = _names(ruled), known.summary
    told = {"withdrawn": summary.withdrawn, "ends": summary.ends, "stands": known.stands}
    return Ruling(n=line.n, number=summary.number, at_s=line.at_s, a=a, b=b, **kept, **told)


def _with(summary: RulingSummary, **changes: object) -> RulingSummary:
    return RulingSummary(**_fields(summary) | changes)


def _fields(value: BaseModel) -> dict[str, Any]:
    """The fields of a frozen value as they are, to make another of."""
    return {name: getattr(value, name) for name in type(value).model_fields}
