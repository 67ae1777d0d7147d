"""The hub: what is known of the table now, and everyone who wants to hear of it.

Lives on the server's event loop; other threads hand their reports over with `loop.call_soon_threadsafe(hub.take, ...)`.
"""

import logging
import time
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any

from pydantic import BaseModel

from api.corrections.steps import Steps
from api.drawn import difference, drawn
from api.errors import CameraHidden, CameraMoved, JournalFailed, NoCamera, NoTableYet
from api.journal import seen
from api.journal.journal import Journal
from api.journal.memory import MemoryJournal
from api.listener import Listener
from api.live import (
    CheckDone,
    DrawnTable,
    FreshChange,
    Freshness,
    Happened,
    Notice,
    PictureChange,
    Problem,
    Snapshot,
    SourceStatus,
    StepsChange,
    StepTold,
    TableChange,
    Trouble,
)
from api.setups.counting import amiss, wanted_of
from api.setups.words import Expected, RosterPutDown
from api.sighting import Checked, Failed, Kept, Looked, Report, Rewound, Said, Sighting
from api.unsure.open_questions import OpenQuestions
from api.wishes import Wishes
from models.base import Base
from models.camera import CameraPose
from models.check import SelfCheck
from models.errors import WorldError
from models.halt import Halt
from models.miniature import Miniature
from models.state import TableState
from models.timeline import EventLine, StateLine

log = logging.getLogger(__name__)

_HALTS: dict[str, type[WorldError]] = {"camera-moved": CameraMoved, "camera-hidden": CameraHidden}

MOST_STEPS = 20  # a phone shows this many corrections; all are one GET away
WANTED_FOR_S = 10.0  # a plain GET of the picture counts as interest for this long


