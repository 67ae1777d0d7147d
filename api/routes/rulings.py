"""Ruling routes: look at a verdict by tape, decide about it, take a decision back, print a record of it."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from api.answers.one_word import mark_told_anew
from api.answers.pair_sheet import Sheet
from api.answers.word_finder import WordFinder
from api.corrections.told_facts import OF_THE_TABLE, RecordedFact
from api.errors import JournalFailed, NoSuchMoment, NoSuchRuling, NoTableYet, NothingToRule, TooManyQuestions
from api.evidence.schemas import Evidence
from api.evidence.service import EvidenceKeeper
from api.http.openapi import media_response, problem_responses
from api.http.security_headers import content_policy
from api.live.entities import members_of
from api.live.halt_guard import RefereePorts
from api.live.hub import Hub
from api.live.messages import RulingSummary
from api.live.moments import Moments
from api.overlay.service import OverlayService
from api.routes.auth import needs, seats_of
from api.routes.question_desk import QuestionDesk
from api.rulings.basis import RulingBasis, basis_of
from api.rulings.entries import RulingMade
from api.rulings.printable_record import printable_record
from api.rulings.record_pictures import evidence_figures
from api.rulings.reevaluation import Reevaluation, check_decision, reevaluate, reevaluate_sheet
from api.rulings.schemas import (
    KeptVerdict,
    NewRuling,
    RollResult,
    Ruling,
    RulingSubject,
    TapeComparison,
    TapeQuestion,
    TapeSheet,
    Withdrawal,
)
from api.rulings.service import Rulings
from api.seats.permissions import Right, Seat
from models.state import TableState

PREFIX = "/api/v1/rulings"
_ASKED = problem_responses(NoTableYet, NoSuchMoment, TooManyQuestions)
Judge = Annotated[Seat, needs(Right.RULE)]


def ruling_router(
    rulings: Rulings,
    moments: Moments,
    overlay: OverlayService,
    hub: Hub,
    *,
    ask: RefereePorts,
    words: WordFinder,
    desk: QuestionDesk,
    evidence: EvidenceKeeper | None = None,
) -> APIRouter:
    """The routes of the judge's rulings. Everybody may read them, and phones hear of each; only the judge writes."""
    router = APIRouter(tags=["rulings"])
    router.include_router(_read_routes(rulings, hub, evidence))
    router.include_router(_tape_routes(moments, ask, words, desk))
    router.include_router(_write_routes(rulings, moments, overlay, hub, ask, desk, evidence))
    return router


def record_response(
    shown: Ruling | KeptVerdict, state: TableState, hub: Hub, evidence: EvidenceKeeper | None
) -> Response:
    """The record as a page that needs nothing else."""
    seen = "" if evidence is None else evidence_figures(shown.evidence, evidence.path)
    called = partial(hub.score.called, until=shown.n)
    score = hub.score.board_at(shown.n).score
    head = hub.journal.head()
    page = printable_record(shown, state, title=hub.title, seen=seen, journal_head=head, called=called, score=score)
    policy = content_policy(page, has_style_attributes=True)
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": policy}
    return Response(page, media_type="text/html", headers=headers)


def facts_under(hub: Hub, state: TableState, about: RulingSubject) -> tuple[RecordedFact, ...]:
    """What was said of the two and of the table by then, and who agreed."""
    members = {m.id for id_ in (about.pair.a, about.pair.b) for m in members_of(state, id_)}
    told = hub.undo_log.recorded_facts(state, at=about.at)
    return tuple(fact for fact in told if fact.kind in OF_THE_TABLE or members & set(fact.ids))


def _read_routes(rulings: Rulings, hub: Hub, evidence: EvidenceKeeper | None) -> APIRouter:
    router = APIRouter(prefix=PREFIX)

    @router.get("")
    async def briefs() -> tuple[RulingSummary, ...]:
        """The newest rulings, the oldest of them first."""
        return rulings.briefs()

    @router.get("/{n}", responses=problem_responses(NoSuchRuling))
    def one(n: int) -> Ruling:
        """A ruling with its verdict."""
        return rulings.get(n)

    @router.get(
        "/{n}/record.html",
        response_class=Response,
        responses=media_response("text/html") | problem_responses(NoSuchRuling),
    )
    def record(n: int) -> Response:
        """A page to print: the drawn witness, the numbers, the sources, what was decided, and room for signatures."""
        ruled, _ = rulings.entry_of(n)
        ruling = rulings.get(n)
        return record_response(ruling, ruled.state, hub, evidence)

    return router


