"""Camera control: what the server asks of the camera's process, and the pictures and checks that come back."""

import logging
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from queue import SimpleQueue
from typing import Any

from pydantic import Field

from api.camera.protocol import CameraCommands, ChangedPart, FrameReport, ImageReport, LightMarks
from api.errors import CameraHidden, CameraMoved, NoCamera, NoSuchQuestion
from api.live.broadcast import Broadcast
from api.live.expected_bases import count_expected
from api.live.messages import Freshness, Notice, Problem, SourceStatus, Trouble
from api.setups.schemas import CountMismatch, ExpectedMiniature
from models.camera import CameraPose
from models.errors import BadInput, WorldError
from models.frozen import Frozen
from models.halt import Halt
from models.hint import ConfirmedBase
from models.self_check import SelfCheck
from models.timeline import EventLine, Naming
from models.vocabulary import Id, NotNegative, Point

_MOST_KEPT = 32  # versions whose changes are known: a phone that missed more gets the whole
log = logging.getLogger(__name__)
_HALTS: dict[str, type[WorldError]] = {"camera-moved": CameraMoved, "camera-hidden": CameraHidden}


class OpenQuestion(Frozen):
    """Since then nobody can tell who stands at these places; each naming is one way it may be, the likeliest first."""

    question: Id
    since_s: NotNegative
    ids: tuple[Id, ...]
    places_mm: tuple[Point, ...]
    namings: tuple[Naming, ...]


class IdentityAnswer(Frozen, json_schema_extra={"examples": [{"ids": ["m3", "m7"]}]}):
    """Who stands at the places of a question, in their order."""

    ids: tuple[Id | None, ...] = Field(min_length=1, description="null: nobody")


class OpenQuestions:
    """Questions that are open, gathered from the event lines as they come."""

    def __init__(self) -> None:
        self._open: dict[str, OpenQuestion] = {}

    def all(self) -> tuple[OpenQuestion, ...]:
        return tuple(self._open.values())

    def note_event(self, line: EventLine) -> None:
        """One more line: a question, its answer, or a renaming that concerns others."""
        if line.question is None:
            return
        if line.type == "unsure" and len(line.namings) > 1:
            facts = {name: getattr(line, name) for name in OpenQuestion.model_fields if name != "since_s"}
            self._open[line.question] = OpenQuestion(since_s=line.since_s or line.t_s, **facts)
            return
        self._open.pop(line.question, None)
        names = line.renamed or {}
        self._open = {id_: _rename_ids(question, names) for id_, question in self._open.items()}

    def forget(self) -> None:
        """Another recording begins: nobody can answer for the last."""
        self._open.clear()

    def check(self, question: str, ids: Sequence[str | None]) -> None:
        """Raises: NoSuchQuestion; BadInput when this is none of the namings."""
        if question not in self._open:
            raise NoSuchQuestion(f"{question!r} is not asked, or settled by now", field="question", value=question)
        namings = [naming.ids for naming in self._open[question].namings]
        if tuple(ids) not in namings:
            known = "; ".join(", ".join(str(id_) for id_ in naming) for naming in namings)
            raise BadInput(f"{question} asks for one of: {known}", field="ids", value=list(ids))


def _rename_ids(question: OpenQuestion, names: dict[str, str]) -> OpenQuestion:
    def now(id_: str | None) -> str | None:
        return None if id_ is None else names.get(id_, id_)

    namings = [{"ids": [now(id_) for id_ in each.ids], "probability": each.probability} for each in question.namings]
    return OpenQuestion.model_validate(
        question.model_dump() | {"ids": [now(id_) for id_ in question.ids], "namings": namings}
    )


class CameraControl:
    """The camera's process as the server may command it; a table that was written by hand has none."""

    def __init__(self, commands: CameraCommands | None, questions: OpenQuestions) -> None:
        self.check: SelfCheck | None = None
        self.images: SimpleQueue[ImageReport] = SimpleQueue()
        self._commands = commands
        self._questions = questions
        self._confirmed: tuple[ConfirmedBase, ...] = ()
        self._light: LightMarks | None = None

    def attach(self, commands: CameraCommands) -> None:
        self._commands = commands
        if self._light is not None:
            commands.lights.put(self._light)

    def want_pictures(self, *, wanted: bool) -> None:
        if self._commands is not None:
            (self._commands.pictures.set if wanted else self._commands.pictures.clear)()

    def set_expected_counts(self, expected: Iterable[ExpectedMiniature]) -> None:
        if self._commands is not None:
            self._commands.expected.put(dict(count_expected(expected)))

    def set_confirmed_bases(self, bases: Iterable[ConfirmedBase], *, is_restarted: bool = False) -> None:
        """All bases of which players say where they stand. `is_restarted`: the tracker knows none."""
        confirmed = tuple(bases)
        is_news = confirmed != self._confirmed if not is_restarted else bool(confirmed)
        self._confirmed = confirmed
        if is_news and self._commands is not None:
            self._commands.confirmed.put(confirmed)

    def reset_pose(self) -> None:
        """Find the table again. Raises: NoCamera."""
        self._require().register.set()

    def set_camera_pose(self, pose: CameraPose) -> None:
        """The camera's pose is this, as somebody tapped it. Raises: NoCamera."""
        self._require().poses.put(pose)

    def set_light(self, marks: LightMarks | None) -> None:
        """A projector's light is on, with these marks, or off."""
        if self._commands is not None and marks != self._light:
            self._commands.lights.put(marks)
        self._light = marks

    def request_image(self, *, with_room: bool) -> None:
        """Send a picture, which comes to `images` alone. Raises: NoCamera."""
        while not self.images.empty():
            self.images.get()
        commands = self._require()
        (commands.whole if with_room else commands.edged).set()

    def request_self_check(self) -> None:
        """Compare what is measured with what is known. Raises: NoCamera."""
        self.check = None
        self._require().check.set()

    def resolve_identity(self, question: str, ids: Sequence[str | None]) -> None:
        """These are who stands there. Raises: NoSuchQuestion, BadInput, NoCamera."""
        self._questions.check(question, ids)
        self._require().answers.put((question, tuple(ids)))

    def _require(self) -> CameraCommands:
        if self._commands is None:
            raise NoCamera("This table was written by hand; there is no camera that could look.")
        return self._commands


