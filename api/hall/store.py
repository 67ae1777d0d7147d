"""Hall store: what the hub keeps, in SQLite or PostgreSQL by one interface."""

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite
from sqlalchemy.exc import ArgumentError, DataError, NoSuchModuleError, SQLAlchemyError

from api.hall.call_store import note_calls
from api.hall.cell import Cell, QuarantinedLine
from api.hall.envelope import Envelope
from api.hall.errors import BadEnvelope, HallStoreFailed, RestoredCopy, TableTwice
from api.hall.inbound_line import InboundLine, is_near, read_line, read_stored_line, storable
from api.hall.round_store import note_result
from api.hall.rounds import CallWithdrawn, HallSettings, JudgeCalled, ResultTold
from api.hall.schema import EVENTS, LINES, TABLES
from api.hall.transport import Tail
from models.errors import BadInput

log = logging.getLogger(__name__)

Batches = Mapping[int, Sequence[Envelope]]


def take_lines(db: sa.Connection, batches: Batches, *, now_s: float) -> dict[int, Cell]:
    """Keep these lines of each table, read or quarantined; the cells that they make.

    Raises: BadEnvelope for a table that the event lacks, TableTwice, RestoredCopy: all of it is then to be given up.
    """
    journals, cells = _bind_tables(db, batches)
    _insert_lines(db, batches, now_s=now_s)
    _compare_digests(db, batches)
    cells = _fold_lines(db, cells, journals, now_s=now_s)
    changed = [{"of": n, "to": c.line, "folded": c.model_dump_json(), "by": journals[n]} for n, c in cells.items()]
    statement = sa.update(TABLES).where(TABLES.c.number == sa.bindparam("of"))
    statement = statement.values(
        journal=sa.bindparam("by"), line=sa.bindparam("to"), cell=sa.bindparam("folded"), trouble=None
    )
    db.execute(statement, changed)
    return cells


def is_present() -> sa.ColumnElement[bool]:
    """Joins a table with the lines that are folded into its cell."""
    of_table = sa.and_(LINES.c.number == TABLES.c.number, LINES.c.journal == TABLES.c.journal)
    return sa.and_(of_table, LINES.c.line <= TABLES.c.line)


def note_change(db: sa.Connection) -> None:
    """Something else than lines has changed."""
    db.execute(sa.update(EVENTS).values(changes=EVENTS.c.changes + 1))


def _bind_tables(db: sa.Connection, batches: Batches) -> tuple[dict[int, str], dict[int, Cell]]:
    """The journal and the cell of each table, which no other hub changes until this is done."""
    wanted = sa.select(TABLES).where(TABLES.c.number.in_(batches)).order_by(TABLES.c.number)  # so none waits in a ring
    rows = db.execute(wanted.with_for_update()).all()
    for unknown in batches.keys() - {row.number for row in rows}:
        raise BadEnvelope(f"the event has no table {unknown}", field="table", value=unknown)
    journals = {row.number: row.journal or batches[row.number][0].journal for row in rows}
    for table, journal in journals.items():
        for other in {envelope.journal for envelope in batches[table]} - {journal}:
            detail = f"table {table} is written by journal {journal[:8]}; this is {other[:8]}"
            raise TableTwice(detail, field="table", value=table)
    _check_are_new(db, {row.number: journals[row.number] for row in rows if row.journal is None})
    return journals, {row.number: Cell.model_validate_json(row.cell) for row in rows}


def _check_are_new(db: sa.Connection, journals: Mapping[int, str]) -> None:
    """A journal that was put away does not come back. Raises: RestoredCopy."""
    for table, journal in journals.items():
        held = sa.select(LINES.c.id).where(LINES.c.number == table, LINES.c.journal == journal)
        if db.execute(held.limit(1)).scalar() is not None:
            detail = f"table {table} comes with journal {journal[:8]}, which was put away"
            raise RestoredCopy(detail, field="journal", value=journal)


def _insert_lines(db: sa.Connection, batches: Batches, *, now_s: float) -> None:
    insert = insert_postgresql if db.dialect.name == "postgresql" else insert_sqlite
    rows = [_row_of(table, envelope, now_s=now_s) for table, batch in batches.items() for envelope in batch]
    statement = insert(LINES)
    new = statement.excluded
    is_mended = sa.and_(LINES.c.sha256 == new.sha256, LINES.c.after != new.after)
    keys = ["number", "journal", "line"]
    mending = {"after": new.after}  # else a line that once named another would wait for ever
    db.execute(statement.on_conflict_do_update(index_elements=keys, set_=mending, where=is_mended), rows)


