"""Judge's bench: clocks, rulings, and what the stream shows, sent whole each time it changes."""

import time
from collections import deque
from collections.abc import Callable
from typing import get_args

from api.answers.pair_sheet import Pair, Sheet
from api.evidence.service import EvidenceKeeper
from api.http.sse_broadcast import SseBroadcast
from api.journal.entry import Entry
from api.live.hub import Hub
from api.live.moments import Moment
from api.live.publisher import BenchChanged, TableCorrected
from api.overlay.service import OverlayService
from api.rulings.schemas import Bench
from api.rulings.service import Rulings
from api.seats.permissions import Player, Seat
from models.state import TableState

MOST_ASKED = 20


class JudgesBench:
    """Clocks, rulings and overlay of one table: what changes at one is seen at the others."""

    def __init__(
        self, hub: Hub, *, clock: Callable[[], float] = time.time, evidence: EvidenceKeeper | None = None
    ) -> None:
        self.hub = hub
        self.evidence = evidence
        self._clock = clock
        self.rulings = Rulings(hub.journal, changed=self._publish_rulings)
        folder = None if evidence is None else evidence.writable_folder
        self.overlay = OverlayService(hub, changed=self.publish, clock=clock, folder=folder)
        self.bench_stream = SseBroadcast(self.bench)
        self.board_stream = SseBroadcast(self.overlay.board)
        self._asked: deque[Moment] = deque(maxlen=MOST_ASKED)
        self._unsubscribe = (
            hub.publisher.subscribe(TableCorrected, lambda event: self.rulings.note_table(event.state)),
            hub.publisher.subscribe(BenchChanged, lambda _: self.publish()),
        )
        if hub.state is not None:
            self.rulings.note_table(hub.state)
        hub.show_rulings(self.rulings.briefs())

    def bench(self) -> Bench:
        return Bench(
            now_s=self._clock(),
            title=self.hub.title,
            clocks=self.hub.clocks.shown(),
            rulings=self.rulings.briefs(),
            production=self.overlay.production,
            on_air=self.overlay.preview(),
            scoreboard=self.hub.score.board,
            is_past_open=self.hub.is_past_open,
            alarms=self.hub.alarms.all(),
            asked=tuple(self._asked),
        )

    def note_sheet(self, state: TableState, pair: Pair, sheet: Sheet, *, by: Seat) -> None:
        """Somebody was told this: the judge reads who asked about whom, and the stream may show it.

        Phones ask again by themselves while the table changes around their pair: the same pair is the same question.
        """
        self.overlay.note_sheet(state, pair, sheet)
        newest = self._asked[-1] if self._asked else None
        line = self.hub.journal.newest(Entry)
        if pair.ghosts or by not in get_args(Player) or line is None:
            return
        if newest is not None and {*newest.ids} == {sheet.a, sheet.b}:
            return
        topic = sheet.questions[0].topic if sheet.questions else None
        moment = Moment(n=line.n, at_s=self._clock(), type="asked", by=by, ids=(sheet.a, sheet.b), says=topic)
        self._asked.append(moment)
        self.bench_stream.publish()

    def close(self) -> None:
        """The server ends: the bench hears nothing more of the table."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self.bench_stream.close()
        self.board_stream.close()

    def keep_clocks(self) -> None:
        """Once a second: what runs is kept, and who has run out of time is told to all."""
        self.hub.clocks.keep()
        player = self.hub.clocks.note_run_out()
        if player is not None:
            self.hub.notify(f"{self.hub.score.called(player)}: the time has run out")

    def _publish_rulings(self) -> None:
        self.hub.show_rulings(self.rulings.briefs())
        self.publish()

    def publish(self) -> None:
        self.bench_stream.publish()
        self.board_stream.publish()
