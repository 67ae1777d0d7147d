"""Hub: what is known of the table now, and what is told when it changes.

A table takes six calls from the camera's process, which sends a report, to the socket of a phone:

    CameraSupervisor  read_reports   receives the report and hands it to the server's event loop
    Hub               handle_report  notes how fresh it is and writes what was measured into the journal
    Hub               show_table     lays corrections over it; snapshot or patch of the view
    Broadcast         publish        writes the message as JSON, once for all
    Subscriber        put            a bounded queue; one too slow for it starts over from a snapshot
    Subscriber        next           the message, for the socket to send

Lives on the server's event loop; other threads hand their reports over with
`loop.call_soon_threadsafe(hub.handle_report, ...)`.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from api.camera.protocol import (
    AliveReport,
    CameraCommands,
    ChangedPart,
    DamageReport,
    FailureReport,
    FrameReport,
    ImageReport,
    PlaybackRestart,
    Report,
    SelfCheckReport,
    SettledPicture,
    SnapshotReport,
    SourceNotice,
)
from api.clocks.schemas import ClocksView
from api.corrections.told_facts import is_open_step
from api.corrections.undo_log import UndoLog
from api.errors import CameraHidden, CameraMoved, JournalFailed, NoTableYet
from api.identity.open_questions import OpenQuestions
from api.journal import camera_entries
from api.journal.entry import Line
from api.journal.interface import Journal
from api.journal.memory_journal import MemoryJournal
from api.live.alarms import Alarms
from api.live.broadcast import Broadcast
from api.live.camera_commands import CameraControl
from api.live.drawable import check_drawable
from api.live.entries import PastOpened
from api.live.live_picture import LivePicture
from api.live.messages import (
    AlarmsChange,
    CheckDone,
    ClocksChange,
    FreshChange,
    Freshness,
    Notice,
    PictureChange,
    Problem,
    RulingsChange,
    ScoreboardChange,
    SettledChange,
    Snapshot,
    SourceStatus,
    StepsChange,
    StepSummary,
    TableEvent,
    Trouble,
)
from api.live.rest_moments import RestMoments
from api.live.resume import measured_table, roster_of
from api.live.ruling_summary import RulingSummary
from api.live.subscriber import Subscriber
from api.live.table_schemas import DrawnTable
from api.live.table_view import is_patchable, table_patch, table_view
from api.seats.permissions import Seat
from api.seats.scoreboard import ScoreKeeper
from api.settlements.schemas import Settlement
from api.settlements.service import Settlements
from api.setups.entries import RosterSet
from api.setups.expected_bases import compare_counts
from api.setups.schemas import ExpectedMiniature, Roster
from models.base import Base
from models.book_in_play import BookInPlay
from models.errors import WorldError
from models.halt import Halt
from models.miniature import Miniature
from models.state import TableState
from models.timeline import EventLine, StateLine
from models.vocabulary import OPEN_EDITION

log = logging.getLogger(__name__)

_HALTS: dict[str, type[WorldError]] = {"camera-moved": CameraMoved, "camera-hidden": CameraHidden}

MOST_STEPS = 20  # a phone shows this many corrections; all are one GET away
MOST_RULINGS = 20
DAMAGED_PICTURES = "damaged-pictures"  # an alarm's code
WANTED_FOR_S = 10.0  # a plain GET of the picture counts as interest for this long


class Hub:
    """The current table, its picture, its freshness, its trouble; tells every subscriber what changes."""

    def __init__(
        self,
        *,
        title: str,
        commands: CameraCommands | None = None,
        journal: Journal | None = None,
        clock: Callable[[], float] = time.monotonic,
        by_photograph: bool = False,
        book: BookInPlay | None = None,
    ) -> None:
        """What the journal holds is known again, until the camera sees more; what it sees is judged by the `book`."""
        self.title = title
        self.by_photograph = by_photograph
        self.is_replay = False
        self.book = book  # a rulebook written as data; a camera knows none
        self.keeps_evidence = False
        self.broadcast = Broadcast(self.snapshot)
        self.journal = journal or MemoryJournal()
        self.rests = RestMoments(self.journal)
        self.score = ScoreKeeper(self.journal, changed=self._publish_scoreboard)
        self.on_score: Callable[[], None] | None = None  # hears of names and score after phones do
        self.undo_log = UndoLog(self.journal, draw=check_drawable, called=self.score.called)
        self.settlements = Settlements(self.journal, changed=self._renew_settled)
        self.alarms = Alarms()
        self.alarms.listen(self._publish_alarms)
        self.questions = OpenQuestions()
        self.camera = CameraControl(commands, self.questions)
        self.measured = measured_table(self.journal)  # without anybody's corrections
        self.state: TableState | None = None
        self.live_picture = LivePicture()
        self.problem: Problem | None = None
        self.halt: Halt | None = None
        self.on_settled: Callable[[], None] | None = None  # hears of each table at rest
        self.on_table: Callable[[TableState], None] | None = None  # hears of each table before phones do
        self.show_clocks: Callable[[], ClocksView | None] = lambda: None
        self.on_picture: Callable[[SettledPicture], None] | None = None  # takes the picture it was measured in
        told = self.journal.newest(PastOpened)
        self._is_past_open = told is not None and isinstance(told.entry, PastOpened) and told.entry.is_open
        self._table: DrawnTable | None = None
        self._settled: tuple[Settlement, ...] = ()
        self._rulings: tuple[RulingSummary, ...] = ()
        self._clock = clock
        self._fresh = Freshness()
        self._seen_at: float | None = None
        self._fetched_at = -WANTED_FOR_S
        self._left: dict[str, Base] = {}
        if self.measured is not None:
            self.show_table()
        self.camera.set_expected_counts(self._counted())
        self._check_journal()

    def handle_report(self, report: Report) -> None:
        """Take in what the camera's process says."""
        match report:
            case FrameReport():
                was = self._fresh
                self._note_frame(report)
                for line in report.lines:
                    if isinstance(line, StateLine):
                        self._note_measured(line.state, t_s=line.t_s)
                        if report.settled is not None and self.on_picture is not None:
                            self.on_picture(report.settled)  # before phones hear of the table: they fetch it at once
                        self.show_table()
                        self._compare_counts()
                        if self.on_settled is not None:
                            self.on_settled()
                    else:
                        self._note_event(line)
                if report.jpeg is not None:
                    self._renew_picture(report.jpeg, report.changed)
                if was != self._fresh:
                    self.beat()
            case SourceNotice(text):
                self.broadcast.publish(Notice(seq=self.broadcast.next_seq(), text=text))
            case DamageReport(says):
                self._note_damage(says)
            case PlaybackRestart():
                self.questions.forget()
            case SelfCheckReport(check):
                self.camera.check = check
                self.broadcast.publish(CheckDone(seq=self.broadcast.next_seq(), check=check))
            case ImageReport():
                self.camera.images.put(report)
            case SnapshotReport() | AliveReport():
                pass
            case FailureReport(problem, is_over, lines):
                for line in lines:
                    self._note_event(line)
                self.fail(problem, source="ended" if is_over else "lost")

    def show_table(self) -> None:
        """Lay the corrections over what was measured, and tell what differs from the table shown before."""
        assert self.measured is not None
        corrected = self.undo_log.lay_over(self.measured)
        self.state = corrected.state
        self._tell_set_aside(corrected.set_aside)
        if self.on_table is not None:
            self.on_table(self.state)
        old, new = self._table, table_view(self.state, self.rests.now())
        self._table = new
        self._renew_settled()
        if old is None or not is_patchable(old, new):
            self.broadcast.start_over()
        elif old != new:
            self.broadcast.publish(table_patch(old, new, seq=self.broadcast.next_seq()))

    def _tell_set_aside(self, set_aside: Mapping[int, str]) -> None:
        """Steps that the table does not take stand with the alarms, by their names."""
        names = {step.n: step.says for step in self.undo_log.all()} if set_aside else {}
        said = {f"step-{n}": f"Step {n} was set aside: “{names[n]}”. {why}" for n, why in set_aside.items()}
        self.alarms.replace_group("step-", said)

    def _renew_settled(self) -> None:
        """What was settled ends when somebody it asks about moves."""
        was, self._settled = self._settled, self.settlements.standing(self.state)
        if was != self._settled:
            self.broadcast.publish(SettledChange(seq=self.broadcast.next_seq(), settled=self._settled))

    def _publish_alarms(self) -> None:
        self.broadcast.publish(AlarmsChange(seq=self.broadcast.next_seq(), alarms=self.alarms.all()))

    def _publish_scoreboard(self) -> None:
        board = self.score.board
        self.broadcast.publish(ScoreboardChange(seq=self.broadcast.next_seq(), scoreboard=board))
        if self.on_score is not None:
            self.on_score()

    def show(self, state: TableState) -> None:
        """This state is the table now, written by hand: it has no age."""
        self._fresh = Freshness(source="still")
        self._note_measured(state)
        self.show_table()
        self._compare_counts()
        self.beat()

    def rest(self) -> None:
        """Nothing more will be seen: the table has no age."""
        self._fresh = Freshness(source="still")

    def fail(self, problem: dict[str, Any], *, source: SourceStatus = "lost") -> None:
        """Say what is wrong; the last table stays."""
        known = {name: problem.get(name) for name in Problem.model_fields}
        self.problem = Problem.model_validate(known)
        log.warning("trouble type=%s detail=%s", self.problem.type, self.problem.detail)
        self._fresh = _with(self._fresh, source=source)
        self.broadcast.publish(Trouble(seq=self.broadcast.next_seq(), problem=self.problem))
        self.beat()

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """This one is told nothing more, and need not be painted for."""
        self.broadcast.unsubscribe(subscriber)
        self._note_picture_interest()

    def want_pictures(self, subscriber: Subscriber, *, wanted: bool) -> None:
        """Whether this one is being looked at."""
        subscriber.wants_pictures = wanted
        self._note_picture_interest()

    def note_picture_fetched(self) -> None:
        """Someone fetched the picture, so it is worth renewing for a while."""
        self._fetched_at = self._clock()
        self._note_picture_interest()

    def attach_camera(self, commands: CameraCommands) -> None:
        """Another camera's process listens to these."""
        self.camera.attach(commands)
        self._note_picture_interest()
        self.camera.set_expected_counts(self._counted())

    def expected_miniatures(self) -> tuple[ExpectedMiniature, ...]:
        """Who is expected to stand on the table."""
        return self.roster().expected

    def roster(self) -> Roster:
        """Who is expected, and the army lists that told so."""
        return roster_of(self.journal)

    def expect(self, roster: RosterSet) -> None:
        """These are expected from now on: it helps the camera, and players hear when others are seen.

        Raises: JournalFailed.
        """
        self.journal.write(roster)
        self.camera.set_expected_counts(self._counted())
        self._compare_counts()

    def apply_corrections(self) -> None:
        """The corrections are others than they were: lay them over the table and tell everyone."""
        self.broadcast.publish(StepsChange(seq=self.broadcast.next_seq(), steps=self._newest_steps()))
        if self.measured is not None:
            self.show_table()

    @property
    def is_past_open(self) -> bool:
        """Whether everything may be measured at earlier moments: the game is over, or the judge lets the players."""
        return self.is_replay or self._is_past_open

    def open_past(self, *, by: Seat, is_open: bool) -> None:
        """Let the players measure at earlier moments, or no more. Raises: JournalFailed."""
        self.journal.write(PastOpened(by=by, is_open=is_open))
        self._is_past_open = is_open
        says = "may be measured" if is_open else "are measured as the rulebook says"
        self.broadcast.publish(Notice(seq=self.broadcast.next_seq(), text=f"Judge: earlier moments {says}"))

    def show_rulings(self, rulings: Sequence[RulingSummary]) -> None:
        """These are the rulings from now on: tell everyone."""
        self._rulings = tuple(rulings[-MOST_RULINGS:])
        self.broadcast.publish(RulingsChange(seq=self.broadcast.next_seq(), rulings=self._rulings))

    def publish_clocks(self) -> None:
        """Something was done to the clocks: tell everyone how they stand."""
        self.broadcast.publish(ClocksChange(seq=self.broadcast.next_seq(), clocks=self.show_clocks()))

    def beat(self) -> None:
        """Tell everyone how fresh the table is, and what the journal suffers from."""
        self._check_journal()
        self._note_picture_interest()
        self.broadcast.publish(FreshChange(seq=self.broadcast.next_seq(), fresh=self.freshness()))

    def _check_journal(self) -> None:
        trouble, damage = self.journal.check(), self.journal.damage
        told = {} if trouble is None else {"journal": f"{trouble} What happens now is not kept."}
        if damage:
            told["journal-damage"] = f"{'; '.join(damage[:3])}. All other lines hold."
        self.alarms.replace_group("journal", told)

    def freshness(self) -> Freshness:
        """How old the newest look is now."""
        age = None if self._seen_at is None else round(max(0.0, self._clock() - self._seen_at), 2)
        return _with(self._fresh, age_s=age)

    def snapshot(self) -> Snapshot:
        """Everything a phone shows, at once."""
        return Snapshot(
            seq=self.broadcast.seq,
            title=self.title,
            table=self._table,
            picture=self.live_picture.version,
            fresh=self.freshness(),
            problem=self.problem,
            check=self.camera.check,
            steps=self._newest_steps(),
            alarms=self.alarms.all(),
            settled=self._settled,
            rulings=self._rulings,
            clocks=self.show_clocks(),
            scoreboard=self.score.board,
        )

    def _note_frame(self, report: FrameReport) -> None:
        """How old the newest look is, whether it can be trusted, and whether rulings are given."""
        self._seen_at = self._clock() - report.lag_s
        self._fresh = Freshness(
            hand=report.hand,
            in_hand=report.in_hand,
            is_settled=report.is_settled,
            is_visible=report.is_visible,
            source="playing",
            amiss=self._fresh.amiss,
            hidden=report.hidden,
            camera=report.health or self._fresh.camera,
        )
        was, self.halt = self.halt, report.halt
        if report.halt is None:
            self._recover()
            if was is not None and was.why == "camera-moved":
                self.broadcast.publish(Notice(seq=self.broadcast.next_seq(), text="The camera's place is known again."))
        elif report.halt != was:
            self._halt(report.halt)

    def _halt(self, halt: Halt) -> None:
        """Say why no ruling is given."""
        wrong = _HALTS[halt.why](f"{halt.says} {halt.unlock}")
        self.problem = Problem.model_validate(wrong.problem())
        log.warning("halt why=%s says=%s", halt.why, halt.says)
        self.broadcast.publish(Trouble(seq=self.broadcast.next_seq(), problem=self.problem))

    def _note_damage(self, says: str | None) -> None:
        """That pictures come damaged stands with the alarms until a connection, any one, shows whole ones."""
        if says is not None:
            self.alarms.sound(DAMAGED_PICTURES, says)
        elif self.alarms.end(DAMAGED_PICTURES):
            self.broadcast.publish(Notice(seq=self.broadcast.next_seq(), text="Pictures come whole again."))

    def _recover(self) -> None:
        if self.problem is not None:
            self.problem = None
            self.broadcast.publish(Trouble(seq=self.broadcast.next_seq(), problem=None))

    def _note_measured(self, state: TableState, *, t_s: float | None = None) -> None:
        """Write the table down as it was measured, by the written book that holds here."""
        state = state if self.book is None else state.in_edition(OPEN_EDITION, self.book)
        if state != self.measured:
            self.rests.note(self._write(camera_entries.TableSettled(t_s=t_s, state=state)))
        self.measured = state

    def _note_event(self, line: EventLine) -> None:
        """Write an event down and tell everyone."""
        for id_ in line.ids:
            one = self.measured.by_id.get(id_) if self.measured is not None else None
            if line.type == "removed" and isinstance(one, Miniature):
                self._left[id_] = one.base
            elif line.type == "appeared":
                self._left.pop(id_, None)
        self.questions.note_event(line)
        self._write(camera_entries.EventObserved(event=line))
        self.broadcast.publish(TableEvent(seq=self.broadcast.next_seq(), event=line))

    def _write(self, entry: camera_entries.TableSettled | camera_entries.EventObserved) -> Line | None:
        """Write it into the journal if that can be done: the table is judged all the same."""
        try:
            line = self.journal.write(entry)
            if isinstance(entry, camera_entries.EventObserved):
                self.undo_log.note_event(line)
            return line
        except JournalFailed as wrong:
            log.error("not kept type=%s why=%s", entry.type, wrong.detail)
            self._check_journal()
            return None

    def _counted(self) -> tuple[ExpectedMiniature, ...]:
        """Who may be counted; nobody while one of two lists is missing, as the other side's bases stand there too."""
        roster = self.roster()
        return () if len(roster.lists) == 1 else roster.expected

    def _compare_counts(self) -> None:
        """Whether other numbers are seen than are expected stands with the freshness."""
        measured = self.measured
        now = () if measured is None else compare_counts(self._counted(), measured, self._left.values())
        if now != self._fresh.amiss:
            self._fresh = _with(self._fresh, amiss=now)
            self.beat()

    def _renew_picture(self, jpeg: bytes, changed: ChangedPart | None) -> None:
        self.live_picture.renew(jpeg, changed)
        self.broadcast.publish(PictureChange(seq=self.broadcast.next_seq(), version=self.live_picture.version))

    def _note_picture_interest(self) -> None:
        lately = self._clock() - self._fetched_at < WANTED_FOR_S
        self.camera.want_pictures(wanted=lately or self.broadcast.are_pictures_wanted())

    def _newest_steps(self) -> tuple[StepSummary, ...]:
        newest = self.undo_log.all()[-MOST_STEPS:]
        names = StepSummary.model_fields.keys() - {"is_open"}
        return tuple(StepSummary(**{name: getattr(s, name) for name in names}, is_open=is_open_step(s)) for s in newest)


def table_of(hub: Hub) -> TableState:
    """The table as it is now. Raises: NoTableYet."""
    if hub.state is None:
        raise NoTableYet("The camera has not seen the whole table at rest yet.")
    return hub.state


def _with(fresh: Freshness, **changes: Any) -> Freshness:
    return Freshness.model_validate(fresh.model_dump() | changes)