class Hub:
    """The current table, its picture, its freshness, its trouble; tells every listener what changes."""

    def __init__(
        self,
        *,
        title: str,
        wishes: Wishes | None = None,
        journal: Journal | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.title = title
        self.journal = journal or MemoryJournal()
        self.steps = Steps(self.journal)
        self.unsure = OpenQuestions()
        self.measured: TableState | None = None  # without anybody's corrections
        self.state: TableState | None = None
        self.picture: bytes | None = None
        self.picture_version = 0
        self.problem: Problem | None = None
        self.halt: Halt | None = None
        self.check: SelfCheck | None = None
        self.looks: SimpleQueue[Looked] = SimpleQueue()
        self._table: DrawnTable | None = None
        self._listeners: set[Listener] = set()
        self._wishes = wishes
        self._clock = clock
        self._fresh = Freshness()
        self._seen_at: float | None = None
        self._fetched_at = -WANTED_FOR_S
        self._seq = 0
        self.is_closed = False
        self._left: dict[str, Base] = {}
        self._resume()
        self._tell_camera()

    def take(self, report: Report) -> None:
        """Take in what the camera's process says."""
        match report:
            case Sighting():
                self._see(report)
            case Said(text):
                self._tell(Notice(seq=self._next(), text=text))
            case Rewound():
                self.unsure.forget()
            case Checked(check):
                self.check = check
                self._tell(CheckDone(seq=self._next(), check=check))
            case Looked():
                self.looks.put(report)
            case Kept():
                pass
            case Failed(problem, is_over, lines):
                for line in lines:
                    self._tell(Happened(seq=self._next(), event=line))
                self.fail(problem, source="ended" if is_over else "lost")

    def show(self, state: TableState) -> None:
        """This state is the table now, written by hand: it has no age."""
        self._fresh = Freshness(source="still")
        self._measure(state)
        self.beat()

    def fail(self, problem: dict[str, Any], *, source: SourceStatus = "lost") -> None:
        """Say what is wrong; the last table stays."""
        known = {name: problem.get(name) for name in Problem.model_fields}
        self.problem = Problem.model_validate(known)
        log.warning("trouble type=%s detail=%s", self.problem.type, self.problem.detail)
        self._fresh = _with(self._fresh, source=source)
        self._tell(Trouble(seq=self._next(), problem=self.problem))
        self.beat()

    def listen(self) -> Listener:
        """A new listener, with the snapshot already waiting for it."""
        listener = Listener(self.snapshot)
        self._listeners.add(listener)
        return listener

    def close(self) -> None:
        """The server ends: so do the streams, which it would wait for."""
        self.is_closed = True
        for listener in self._listeners:
            listener.start_over()

    def leave(self, listener: Listener) -> None:
        self._listeners.discard(listener)
        self._note_wishes()

    def want_pictures(self, listener: Listener, *, wanted: bool) -> None:
        listener.wants_pictures = wanted
        self._note_wishes()

    def fetched_picture(self) -> None:
        """Someone fetched the picture, so it is worth renewing for a while."""
        self._fetched_at = self._clock()
        self._note_wishes()

    def attach(self, wishes: Wishes) -> None:
        """Another camera's process listens to these; what was wished of the last one is wished no more."""
        self._wishes = wishes
        self._note_wishes()
        self._tell_camera()

    def expected(self) -> tuple[Expected, ...]:
        """Who is expected to stand on the table."""
        line = self.journal.newest(RosterPutDown)
        return line.entry.expected if line is not None and isinstance(line.entry, RosterPutDown) else ()

    def expect(self, roster: RosterPutDown) -> None:
        """These are expected from now on: it helps the camera, and players hear when others are seen.

        Raises: JournalFailed.
        """
        self.journal.write(roster)
        self._tell_camera()
        self._compare()

    def _tell_camera(self) -> None:
        if self._wishes is not None:
            self._wishes.expected.put(dict(wanted_of(self.expected())))

    def _compare(self) -> None:
        """Whether other numbers are seen than are expected stands with the freshness."""
        now = () if self.measured is None else amiss(self.expected(), self.measured, self._left.values())
        if now != self._fresh.amiss:
            self._fresh = _with(self._fresh, amiss=now)
            self.beat()

    def register_again(self) -> None:
        """The camera's process shall find the table anew. Raises: NoCamera."""
        self._camera().register.set()

    def look(self, *, with_room: bool) -> None:
        """The camera's process shall send a picture, which comes to `looks` alone. Raises: NoCamera."""
        while not self.looks.empty():
            self.looks.get()
        (self._camera().whole if with_room else self._camera().edged).set()

    def hang(self, pose: CameraPose) -> None:
        """The camera hangs there, as somebody tapped it. Raises: NoCamera."""
        self._camera().poses.put(pose)

    def check_again(self) -> None:
        """The camera's process shall compare what it measures with what is known. Raises: NoCamera."""
        self.check = None
        self._camera().check.set()

    def correct_again(self) -> None:
        """The corrections are others than they were: lay them over the table and tell everyone."""
        self._tell(StepsChange(seq=self._next(), steps=self._newest_steps()))
        if self.measured is not None:
            self._settle(self.steps.over(self.measured))

    def answer(self, question: str, ids: Sequence[str]) -> None:
        """The camera's process shall know who is who. Raises: NoSuchQuestion, BadInput, NoCamera."""
        self.unsure.check(question, ids)
        self._camera().answers.put((question, tuple(ids)))

    def _camera(self) -> Wishes:
        if self._wishes is None:
            raise NoCamera("This table was written by hand; there is no camera that could look.")
        return self._wishes

    def beat(self) -> None:
        """Tell everyone how fresh the table is."""
        self._note_wishes()
        self._tell(FreshChange(seq=self._next(), fresh=self.freshness()))

    def freshness(self) -> Freshness:
        """How old the newest look is now."""
        age = None if self._seen_at is None else round(max(0.0, self._clock() - self._seen_at), 2)
        return _with(self._fresh, age_s=age)

    def snapshot(self) -> Snapshot:
        return Snapshot(
            seq=self._seq,
            title=self.title,
            table=self._table,
            picture=self.picture_version,
            fresh=self.freshness(),
            problem=self.problem,
            check=self.check,
            steps=self._newest_steps(),
        )

    def _see(self, sighting: Sighting) -> None:
        was = self._fresh
        self._seen_at = self._clock() - sighting.lag_s
        self._fresh = Freshness(
            hand=sighting.hand,
            in_hand=sighting.in_hand,
            is_settled=sighting.is_settled,
            is_visible=sighting.is_visible,
            source="playing",
            amiss=was.amiss,
            hidden=sighting.hidden,
            camera=sighting.health or was.camera,
        )
        self._heed(sighting.halt)
        for line in sighting.lines:
            if isinstance(line, StateLine):
                self._measure(line.state, t_s=line.t_s)
            else:
                self._note_who_left(line)
                self.unsure.take(line)
                self._keep(seen.Happened(event=line))
                self._tell(Happened(seq=self._next(), event=line))
        if sighting.jpeg is not None:
            self._renew_picture(sighting.jpeg)
        if was != self._fresh:
            self.beat()

    def _note_who_left(self, line: EventLine) -> None:
        for id_ in line.ids:
            one = self.measured.by_id.get(id_) if self.measured is not None else None
            if line.type == "removed" and isinstance(one, Miniature):
                self._left[id_] = one.base
            elif line.type == "appeared":
                self._left.pop(id_, None)

    def _heed(self, halt: Halt | None) -> None:
        """Say why no ruling is given, and when they are given again."""
        was, self.halt = self.halt, halt
        if halt is None:
            self._recover()
            if was is not None and was.why == "camera-moved":
                self._tell(Notice(seq=self._next(), text="The camera's place is known again."))
        elif halt != was:
            wrong = _HALTS[halt.why](f"{halt.says} {halt.unlock}")
            self.problem = Problem.model_validate(wrong.problem())
            log.warning("halt why=%s says=%s", halt.why, halt.says)
            self._tell(Trouble(seq=self._next(), problem=self.problem))

    def _recover(self) -> None:
        if self.problem is not None:
            self.problem = None
            self._tell(Trouble(seq=self._next(), problem=None))

    def _resume(self) -> None:
        """What was known when the server last ran is known again, until the camera sees more."""
        last = self.journal.newest(seen.Settled)
        if last is not None and isinstance(last.entry, seen.Settled):
            self.measured = last.entry.state
            self._settle(self.steps.over(self.measured))

    def _measure(self, state: TableState, *, t_s: float | None = None) -> None:
        if state != self.measured:
            self._keep(seen.Settled(t_s=t_s, state=state))
        self.measured = state
        self._settle(self.steps.over(state))
        self._compare()

    def _keep(self, entry: seen.Settled | seen.Happened) -> None:
        """Write it down if that can be done: the table is judged all the same."""
        try:
            line = self.journal.write(entry)
            if isinstance(entry, seen.Happened):
                self.steps.heed(line)
        except JournalFailed as wrong:
            log.error("not kept type=%s why=%s", entry.type, wrong.detail)

    def _newest_steps(self) -> tuple[StepTold, ...]:
        newest = self.steps.all()[-MOST_STEPS:]
        return tuple(StepTold(**{name: getattr(s, name) for name in StepTold.model_fields}) for s in newest)

    def _settle(self, state: TableState) -> None:
        old, new = self._table, drawn(state)
        self.state, self._table = state, new
        if old is None or _frame(old) != _frame(new):
            self._next()
            for listener in self._listeners:
                listener.start_over()
        elif old != new:
            self._tell_change(old, new)

    def _tell_change(self, old: DrawnTable, new: DrawnTable) -> None:
        changed, gone = difference(old, new)
        units = None if old.units == new.units else new.units
        areas = None if old.areas == new.areas else new.areas
        told = {"changed": changed, "gone": gone, "units": units, "areas": areas}
        self._tell(TableChange(seq=self._next(), state_id=new.state_id, **told))

    def _renew_picture(self, jpeg: bytes) -> None:
        self.picture, self.picture_version = jpeg, self.picture_version + 1
        self._tell(PictureChange(seq=self._next(), version=self.picture_version))

    def _note_wishes(self) -> None:
        if self._wishes is None:
            return
        lately = self._clock() - self._fetched_at < WANTED_FOR_S
        wanted = lately or any(listener.wants_pictures for listener in self._listeners)
        (self._wishes.pictures.set if wanted else self._wishes.pictures.clear)()

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def _tell(self, message: BaseModel) -> None:
        text = message.model_dump_json()
        for listener in self._listeners:
            listener.put(text)


def table_of(hub: Hub) -> TableState:
    """The table as it is now. Raises: NoTableYet."""
    if hub.state is None:
        raise NoTableYet("The camera has not seen the whole table at rest yet.")
    return hub.state


def _with(fresh: Freshness, **changes: Any) -> Freshness:
    return Freshness.model_validate(fresh.model_dump() | changes)


def _frame(table: DrawnTable) -> tuple[object, ...]:
    """What a change never tells: where it differs, phones start over."""
    return table.size, table.edition, table.is_measuring_free
