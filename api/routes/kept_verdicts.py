"""Kept verdict routes: keep a verdict with its evidence, look at it again, and the slip that proves a whole journal."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from api.errors import (
    EvidenceNotKept,
    JournalFailed,
    NoSuchMoment,
    NoSuchRuling,
    NoTableYet,
    NothingKept,
    TooManyQuestions,
)
from api.http.openapi import media_response, problem_responses
from api.journal.entry import Entry
from api.live.halt_guard import RefereePorts
from api.live.moments import Moments
from api.routes.auth import needs
from api.routes.question_desk import QuestionDesk
from api.routes.rulings import facts_under, record_response
from api.rulings.bench import JudgesBench
from api.rulings.kept_verdicts import find_same, keep_evidence, kept_verdict, show_kept
from api.rulings.reevaluation import reevaluate
from api.rulings.schemas import KeptVerdict, ResultSlip, RulingSubject, VerdictChoice
from api.seats.permissions import Right, Seat

_ASKED = problem_responses(NoTableYet, NoSuchMoment, TooManyQuestions)
AtTheTable = Annotated[Seat, needs(Right.CORRECT)]


def kept_verdict_router(
    desk: JudgesBench, moments: Moments, *, ask: RefereePorts, questions: QuestionDesk
) -> APIRouter:
    """The routes of what players keep. Everybody may read; who sits at the table writes."""
    router = APIRouter(prefix="/api/v1", tags=["rulings"])
    journal, hub = desk.hub.journal, desk.hub

    @router.post(
        "/kept", status_code=201, responses=_ASKED | problem_responses(NothingKept, EvidenceNotKept, JournalFailed)
    )
    async def keep(request: Request, wanted: VerdictChoice, seat: AtTheTable) -> KeptVerdict:
        """Keep this verdict with its evidence, on the disk before this answers. The same again is the same line."""
        about = RulingSubject(at=wanted.at, pair=wanted.pair, slot=wanted.slot)
        found = await questions.answer(request, lambda: reevaluate(about, moments, ask=ask.about(about.at)))
        try:
            told = facts_under(hub, moments.table(about.at), about)
            made = await run_in_threadpool(keep_evidence, desk.evidence, about, found, by=seat, told=told)
        finally:
            if desk.evidence is not None:
                desk.evidence.check()
        if (before := find_same(journal, made)) is None:
            before = journal.write(made)
            hub.notify(f"{hub.score.called(seat)} keeps: {found.line.title}")
        return show_kept(before, made)

    @router.get("/kept/{n}", responses=problem_responses(NoSuchRuling))
    def one(n: int) -> KeptVerdict:
        """A kept verdict."""
        return kept_verdict(journal, n)[0]

    @router.get(
        "/kept/{n}/record.html",
        response_class=Response,
        responses=media_response("text/html") | problem_responses(NoSuchRuling),
    )
    def record(n: int) -> Response:
        """A page to print: what the camera saw, the numbers and the sources."""
        shown, entry = kept_verdict(journal, n)
        return record_response(shown, entry.state, hub, desk.evidence)

    @router.get("/slip", responses=problem_responses(NothingKept))
    def slip() -> ResultSlip:
        """Where the journal ends now, for both players to keep."""
        head, newest = journal.head(), journal.newest(Entry)
        if head is None or newest is None:
            raise NothingKept("No event log is kept, so there is nothing to prove.", field="data", value=None)
        return ResultSlip(
            title=hub.title, head=str(head), n=head.n, at_s=newest.at_s, rulings=len(desk.rulings.briefs())
        )

    return router
