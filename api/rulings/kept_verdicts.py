"""Kept verdicts: what somebody at the table wants to be able to prove later, with its evidence."""

from api.corrections.told_facts import RecordedFact
from api.errors import EvidenceNotKept, NoSuchRuling, NothingKept
from api.evidence.service import EvidenceKeeper
from api.journal.entry import Line
from api.journal.interface import Journal
from api.rulings.entries import VerdictKept
from api.rulings.reevaluation import Reevaluation
from api.rulings.schemas import KeptVerdict, RulingSubject
from api.seats.permissions import Seat


def keep_evidence(
    keeper: EvidenceKeeper | None,
    about: RulingSubject,
    result: Reevaluation,
    *,
    by: Seat,
    facts: tuple[RecordedFact, ...] = (),
) -> VerdictKept:
    """The entry, with its evidence on the disk. Raises: NothingKept, EvidenceNotKept."""
    if keeper is None or not keeper.is_lasting:
        raise NothingKept("No evidence is kept here: the table was started without --data.", field="data", value=None)
    assert result.line.verdict is not None
    kept = keeper.keep(result.state, result.line.verdict, ids=(about.pair.a, about.pair.b), at=about.at)
    if kept is None:
        raise EvidenceNotKept("The disk is full, or takes no evidence.")
    return VerdictKept(by=by, about=about, line=result.line, state=result.state, evidence=kept, told=facts)


def find_same(journal: Journal, wanted: VerdictKept) -> Line | None:
    for line in journal.lines(VerdictKept):
        entry = line.entry
        if isinstance(entry, VerdictKept) and (entry.about, entry.evidence) == (wanted.about, wanted.evidence):
            return line
    return None


def kept_verdict(journal: Journal, n: int) -> tuple[KeptVerdict, VerdictKept]:
    """What was kept on this line, as it is shown and as it is written. Raises: NoSuchRuling."""
    line = next(journal.lines(VerdictKept, after=n - 1), None)
    if line is None or line.n != n or not isinstance(line.entry, VerdictKept):
        raise NoSuchRuling(f"no verdict was kept on line {n}", field="n", value=n)
    return show_kept(line, line.entry), line.entry


def show_kept(line: Line, entry: VerdictKept) -> KeptVerdict:
    names = {m.id: m.name or m.id for m in entry.state.miniatures}
    pair = entry.about.pair
    fields = {name: getattr(entry, name) for name in ("by", "about", "line", "evidence", "told")}
    return KeptVerdict(n=line.n, at_s=line.at_s, a=names.get(pair.a, pair.a), b=names.get(pair.b, pair.b), **fields)
