"""Sender: a table's journal to its hub, from the file, at least once and in order, whatever comes between."""

import asyncio
import logging
import random
from collections.abc import Callable
from pathlib import Path

from api.hall.envelope import JournalIdentity, JournalTail, digest, source_of, wrap_line
from api.hall.errors import HubAway, HubDisagrees, RestoredCopy, TableTwice
from api.hall.keys import TableKey
from api.hall.transport import Tail, Transport
from models.errors import BadInput, TablesideError

log = logging.getLogger(__name__)

MOST_LINES = 200
LOOK_S = 0.05  # how soon a new line is noticed
SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 5.0


class Sender:
    """Sends each line of the journal in this folder; `tell` is given what is wrong, None when all is well.

    It remembers nothing of what was sent: where to go on, the hub says. So neither a restart of the table nor one of
    the hub loses or doubles a line.
    """

    def __init__(self, folder: Path, transport: Transport, key: TableKey, tell: Callable[[str | None], None]) -> None:
        self._tail = JournalTail(folder)
        self._identity = JournalIdentity(folder)
        self._transport = transport
        self._source = source_of(key.event, key.table)
        self._table = key.table
        self._tell = tell
        self._is_first = False

    async def run(self) -> None:
        pause_s = SHORTEST_PAUSE_S
        while True:
            try:
                await self._agree()
                self._tell(None)
                pause_s = SHORTEST_PAUSE_S
                await self._send_on()
            except HubDisagrees as wrong:
                if self._is_first:
                    self._identity.refuse()  # the hub has put this journal away, and waits for another
                log.info("asked the hub again table=%d why=%s", self._table, wrong.detail)
                await asyncio.sleep(pause_s)
            except (TablesideError, OSError) as wrong:
                self._note(wrong)
                await asyncio.sleep(pause_s * random.uniform(0.8, 1.2))
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _agree(self) -> None:
        """Find where to go on. Raises: TableTwice, RestoredCopy when the hub holds what this journal does not."""
        tail = await self._transport.read_tail()
        self._is_first = tail is None
        if tail is None:
            if self._identity.is_refused:
                self._identity.renew()  # somebody in the hall let the table begin anew
            self._tail.rewind()
            return
        self._compare(tail)
        if self._identity.is_refused:
            self._identity.accept()

    def _compare(self, tail: Tail) -> None:
        if tail.journal != self._identity.id:
            self._identity.refuse()
            raise TableTwice(
                f"table {self._table} is written by another journal, {tail.journal[:8]}: is a second machine started as"
                f" table {self._table}? If this one is right, the organiser lets it in on the hall's page",
                field="table",
                value=self._table,
            )
        line = self._tail.find(tail.line)
        if line is None or digest(line.text) != tail.sha256:
            self._identity.refuse()
            held = "no such line" if line is None else "another text on it"
            raise RestoredCopy(
                f"the hub holds table {self._table} up to line {tail.line}; this folder has {held}: it was restored"
                " from an old copy. Nothing is sent until the organiser lets it in on the hall's page",
                field="data",
                value=tail.line,
            )

    async def _send_on(self) -> None:
        while True:
            lines = self._tail.read(most=MOST_LINES)
            if lines:
                wrapped = [wrap_line(line, journal=self._identity.id, source=self._source) for line in lines]
                quarantined = await self._transport.publish(wrapped)
                if quarantined:
                    self._tell(f"The hub keeps but cannot read: {quarantined}")
            else:
                await asyncio.sleep(LOOK_S)

    def _note(self, wrong: TablesideError | OSError) -> None:
        if isinstance(wrong, HubAway):
            self._tell("The hub is away; the table plays on, and what is written is sent later.")
        elif isinstance(wrong, BadInput):
            self._tell(f"The hub takes nothing: {wrong.detail}")
        else:
            self._tell(f"The journal cannot be sent: {wrong}")
        log.info("not sent table=%d why=%s", self._table, wrong)
