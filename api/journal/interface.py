"""Journal interface: an event log that a file, the memory or a database may keep."""

from collections.abc import Iterator
from typing import Protocol

from api.journal.chain import Head
from api.journal.entry import Entry, Line
from api.journal.secret_store import SecretStore


class Journal(Protocol):
    """Lines in the order in which they were written. One thread writes, any may read.

    `damage` says which lines were passed over since they cannot be read.
    """

    damage: list[str]
    secrets: SecretStore
    """What is kept beside the lines, and handed on with none of them."""

    def write(self, entry: Entry) -> Line:
        """The line on which it now stands, on the disk where the entry must last. Raises: JournalFailed."""
        ...

    def lines(self, *types: type[Entry], after: int = 0) -> Iterator[Line]:
        """Every line with a higher number; of these types of entry only, when some are named."""
        ...

    def newest(self, *types: type[Entry], until: int | None = None) -> Line | None:
        """The newest line of these types, none with a higher number than `until`; None when there is none."""
        ...

    def check(self) -> str | None:
        """Why nothing can be written now; None when it can be."""

    def head(self) -> Head | None:
        """The newest line's number and hash; None where nothing is chained."""
        ...

    def close(self) -> None:
        """Let go of what holds it; nothing is written afterwards."""
        ...
