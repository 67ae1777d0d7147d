"""Hub: what is known of the table now, published to phones and to the server's own parts when it changes.

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
    CameraCommands,
    ChangedPart,
    DamageReport,
    FailureReport,
    FrameReport,
    ImageReport,
    LightReport,
    PlaybackRestart,
    Report,
    SelfCheckReport,
    SourceNotice,
)
from api.clocks.service import ClockService
from api.corrections.disputes import Dispute, Disputes
from api.corrections.entries import BaseMeasured
from api.corrections.placed_bases import confirmed_bases, hints_of
from api.corrections.settlements import Settlement, Settlements
from api.corrections.told_facts import is_open_step
from api.corrections.undo_log import UndoLog
from api.errors import JournalFailed, NoTableYet
from api.journal.entry import EventObserved, Line, TableSettled
from api.journal.interface import Journal, MemoryJournal
from api.live import messages
from api.live.alarms import Alarms
from api.live.broadcast import Broadcast, Subscriber
from api.live.camera_control import CameraControl, LivePicture, OpenQuestions, SourceHealth
from api.live.entries import PastOpened
from api.live.expected_bases import ExpectedBases
from api.live.publisher import (
    BenchChanged,
    FreshnessChanged,
    LightSeen,
    Publisher,
    RestPictured,
    TableAtRest,
    TableCorrected,
    TablePictured,
)
from api.live.rest_moments import RestMoments, measured_table
from api.live.roll_call import count_away, count_missing
from api.live.table_schemas import DrawnTable
from api.live.table_view import check_drawable, is_patchable, table_patch, table_view
from api.seats.permissions import Seat
from api.seats.scoreboard import ScoreKeeper
from api.setups.schemas import RosterSet
from api.supervision import Supervisor
from models.hint import MOST_HINTS, Hint
from models.state import TableState
from models.timeline import EventLine, StateLine
from models.vocabulary import OPEN_EDITION
from models.written_book import BookInPlay

log = logging.getLogger(__name__)

MOST_STEPS = 20  # a phone shows this many corrections; all are one GET away
MOST_RULINGS = 20
DAMAGED_PICTURES = "damaged-pictures"  # an alarm's code
WANTED_FOR_S = 10.0  # a plain GET of the picture counts as interest for this long


class Hub:
    """The current table, its picture, its freshness, its trouble; publishes what changes of them."""

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
        self.book_file: bytes | None = None  # the one file that it is, to be handed on
        self.keeps_evidence = False
        self.journal = journal or MemoryJournal()
        self.publisher = Publisher()
        self.broadcast = Broadcast(self.snapshot)
        self.source = SourceHealth(self.broadcast, clock=clock)
        self._clock = clock
        self._fetched_at = -WANTED_FOR_S
        self._open_features()
        self.questions = OpenQuestions()
        self.camera = CameraControl(commands, self.questions)
        self.live_picture = LivePicture()
        self.measured = measured_table(self.journal)  # without anybody's corrections
        self.state: TableState | None = None
        self._table: DrawnTable | None = None
        self._settled: tuple[Settlement, ...] = ()
        self._dispute: Dispute | None = None
        self._rulings: tuple[messages.RulingSummary, ...] = ()
        if self.measured is not None:
            self.show_table()
        self.camera.set_expected_counts(self.expected.counted())
        self._confirm_bases(is_restarted=True)
        self._check_journal()

    def _open_features(self) -> None:
        """All that players tell a table, as the journal has it; each publishes its own changes."""
        self.rests = RestMoments(self.journal)
        self.expected = ExpectedBases(self.journal)
        self.score = ScoreKeeper(self.journal, changed=self._publish_scoreboard)
        self.clocks = ClockService(self.journal, changed=self.publish_clocks)
        self.undo_log = UndoLog(
            self.journal, draw=check_drawable, called=self.score.called, changed=self.publish_corrections
        )
        self.settlements = Settlements(self.journal, changed=self._renew_settled)
        self.disputes = Disputes(self.journal, self.settlements, changed=self._renew_settled)
        self.alarms = Alarms(changed=self._publish_alarms)
        self.tasks = Supervisor(self.alarms)
        newest = self.journal.newest(PastOpened)
        self._is_past_open = newest is not None and isinstance(newest.entry, PastOpened) and newest.entry.is_open

    def handle_report(self, report: Report) -> None:
        """Take in what the camera's process says."""
        if not isinstance(report, FrameReport):
            return self._note_source(report)
        before = self.source.fresh
        self.source.note_frame(report)
        for line in report.lines:
            if isinstance(line, StateLine):
                self._note_measured(line.state, t_s=line.t_s)
                if report.settled is not None:
                    self.publisher.publish(RestPictured(report.settled))
                if (measured_in := report.settled or report.photograph) is not None:
                    self.publisher.publish(TablePictured(measured_in))
                self.show_table()
                self._compare_counts()
                self.publisher.publish(TableAtRest())
            else:
                self._note_event(line)
        if report.jpeg is not None:
            self._renew_picture(report.jpeg, report.changed)
        if before != self.source.fresh:
            self.beat()
            self.publisher.publish(FreshnessChanged())

    def _note_source(self, report: Report) -> None:
        match report:
            case SourceNotice(text):
                self.notify(text)
            case DamageReport(says):
                self._note_damage(says)
            case PlaybackRestart():
                self.questions.forget()
                self._confirm_bases(is_restarted=True)
            case SelfCheckReport(check):
                self.camera.check = check
                self.broadcast.publish(messages.CheckDone(seq=self.broadcast.next_seq(), check=check))
            case ImageReport():
                self.camera.images.put(report)
            case LightReport():
                self.publisher.publish(LightSeen(report))
            case FailureReport(problem, is_over, lines):
                for line in lines:
                    self._note_event(line)
                self.fail(problem, source="ended" if is_over else "lost")

    def notify(self, text: str) -> None:
        self.broadcast.publish(messages.Notice(seq=self.broadcast.next_seq(), text=text))

    def show_table(self) -> None:
        """Lay the corrections over what was measured, and publish what differs from the table shown before."""
        assert self.measured is not None
        corrected = self.undo_log.lay_over(self.measured)
        self.state = self.with_missing(corrected.state)
        self._sound_set_aside(corrected.set_aside)
        self.publisher.publish(TableCorrected(self.state))
        old, new = self._table, table_view(self.state, self.rests.now())
        self._table = new
        self._renew_settled()
        if old is None or not is_patchable(old, new):
            self.broadcast.start_over()
        elif old != new:
            self.broadcast.publish(table_patch(old, new, seq=self.broadcast.next_seq()))

    def with_missing(self, state: TableState) -> TableState:
        """The same table, with the bases that are expected on it and stand nowhere."""
        steps, departed = self.undo_log.all(), self.expected.departed()
        missing = count_missing(state, self.expected.counted(), steps, departed=departed)
        return state if missing == state.called.missing else state.with_roll_call(missing=missing)

    def hints(self) -> tuple[Hint, ...]:
        """Where the next photograph is searched for what players told of this table."""
        if self.measured is None:
            return ()
        table_mm = self.measured.table.width_mm, self.measured.table.depth_mm
        holding = (step.correction for step in self.undo_log.all() if not step.is_undone)
        return tuple(hint for correction in holding for hint in hints_of(correction, table_mm))[:MOST_HINTS]

    def _sound_set_aside(self, set_aside: Mapping[int, str]) -> None:
        """Steps that the table does not take stand with the alarms, by their names."""
        names = {step.n: step.says for step in self.undo_log.all()} if set_aside else {}
        alarms = {f"step-{n}": f"Step {n} was set aside: “{names[n]}”. {why}" for n, why in set_aside.items()}
        self.alarms.replace_group("step-", alarms)

    def _renew_settled(self) -> None:
        """What was settled ends when somebody it asks about moves."""
        was, self._settled = self._settled, self.settlements.standing(self.state)
        if was != self._settled:
            self.broadcast.publish(messages.SettledChange(seq=self.broadcast.next_seq(), settled=self._settled))
        disputed, self._dispute = self._dispute, self.disputes.standing(self.state)
        if disputed != self._dispute:
            self.broadcast.publish(messages.DisputeChange(seq=self.broadcast.next_seq(), dispute=self._dispute))

    def _publish_alarms(self) -> None:
        self.broadcast.publish(messages.AlarmsChange(seq=self.broadcast.next_seq(), alarms=self.alarms.all()))
        self.publisher.publish(BenchChanged())

    def _publish_scoreboard(self) -> None:
        board = self.score.board
        self.broadcast.publish(messages.ScoreboardChange(seq=self.broadcast.next_seq(), scoreboard=board))
        self.publisher.publish(BenchChanged())

    def publish_clocks(self) -> None:
        """Something was done to the clocks: publish how they stand."""
        clocks = self.clocks.shown()
        self.broadcast.publish(messages.ClocksChange(seq=self.broadcast.next_seq(), clocks=clocks))
        self.publisher.publish(BenchChanged())

    def publish_corrections(self) -> None:
        """The corrections, or the names they go by, are others than they were: lay them over the table and publish."""
        self.broadcast.publish(messages.StepsChange(seq=self.broadcast.next_seq(), steps=self._newest_steps()))
        self._confirm_bases()
        if self.measured is not None:
            self.show_table()
            self._compare_counts()

    def _confirm_bases(self, *, is_restarted: bool = False) -> None:
        """Have the camera keep the bases of which players say where they stand."""
        if self.measured is not None:
            bases = confirmed_bases(self.undo_log.all(), self.measured)
            self.camera.set_confirmed_bases(bases, is_restarted=is_restarted)

    def show(self, state: TableState) -> None:
        """This state is the table now, written by hand: it has no age."""
        self.source.rest()
        self._note_measured(state)
        self.show_table()
        self._compare_counts()
        self.beat()

    def rest(self) -> None:
        """Nothing more will be seen: the table has no age."""
        self.source.rest()
        self._compare_counts()
        self.beat()

    def fail(self, problem: dict[str, Any], *, source: messages.SourceStatus = "lost") -> None:
        """Publish what is wrong; the last table stays."""
        self.source.fail(problem, source=source)
        self.beat()

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """This one hears nothing more, and need not be painted for."""
        self.broadcast.unsubscribe(subscriber)
        self._note_picture_interest()

    def want_pictures(self, subscriber: Subscriber, *, wanted: bool) -> None:
        subscriber.wants_pictures = wanted
        self._note_picture_interest()

    def note_picture_fetched(self) -> None:
        """Someone fetched the picture, so it is worth renewing for a while."""
        self._fetched_at = self._clock()
        self._note_picture_interest()

    def attach_camera(self, commands: CameraCommands) -> None:
        self.camera.attach(commands)
        self._note_picture_interest()
        self.camera.set_expected_counts(self.expected.counted())
        self._confirm_bases(is_restarted=True)

    def expect(self, roster: RosterSet) -> None:
        """These are expected from now on: it helps the camera, and players hear when others are seen.

        Names come from army lists, so phones hear of other lists as of corrections. Raises: JournalFailed.
        """
        lists = self.expected.roster().lists
        self.journal.write(roster)
        self.camera.set_expected_counts(self.expected.counted())
        self._compare_counts()
        if roster.lists != lists:
            self.publish_corrections()
        elif self.measured is not None:
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
        self.notify(f"Judge: earlier moments {says}")
        self.publisher.publish(BenchChanged())

    def show_rulings(self, rulings: Sequence[messages.RulingSummary]) -> None:
        self._rulings = tuple(rulings[-MOST_RULINGS:])
        self.broadcast.publish(messages.RulingsChange(seq=self.broadcast.next_seq(), rulings=self._rulings))

    def beat(self) -> None:
        """Publish how fresh the table is, and what the journal suffers from."""
        self._check_journal()
        self._note_picture_interest()
        self.broadcast.publish(messages.FreshChange(seq=self.broadcast.next_seq(), fresh=self.source.freshness()))

    def _check_journal(self) -> None:
        trouble, damage = self.journal.check(), self.journal.damage
        alarms = {} if trouble is None else {"journal": f"{trouble} What happens now is not kept."}
        if damage:
            alarms["journal-damage"] = f"{'; '.join(damage[:3])}. All other lines hold."
        self.alarms.replace_group("journal", alarms)

    def snapshot(self) -> messages.Snapshot:
        """Everything a phone shows, at once."""
        return messages.Snapshot(
            seq=self.broadcast.seq,
            title=self.title,
            table=self._table,
            picture=self.live_picture.version,
            fresh=self.source.freshness(),
            problem=self.source.problem,
            check=self.camera.check,
            steps=self._newest_steps(),
            alarms=self.alarms.all(),
            settled=self._settled,
            dispute=self._dispute,
            rulings=self._rulings,
            clocks=self.clocks.shown(),
            scoreboard=self.score.board,
        )

    def _note_damage(self, says: str | None) -> None:
        """That pictures come damaged stands with the alarms until a connection, any one, shows whole ones."""
        if says is not None:
            self.alarms.sound(DAMAGED_PICTURES, says)
        elif self.alarms.end(DAMAGED_PICTURES):
            self.notify("Pictures come whole again.")

    def _note_measured(self, state: TableState, *, t_s: float | None = None) -> None:
        """Write the table down as it was measured, by the written book that holds here."""
        state = state if self.book is None else state.in_edition(OPEN_EDITION, self.book)
        if state != self.measured:
            for entry in self.undo_log.recognize_bases(self.measured, state):
                self._write(entry)
            self.rests.note(self._write(TableSettled(t_s=t_s, state=state)))
        self.measured = state

    def _note_event(self, line: EventLine) -> None:
        """Write an event down and publish it."""
        self.expected.note_event(line, self.measured)
        self.questions.note_event(line)
        self._write(EventObserved(event=line))
        if line.type == "removed":
            for entry in self.undo_log.note_departed(line.ids):
                self._write(entry)
        self.broadcast.publish(messages.TableEvent(seq=self.broadcast.next_seq(), event=line))

    def _write(self, entry: TableSettled | EventObserved | BaseMeasured) -> Line | None:
        """Write it into the journal if that can be done: the table is judged all the same."""
        try:
            line = self.journal.write(entry)
            if not isinstance(entry, TableSettled):
                self.undo_log.note_line(line)
            return line
        except JournalFailed as wrong:
            log.error("not kept type=%s why=%s", entry.type, wrong.detail)
            self._check_journal()
            return None

    def _compare_counts(self) -> None:
        """Whether other numbers are seen than are expected stands with the freshness."""
        if self.measured is None:
            return
        away = count_away(self.measured, self.undo_log.all(), self.expected.departed(), self.expected.counted())
        sizes = [base for _, base in away.elements() if base is not None]
        if self.source.note_mismatches(self.expected.mismatches(self.measured, away=sizes)):
            self.beat()

    def _renew_picture(self, jpeg: bytes, changed: ChangedPart | None) -> None:
        self.live_picture.renew(jpeg, changed)
        version = self.live_picture.version
        self.broadcast.publish(messages.PictureChange(seq=self.broadcast.next_seq(), version=version))

    def _note_picture_interest(self) -> None:
        lately = self._clock() - self._fetched_at < WANTED_FOR_S
        self.camera.want_pictures(wanted=lately or self.broadcast.are_pictures_wanted())

    def _newest_steps(self) -> tuple[messages.StepSummary, ...]:
        names = messages.StepSummary.model_fields.keys() - {"is_open"}
        return tuple(
            messages.StepSummary(**{name: getattr(step, name) for name in names}, is_open=is_open_step(step))
            for step in self.undo_log.all()[-MOST_STEPS:]
        )


def table_of(hub: Hub) -> TableState:
    """The table as it is now. Raises: NoTableYet."""
    if hub.state is None:
        raise NoTableYet("The camera has not seen the whole table at rest yet.")
    return hub.state
