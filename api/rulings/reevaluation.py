"""Re-evaluation: the verdict a ruling is about, asked again about that moment and by the tape if there is one.

The tape moves the table: it is one on which two bases are as far apart as a judge's tape says.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from api.answers.answer_line import Line
from api.answers.pair_sheet import Pair, Sheet, apply_pair, pair_sheet
from api.errors import NothingToRule
from api.evaluation.cache import Ask
from api.live.moments import Moments
from api.rulings.schemas import Decision, RulingSubject, TapeComparison, TapeReading
from models.errors import BadQuery
from models.miniature import Miniature
from models.pose import Sigma
from models.queries.distances import Distance
from models.state import CommonMode, Contact, TableState
from models.unit_conversion import inches
from models.verdict import Answer, MeasuredLength, Reason, Source, Verdict
from models.vocabulary import Id, Point

LENGTHS = frozenset({"distance", "gap", "least gap", "farthest"})
"""What the referee calls lengths from rim to rim."""
CLOSE_MM = 0.01
MOST_STEPS = 8
TAPE_SECTION = "Tape reading"
TAPE_SIGMA_MM = 1.6  # what players' rulers are good to: a camera that is farther off than this allows has a fault
FAULTY_SIGMAS = 3.0


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
    comparison = compare_with_tape(state, tape, ask=ask)
    by_tape = {line.slot: line for line in pair_sheet(move_to_tape(state, tape, ask=ask), pair, ask=ask).lines}
    lines = tuple(_add_tape(by_tape.get(line.slot), comparison) or line for line in sheet.lines)
    return Sheet(**{name: getattr(sheet, name) for name in Sheet.model_fields} | {"lines": lines}), comparison


def reevaluate(about: RulingSubject, moments: Moments, *, ask: Ask) -> Reevaluation:
    """What the ruling is about. Raises: NoTableYet, NoSuchMoment, UnknownThing, BadQuery."""
    state = moments.asked_table(about.at)
    sheet, comparison = reevaluate_sheet(state, about.pair, about.tape, ask=ask)
    line = next((line for line in sheet.lines if line.slot == about.slot), None)
    if line is None or line.verdict is None:
        raise BadQuery(f"the sheet has no line {about.slot!r}", field="slot", value=about.slot)
    tape = about.tape if _uses_distance(line.verdict) else None
    table = state if tape is None else move_to_tape(state, tape, ask=ask)
    return Reevaluation(line=line, state=apply_pair(table, about.pair), compared=comparison)


def check_decision(decision: Decision, verdict: Verdict) -> None:
    """Nobody accepts what is no answer, or rolls for what is clear. Raises: NothingToRule."""
    is_close = verdict.answer is Answer.TOO_CLOSE and not verdict.needs
    has_answer = verdict.status in ("decided", "measured") and verdict.answer is not Answer.TOO_CLOSE
    if decision == "accepted" and not (has_answer and not verdict.needs):
        what = "it is too close to call" if is_close else "it has no answer"
        raise NothingToRule(f"{what}: overrule, and say what stands", field="decision", value=decision)
    if decision == "rolled" and not is_close:
        raise NothingToRule("players roll only for what is too close to call", field="decision", value=decision)


def _add_tape(line: Line | None, comparison: TapeComparison) -> Line | None:
    """The line with the tape among its reasons; None where no distance is among what was measured."""
    verdict = line.verdict if line is not None else None
    if line is None or verdict is None or not _uses_distance(verdict):
        return None
    return Line(
        **{name: getattr(line, name) for name in Line.model_fields} | {"verdict": name_tape(verdict, comparison)}
    )


def _uses_distance(verdict: Verdict) -> bool:
    return any(length.name in LENGTHS for length in verdict.measured)


def compare_with_tape(state: TableState, reading: TapeReading, *, ask: Ask) -> TapeComparison:
    """Camera and tape side by side. Raises: UnknownThing, BadQuery."""
    camera = _ask_distance(state, reading, ask)[0]
    doubt_mm = math.hypot(camera.sigma_mm, TAPE_SIGMA_MM)
    fits = abs(camera.value_mm - reading.value_mm) <= FAULTY_SIGMAS * doubt_mm
    tape_sigma_mm = 0.0 if reading.is_exact or reading.value_mm == 0 else TAPE_SIGMA_MM
    return TapeComparison(camera=camera, tape_mm=reading.value_mm, tape_sigma_mm=tape_sigma_mm, can_both_be_right=fits)


def move_to_tape(state: TableState, reading: TapeReading, *, ask: Ask) -> TableState:
    """The table with B moved along the closest line until the tape is right; a tape's doubt is all that is left.

    Raises: UnknownThing, BadQuery.
    """
    exact = _without_doubt(state, (reading.a, reading.b))
    for _ in range(MOST_STEPS):
        measured, (from_mm, to_mm) = _ask_distance(exact, reading, ask)
        short_mm = reading.value_mm - measured.value_mm
        if abs(short_mm) <= CLOSE_MM:
            break
        exact = _shift(exact, reading.b, _direction(exact, reading, from_mm, to_mm), short_mm)
    if reading.value_mm == 0:
        return _set_contact(exact, reading)
    return exact if reading.is_exact else _with_tape_doubt(exact, reading)


def name_tape(verdict: Verdict, comparison: TapeComparison) -> Verdict:
    """The verdict with the tape named first among its reasons: nobody may take it for the camera's."""
    camera = comparison.camera
    says = (
        f"The judge measured {comparison.tape_mm / inches(1):.2f} in{_say_doubt(comparison)} with a tape; "
        f"it replaces the camera's {camera.value_mm / inches(1):.2f} in \u00b1 {camera.sigma_mm / inches(1):.2f}."
    )
    effect = None if comparison.can_both_be_right else "Tape and camera cannot both be right; check the table."
    reason = Reason(source=Source(book="Judge", section=TAPE_SECTION), says=says, effect=effect)
    return Verdict.model_validate(verdict.model_dump() | {"because": (reason, *verdict.because)})


