"""Undo log: every correction of a table in its order, those that were taken back included; the journal keeps it."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from api.corrections.apply import apply_correction, find_missing, rename_ids
from api.corrections.entries import BaseMeasured, CorrectionAgreed, CorrectionMade, CorrectionRedone, CorrectionUndone
from api.corrections.placed_bases import is_added, note_measured_base, recognize_bases
from api.corrections.schemas import (
    AbsenceCorrection,
    ArmyCorrection,
    BaseCorrection,
    CandidateCorrection,
    CompletionCorrection,
    ContactCorrection,
    Correction,
    CorrectionGroup,
    CorrectionStep,
    MiniatureCorrection,
    PlacementCorrection,
    RemovalCorrection,
    TableCorrection,
    TerrainRejection,
    describe_correction,
    note_places,
)
from api.corrections.told_facts import (
    RecordedFact,
    ToldFact,
    is_open_step,
    is_waiting,
    open_facts,
    recorded_facts,
    without_facts,
)
from api.errors import BadCorrection, CorrectionConflict, NothingToUndo
from api.journal.entry import EventObserved, Line
from api.journal.interface import Journal
from api.seats.permissions import CALLED, Seat
from models.errors import TablesideError
from models.state import TableState
from models.vocabulary import Id

log = logging.getLogger(__name__)

_TYPES = (CorrectionMade, CorrectionUndone, CorrectionRedone, CorrectionAgreed, BaseMeasured, EventObserved)


StepEntry = CorrectionMade | CorrectionUndone | CorrectionRedone | CorrectionAgreed
Draw = Callable[[TableState], object]
"""Draws a table, and raises when that cannot be done."""


@dataclass(frozen=True)
class CorrectedTable:
    """A table with steps laid over it, and those that were set aside, each with the reason."""

    state: TableState
    set_aside: Mapping[int, str]


class StepLedger:
    """Steps in their order, folded from the journal's lines."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.steps: dict[int, CorrectionStep] = {}
        self.undone: list[int] = []  # the next to be done again stands last
        self._asked: dict[str, int] = {}  # in which line each question about who is who was asked
        for line in lines:
            self.apply_line(line)

    def apply_line(self, line: Line) -> None:
        """Take in what the journal says; a step that was never made cannot be undone."""
        match line.entry:
            case CorrectionMade(by=by, correction=correction, has_opponent=has_opponent):
                made = {"says": describe_correction(correction), "at_s": line.at_s, "by": by, "correction": correction}
                made["has_opponent"] = has_opponent
                self.steps[line.n] = CorrectionStep(n=line.n, changed_n=line.n, changed_by=by, **made)
                self.undone.clear()
            case CorrectionUndone(step=n, by=by) if n in self.steps:
                self.steps[n] = self.steps[n].with_change(is_undone=True, n=line.n, by=by)
                self.undone.append(n)
            case CorrectionRedone(step=n, by=by) if n in self.steps:
                self.steps[n] = self.steps[n].with_change(is_undone=False, n=line.n, by=by)
                self.undone = [other for other in self.undone if other != n]
            case CorrectionAgreed(step=n, by=by) if n in self.steps:
                self.steps[n] = CorrectionStep(**{**dict(self.steps[n]), "agreed_by": by})
            case BaseMeasured(step=n) if n in self.steps:
                correction = note_measured_base(self.steps[n].correction, line.entry.id, line.entry.measured_id)
                self.steps[n] = CorrectionStep(**{**dict(self.steps[n]), "correction": correction})
            case EventObserved(event=event) if event.question is not None:
                since = self._asked.pop(event.question, line.n)
                if len(event.namings) > 1:
                    self._asked[event.question] = line.n
                self._rename(event.renamed or {}, since=since)

    def _rename(self, names: Mapping[Id, Id], *, since: int) -> None:
        """Who was corrected since a question was asked is who stood there, whatever the name was meanwhile."""
        for n, step in self.steps.items():
            if names and n > since:
                correction = rename_ids(step.correction, names)
                changes = {"says": describe_correction(correction), "correction": correction}
                self.steps[n] = CorrectionStep(**{**dict(step), **changes})

    def with_step(self, n: int, *, is_undone: bool) -> "StepLedger":
        other = StepLedger(())
        step = self.steps[n]
        changed = step.with_change(is_undone=is_undone, n=step.changed_n, by=step.changed_by)
        other.steps = {**self.steps, n: changed}
        return other

    def without_open_facts(self, *, of_the_table_only: bool = False) -> "StepLedger":
        """The same steps without what nobody agreed to; or only without what of it tells of the table."""
        other = StepLedger(())
        for n, step in self.steps.items():
            rest = without_facts(step, of_the_table_only=of_the_table_only) if is_open_step(step) else step.correction
            if rest is not None:
                other.steps[n] = CorrectionStep(**{**dict(step), "correction": rest})
        return other

    def lay_over(self, state: TableState, *, draw: Draw) -> CorrectedTable:
        """The table as corrected by every step that holds. What does not fit it, or makes it undrawable, is set aside.

        Raises: what `draw` raises when the measured table itself cannot be drawn.
        """
        corrected = self._apply_steps(state, lambda _: None)
        try:
            draw(corrected.state)
        except Exception:
            draw(state)
            return self._apply_steps(state, draw)  # one by one: whose fault is it?
        return corrected

    def _apply_steps(self, state: TableState, draw: Draw) -> CorrectedTable:
        set_aside: dict[int, str] = {}
        in_order = sorted(self.steps.values(), key=lambda step: isinstance(step.correction, CompletionCorrection))
        for step in in_order:  # what was placed after the table was called complete was not called
            if step.is_undone or is_waiting(step):
                continue
            try:
                corrected = apply_correction(state, step.correction)
                draw(corrected)
                state = corrected
            except Exception as wrong:  # whatever a step thinks of, the table comes up
                set_aside[step.n] = wrong.detail if isinstance(wrong, TablesideError) else _explain(wrong)
                log.warning("step set aside n=%d why=%s", step.n, set_aside[step.n])
        return CorrectedTable(state, set_aside)


