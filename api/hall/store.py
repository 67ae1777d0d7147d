"""Hall store: what the hub keeps, in SQLite or PostgreSQL by one interface."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.exc import ArgumentError, DataError, NoSuchModuleError, SQLAlchemyError

from api.errors import BadEnvelope, HallStoreFailed, RestoredCopy, TableTwice
from api.hall.cell import Cell, QuarantinedLine
from api.hall.envelope import Envelope
from api.hall.inbound_line import storable
from api.hall.line_intake import Batches, note_change, take_lines
from api.hall.rounds import HallSettings
from api.hall.schema import EVENTS, LINES, TABLES
from api.hall.transport import Tail
from models.errors import BadInput

_UPGRADE_LOCK = 7_461_626  # any number of our own: hubs that start at once upgrade one after the other
MOST_TROUBLE_CHARS = 400
_MIGRATIONS = Path(__file__).parent / "migrations"
# How long a hub waits for a database that was just stopped, where the URL does not say; psycopg alone waits 130 s.
_PATIENCE = {"connect_timeout": 5, "tcp_user_timeout": 10_000}


class HallStore:
    """The database of one event. Raises: BadInput when it cannot be opened or holds another event."""

    def __init__(self, url: str, event: str, *, tables: Sequence[int], clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
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
        """Seconds since 1970 by the hub's clock."""
        return self._clock()

    def tail_of(self, table: int) -> Tail | None:
        """The newest line that is held of this table's journal, without a gap before it."""
        held = sa.and_(LINES.c.journal == TABLES.c.journal, LINES.c.line == TABLES.c.line)
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
        """Why nothing is taken from this table, for the hall to see."""
        said = storable(trouble, most=MOST_TROUBLE_CHARS)
        with self.transaction() as db:
            db.execute(sa.update(TABLES).where(TABLES.c.number == table).values(trouble=said))

    def release(self, table: int) -> None:
        """Let the next journal that comes have this number; what the old one wrote is kept."""
        values = {"journal": None, "line": 0, "cell": Cell().model_dump_json(), "trouble": None}
        with self.transaction() as db:
            db.execute(sa.update(TABLES).where(TABLES.c.number == table).values(**values))

    def texts_of(self, table: int, *, after: int = 0) -> list[str]:
        """The lines of this table's present journal, in order."""
        wanted = sa.select(LINES.c.text).join(TABLES, LINES.c.journal == TABLES.c.journal)
        of_table = sa.and_(TABLES.c.number == table, LINES.c.line > after, LINES.c.line <= TABLES.c.line)
        with self.transaction() as db:
            return list(db.execute(wanted.where(of_table).order_by(LINES.c.line)).scalars())

    def lines_before(
        self, cut_s: float, numbers: Collection[int], kinds: Collection[str]
    ) -> dict[int, tuple[str, int]]:
        """Journal and newest line of these kinds that each of these tables had told by then, by the hub's clock."""
        present = sa.and_(LINES.c.journal == TABLES.c.journal, LINES.c.line <= TABLES.c.line)
        of_kind = sa.and_(present, LINES.c.kind.in_(kinds), LINES.c.stored_s <= cut_s)
        newest = sa.select(LINES.c.line).where(of_kind).order_by(LINES.c.line.desc()).limit(1).scalar_subquery()
        wanted = sa.select(TABLES.c.number, TABLES.c.journal, newest.label("line")).where(TABLES.c.number.in_(numbers))
        with self.transaction() as db:
            return {row.number: (row.journal, row.line) for row in db.execute(wanted) if row.line is not None}

    def cells(self, numbers: Collection[int] | None = None) -> dict[int, tuple[Cell, str | None]]:
        """These tables, or all of them, each with its trouble."""
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
        """What the organiser has set."""
        with self.transaction() as db:
            return HallSettings.model_validate_json(db.execute(sa.select(EVENTS.c.settings)).scalar_one())

    def change_settings(self, **changes: object) -> HallSettings:
        """Replace these settings."""
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
    """Bring the database up to date."""
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
