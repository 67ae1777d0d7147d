"""Film sources: the timeline of a film from its recording, and from the journal of the game that was played."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from api.corrections.settlements import WAY_WORDS, DoubtSettled
from api.errors import NoSuchMoment
from api.games.film_timeline import Card, FilmTimeline, make_card
from api.journal.entry import Entry, EventObserved, Line, TableSettled
from api.journal.file_journal import FileJournal
from api.live.hub import Hub
from api.live.moments import Moments
from api.live.table_view import table_view
from api.rulings.entries import RulingMade
from api.rulings.schemas import DECISION_WORDS
from models.errors import TableNotVisible
from models.parsing import parse_query
from models.state import TableState
from models.timeline import StateLine
from vision.capture.sources import CorruptFrameFilter, Frame
from vision.tracking.tracker import Tracker

WATCHED_FPS = 10.0  # what the tracker needs: a frame in between tells it nothing more


def watch_recording(frames: Iterator[Frame], tracker: Tracker, *, fps: float) -> FilmTimeline:
    """Follow the recording. Raises: TableNotVisible when no table was ever seen in it."""
    film, frame_filter, every = FilmTimeline(), CorruptFrameFilter(), max(1, round(fps / WATCHED_FPS))
    for frame in frames:
        if frame.index % every or not frame_filter.accepts(frame):
            continue
        result = tracker.update(frame)
        film.note_pose(frame.t_s, None if result.halt is not None else result.pose)
        for line in result.lines:
            if isinstance(line, StateLine):
                film.tables.append((line.settled_at_s, table_view(line.state)))
            else:
                film.note_event(line.lifted_s if line.type == "removed" and line.lifted_s else line.t_s, line)
    if not film.tables:
        raise TableNotVisible("the table was never seen at rest in this recording", field="video", value=None)
    return film


def read_game(
    folder: Path, seen: FilmTimeline, *, begins_s: float, entry_classes: tuple[type[Entry], ...]
) -> FilmTimeline:
    """The journal's own tables, moves and rulings, over the poses that were seen in the recording.

    `folder` holds a copy of the journal. The video begins `begins_s` into the game's recording. Raises: BadFile.
    """
    film = FilmTimeline(poses=seen.poses)
    with closing(FileJournal(folder, entry_classes)) as journal:
        hub = Hub(title="", journal=journal)
        moments, second_of = Moments(hub), _clock(hub, begins_s)
        for line in journal.lines():
            t_s = second_of(line)
            if t_s is not None:
                _take_line(film, line, t_s, moments)
        final = {} if hub.state is None else {m.id: m for m in table_view(hub.state).miniatures}
    film.tables.sort(key=lambda laid: laid[0])
    return film.with_names(final)


def _take_line(film: FilmTimeline, line: Line, t_s: float, moments: Moments) -> None:
    entry = line.entry
    match entry:
        case EventObserved(event=event):
            film.note_event(t_s, event)
        case RulingMade(line=answered, about=about, decision=decision, stands=stands, state=state):
            known = {m.id: m.name or m.id for m in state.miniatures}
            names = (known.get(about.pair.a, about.pair.a), known.get(about.pair.b, about.pair.b))
            said = DECISION_WORDS[decision] + (f": {stands}" if stands else "")
            film.cards.append(make_card(t_s, answered, names=names, decision=said))
        case DoubtSettled():
            film.cards.append(_settled_card(t_s, entry, moments.table(line.n)))
        case _ if entry.type in ("settled", "corrected", "undone", "redone"):
            try:
                film.tables.append((t_s, table_view(moments.table(line.n))))
            except NoSuchMoment:
                return  # a correction before the first table


def _settled_card(t_s: float, entry: DoubtSettled, state: TableState) -> Card:
    """How players ended what was too close to call. Raises: BadQuery."""
    query = parse_query(entry.query)
    known = {m.id: m.name or m.id for m in state.miniatures}
    first, second, *_ = (*dict.fromkeys(known.get(id_, id_) for _, id_ in query.names()), "", "")
    answer = None if entry.answer is None else entry.answer.value
    return Card(t_s, type(query).title(), (first, second), "", answer, WAY_WORDS[entry.how], lines=())


def _clock(hub: Hub, begins_s: float) -> Callable[[Line], float | None]:
    """Seconds of the video by the journal's lines: those the camera wrote say it, the others by the clock since.

    A source that began anew counts anew; what belongs to another run of it than the longest is not in the video.
    """
    runs: list[list[Line]] = [[]]
    for line in hub.journal.lines(TableSettled, EventObserved):
        last = _recorded_s(runs[-1][-1]) if runs[-1] else None
        t_s = _recorded_s(line)
        if t_s is not None:
            if last is not None and t_s < last - 1.0:
                runs.append([])
            runs[-1].append(line)
    run = max(runs, key=len)
    anchor: list[Line] = run[:1]

    def second_of(line: Line) -> float | None:
        if not anchor or line.n < run[0].n:
            return None
        own_s = _recorded_s(line) if run[0].n <= line.n <= run[-1].n else None
        if own_s is not None:
            anchor[0] = line
        base = _recorded_s(anchor[0])
        t_s = (base or 0.0) + (0.0 if own_s is not None else max(0.0, line.at_s - anchor[0].at_s)) - begins_s
        return None if line.n > run[-1].n and _recorded_s(line) is not None else t_s

    return second_of


def _recorded_s(line: Line) -> float | None:
    """The second of the recording that the camera wrote."""
    match line.entry:
        case TableSettled(t_s=t_s):
            return t_s
        case EventObserved(event=event):
            return event.t_s
    return None
