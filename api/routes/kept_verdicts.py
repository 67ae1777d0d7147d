"""Kept verdict routes: keep a verdict with its evidence, look at it again, and the slip that proves a whole journal.

Everybody may read; who sits at the table writes.
"""

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from api.errors import EvidenceNotKept, JournalFailed, NoSuchRuling, NothingKept
from api.http.openapi import problem_responses
from api.journal.entry import Entry
from api.routes.auth import AtTheTable
from api.routes.rulings import ASKED, RECORD, facts_under, record_response
from api.routes.services import Table
from api.rulings.kept_verdicts import find_same, keep_evidence, kept_verdict, show_kept
from api.rulings.reevaluation import reevaluate
from api.rulings.schemas import KeptVerdict, ResultSlip, RulingSubject, VerdictChoice

router = APIRouter(prefix="/api/v1", tags=["rulings"])
_KEEPING = ASKED | problem_responses(NothingKept, EvidenceNotKept, JournalFailed)


@router.post("/kept", status_code=201, responses=_KEEPING)
async def keep(request: Request, wanted: VerdictChoice, seat: AtTheTable, table: Table) -> KeptVerdict:
    """Keep this verdict with its evidence, on the disk before this answers. The same again is the same line."""
    about, evidence = RulingSubject(at=wanted.at, pair=wanted.pair, slot=wanted.slot), table.bench.evidence
    referee = table.referee.about(about.at)
    result = await table.desk.answer(request, lambda: reevaluate(about, table.moments, ask=referee))
    try:
        facts = facts_under(table.hub, table.moments.table(about.at), about)
        made = await run_in_threadpool(keep_evidence, evidence, about, result, by=seat, told=facts)
    finally:
        if evidence is not None:
            evidence.check()
    if (before := find_same(table.hub.journal, made)) is None:
        before = table.hub.journal.write(made)
        table.hub.notify(f"{table.hub.score.called(seat)} keeps: {result.line.title}")
    return show_kept(before, made)


@router.get("/kept/{n}", responses=problem_responses(NoSuchRuling), name="one")
def kept(n: int, table: Table) -> KeptVerdict:
    """A kept verdict."""
    return kept_verdict(table.hub.journal, n)[0]


@router.get("/kept/{n}/record.html", response_class=Response, responses=RECORD)
def record(n: int, table: Table) -> Response:
    """A page to print: what the camera saw, the numbers and the sources."""
    shown, entry = kept_verdict(table.hub.journal, n)
    return record_response(shown, entry.state, table.hub, table.bench.evidence)


@router.get("/slip", responses=problem_responses(NothingKept))
def slip(table: Table) -> ResultSlip:
    """Where the journal ends now, for both players to keep."""
    head, newest = table.hub.journal.head(), table.hub.journal.newest(Entry)
    if head is None or newest is None:
        raise NothingKept("No event log is kept, so there is nothing to prove.", field="data", value=None)
    rulings = len(table.bench.rulings.briefs())
    return ResultSlip(title=table.hub.title, head=str(head), n=head.n, at_s=newest.at_s, rulings=rulings)
