"""Table facts: a few plain values of a table, for programs that watch it from afar, and the same as gauges."""

from collections.abc import Iterator

from pydantic import Field

from api.http.metrics import Gauge
from api.journal.entry import Entry
from api.live.hub import Hub
from api.live.messages import SourceStatus
from api.routes.table import summarise_table
from api.seats.permissions import Seat
from api.seats.sessions import SeatSessions
from models.frozen import Frozen

_SOURCES: tuple[SourceStatus, ...] = ("starting", "playing", "still", "ended", "lost")


class TableFacts(Frozen):
    """How a table is now, in one flat value."""

    title: str
    edition: str | None
    miniatures: int
    source: SourceStatus
    age_s: float | None = Field(description="of the newest picture; null: none was seen yet, or the table was written")
    is_visible: bool
    hand: bool
    problem: str | None = Field(description="the code of what is wrong with the source")
    alarms: tuple[str, ...] = Field(description="what is not as it should be with the server, in words")
    round: int | None
    points_a: float | None
    points_b: float | None
    devices: dict[Seat, int]
    line: int = Field(description="the newest of the journal")


def table_facts(hub: Hub, seats: SeatSessions | None) -> TableFacts:
    """On the server's event loop."""
    summary = summarise_table(hub, devices={} if seats is None else seats.count_devices())
    score, newest = hub.score.board.score, hub.journal.newest(Entry)
    return TableFacts(
        title=summary.title,
        edition=summary.edition,
        miniatures=summary.miniatures,
        source=summary.fresh.source,
        age_s=summary.fresh.age_s,
        is_visible=summary.fresh.is_visible,
        hand=summary.fresh.hand,
        problem=None if summary.problem is None else summary.problem.type,
        alarms=tuple(alarm.says for alarm in hub.alarms.all()),
        round=None if score is None else score.round,
        points_a=None if score is None else score.points.get("player-a"),
        points_b=None if score is None else score.points.get("player-b"),
        devices=summary.devices,
        line=0 if newest is None else newest.n,
    )


def table_gauges(facts: TableFacts) -> Iterator[Gauge]:
    yield Gauge("miniatures", "Miniatures on the table.", facts.miniatures)
    yield Gauge("journal_line", "Number of the newest line of the journal.", facts.line)
    yield Gauge("alarms", "What is not as it should be with the server.", len(facts.alarms))
    yield Gauge("table_visible", "1 while nobody's arm or shadow hides the table.", facts.is_visible)
    yield Gauge("problem", "1 while something is wrong with the source.", facts.problem is not None)
    if facts.age_s is not None:
        yield Gauge("picture_age_seconds", "Age of the newest picture.", facts.age_s)
    for source in _SOURCES:
        yield Gauge("source", "1 for how the source is.", facts.source == source, {"status": source})
    for seat, count in facts.devices.items():
        yield Gauge("devices", "Devices that hold a seat.", count, {"seat": seat})
