"""All rulings of a table, kept in its journal."""

from collections.abc import Callable, Iterator

from api.errors import NoSuchRuling
from api.journal.entry import Line
from api.journal.journal import Journal
from api.rulings.entries import Ruled, RulingWithdrawn
from api.rulings.ruling import Brief, Ruling, brief_of
from api.seats.seat import Seat

MOST_BRIEFS = 100


class Rulings:
    """Writes rulings and finds them again; `changed` is called after each."""

    def __init__(self, journal: Journal, *, changed: Callable[[], None]) -> None:
        self._journal = journal
        self._changed = changed
        self._briefs: tuple[Brief, ...] = ()
        self._summarise()

    def briefs(self) -> tuple[Brief, ...]:
        """The newest rulings, the oldest of them first."""
        return self._briefs

    def write(self, ruled: Ruled) -> Ruling:
        """The ruling, kept. Raises: JournalFailed."""
        line = self._journal.write(ruled)
        self._summarise()
        self._changed()
        return _ruling(line, ruled, None)

    def by_key(self, key: str | None, *, by: Seat) -> Ruling | None:
        """The ruling that this seat wrote with this key, though its answer may never have arrived."""
        if key is None:
            return None
        kept = ((line, line.entry) for line in self._journal.lines(Ruled))
        found = (line.n for line, ruled in kept if isinstance(ruled, Ruled) and (ruled.key, ruled.by) == (key, by))
        return next((self.of(n) for n in found), None)

    def withdraw(self, n: int, reason: str, *, by: Seat) -> Ruling:
        """The ruling, which does not hold any more. Raises: NoSuchRuling, JournalFailed."""
        if self.of(n).withdrawn is not None:
            raise NoSuchRuling(f"ruling {n} was withdrawn already", field="n", value=n)
        self._journal.write(RulingWithdrawn(by=by, ruling=n, reason=reason))
        self._summarise()
        self._changed()
        return self.of(n)

    def of(self, n: int) -> Ruling:
        """The ruling on this line. Raises: NoSuchRuling."""
        ruled, line = self.kept(n)
        withdrawn = {one.ruling: one.reason for one in self._withdrawn(after=n)}
        return _ruling(line, ruled, withdrawn.get(n))

    def kept(self, n: int) -> tuple[Ruled, Line]:
        """What the journal holds of a ruling. Raises: NoSuchRuling."""
        line = self._journal.newest(Ruled, until=n)
        if line is None or line.n != n or not isinstance(line.entry, Ruled):
            raise NoSuchRuling(f"no ruling stands on line {n}", field="n", value=n)
        return line.entry, line

    def _summarise(self) -> None:
        withdrawn = {one.ruling: one.reason for one in self._withdrawn()}
        found = [
            brief_of(_ruling(line, line.entry, withdrawn.get(line.n)))
            for line in self._journal.lines(Ruled)
            if isinstance(line.entry, Ruled)
        ]
        self._briefs = tuple(found[-MOST_BRIEFS:])

    def _withdrawn(self, *, after: int = 0) -> Iterator[RulingWithdrawn]:
        for line in self._journal.lines(RulingWithdrawn, after=after):
            if isinstance(line.entry, RulingWithdrawn):
                yield line.entry


def _ruling(line: Line, ruled: Ruled, withdrawn: str | None) -> Ruling:
    names = {m.id: m.name or m.id for m in ruled.state.miniatures}
    kept = {name: getattr(ruled, name) for name in ("by", "decision", "stands", "reason", "about", "line", "compared")}
    pair = ruled.about.pair
    return Ruling(
        n=line.n, at_s=line.at_s, a=names.get(pair.a, pair.a), b=names.get(pair.b, pair.b), withdrawn=withdrawn, **kept
    )
