"""The verdict a ruling is about, asked anew: about the moment that is meant, and by the tape where there is one."""

from dataclasses import dataclass

from api.line import Line
from api.memory import Ask
from api.moments import Moments
from api.pair import Pair, Sheet, sheet_of, supposed_of
from api.rulings.ruling import About
from api.rulings.tape import Compared, TapeReading, as_taped, compared, said_so
from models.errors import BadQuery
from models.state import TableState
from models.verdict import Verdict


@dataclass(frozen=True)
class Found:
    """The line, the table it is about, and camera and tape side by side."""

    line: Line
    state: TableState
    compared: Compared | None


def sheet_about(state: TableState, pair: Pair, tape: TapeReading | None, *, ask: Ask) -> tuple[Sheet, Compared | None]:
    """The pair's sheet, by the tape where there is one. Raises: UnknownThing, BadQuery.

    A tape tells how far, and nothing of where to the side: lines that measure no length are asked of the table as seen.
    """
    sheet = sheet_of(state, pair, ask=ask)
    if tape is None:
        return sheet, None
    found = compared(state, tape, ask=ask)
    by_tape = {line.slot: line for line in sheet_of(as_taped(state, tape, ask=ask), pair, ask=ask).lines}
    lines = tuple(_taped(by_tape.get(line.slot), found) or line for line in sheet.lines)
    return Sheet(**{name: getattr(sheet, name) for name in Sheet.model_fields} | {"lines": lines}), found


def found_for(about: About, moments: Moments, *, ask: Ask) -> Found:
    """What the ruling is about. Raises: NoTableYet, NoSuchMoment, UnknownThing, BadQuery."""
    state = moments.table(about.at)
    sheet, beside = sheet_about(state, about.pair, about.tape, ask=ask)
    line = next((line for line in sheet.lines if line.slot == about.slot), None)
    if line is None or line.verdict is None:
        raise BadQuery(f"the sheet has no line {about.slot!r}", field="slot", value=about.slot)
    tape = about.tape if _leans_on_it(line.verdict) else None
    table = state if tape is None else as_taped(state, tape, ask=ask)
    return Found(line=line, state=supposed_of(table, about.pair), compared=beside)


def _taped(line: Line | None, found: Compared) -> Line | None:
    """The line with the tape among its reasons; None where no distance is among what was measured."""
    verdict = line.verdict if line is not None else None
    if line is None or verdict is None or not _leans_on_it(verdict):
        return None
    return Line(**{name: getattr(line, name) for name in Line.model_fields} | {"verdict": said_so(verdict, found)})


def _leans_on_it(verdict: Verdict) -> bool:
    return any(one.name in LENGTHS for one in verdict.measured)


LENGTHS = frozenset({"distance", "gap", "least gap", "farthest"})
"""What the referee calls lengths from rim to rim."""