class LivePicture:
    """The newest picture of the table, and what changed in it since an earlier one.

    Versions count from 1; a phone names the one it holds by `name`, which no other server's picture has.
    """

    def __init__(self) -> None:
        self.jpeg: bytes | None = None
        self.version = 0
        self._run = secrets.token_hex(4)
        self._changes: deque[ChangedPart | None] = deque(maxlen=_MOST_KEPT)

    @property
    def name(self) -> str:
        """Which picture of which run of the server this is."""
        return f"{self._run}-{self.version}"

    def renew(self, jpeg: bytes, changed: ChangedPart | None = None) -> None:
        """This is the picture now; None: it may have changed anywhere."""
        self.jpeg, self.version = jpeg, self.version + 1
        self._changes.append(changed)

    def changed_since(self, name: str) -> ChangedPart | None:
        run, _, number = name.partition("-")
        missed = self.version - int(number) if number.isdecimal() and run == self._run else -1
        if not 0 <= missed <= len(self._changes):
            return None
        parts = list(self._changes)[len(self._changes) - missed :]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if not known:
            return ChangedPart(0, 0, 0, 0)
        left, top, right, bottom = zip(*known, strict=True)
        return ChangedPart(min(left), min(top), max(right), max(bottom))


class SourceHealth:
    """The freshness and the trouble of what feeds a table; phones hear of trouble at once."""

    def __init__(self, broadcast: Broadcast, *, clock: Callable[[], float]) -> None:
        self.problem: Problem | None = None
        self.halt: Halt | None = None
        self._broadcast = broadcast
        self._clock = clock
        self.fresh = Freshness()  # without its age
        self._seen_at: float | None = None

    def freshness(self) -> Freshness:
        """How old the newest look is now."""
        age = None if self._seen_at is None else round(max(0.0, self._clock() - self._seen_at), 2)
        return _with(self.fresh, age_s=age)

    def note_frame(self, report: FrameReport) -> None:
        """Take a frame's freshness and halt."""
        self._seen_at = self._clock() - report.lag_s
        self.fresh = Freshness(
            hand=report.hand,
            in_hand=report.in_hand,
            is_settled=report.is_settled,
            is_visible=report.is_visible,
            source="playing",
            amiss=self.fresh.amiss,
            is_lit=self.fresh.is_lit,
            hidden=report.hidden,
            camera=report.health or self.fresh.camera,
        )
        self._note_halt(report.halt)

    def note_mismatches(self, amiss: tuple[CountMismatch, ...]) -> bool:
        """Sizes of which other numbers are seen than are expected; whether they are other than before."""
        is_other = amiss != self.fresh.amiss
        if is_other:
            self.fresh = _with(self.fresh, amiss=amiss)
        return is_other

    def note_light(self, *, is_lit: bool) -> None:
        """Whether a projector draws on the table."""
        self.fresh = _with(self.fresh, is_lit=is_lit)

    def rest(self) -> None:
        """Nothing more will be seen: the table has no age."""
        self.fresh = Freshness(source="still")

    def fail(self, problem: dict[str, Any], *, source: SourceStatus) -> None:
        self.fresh = _with(self.fresh, source=source)
        self._publish_trouble(problem)
        log.warning("trouble type=%s detail=%s", problem["type"], problem["detail"])

    def _note_halt(self, halt: Halt | None) -> None:
        before, self.halt = self.halt, halt
        if halt is None:
            if self.problem is not None:
                self.problem = None
                self._broadcast.publish(Trouble(seq=self._broadcast.next_seq(), problem=None))
            if before is not None and before.why == "camera-moved":
                text = "The camera's place is known again."
                self._broadcast.publish(Notice(seq=self._broadcast.next_seq(), text=text))
        elif halt != before:
            log.warning("halt why=%s says=%s", halt.why, halt.says)
            self._publish_trouble(_HALTS[halt.why](f"{halt.says} {halt.unlock}").problem())

    def _publish_trouble(self, problem: dict[str, Any]) -> None:
        self.problem = Problem.model_validate({name: problem.get(name) for name in Problem.model_fields})
        self._broadcast.publish(Trouble(seq=self._broadcast.next_seq(), problem=self.problem))


def _with(fresh: Freshness, **changes: Any) -> Freshness:
    return Freshness.model_validate(fresh.model_dump() | changes)
