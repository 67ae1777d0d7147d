"""Table events: what the journal and the alarms say of a game, as cues for other programs."""

from collections.abc import Callable
from typing import Any

from api.hall.rounds import CallWithdrawn, JudgeCalled
from api.journal.entry import Entry, EventObserved, Line
from api.live.moments import moment_of
from api.overlay.cues import Cue
from api.rulings.bench import JudgesBench
from api.rulings.entries import RollDecided, RulingEnded, RulingMade, RulingWithdrawn
from api.seats.entries import ScoreSaid

_HEARD = (
    EventObserved, RulingMade, RollDecided, RulingEnded, RulingWithdrawn, JudgeCalled, CallWithdrawn, ScoreSaid,
)  # fmt: skip


class TableEvents:
    """Sends a cue for each line of these kinds that is written from now on, and each alarm that begins or ends.

    On the server's event loop, at each beat: what writes a line waits for nobody.
    """

    def __init__(self, bench: JudgesBench, send: Callable[[Cue], None], *, clock: Callable[[], float]) -> None:
        self._hub, self._rulings = bench.hub, bench.rulings
        self._send, self._clock = send, clock
        newest = self._hub.journal.newest(Entry)
        self._n = 0 if newest is None else newest.n
        self._alarms: dict[str, str] = {}

    def beat(self) -> None:
        """Send what happened since the beat before."""
        for line in self._hub.journal.lines(*_HEARD, after=self._n):
            self._n = line.n
            self._send(self._cue_of(line))
        standing = {alarm.code: alarm.says for alarm in self._hub.alarms.all()}
        was, self._alarms = self._alarms, standing
        for code, says in standing.items():
            if was.get(code) != says:
                self._send(self._make("alarm", self._clock(), (says,), code=code, is_over=False))
        for code in was.keys() - standing.keys():
            self._send(self._make("alarm", self._clock(), (was[code],), code=code, is_over=True))

    def _cue_of(self, line: Line) -> Cue:
        match line.entry:
            case EventObserved():
                moment = moment_of(line)
                far_mm = {"distance_mm": moment.distance_mm, "travelled_mm": moment.travelled_mm}
                said = str(moment.event)
                return self._make("move", line.at_s, (said,), ids=moment.ids, n=line.n, what=said, **far_mm)
            case JudgeCalled(by=by, verdict=verdict):
                return self._make("call", line.at_s, (verdict or "",), n=line.n, by=by, is_over=False)
            case CallWithdrawn(by=by):
                return self._make("call", line.at_s, (), n=line.n, by=by, is_over=True)
            case ScoreSaid(by=by, round=number, points=points):
                said = " : ".join(f"{points[player]:g}" for player in sorted(points))
                return self._make("score", line.at_s, (said,), n=line.n, by=by, round=number, points=dict(points))
            case _:
                return self._ruling_cue(line)

    def _ruling_cue(self, line: Line) -> Cue:
        """A ruling that was made, or what became of it: as its summary stands now."""
        n = getattr(line.entry, "ruling", line.n)
        ruling = self._rulings.get(n)
        details: dict[str, Any] = ruling.model_dump(
            mode="json", include={"number", "decision", "stands", "reason", "by", "withdrawn", "ends"}
        )
        pair = ruling.about.pair
        lines = (f"{ruling.line.title}: {ruling.said}",)
        return self._make("ruling", line.at_s, lines, ids=(pair.a, pair.b), n=line.n, what=line.entry.type, **details)

    def _make(self, event: Any, at_s: float, lines: tuple[str, ...], ids: tuple[str, ...] = (), **details: Any) -> Cue:
        names = {} if self._hub.state is None else {m.id: m.name or m.id for m in self._hub.state.miniatures}
        return Cue(
            event=event,
            at_s=at_s,
            table=self._hub.title,
            who=tuple(names.get(id_, id_) for id_ in ids),
            lines=lines,
            details={"ids": list(ids), **details},
        )
