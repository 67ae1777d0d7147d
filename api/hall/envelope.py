"""Envelope: a line of a table's journal as a CloudEvents message, the same over every transport."""

import hashlib
import json
import os
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import AwareDatetime, Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from api.hall.errors import BadEnvelope
from api.journal.file_journal import NAME
from api.storage.files import write_whole
from models.frozen import Frozen

ID_NAME = "journal.id"
MOST_LINE = 2**31 - 1  # what a hub counts up to


@dataclass(frozen=True)
class RawLine:
    """A line of the file without its end; `after` is the number of the one before it, 0 for the first."""

    n: int
    after: int
    at_s: float
    text: str


class JournalTail:
    """Reads a journal's file onward. What is no line of a journal is passed over, as the journal itself does."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._offset = 0
        self._last = 0

    def rewind(self) -> None:
        self._offset, self._last = 0, 0

    def read(self, *, most: int) -> list[RawLine]:
        """The next whole lines, on the disk for good before anybody hears of them; none: nothing new was written."""
        lines: list[RawLine] = []
        with self._path.open("r+b") as file:
            file.seek(self._offset)
            for line in self._whole_lines(file):
                lines.append(line)
                if len(lines) == most:
                    break
            if lines:
                os.fsync(file.fileno())
        return lines

    def find(self, n: int) -> RawLine | None:
        """The line of this number, and reading goes on behind it; None when the file has none."""
        self.rewind()
        with self._path.open("rb") as file:
            return next((line for line in self._whole_lines(file) if line.n == n), None)

    def _whole_lines(self, file: "Iterator[bytes]") -> Iterator[RawLine]:
        for text in file:
            if not text.endswith(b"\n"):
                return
            self._offset += len(text)
            line = _read_line(text, after=self._last)
            if line is not None and line.n > self._last:
                self._last = line.n
                yield line


def _read_line(text: bytes, *, after: int) -> RawLine | None:
    """The line, of whatever form: only its number and its time matter here. None when it is none."""
    try:
        entry = json.loads(text)
        n = int(entry["n"])
        return RawLine(n, after, float(entry["at_s"]), text[:-1].decode()) if n <= MOST_LINE else None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


class JournalIdentity:
    """Who a journal is, in a file beside it. `is_refused`: the hub holds another one under this table's number."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / ID_NAME
        self.id, self.is_refused = _read_identity(self._path) or (uuid.uuid4().hex, False)
        self._keep()

    def refuse(self) -> None:
        """The hub did not take it."""
        self.is_refused = True
        self._keep()

    def accept(self) -> None:
        """The hub takes it after all."""
        self.is_refused = False
        self._keep()

    def renew(self) -> None:
        self.id, self.is_refused = uuid.uuid4().hex, False
        self._keep()

    def _keep(self) -> None:
        write_whole(self._path, json.dumps({"id": self.id, "is_refused": self.is_refused}))


def _read_identity(path: Path) -> tuple[str, bool] | None:
    try:
        kept = json.loads(path.read_text("utf-8"))
        return (kept["id"], bool(kept["is_refused"])) if re.fullmatch("[0-9a-f]{32}", kept["id"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


VERSION = 1
TYPE = "tableside.journal.line"
QUARANTINED = "Tableside-Quarantined"  # the header that tells a table which of its lines are kept unread
BATCH = "application/cloudevents-batch+json"


class Envelope(Frozen):
    """CloudEvents 1.0 around one line. `after` is the number of the line before it: so a gap is seen.

    `data` is the line's text as it stands in the file, byte for byte, which is why its type is not JSON.
    """

    specversion: Literal["1.0"] = "1.0"
    id: str = Field(description="journal id and line number: the same line has the same id whoever sends it again")
    source: str = Field(description="/tableside/EVENT/table/NUMBER")
    type: Literal["tableside.journal.line"] = "tableside.journal.line"
    time: AwareDatetime = Field(description="by the clock of the table")
    datacontenttype: Literal["application/jsonl"] = "application/jsonl"
    lineversion: int = Field(VERSION, ge=1)
    journal: str = Field(pattern="^[0-9a-f]{32}$")
    line: int = Field(ge=1)
    after: int = Field(ge=0)
    data: str

    @property
    def sha256(self) -> str:
        return digest(self.data)


_ENVELOPE = TypeAdapter(Envelope)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def source_of(event: str, table: int) -> str:
    return f"/tableside/{event}/table/{table}"


def wrap_line(line: RawLine, *, journal: str, source: str) -> Envelope:
    return Envelope(
        id=f"{journal}:{line.n}",
        source=source,
        time=_time_of(line.at_s),
        journal=journal,
        line=line.n,
        after=line.after,
        data=line.text,
    )


def _time_of(at_s: float) -> datetime:
    """The time; 1970 where it is none, and the hub sees for itself what the line says."""
    try:
        return datetime.fromtimestamp(at_s, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def read_envelope(body: Any, *, source: str) -> Envelope:
    """The message. Raises: BadEnvelope when it is none, of a newer version, or of another event or table."""
    if not isinstance(body, dict):
        raise BadEnvelope("a message is a JSON object", field="message", value=str(body)[:80])
    version = body.get("lineversion", VERSION)
    if isinstance(version, int) and version > VERSION:
        raise BadEnvelope(
            f"the message has version {version}; this hub reads up to {VERSION}: update the hub",
            field="lineversion",
            value=version,
        )
    if body.get("source") != source:
        detail = f"the message comes from {body.get('source')!r}; {source!r} is expected here"
        raise BadEnvelope(detail, field="source", value=body.get("source"))
    try:
        envelope = _ENVELOPE.validate_python(body)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise BadEnvelope(f"{field}: {first['msg']}", field=field, value=str(first.get("input"))[:80]) from wrong
    if envelope.line > MOST_LINE:
        raise BadEnvelope(f"a line's number is at most {MOST_LINE}", field="line", value=str(envelope.line)[:80])
    if envelope.id != f"{envelope.journal}:{envelope.line}" or envelope.after >= envelope.line:
        raise BadEnvelope("id, journal, line and after do not fit each other", field="id", value=envelope.id)
    return envelope


def read_json(text: bytes) -> Any:
    """What the JSON holds. Raises: BadEnvelope."""
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as wrong:
        raise BadEnvelope(f"the message is no JSON: {wrong}", field="message", value=None) from wrong