class UndoLog:
    """Undo and redo of a table's steps; `lay_over` lays those that hold over a measured one.

    A step is applied and drawn before it is written: what cannot be drawn would stand in the journal for ever.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        draw: Draw = lambda _: None,
        called: Callable[[Seat], str] = CALLED.__getitem__,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`called`: how a sentence names who sits in a seat; `changed` is called after each change of the steps."""
        self._journal = journal
        self._draw = draw
        self._called = called
        self._changed = changed
        self._ledger = StepLedger(journal.lines(*_TYPES))
        self._known: tuple[TableState, CorrectedTable] | None = None  # the newest measured table, and corrected
        self._measured_ids: set[Id] = set()  # of all that the camera has measured so far
        self._plain: dict[bool, tuple[TableState, TableState]] = {}  # without what nobody agreed to

    def all(self) -> tuple[CorrectionStep, ...]:
        return tuple(self._ledger.steps.values())

    def newest_change(self) -> int:
        """The line of the newest change of any step; 0: none."""
        return max((step.changed_n for step in self.all()), default=0)

    def lay_over(self, state: TableState) -> CorrectedTable:
        """The table as corrected by every step that holds, and those that were set aside."""
        if self._known is None or self._known[0] is not state:
            self._known = (state, self._ledger.lay_over(state, draw=self._draw))
        return self._known[1]

    def lay_over_at(self, state: TableState, n: int) -> TableState:
        """The table as it was corrected when line `n` of the journal had been written."""
        return self.ledger_at(n).lay_over(state, draw=self._draw).state

    def ledger_at(self, n: int) -> StepLedger:
        """The steps as they were told when line `n` of the journal had been written."""
        return StepLedger(line for line in self._journal.lines(*_TYPES) if line.n <= n)

    def correct(
        self,
        measured: TableState | None,
        correction: Correction,
        *,
        by: Seat,
        seen: int | None = None,
        has_opponent: bool = False,
    ) -> CorrectionStep:
        """A new step, as it holds for the table that is seen now; `seen` is the newest change that its teller knew of.

        `has_opponent`: the other player has a seat, and what the table is played by is one player's word.

        Raises: BadCorrection, CorrectionConflict, JournalFailed.
        """
        if seen is not None and (other := find_conflict(seen, self.all(), correction)) is not None:
            done = "has just taken back" if other.is_undone else "has just told"
            raise CorrectionConflict(
                f"{self._called(other.changed_by)} {done} “{other.says}”. Look, then tell it again.",
                field="seen",
                value=seen,
            )
        if measured is None:
            return self._write(CorrectionMade(by=by, correction=correction, has_opponent=has_opponent))
        before = self.lay_over(measured)
        correction, corrected = self._try_correction(before.state, correction, measured)
        step = self._record(CorrectionMade(by=by, correction=correction, has_opponent=has_opponent))
        if not isinstance(correction, CompletionCorrection) and not before.state.called.is_complete:
            self._known = (measured, CorrectedTable(corrected, before.set_aside))
        self._changed()
        return step

    def _try_correction(
        self, state: TableState, correction: Correction, measured: TableState
    ) -> tuple[Correction, TableState]:
        """The correction as it is written, and the table with it, which can be drawn. Raises: BadCorrection."""
        try:
            if (missing := find_missing(state, correction)) is not None:
                field, value, says = missing
                raise BadCorrection(says, field=field, value=value)
            correction = note_places(correction, state, measured)
            corrected = apply_correction(state, correction)
            self._draw(corrected)
        except TablesideError:
            raise
        except Exception as wrong:
            raise BadCorrection(_explain(wrong), field="do", value=correction.do) from wrong
        return correction, corrected

    def recognize_bases(self, before: TableState | None, now: TableState) -> tuple[BaseMeasured, ...]:
        """What the camera comes to see of bases that were placed by hand; entries that nobody has written yet."""
        self._measured_ids.update(m.id for m in (before.miniatures if before else ()))
        entries = tuple(
            BaseMeasured(step=step.n, by=step.by, agreed_by=step.agreed_by, id=id_, measured_id=measured_id)
            for step in self.all()
            if not step.is_undone
            for id_, measured_id in recognize_bases(step.correction, now, known=self._measured_ids)
        )
        self._measured_ids.update(m.id for m in now.miniatures)
        return entries

    def note_departed(self, ids: Iterable[Id]) -> tuple[BaseMeasured, ...]:
        """Of these bases, which were placed by hand, the camera saw that they left; entries that nobody has written."""
        departed = [(step, id_) for step in self.all() if not step.is_undone for id_ in ids]
        return tuple(
            BaseMeasured(step=step.n, id=id_, measured_id=None)
            for step, id_ in departed
            if is_added(step.correction, id_)
        )

    def note_line(self, line: Line) -> None:
        """What happened on the table; an answer about who is who concerns what was corrected meanwhile."""
        self._ledger.apply_line(line)
        self._known, self._plain = None, {}

    def undo(self, n: int | None = None, *, by: Seat) -> CorrectionStep:
        """The step, taken back: this one, else the newest that holds. Raises: NothingToUndo, JournalFailed."""
        holding = [step.n for step in self.all() if not step.is_undone]
        return self._write(CorrectionUndone(by=by, step=self._choose_step(holding, n, "took it back")))

    def redo(self, n: int | None = None, *, by: Seat, measured: TableState | None = None) -> CorrectionStep:
        """The step, holding again: this one, else the last taken back.

        Raises: NothingToUndo, JournalFailed, BadCorrection when it does not fit the table any more.
        """
        undone = self._ledger.undone if n is None else [step.n for step in self.all() if step.is_undone]
        n = self._choose_step(undone, n, "let it hold")
        if measured is not None:
            trial = self._ledger.with_step(n, is_undone=False).lay_over(measured, draw=self._draw)
            pushed_out = sorted(trial.set_aside.keys() - self.lay_over(measured).set_aside.keys())
            if pushed_out:  # this step, or a later one that stands in its place
                raise BadCorrection(trial.set_aside[pushed_out[0]], field="n", value=n)
        return self._write(CorrectionRedone(by=by, step=n))

    def agree(self, n: int, *, by: Seat) -> CorrectionStep:
        """The step, to which the other player or the judge agrees.

        Raises: NothingToUndo, BadCorrection, JournalFailed.
        """
        step = self._ledger.steps.get(n)
        if step is None or step.is_undone:
            raise NothingToUndo(f"There is no step {n} that holds.", field="n", value=n)
        if step.by == by:
            raise BadCorrection(
                "who told it cannot agree to it: the other player or the judge does", field="n", value=n
            )
        return step if step.agreed_by is not None else self._write(CorrectionAgreed(by=by, step=n))

    def completion_at(self, n: int) -> CorrectionStep | None:
        """The newest step that calls the table complete and held when line `n` of the journal had been written."""
        steps = reversed(self.ledger_at(n).steps.values())
        calls = (step for step in steps if isinstance(step.correction, CompletionCorrection) and not is_waiting(step))
        return next((step for step in calls if not step.is_undone), None)

    def open_facts(self, state: TableState) -> tuple[ToldFact, ...]:
        return open_facts(self._ledger.steps.values(), state)

    def recorded_facts(self, state: TableState, *, at: int | None = None) -> tuple[RecordedFact, ...]:
        """What holds by somebody's word on this table, of now or as it was told when line `at` had been written."""
        if at is None:
            return recorded_facts(self._ledger.steps.values(), state)
        return recorded_facts(self.ledger_at(at).steps.values(), state)

    def without_open_facts(self, measured: TableState, *, of_the_table_only: bool = False) -> TableState:
        """The table as if nothing had been told that nobody agreed to; or only nothing that lies on the table."""
        known = self._plain.get(of_the_table_only)
        if known is not None and known[0] is measured:
            return known[1]
        ledger = self._ledger.without_open_facts(of_the_table_only=of_the_table_only)
        plain = ledger.lay_over(measured, draw=self._draw).state
        self._plain[of_the_table_only] = (measured, plain)
        return plain

    def _choose_step(self, steps: list[int], n: int | None, deed: str) -> int:
        if n is None and not steps:
            raise NothingToUndo("There is no such step any more.", field="n", value=None)
        if n is None:
            return steps[-1]
        if n not in self._ledger.steps:
            raise NothingToUndo(f"Nobody made a step {n}.", field="n", value=n)
        if n not in steps:
            step = self._ledger.steps[n]
            raise NothingToUndo(f"“{step.says}”: {self._called(step.changed_by)} {deed} already.", field="n", value=n)
        return n

    def _write(self, entry: StepEntry) -> CorrectionStep:
        step = self._record(entry)
        self._changed()
        return step

    def _record(self, entry: StepEntry) -> CorrectionStep:
        line = self._journal.write(entry)
        self._ledger.apply_line(line)
        self._known, self._plain = None, {}
        return self._ledger.steps[line.n if isinstance(entry, CorrectionMade) else entry.step]


