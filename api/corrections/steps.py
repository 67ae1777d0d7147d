"""All steps of a table, those that were taken back included, kept in its journal."""

import logging
from collections.abc import Iterable, Mapping

from api.corrections.applying import corrected, missing
from api.corrections.correction import Correction, as_seen
from api.corrections.entries import Corrected, Redone, Undone
from api.corrections.meanwhile import told_since
from api.corrections.renaming import renamed
from api.corrections.step import StepMade, said
from api.errors import BadCorrection, NothingToUndo, ToldMeanwhile
from api.journal.entry import Line
from api.journal.journal import Journal
from api.journal.seen import Happened
from api.seats.seat import CALLED, Seat
from models.state import TableState
from models.words import Id

log = logging.getLogger(__name__)

_TYPES = (Corrected, Undone, Redone, Happened)


class Ledger:
    """The steps in their order, as the journal's lines make them."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.steps: dict[int, StepMade] = {}
        self.undone: list[int] = []  # the next to be done again stands last
        self._asked: dict[str, int] = {}  # in which line each question about who is who was asked
        for line in lines:
            self.take(line)

    def take(self, line: Line) -> None:
        """Take in what the journal says; a step that was never made cannot be undone."""
        match line.entry:
            case Corrected(by=by, correction=correction):
                told = {"says": said(correction), "correction": correction}
                self.steps[line.n] = StepMade(n=line.n, at_s=line.at_s, by=by, changed_n=line.n, changed_by=by, **told)
                self.undone.clear()
            case Undone(step=n, by=by) if n in self.steps:
                self.steps[n] = self.steps[n].marked(is_undone=True, n=line.n, by=by)
                self.undone.append(n)
            case Redone(step=n, by=by) if n in self.steps:
                self.steps[n] = self.steps[n].marked(is_undone=False, n=line.n, by=by)
                self.undone = [other for other in self.undone if other != n]
            case Happened(event=event) if event.question is not None:
                since = self._asked.pop(event.question, line.n)
                if len(event.namings) > 1:
                    self._asked[event.question] = line.n
                self._rename(event.renamed or {}, since=since)

    def _rename(self, names: Mapping[Id, Id], *, since: int) -> None:
        """Who was corrected since a question was asked is who stood there, whatever the name was meanwhile."""
        for n, step in self.steps.items():
            if names and n > since:
                correction = renamed(step.correction, names)
                told = {"says": said(correction), "correction": correction}
                self.steps[n] = StepMade(**{**dict(step), **told})

    def over(self, state: TableState) -> TableState:
        """The table as corrected by every step that holds; one that does not fit this table is passed over."""
        for step in self.steps.values():
            if step.is_undone:
                continue
            try:
                state = corrected(state, step.correction)
            except BadCorrection as wrong:
                log.warning("step passed over n=%d why=%s", step.n, wrong.detail)
        return state


class Steps:
    """The steps of a table; `over` lays those that hold over a measured one."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._ledger = Ledger(journal.lines(*_TYPES))

    def all(self) -> tuple[StepMade, ...]:
        """Every step, the oldest first."""
        return tuple(self._ledger.steps.values())

    def over(self, state: TableState) -> TableState:
        """The table as corrected by every step that holds."""
        return self._ledger.over(state)

    def over_at(self, state: TableState, n: int) -> TableState:
        """The table as it was corrected when line `n` of the journal had been written."""
        return Ledger(line for line in self._journal.lines(*_TYPES) if line.n <= n).over(state)

    def correct(
        self, state: TableState | None, correction: Correction, *, by: Seat, seen: int | None = None
    ) -> StepMade:
        """A new step, as it holds for the table that is seen now; `seen` is the newest change that its teller knew of.

        Raises: BadCorrection, ToldMeanwhile, JournalFailed.
        """
        if seen is not None and (other := told_since(seen, self.all(), correction)) is not None:
            done = "has just taken back" if other.is_undone else "has just told"
            raise ToldMeanwhile(
                f"{CALLED[other.changed_by]} {done} “{other.says}”. Look, then tell it again.",
                field="seen",
                value=seen,
            )
        if state is not None:
            if (named := missing(state, correction)) is not None:
                field, id_ = named
                raise BadCorrection(f"there is no {id_!r} on the table", field=field, value=id_)
            correction = as_seen(correction, state)
            corrected(state, correction)
        return self._written(Corrected(by=by, correction=correction))

    def heed(self, line: Line) -> None:
        """Something happened on the table; an answer about who is who concerns what was corrected meanwhile."""
        self._ledger.take(line)

    def undo(self, n: int | None = None, *, by: Seat) -> StepMade:
        """The step, taken back: this one, else the newest that holds. Raises: NothingToUndo, JournalFailed."""
        holding = [step.n for step in self.all() if not step.is_undone]
        return self._written(Undone(by=by, step=self._among(holding, n, "took it back")))

    def redo(self, n: int | None = None, *, by: Seat) -> StepMade:
        """The step, holding again: this one, else the last taken back. Raises: NothingToUndo, JournalFailed."""
        undone = self._ledger.undone if n is None else [step.n for step in self.all() if step.is_undone]
        return self._written(Redone(by=by, step=self._among(undone, n, "let it hold")))

    def _among(self, steps: list[int], n: int | None, deed: str) -> int:
        if n is None and not steps:
            raise NothingToUndo("There is no such step any more.", field="n", value=None)
        if n is None:
            return steps[-1]
        if n not in self._ledger.steps:
            raise NothingToUndo(f"Nobody made a step {n}.", field="n", value=n)
        if n not in steps:
            step = self._ledger.steps[n]
            raise NothingToUndo(f"“{step.says}”: {CALLED[step.changed_by]} {deed} already.", field="n", value=n)
        return n

    def _written(self, entry: Corrected | Undone | Redone) -> StepMade:
        line = self._journal.write(entry)
        self._ledger.take(line)
        return self._ledger.steps[line.n if isinstance(entry, Corrected) else entry.step]