def _read_message(envelope: Envelope, *, now_s: float) -> tuple[InboundLine, float]:
    """Its line, and when it was written by the table's clock; by the hub's where that can be no time."""
    try:
        sent_s = envelope.time.timestamp()
    except (OverflowError, ValueError):  # the first or the last hours of the calendar in a zone of their own
        sent_s = float("inf")
    if not is_near(sent_s, now_s):
        return InboundLine(envelope.line, envelope.data, fault="time"), now_s
    return read_line(envelope.data, n=envelope.line, now_s=now_s), sent_s


def _row_of(table: int, envelope: Envelope, *, now_s: float) -> dict[str, Any]:
    line, sent_s = _read_message(envelope, now_s=now_s)
    return {
        "number": table,
        "journal": envelope.journal,
        "line": envelope.line,
        "after": envelope.after,
        "sent_s": sent_s,
        "stored_s": now_s,
        "sha256": envelope.sha256,
        "text": line.stored_text,
        "kind": line.stored_kind,
    }


def _compare_digests(db: sa.Connection, batches: Batches) -> None:
    """What was held already must read the same. Raises: RestoredCopy."""
    keys = [(table, envelope.journal, envelope.line) for table, batch in batches.items() for envelope in batch]
    wanted = sa.select(LINES.c.number, LINES.c.journal, LINES.c.line, LINES.c.sha256)
    rows = db.execute(wanted.where(sa.tuple_(LINES.c.number, LINES.c.journal, LINES.c.line).in_(keys)))
    held = {(row.number, row.journal, row.line): row.sha256 for row in rows}
    for table, batch in batches.items():
        for envelope in batch:
            if held[table, envelope.journal, envelope.line] != envelope.sha256:
                detail = (
                    f"table {table} sends another text on line {envelope.line} than the hub holds: its folder is an old"
                )
                raise RestoredCopy(f"{detail} copy", field="line", value=envelope.line)


def _fold_lines(
    db: sa.Connection, cells: Mapping[int, Cell], journals: Mapping[int, str], *, now_s: float
) -> dict[int, Cell]:
    """The cells after all lines that follow without a gap; what lies behind a gap waits for it."""
    folded = dict(cells)
    for row in _lines_behind(db, cells, journals.values()):
        cell = folded[row.number]
        if journals[row.number] == row.journal and row.after == cell.line:
            folded[row.number] = _fold_line(db, cell, row, now_s=now_s)
    return folded


def _fold_line(db: sa.Connection, cell: Cell, row: sa.Row[Any], *, now_s: float) -> Cell:
    """The cell with this line; one that fails for a reason that nobody thought of is quarantined, not tried again."""
    line = read_stored_line(row.text, n=row.line, kind=row.kind, now_s=now_s)
    try:
        changed = cell.with_line(line, now_s=now_s, ahead_s=row.ahead_s)
        _note_entry(db, row.number, row.journal, line, now_s=now_s)
    except SQLAlchemyError:
        raise
    except Exception:
        log.exception("line not folded table=%d line=%d", row.number, row.line)
        line = InboundLine(row.line, row.text, fault="poison")
        db.execute(sa.update(LINES).where(LINES.c.id == row.id).values(kind=line.stored_kind))
        return cell.with_line(line, now_s=now_s, ahead_s=row.ahead_s)
    return changed


def _lines_behind(db: sa.Connection, cells: Mapping[int, Cell], journals: Collection[str]) -> Sequence[sa.Row[Any]]:
    """The lines of these journals that are in no cell yet, each table's in order."""
    columns = (LINES.c.id, LINES.c.number, LINES.c.journal, LINES.c.line, LINES.c.after, LINES.c.text, LINES.c.kind)
    wanted = sa.select(*columns, (LINES.c.sent_s - LINES.c.stored_s).label("ahead_s")).join(
        TABLES, sa.and_(TABLES.c.number == LINES.c.number, LINES.c.after >= TABLES.c.line)
    )
    of_these = sa.and_(TABLES.c.number.in_(cells), LINES.c.journal.in_(journals))
    return list(db.execute(wanted.where(of_these).order_by(LINES.c.number, LINES.c.line)))


