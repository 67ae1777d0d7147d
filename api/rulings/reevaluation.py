"""Re-evaluation: the verdict a ruling is about, asked anew, about that moment and by the tape if there is one."""

from dataclasses import dataclass

from api.answers.answer_line import Line
from api.answers.pair_sheet import Pair, Sheet, apply_pair, pair_sheet
from api.errors import NothingToRule
from api.evaluation.cache import Ask
from api.live.moments import Moments
from api.rulings.schemas import Decision, RulingSubject, TapeComparison, TapeReading
from api.rulings.tape_measurement import compare_with_tape, move_to_tape, name_tape
from models.errors import BadQuery
from models.state import TableState
from models.verdict import Answer, Verdict


@dataclass(frozen=True)
class Reevaluation:
    """The line, the table it is about, and camera and tape side by side."""

    line: Line
    state: TableState
    compared: TapeComparison | None


def reevaluate_sheet(
    state: TableState, pair: Pair, tape: TapeReading | None, *, ask: Ask
) -> tuple[Sheet, TapeComparison | None]:
    """The pair's sheet, by the tape where there is one. Raises: UnknownThing, BadQuery.

    A tape tells how far, and nothing of where to the side: lines that measure no length are asked of the table as seen.
    """
    sheet = pair_sheet(state, pair, ask=ask)
    if tape is None:
        return sheet, None
    found = compare_with_tape(state, tape, ask=ask)
    by_tape = {line.slot: line for line in pair_sheet(move_to_tape(state, tape, ask=ask), pair, ask=ask).lines}
    lines = tuple(_add_tape(by_tape.get(line.slot), found) or line for line in sheet.lines)
    return Sheet(**{name: getattr(sheet, name) for name in Sheet.model_fields} | {"lines": lines}), found


def reevaluate(about: RulingSubject, moments: Moments, *, ask: Ask) -> Reevaluation:
    """What the ruling is about. Raises: NoTableYet, NoSuchMoment, UnknownThing, BadQuery."""
    state = moments.asked_table(about.at)
    sheet, beside = reevaluate_sheet(state, about.pair, about.tape, ask=ask)
    line = next((line for line in sheet.lines if line.slot == about.slot), None)
    if line is None or line.verdict is None:
        raise BadQuery(f"the sheet has no line {about.slot!r}", field="slot", value=about.slot)
    tape = about.tape if _uses_distance(line.verdict) else None
    table = state if tape is None else move_to_tape(state, tape, ask=ask)
    return Reevaluation(line=line, state=apply_pair(table, about.pair), compared=beside)


def check_decision(decision: Decision, verdict: Verdict) -> None:
    """Nobody accepts what is no answer, or rolls for what is clear. Raises: NothingToRule."""
    is_close = verdict.answer is Answer.TOO_CLOSE and not verdict.needs
    has_answer = verdict.status in ("decided", "measured") and verdict.answer is not Answer.TOO_CLOSE
    if decision == "accepted" and not (has_answer and not verdict.needs):
        what = "it is too close to call" if is_close else "it has no answer"
        raise NothingToRule(f"{what}: overrule, and say what stands", field="decision", value=decision)
    if decision == "rolled" and not is_close:
        raise NothingToRule("players roll only for what is too close to call", field="decision", value=decision)


def _add_tape(line: Line | None, found: TapeComparison) -> Line | None:
    """The line with the tape among its reasons; None where no distance is among what was measured."""
    verdict = line.verdict if line is not None else None
    if line is None or verdict is None or not _uses_distance(verdict):
        return None
    return Line(**{name: getattr(line, name) for name in Line.model_fields} | {"verdict": name_tape(verdict, found)})


def _uses_distance(verdict: Verdict) -> bool:
    return any(one.name in LENGTHS for one in verdict.measured)


LENGTHS = frozenset({"distance", "gap", "least gap", "farthest"})
"""What the referee calls lengths from rim to rim."""
