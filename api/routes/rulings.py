"""Ruling routes: look at a verdict by tape, decide about it, take a decision back, print a record of it.

Everybody may read rulings, and phones hear of each; only the judge writes.
"""

from functools import partial

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from api.answers.one_word import mark_told_anew
from api.answers.pair_sheet import Sheet
from api.corrections.told_facts import OF_THE_TABLE, RecordedFact
from api.errors import JournalFailed, NoSuchMoment, NoSuchRuling, NoTableYet, NothingToRule, TooManyQuestions
from api.evidence.schemas import Evidence
from api.evidence.service import EvidenceKeeper
from api.http.openapi import media_response, problem_responses
from api.http.security_headers import content_policy
from api.live.entities import members_of
from api.live.hub import Hub
from api.live.messages import RulingSummary
from api.live.moments import Moments
from api.routes.auth import AtTheTable, Judge, seats_of
from api.routes.services import Table
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
from api.seats.permissions import Seat
from models.state import TableState

router = APIRouter(prefix="/api/v1/rulings", tags=["rulings"])
ASKED = problem_responses(NoTableYet, NoSuchMoment, TooManyQuestions)
RECORD = media_response("text/html") | problem_responses(NoSuchRuling)


@router.get("")
async def briefs(table: Table) -> tuple[RulingSummary, ...]:
    """The newest rulings, the oldest of them first."""
    return table.bench.rulings.briefs()


@router.get("/{n}", responses=problem_responses(NoSuchRuling), name="one")
def ruling(n: int, table: Table) -> Ruling:
    """A ruling with its verdict."""
    return table.bench.rulings.get(n)


@router.get("/{n}/record.html", response_class=Response, responses=RECORD)
def record(n: int, table: Table) -> Response:
    """A page to print: the drawn witness, the numbers, the sources, what was decided, and room for signatures."""
    ruled, _ = table.bench.rulings.entry_of(n)
    return record_response(table.bench.rulings.get(n), ruled.state, table.hub, table.bench.evidence)


@router.post("/taped", responses=ASKED)
async def compare_tape(request: Request, look: TapeQuestion, _: Judge, table: Table) -> TapeSheet:
    """What would hold if the bases were as far apart as the tape says; nothing is written.

    No earlier ruling is laid over it: the tape is laid to see whether that still holds.
    """
    word = table.open_facts.word() if look.at is None else None

    def lay_tape(state: TableState) -> tuple[Sheet, TapeComparison | None]:
        return reevaluate_sheet(state, look.pair, look.tape, ask=table.referee.about(look.at))

    def answer() -> TapeSheet:
        state = table.moments.table(look.at)
        one_sided = word if look.at is None else table.open_facts.word(look.at)
        sheet, comparison = lay_tape(state)
        if one_sided is not None:
            sheet = mark_told_anew(sheet, state, look.pair, one_sided, anew=lambda without: lay_tape(without)[0])
        return TapeSheet(sheet=sheet, compared=comparison)

    return await table.desk.answer(request, answer)


@router.post("", status_code=201, responses=ASKED | problem_responses(NoTableYet, NothingToRule, JournalFailed))
async def rule(request: Request, wanted: NewRuling, seat: Judge, table: Table) -> Ruling:
    """Decide. The verdict is asked anew, and kept with all it stands on. The same key again is the same ruling."""
    bench, about = table.bench, wanted.about
    referee = table.referee.about(about.at)
    result = await table.desk.answer(request, lambda: reevaluate(about, table.moments, ask=referee))
    if (before := bench.rulings.find_by_key(wanted.key, by=seat)) is not None:
        return before
    assert result.line.verdict is not None
    check_decision(wanted.decision, result.line.verdict)
    kept = None if bench.evidence is None else await run_in_threadpool(_keep_evidence, bench.evidence, about, result)
    ruled = RulingMade(
        by=seat,
        about=about,
        line=result.line,
        compared=result.compared,
        state=result.state,
        evidence=kept,
        told=facts_under(table.hub, table.moments.table(about.at), about),
        basis=_find_basis(table.moments, about, result),
        waits_for=_players_of(request),
        **wanted.model_dump(include={"decision", "stands", "reason", "key"}),
    )
    written = bench.rulings.write(ruled)
    if bench.evidence is not None:
        bench.evidence.check()
    if wanted.on_air:
        _put_on_air(ruled, written, table)
    return written


@router.post("/{n}/withdraw", responses=problem_responses(NoSuchRuling, JournalFailed))
async def withdraw(n: int, why: Withdrawal, seat: Judge, table: Table) -> Ruling:
    """Take a ruling back; it stays in the journal, with the reason."""
    withdrawn = table.bench.rulings.withdraw(n, why.reason, by=seat)
    table.hub.notify(f"Judge: ruling {withdrawn.number} is withdrawn")
    return withdrawn


@router.post("/{n}/result", responses=problem_responses(NoSuchRuling, JournalFailed))
async def decide_roll(n: int, result: RollResult, seat: Judge, table: Table) -> Ruling:
    """What stands after the players rolled."""
    return table.bench.rulings.decide_roll(n, result.stands, by=seat)


@router.post("/{n}/seen", responses=problem_responses(NoSuchRuling, JournalFailed))
async def note_seen(n: int, seat: AtTheTable, table: Table) -> Ruling:
    """A player says that the ruling was seen."""
    return table.bench.rulings.note_seen(n, by=seat)


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
    facts = hub.undo_log.recorded_facts(state, at=about.at)
    return tuple(fact for fact in facts if fact.kind in OF_THE_TABLE or members & set(fact.ids))


def _keep_evidence(evidence: EvidenceKeeper, about: RulingSubject, result: Reevaluation) -> Evidence | None:
    """On the disk before the ruling is written."""
    assert result.line.verdict is not None
    return evidence.keep(result.state, result.line.verdict, ids=(about.pair.a, about.pair.b), at=about.at)


def _find_basis(moments: Moments, about: RulingSubject, result: Reevaluation) -> RulingBasis:
    """What must not move, as the camera saw it: a tape moves nobody."""
    assert result.line.verdict is not None
    return basis_of(moments.table(about.at), (about.pair.a, about.pair.b), result.line.verdict)


def _players_of(request: Request) -> tuple[Seat, ...]:
    """The players who sit at the table."""
    seats = seats_of(request)
    held = {} if seats is None else seats.count_devices()
    players: tuple[Seat, ...] = ("player-a", "player-b")
    return tuple(seat for seat in players if held.get(seat))


def _put_on_air(ruled: RulingMade, written: Ruling, table: Table) -> None:
    """It is settled, so it may be shown whatever the stream holds back."""
    pair = ruled.about.pair
    item = table.bench.overlay.put_on(ruled.state, (ruled.line,), a=pair.a, b=pair.b, at=ruled.about.at)
    table.bench.overlay.resolve(item.id, ruling=written.said)