def _note_entry(db: sa.Connection, table: int, journal: str, line: InboundLine, *, now_s: float) -> None:
    """What a line changes besides its own table's cell."""
    entry = None if line.parsed is None else line.parsed.entry
    if isinstance(entry, ResultTold):
        note_change(db)
        if entry.table == table:
            note_result(db, entry)
    elif isinstance(entry, JudgeCalled | CallWithdrawn):
        note_change(db)
        note_calls(db, table, journal, line.n, entry, now_s=now_s)


_UPGRADE_LOCK = 7_461_626  # any number of our own: hubs that start at once upgrade one after the other
MOST_TROUBLE_CHARS = 400
_MIGRATIONS = Path(__file__).parent / "migrations"
# How long a hub waits for a database that was just stopped, where the URL does not say; psycopg alone waits 130 s.
_PATIENCE = {"connect_timeout": 5, "tcp_user_timeout": 10_000}


class HallStore:
    """The database of one event. Raises: BadInput when it cannot be opened or holds another event."""

    def __init__(self, url: str, event: str, *, tables: Sequence[int], clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self.event = event
        try:
            self._engine = _open_engine(url)
        except (ArgumentError, NoSuchModuleError, ImportError) as wrong:
            raise BadInput(f"{url!r} names no database that is known: {wrong}", field="database", value=url) from wrong
        try:
            with self.transaction() as db:
                if self._engine.dialect.name == "postgresql":
                    db.execute(sa.select(sa.func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
                migrate(db)
                self._open_event(db, event, tables)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """All of what is done in it, or nothing. Raises: HallStoreFailed."""
        try:
            with self._engine.begin() as db:
                yield db
        except SQLAlchemyError as wrong:
            reason = str(getattr(wrong, "orig", wrong)).splitlines()[0]
            raise HallStoreFailed(f"the hub's database cannot be used: {reason}") from wrong

    def close(self) -> None:
        self._engine.dispose()

    def now_s(self) -> float:
        return self._clock()

    def tail_of(self, table: int) -> Tail | None:
        """The newest line that is held of this table's journal, without a gap before it."""
        held = sa.and_(is_present(), LINES.c.line == TABLES.c.line)
        wanted = sa.select(LINES.c.journal, LINES.c.line, LINES.c.sha256).join(TABLES, held)
        with self.transaction() as db:
            row = db.execute(wanted.where(TABLES.c.number == table)).one_or_none()
        return None if row is None else Tail(journal=row.journal, line=row.line, sha256=row.sha256)

    def take(self, table: int, batch: Sequence[Envelope]) -> tuple[QuarantinedLine, ...]:
        """Keep these lines; one that is held already is not kept twice, by whichever path it comes again.

        What of the batch is quarantined comes back.

        Raises: TableTwice, RestoredCopy, BadEnvelope, and then nothing of the batch is kept; HallStoreFailed.
        """
        try:
            cells = self.take_all({table: batch})
        except (TableTwice, RestoredCopy) as wrong:
            self.note_trouble(table, wrong.detail)
            raise
        numbers = {envelope.line for envelope in batch}
        return tuple(aside for cell in cells.values() for aside in cell.quarantined if aside.line in numbers)

    def take_all(self, batches: Batches) -> dict[int, Cell]:
        """The same for several tables in one transaction: when one of them is wrong, nothing of any is kept.

        Raises: BadEnvelope too, where a line holds what the database cannot.
        """
        some = {table: batch for table, batch in batches.items() if batch}
        if not some:
            return {}
        with self.transaction() as db:
            try:
                return take_lines(db, some, now_s=self._clock())
            except (DataError, OverflowError, UnicodeError) as wrong:
                reason = str(getattr(wrong, "orig", wrong)).splitlines()[0]
                raise BadEnvelope(f"the hub's database cannot hold this: {reason}", field="data", value=None) from wrong

    def note_trouble(self, table: int, trouble: str) -> None:
        said = storable(trouble, most=MOST_TROUBLE_CHARS)
        with self.transaction() as db:
            db.execute(sa.update(TABLES).where(TABLES.c.number == table).values(trouble=said))

    def release(self, table: int) -> None:
        """Let the next journal that comes have this number; what the old one wrote is kept."""
        values = {"journal": None, "line": 0, "cell": Cell().model_dump_json(), "trouble": None}
        with self.transaction() as db:
            db.execute(sa.update(TABLES).where(TABLES.c.number == table).values(**values))

    def newest_text(self, table: int) -> tuple[str, float] | None:
        """The newest line of the table's journal, and when it came by the hub's clock."""
        wanted = sa.select(LINES.c.text, LINES.c.stored_s).join(TABLES, is_present())
        newest = wanted.where(TABLES.c.number == table, LINES.c.line == TABLES.c.line)
        with self.transaction() as db:
            row = db.execute(newest).one_or_none()
        return None if row is None else (row.text, row.stored_s)

    def texts_of(self, table: int, *, after: int = 0) -> list[str]:
        wanted = sa.select(LINES.c.text).join(TABLES, is_present())
        of_table = sa.and_(TABLES.c.number == table, LINES.c.line > after)
        with self.transaction() as db:
            return list(db.execute(wanted.where(of_table).order_by(LINES.c.line)).scalars())

    def lines_before(
        self, cut_s: float, numbers: Collection[int], kinds: Collection[str]
    ) -> dict[int, tuple[str, int]]:
        """Journal and newest line of these kinds that each of these tables had told by then, by the hub's clock."""
        of_kind = sa.and_(is_present(), LINES.c.kind.in_(kinds), LINES.c.stored_s <= cut_s)
        newest = sa.select(LINES.c.line).where(of_kind).order_by(LINES.c.line.desc()).limit(1).scalar_subquery()
        wanted = sa.select(TABLES.c.number, TABLES.c.journal, newest.label("line")).where(TABLES.c.number.in_(numbers))
        with self.transaction() as db:
            return {row.number: (row.journal, row.line) for row in db.execute(wanted) if row.line is not None}

    def cells(self, numbers: Collection[int] | None = None) -> dict[int, tuple[Cell, str | None]]:
        wanted = sa.select(TABLES).order_by(TABLES.c.number)
        if numbers is not None:
            wanted = wanted.where(TABLES.c.number.in_(numbers))
        with self.transaction() as db:
            rows = db.execute(wanted).all()
        return {row.number: (Cell.model_validate_json(row.cell), row.trouble) for row in rows}

    def marks(self) -> tuple[dict[int, tuple[str | None, int, str | None]], int]:
        """What tells that something has changed: journal, line and trouble of every table, for where they are the same,
        so is its cell; and a number, another one when anything but lines is: calls, rounds, penalties, settings."""
        with self.transaction() as db:
            rows = db.execute(sa.select(TABLES.c.number, TABLES.c.journal, TABLES.c.line, TABLES.c.trouble)).all()
            changes = int(db.execute(sa.select(EVENTS.c.changes)).scalar_one())
        return {row.number: (row.journal, row.line, row.trouble) for row in rows}, changes

    @contextmanager
    def changing(self) -> Iterator[sa.Connection]:
        """A transaction that changes what pages show besides lines. Raises: HallStoreFailed."""
        with self.transaction() as db:
            note_change(db)
            yield db

    def settings(self) -> HallSettings:
        with self.transaction() as db:
            return HallSettings.model_validate_json(db.execute(sa.select(EVENTS.c.settings)).scalar_one())

    def change_settings(self, **changes: object) -> HallSettings:
        with self.changing() as db:
            text = db.execute(sa.select(EVENTS.c.settings).with_for_update()).scalar_one()
            changed = HallSettings.model_validate(HallSettings.model_validate_json(text).__dict__ | changes)
            db.execute(sa.update(EVENTS).values(settings=changed.model_dump_json()))
        return changed

    def _open_event(self, db: sa.Connection, event: str, tables: Sequence[int]) -> None:
        held = db.execute(sa.select(EVENTS.c.name)).scalar()
        if held is None:
            db.execute(sa.insert(EVENTS).values(name=event, changes=0, settings=HallSettings().model_dump_json()))
        elif held != event:
            raise BadInput(f"the database holds the event {held!r}, not {event!r}", field="event", value=event)
        known = set(db.execute(sa.select(TABLES.c.number)).scalars())
        for number in sorted(set(tables) - known):
            db.execute(sa.insert(TABLES).values(number=number, line=0, cell=Cell().model_dump_json()))


def migrate(db: sa.Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = db
    command.upgrade(config, "head")


def _open_engine(url: str) -> sa.Engine:
    if not url.startswith("sqlite"):
        asked = sa.make_url(url).query
        patience = {name: value for name, value in _PATIENCE.items() if name not in asked}
        return sa.create_engine(url, pool_pre_ping=True, pool_size=8, connect_args=patience)
    engine = sa.create_engine(url, connect_args={"timeout": 30})

    @sa.event.listens_for(engine, "connect")
    def configure(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # SQLAlchemy begins, so that a reader before a writer cannot deadlock
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):  # what was acknowledged is on the disk
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
