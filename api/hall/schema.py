"""Hall schema: the tables of the hub's database, the same in SQLite and PostgreSQL."""

from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from api.hall.rounds import HallSettings

METADATA = MetaData()
_SERIAL = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts its rows by themselves in an INTEGER only

EVENTS = Table(
    "events",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("changes", Integer, nullable=False, comment="counts what changed besides lines: calls, rounds, penalties"),
    Column("settings", Text, nullable=False, comment="what the organiser has set"),
)

TABLES = Table(
    "tables",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("journal", String(32), comment="the journal this number is bound to; null: whoever comes first"),
    Column("line", Integer, nullable=False, comment="all lines up to it are folded into the cell"),
    Column("cell", Text, nullable=False, comment="what the lines say of the table"),
    Column("trouble", Text, comment="why nothing is taken from it"),
)

LINES = Table(
    "lines",
    METADATA,
    Column("id", _SERIAL, primary_key=True, autoincrement=True),
    Column("number", Integer, nullable=False),
    Column("journal", String(32), nullable=False),
    Column("line", Integer, nullable=False),
    Column("after", Integer, nullable=False),
    Column("sent_s", Float(53), nullable=False, comment="by the table's clock"),
    Column("stored_s", Float(53), nullable=False, comment="by the hub's clock"),
    Column("sha256", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("kind", String(40), nullable=False, comment="the type of its entry"),
    UniqueConstraint("number", "journal", "line"),
    Index("lines_of_table", "number", "id"),
    Index("lines_by_kind", "journal", "kind", "line"),
    Index("lines_by_time", "stored_s"),
)

CALLS = Table(
    "calls",
    METADATA,
    Column("id", _SERIAL, primary_key=True, autoincrement=True),
    Column("number", Integer, nullable=False),
    Column("journal", String(32), nullable=False),
    Column("line", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("call", Text, nullable=False, comment="the whole call"),
    UniqueConstraint("number", "journal", "line"),
    Index("calls_by_state", "state"),
)

ORDERS = Table(
    "orders",
    METADATA,
    Column("id", _SERIAL, primary_key=True, autoincrement=True),
    Column("number", Integer, nullable=False, comment="of the table"),
    Column("kind", String(20), nullable=False),
    Column("facts", Text, nullable=False),
    Index("orders_of_table", "number", "id"),
)

ROUNDS = Table(
    "rounds",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("round", Text, nullable=False, comment="the whole round but its pairings"),
)

PAIRINGS = Table(
    "pairings",
    METADATA,
    Column("id", _SERIAL, primary_key=True, autoincrement=True),
    Column("round", Integer, nullable=False),
    Column("number", Integer, comment="of the table; null: a bye"),
    Column("pairing", Text, nullable=False, comment="the whole pairing"),
    UniqueConstraint("round", "number"),
)

PLAYERS = Table(
    "players",
    METADATA,
    Column("name", String(240), primary_key=True, comment="as it is compared"),
    Column("player", Text, nullable=False, comment="the whole player"),
)

PENALTIES = Table(
    "penalties",
    METADATA,
    Column("id", _SERIAL, primary_key=True, autoincrement=True),
    Column("penalty", Text, nullable=False, comment="the whole penalty"),
)


class HallDatabase(Protocol):
    """The open database of an event, as what keeps calls, rounds and penalties in it asks of it."""

    def transaction(self) -> AbstractContextManager[Connection]:
        """All of what is done in it, or nothing. Raises: HallStoreFailed."""

    def changing(self) -> AbstractContextManager[Connection]:
        """A transaction that changes what pages show besides lines. Raises: HallStoreFailed."""

    def settings(self) -> HallSettings:
        """What the organiser has set."""

    def now_s(self) -> float:
        """The hub's clock, seconds since 1970."""