def _ask_distance(state: TableState, reading: TapeReading, ask: Ask) -> tuple[MeasuredLength, tuple[Point, Point]]:
    """The distance of the two and its closest points. Raises: BadQuery when this edition measures none."""
    verdict = ask(state, Distance(a=reading.a, b=reading.b))
    line = next((w.points_mm for w in verdict.witness if w.type == "segment" and w.points_mm), None)
    if not verdict.measured or line is None:
        raise BadQuery(f"nothing is measured between {reading.a!r} and {reading.b!r}", field="tape", value=reading.b)
    return verdict.measured[0], (line[0], line[-1])


def _direction(state: TableState, reading: TapeReading, from_mm: Point, to_mm: Point) -> Point:
    if math.dist(from_mm, to_mm) <= CLOSE_MM:
        centres = {m.id: m.at_mm for m in state.miniatures}
        from_mm, to_mm = centres[reading.a], centres[reading.b]
    length = math.dist(from_mm, to_mm) or 1.0
    return ((to_mm[0] - from_mm[0]) / length, (to_mm[1] - from_mm[1]) / length)


def _shift(state: TableState, id_: Id, along: Point, by_mm: float) -> TableState:
    def move(m: Miniature) -> Miniature:
        return m.with_place((m.at_mm[0] + along[0] * by_mm, m.at_mm[1] + along[1] * by_mm), facing_deg=m.facing_deg)

    return state.with_miniatures(tuple(move(m) if m.id == id_ else m for m in state.miniatures))


def _without_doubt(state: TableState, ids: Sequence[Id]) -> TableState:
    """The table without doubt about where these stand; which way they look may stay in doubt."""
    miniatures = tuple(_make_exact(m) if m.id in ids else m for m in state.miniatures)
    common = tuple(_drop_mode(mode, ids) for mode in state.common_mm)
    return _replace(state, miniatures=miniatures, common_mm=tuple(mode for mode in common if mode.shift_mm))


def _with_tape_doubt(state: TableState, reading: TapeReading) -> TableState:
    """A tape's doubt on one of the two: the length between them is as doubtful as the tape."""
    standing = {m.id for m in state.miniatures}
    blurred = next((id_ for id_ in (reading.b, reading.a) if id_ in standing), None)

    def blur(m: Miniature) -> Miniature:
        sigma = Sigma(at_mm=TAPE_SIGMA_MM, facing_deg=m.sigma.facing_deg, elevation_mm=0)
        return Miniature.model_validate(m.model_dump() | {"sigma": sigma.model_dump()})

    return state.with_miniatures(tuple(blur(m) if m.id == blurred else m for m in state.miniatures))


def _say_doubt(comparison: TapeComparison) -> str:
    return f" \u00b1 {comparison.tape_sigma_mm / inches(1):.2f}" if comparison.tape_sigma_mm else ""


def _make_exact(m: Miniature) -> Miniature:
    sigma = Sigma(at_mm=0, facing_deg=m.sigma.facing_deg, elevation_mm=0)
    return Miniature.model_validate(m.model_dump() | {"sigma": sigma.model_dump(), "covariance_mm2": None})


def _drop_mode(mode: CommonMode, ids: Sequence[Id]) -> CommonMode:
    return CommonMode(
        name=mode.name,
        shift_mm={id_: by for id_, by in mode.shift_mm.items() if id_ not in ids},
        turn_deg={id_: by for id_, by in mode.turn_deg.items() if id_ not in ids},
    )


def _set_contact(state: TableState, reading: TapeReading) -> TableState:
    """The table on which the two touch; only miniatures are in contact, and not with a piece of ground."""
    pair = {reading.a, reading.b}
    if not pair <= {m.id for m in state.miniatures}:
        return state
    others = tuple(c for c in state.contacts if {c.a, c.b} != pair)
    return _replace(state, contacts=(*others, Contact(a=reading.a, b=reading.b, probability=1.0)))


def _replace(state: TableState, **changes: object) -> TableState:
    return TableState.model_validate({name: getattr(state, name) for name in TableState.model_fields} | changes)