def _explain(wrong: Exception) -> str:
    return f"With this the table cannot be drawn: {wrong or type(wrong).__name__}"


StatedField = tuple[str, str]
"""Of whom or what, and which of its words; no word: the whole of it."""


def find_conflict(seen: int, steps: Iterable[CorrectionStep], correction: Correction) -> CorrectionStep | None:
    """The newest step that tells the same as the correction and was changed after line `seen`; None when none is."""
    stated = frozenset(_stated_fields(correction))
    later = sorted((step for step in steps if step.changed_n > seen), key=lambda step: -step.changed_n)
    return next((step for step in later if stated & frozenset(_stated_fields(step.correction))), None)


def _stated_fields(correction: Correction) -> Iterator[StatedField]:
    match correction:
        case MiniatureCorrection():
            yield from ((id_, field) for id_ in correction.ids for field in correction.stated_fields())
        case TableCorrection():
            yield from (("table", field) for field in correction.stated_fields())
        case ContactCorrection():
            yield " ".join(sorted((correction.a, correction.b))), "contact"
        case PlacementCorrection():
            yield from ((thing.id, "") for _, laid in correction.things() for thing in laid)
        case RemovalCorrection():
            yield from ((id_, "") for id_ in correction.ids)
        case CorrectionGroup():
            for single in correction.corrections:
                yield from _stated_fields(single)
        case BaseCorrection(id=id_):
            yield from ((id_, field) for field in ("base", "place"))
        case CandidateCorrection(at_mm=(x, y)):
            yield f"{x:.0f} {y:.0f}", "candidate"
        case AbsenceCorrection(side=side, base=base):
            yield f"{side or ''} {base}", "absent"
        case ArmyCorrection(unit=unit):
            yield from ((f"list {unit}", field) for field in correction.stated_fields())
        case CompletionCorrection():
            yield "table", "complete"
        case TerrainRejection():
            return