def _tape_routes(moments: Moments, ask: RefereePorts, words: WordFinder, desk: QuestionDesk) -> APIRouter:
    router = APIRouter(prefix=PREFIX)

    @router.post("/taped", responses=_ASKED)
    async def compare_tape(request: Request, look: TapeQuestion, _: Judge) -> TapeSheet:
        """What would hold if the bases were as far apart as the tape says; nothing is written.

        No earlier ruling is laid over it: the tape is laid to see whether that still holds.
        """
        word = words.word() if look.at is None else None

        def lay_tape(table: TableState) -> tuple[Sheet, TapeComparison | None]:
            return reevaluate_sheet(table, look.pair, look.tape, ask=ask.about(look.at))

        def answer() -> TapeSheet:
            state = moments.table(look.at)
            told_alone = word if look.at is None else words.word(look.at)
            sheet, beside = lay_tape(state)
            if told_alone is not None:
                sheet = mark_told_anew(sheet, state, look.pair, told_alone, anew=lambda table: lay_tape(table)[0])
            return TapeSheet(sheet=sheet, compared=beside)

        return await desk.answer(request, answer)

    return router


def _write_routes(
    rulings: Rulings,
    moments: Moments,
    overlay: OverlayService,
    hub: Hub,
    ask: RefereePorts,
    desk: QuestionDesk,
    evidence: EvidenceKeeper | None,
) -> APIRouter:
    router = APIRouter(prefix=PREFIX)

    @router.post("", status_code=201, responses=_ASKED | problem_responses(NoTableYet, NothingToRule, JournalFailed))
    async def rule(request: Request, wanted: NewRuling, seat: Judge) -> Ruling:
        """Decide. The verdict is asked anew, and kept with all it stands on. The same key again is the same ruling."""
        found = await desk.answer(request, lambda: reevaluate(wanted.about, moments, ask=ask.about(wanted.about.at)))
        if (before := rulings.find_by_key(wanted.key, by=seat)) is not None:
            return before
        assert found.line.verdict is not None
        check_decision(wanted.decision, found.line.verdict)
        kept = None if evidence is None else await run_in_threadpool(_keep_evidence, evidence, wanted.about, found)
        decided = wanted.model_dump(include={"decision", "stands", "reason", "key"})
        ruled = RulingMade(
            by=seat,
            about=wanted.about,
            line=found.line,
            compared=found.compared,
            state=found.state,
            evidence=kept,
            told=facts_under(hub, moments.table(wanted.about.at), wanted.about),
            basis=_find_basis(moments, wanted.about, found),
            waits_for=_players_of(request),
            **decided,
        )
        written = rulings.write(ruled)
        if evidence is not None:
            evidence.check()
        if wanted.on_air:
            _put_on_air(ruled, written, overlay)
        return written

    @router.post("/{n}/withdraw", responses=problem_responses(NoSuchRuling, JournalFailed))
    async def withdraw(n: int, why: Withdrawal, seat: Judge) -> Ruling:
        """Take a ruling back; it stays in the journal, with the reason."""
        withdrawn = rulings.withdraw(n, why.reason, by=seat)
        hub.notify(f"Judge: ruling {withdrawn.number} is withdrawn")
        return withdrawn

    @router.post("/{n}/result", responses=problem_responses(NoSuchRuling, JournalFailed))
    async def decide_roll(n: int, result: RollResult, seat: Judge) -> Ruling:
        """What stands after the players rolled."""
        return rulings.decide_roll(n, result.stands, by=seat)

    @router.post("/{n}/seen", responses=problem_responses(NoSuchRuling, JournalFailed))
    async def note_seen(n: int, seat: Annotated[Seat, needs(Right.CORRECT)]) -> Ruling:
        """A player says that the ruling was seen."""
        return rulings.note_seen(n, by=seat)

    return router


def _keep_evidence(evidence: EvidenceKeeper, about: RulingSubject, found: Reevaluation) -> Evidence | None:
    """On the disk before the ruling is written."""
    assert found.line.verdict is not None
    return evidence.keep(found.state, found.line.verdict, ids=(about.pair.a, about.pair.b), at=about.at)


def _find_basis(moments: Moments, about: RulingSubject, found: Reevaluation) -> RulingBasis:
    """What must not move, as the camera saw it: a tape moves nobody."""
    assert found.line.verdict is not None
    return basis_of(moments.table(about.at), (about.pair.a, about.pair.b), found.line.verdict)


def _players_of(request: Request) -> tuple[Seat, ...]:
    """The players who sit at the table."""
    seats = seats_of(request)
    held = {} if seats is None else seats.count_devices()
    players: tuple[Seat, ...] = ("player-a", "player-b")
    return tuple(seat for seat in players if held.get(seat))


def _put_on_air(ruled: RulingMade, written: Ruling, overlay: OverlayService) -> None:
    """It is settled, so it may be shown whatever the stream holds back."""
    pair = ruled.about.pair
    item = overlay.put_on(ruled.state, (ruled.line,), a=pair.a, b=pair.b, at=ruled.about.at)
    overlay.resolve(item.id, ruling=written.said)
