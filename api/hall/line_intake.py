"""Line intake: what tables sent, written and folded into their cells; many tables at once cost what one does."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from api.errors import BadEnvelope, RestoredCopy, TableTwice
from api.hall.call_store import note_calls
from api.hall.cell import Cell
from api.hall.entries import CallWithdrawn, JudgeCalled, ResultTold
from api.hall.envelope import Envelope
from api.hall.inbound_line import InboundLine, is_near, read_line, read_stored_line
from api.hall.round_store import note_result
from api.hall.schema import EVENTS, LINES, TABLES

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
        if db.execute(sa.select(LINES.c.id).where(LINES.c.journal == journal).limit(1)).scalar() is not None:
            detail = f"table {table} comes with journal {journal[:8]}, which was put away"
            raise RestoredCopy(detail, field="journal", value=journal)


def _insert_lines(db: sa.Connection, batches: Batches, *, now_s: float) -> None:
    insert = insert_postgresql if db.dialect.name == "postgresql" else insert_sqlite
    rows = [_row_of(table, envelope, now_s=now_s) for table, batch in batches.items() for envelope in batch]
    statement = insert(LINES)
    new = statement.excluded
    is_mended = sa.and_(LINES.c.number == new.number, LINES.c.sha256 == new.sha256, LINES.c.after != new.after)
    keys, mending = ["journal", "line"], {"after": new.after}  # else a line that once named another would wait for ever
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
    keys = [(envelope.journal, envelope.line) for batch in batches.values() for envelope in batch]
    wanted = sa.select(LINES.c.journal, LINES.c.line, LINES.c.sha256)
    rows = db.execute(wanted.where(sa.tuple_(LINES.c.journal, LINES.c.line).in_(keys)))
    held = {(row.journal, row.line): row.sha256 for row in rows}
    for table, batch in batches.items():
        for envelope in batch:
            if held[envelope.journal, envelope.line] != envelope.sha256:
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
            line = read_stored_line(row.text, n=row.line, kind=row.kind, now_s=now_s)
            folded[row.number] = cell.with_line(line, now_s=now_s, ahead_s=row.ahead_s)
            _note_entry(db, row.number, row.journal, line, now_s=now_s)
    return folded


def _lines_behind(db: sa.Connection, cells: Mapping[int, Cell], journals: Collection[str]) -> Sequence[sa.Row[Any]]:
    """The lines of these journals that are in no cell yet, each table's in order."""
    columns = (LINES.c.number, LINES.c.journal, LINES.c.line, LINES.c.after, LINES.c.text, LINES.c.kind)
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
