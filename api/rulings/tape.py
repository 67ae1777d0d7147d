"""A judge's tape in place of the camera: the table on which two bases are as far apart as the tape says."""

import math
from collections.abc import Sequence

from pydantic import Field, model_validator

from api.memory import Ask
from models.errors import BadQuery
from models.frozen import Frozen
from models.miniature import Miniature
from models.pose import Sigma
from models.queries.distance import Distance
from models.state import CommonMode, Contact, TableState
from models.units import inches
from models.verdict import Measured, Reason, Source, Verdict
from models.words import Id, NotNegative, Point

CLOSE_MM = 0.01
MOST_STEPS = 8
TAPE_SIGMA_MM = 1.6  # what players' rulers are good to: a camera that is farther off than this allows has a fault
FAULTY_SIGMAS = 3.0


class TapeReading(Frozen):
    """How far apart a judge measured two bases, rim to rim. It counts as exact: the judge's word ends the doubt."""

    a: Id
    b: Id
    value_in: NotNegative = Field(le=120)

    @model_validator(mode="after")
    def _a_tape_has_two_ends(self) -> "TapeReading":
        if self.a == self.b:
            raise ValueError("a tape is laid between two bases")
        return self

    @property
    def value_mm(self) -> float:
        return inches(self.value_in)


class Compared(Frozen):
    """What the camera had measured where the tape was laid, and whether the two can both be right."""

    camera: Measured
    tape_mm: NotNegative
    can_both_be_right: bool


def compared(state: TableState, reading: TapeReading, *, ask: Ask) -> Compared:
    """Camera and tape side by side. Raises: UnknownThing, BadQuery."""
    camera = _distance(state, reading, ask)[0]
    doubt_mm = math.hypot(camera.sigma_mm, TAPE_SIGMA_MM)
    fits = abs(camera.value_mm - reading.value_mm) <= FAULTY_SIGMAS * doubt_mm
    return Compared(camera=camera, tape_mm=reading.value_mm, can_both_be_right=fits)


def as_taped(state: TableState, reading: TapeReading, *, ask: Ask) -> TableState:
    """The table with B moved along the closest line until the tape is right, and no doubt left between the two.

    Raises: UnknownThing, BadQuery.
    """
    exact = _exact(state, (reading.a, reading.b))
    for _ in range(MOST_STEPS):
        measured, (from_mm, to_mm) = _distance(exact, reading, ask)
        short_mm = reading.value_mm - measured.value_mm
        if abs(short_mm) <= CLOSE_MM:
            break
        exact = _shifted(exact, reading.b, _along(exact, reading, from_mm, to_mm), short_mm)
    return _touching(exact, reading) if reading.value_mm == 0 else exact


def said_so(verdict: Verdict, found: Compared) -> Verdict:
    """The verdict with the tape named first among its reasons: nobody may take it for the camera's."""
    camera = found.camera
    says = (
        f"The judge measured {found.tape_mm / inches(1):.2f} in with a tape; it replaces the camera's "
        f"{camera.value_mm / inches(1):.2f} in \u00b1 {camera.sigma_mm / inches(1):.2f}."
    )
    effect = None if found.can_both_be_right else "Tape and camera cannot both be right; check the table."
    reason = Reason(source=Source(book="Judge", section="Tape reading"), says=says, effect=effect)
    return Verdict.model_validate(verdict.model_dump() | {"because": (reason, *verdict.because)})


def _distance(state: TableState, reading: TapeReading, ask: Ask) -> tuple[Measured, tuple[Point, Point]]:
    """The distance of the two and its closest points. Raises: BadQuery when this edition measures none."""
    verdict = ask(state, Distance(a=reading.a, b=reading.b))
    line = next((w.points_mm for w in verdict.witness if w.type == "segment" and w.points_mm), None)
    if not verdict.measured or line is None:
        raise BadQuery(f"nothing is measured between {reading.a!r} and {reading.b!r}", field="tape", value=reading.b)
    return verdict.measured[0], (line[0], line[-1])


def _along(state: TableState, reading: TapeReading, from_mm: Point, to_mm: Point) -> Point:
    """The direction in which B is moved away: along the closest line, or from centre to centre where they touch."""
    if math.dist(from_mm, to_mm) <= CLOSE_MM:
        centres = {m.id: m.at_mm for m in state.miniatures}
        from_mm, to_mm = centres[reading.a], centres[reading.b]
    length = math.dist(from_mm, to_mm) or 1.0
    return ((to_mm[0] - from_mm[0]) / length, (to_mm[1] - from_mm[1]) / length)


def _shifted(state: TableState, id_: Id, along: Point, by_mm: float) -> TableState:
    def there(m: Miniature) -> Miniature:
        return m.moved_to((m.at_mm[0] + along[0] * by_mm, m.at_mm[1] + along[1] * by_mm), facing_deg=m.facing_deg)

    return state.with_miniatures(tuple(there(m) if m.id == id_ else m for m in state.miniatures))


def _exact(state: TableState, ids: Sequence[Id]) -> TableState:
    """The table without doubt about where these stand; which way they look may stay in doubt."""
    miniatures = tuple(_sure(m) if m.id in ids else m for m in state.miniatures)
    common = tuple(_without(mode, ids) for mode in state.common_mm)
    return _with(state, miniatures=miniatures, common_mm=tuple(mode for mode in common if mode.shift_mm))


def _sure(m: Miniature) -> Miniature:
    sigma = Sigma(at_mm=0, facing_deg=m.sigma.facing_deg, elevation_mm=0)
    return Miniature.model_validate(m.model_dump() | {"sigma": sigma.model_dump(), "covariance_mm2": None})


def _without(mode: CommonMode, ids: Sequence[Id]) -> CommonMode:
    return CommonMode(name=mode.name, shift_mm={id_: by for id_, by in mode.shift_mm.items() if id_ not in ids})


def _touching(state: TableState, reading: TapeReading) -> TableState:
    """The table on which the two touch; only miniatures are in contact, and not with a piece of ground."""
    pair = {reading.a, reading.b}
    if not pair <= {m.id for m in state.miniatures}:
        return state
    others = tuple(c for c in state.contacts if {c.a, c.b} != pair)
    return _with(state, contacts=(*others, Contact(a=reading.a, b=reading.b, probability=1.0)))


def _with(state: TableState, **changes: object) -> TableState:
    return TableState.model_validate({name: getattr(state, name) for name in TableState.model_fields} | changes)
