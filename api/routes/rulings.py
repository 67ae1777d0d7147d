"""Ruling routes: the judge's bench, a verdict by tape, the decision about it, kept verdicts, and records to print.

Everybody may read; only the judge rules, and who sits at the table keeps verdicts.
"""

from functools import partial
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import RedirectResponse
from fastapi.sse import EventSourceResponse
from starlette.concurrency import run_in_threadpool

from api import errors
from api.answers.one_word import mark_told_by_asking
from api.answers.pair_sheet import Sheet
from api.corrections.told_facts import OF_THE_TABLE, RecordedFact
from api.evidence.schemas import Evidence
from api.evidence.service import EvidenceKeeper
from api.http.openapi import media_response, problem_responses, raises
from api.http.security_headers import content_policy
from api.http.sse_broadcast import EVENTS, stream_events
from api.journal.countersignature import witnesses_of
from api.journal.entry import Entry
from api.journal.signature import newest_key
from api.live.alarms import PROOF
from api.live.entities import members_of
from api.live.hub import Hub
from api.live.messages import RulingSummary
from api.live.moments import Moments
from api.live.table_schemas import DrawnTable
from api.live.table_view import table_view
from api.routes.auth import AtTheTable, Judge, seats_of
from api.routes.services import AskedTable, At, Table
from api.rulings.entries import RulingBasis, RulingMade, VerdictKept, basis_of
from api.rulings.kept_verdicts import find_same, keep_evidence, kept_verdict, show_kept
from api.rulings.printable_record import evidence_figures, printable_record
from api.rulings.reevaluation import Reevaluation, check_decision, reevaluate, reevaluate_sheet
from api.rulings.schemas import (
    Bench,
    KeptVerdict,
    NewRuling,
    PastChoice,
    ResultSlip,
    RollResult,
    Ruling,
    RulingSubject,
    TapeComparison,
    TapeQuestion,
    TapeSheet,
    VerdictChoice,
    Withdrawal,
)
from api.seats.permissions import Seat
from models.state import TableState

bench_router = APIRouter(prefix="/api/v1/bench", tags=["rulings"])
"""The judge's page: clocks, rulings, and what the stream shows."""
router = APIRouter(prefix="/api/v1/rulings", tags=["rulings"])
kept_router = APIRouter(prefix="/api/v1", tags=["rulings"])
"""Verdicts that players keep with their evidence, and the slip that proves a whole journal."""
link_router = APIRouter(tags=["rulings"])
"""Short addresses to be handed on."""
_ASKED = problem_responses(errors.NoTableYet, errors.NoSuchMoment, errors.TooManyQuestions)
_KEEPING = _ASKED | problem_responses(errors.NothingKept, errors.EvidenceNotKept, errors.JournalFailed)
_HTML = media_response("text/html")
_RECORD = _HTML | problem_responses(errors.NoSuchRuling)


@raises(errors.NoSuchRuling)
async def ruling_line(
    number: Annotated[int, Path(description="which ruling of the game, from 1")], table: Table
) -> int:
    """The line of the journal on which this ruling stands."""
    return table.bench.rulings.line_of(number)


RulingLine = Annotated[int, Depends(ruling_line)]


@bench_router.get("")
async def bench(table: Table) -> Bench:
    """Clocks, rulings, and how the stream is fed."""
    return table.bench.bench()


@bench_router.get("/stream", response_class=Response, responses=media_response(EVENTS))
async def stream(table: Table) -> EventSourceResponse:
    """The bench, whole, each time it changes and every few seconds, as server-sent events."""
    return stream_events(table.bench.bench_stream.events())


@bench_router.get("/table")
def drawn_table(state: AskedTable, table: Table, at: At = None) -> DrawnTable:
    """The table as it is drawn, now or at an earlier moment."""
    return table_view(state, table.moments.rest(at))


@bench_router.put("/past", responses=problem_responses(errors.JournalFailed))
async def open_past(wanted: PastChoice, seat: Judge, table: Table) -> Bench:
    """Let players measure at earlier moments what the rulebook does not let them measure now, or no more."""
    table.hub.open_past(by=seat, is_open=wanted.is_open)
    return table.bench.bench()


@router.get("")
async def briefs(table: Table) -> tuple[RulingSummary, ...]:
    """The newest rulings, the oldest of them first."""
    return table.bench.rulings.briefs()


@router.get("/{number}", name="one")
def ruling(n: RulingLine, table: Table) -> Ruling:
    """A ruling with its verdict."""
    return table.bench.rulings.get(n)


@router.get("/{number}/record.html", response_class=Response, responses=_HTML)
def record(n: RulingLine, table: Table) -> Response:
    """A page to print: the drawn witness, the numbers, the sources, what was decided, and room for signatures."""
    ruled, _ = table.bench.rulings.entry_of(n)
    return record_response(table.bench.rulings.get(n), ruled.state, table.hub, table.bench.evidence)


@router.post("/taped", responses=_ASKED)
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
            sheet = mark_told_by_asking(
                sheet, state, look.pair, one_sided, ask_sheet=lambda without: lay_tape(without)[0]
            )
        return TapeSheet(sheet=sheet, compared=comparison)

    return await table.desk.answer(request, answer)


@router.post(
    "",
    status_code=201,
    responses=_ASKED | problem_responses(errors.NoTableYet, errors.NothingToRule, errors.JournalFailed),
)
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
    table.hub.disputes.end(about.pair.a, about.pair.b)
    if bench.evidence is not None:
        bench.evidence.check()
    if wanted.on_air:
        _put_on_air(ruled, written, table)
    return written


@router.post("/{number}/withdraw", responses=problem_responses(errors.JournalFailed))
async def withdraw(n: RulingLine, why: Withdrawal, seat: Judge, table: Table) -> Ruling:
    """Take a ruling back; it stays in the journal, with the reason."""
    withdrawn = table.bench.rulings.withdraw(n, why.reason, by=seat)
    table.hub.notify(f"Judge: ruling {withdrawn.number} is withdrawn")
    return withdrawn


@router.post("/{number}/result", responses=problem_responses(errors.JournalFailed))
async def decide_roll(n: RulingLine, result: RollResult, seat: Judge, table: Table) -> Ruling:
    """What stands after the players rolled."""
    return table.bench.rulings.decide_roll(n, result.stands, by=seat)


@router.post("/{number}/seen", responses=problem_responses(errors.JournalFailed))
async def note_seen(n: RulingLine, seat: AtTheTable, table: Table) -> Ruling:
    """A player says that the ruling was seen."""
    return table.bench.rulings.note_seen(n, by=seat)


@kept_router.post("/kept", status_code=201, responses=_KEEPING)
async def keep(request: Request, wanted: VerdictChoice, seat: AtTheTable, table: Table) -> KeptVerdict:
    """Keep this verdict with its evidence, on the disk before this answers. The same again is the same line."""
    about, evidence = RulingSubject(at=wanted.at, pair=wanted.pair, slot=wanted.slot), table.bench.evidence
    referee = table.referee.about(about.at)
    result = await table.desk.answer(request, lambda: reevaluate(about, table.moments, ask=referee))
    try:
        facts = facts_under(table.hub, table.moments.table(about.at), about)
        made = await run_in_threadpool(keep_evidence, evidence, about, result, by=seat, facts=facts)
    finally:
        if evidence is not None:
            evidence.check()
    if (before := find_same(table.hub.journal, made)) is None:
        before = table.hub.journal.write(made)
        table.hub.notify(f"{table.hub.score.called(seat)} keeps: {result.line.title}")
    return show_kept(before, made)


@kept_router.get("/kept/{n}", responses=problem_responses(errors.NoSuchRuling), name="one")
def kept(n: int, table: Table) -> KeptVerdict:
    """A kept verdict."""
    return kept_verdict(table.hub.journal, n)[0]


@kept_router.get("/kept/{n}/record.html", response_class=Response, responses=_RECORD, name="record")
def kept_record(n: int, table: Table) -> Response:
    """A page to print: what the camera saw, the numbers and the sources."""
    shown, entry = kept_verdict(table.hub.journal, n)
    return record_response(shown, entry.state, table.hub, table.bench.evidence)


@link_router.get("/v/{n}", include_in_schema=False)
def verdict_link(n: int, table: Table) -> RedirectResponse:
    """To the table as it was at this ruling, or kept verdict, with its line opened. Raises: NoSuchRuling."""
    line = next(table.hub.journal.lines(RulingMade, VerdictKept, after=n - 1), None)
    if line is None or line.n != n or not isinstance(line.entry, RulingMade | VerdictKept):
        raise errors.NoSuchRuling(f"no ruling or kept verdict stands on line {n}", field="n", value=n)
    about = line.entry.about
    shown = {"at": about.at or n, "a": about.pair.a, "b": about.pair.b, "line": about.slot}
    return RedirectResponse(f"/#{urlencode(shown)}", status_code=303)


@kept_router.get("/slip", responses=problem_responses(errors.NothingKept))
def slip(table: Table) -> ResultSlip:
    """Where the journal ends now, for both players to keep."""
    head, newest = table.hub.journal.head(), table.hub.journal.newest(Entry)
    if head is None or newest is None:
        raise errors.NothingKept("No event log is kept, so there is nothing to prove.", field="data", value=None)
    rulings = len(table.bench.rulings.briefs())
    return ResultSlip(
        title=table.hub.title,
        head=str(head),
        n=head.n,
        at_s=newest.at_s,
        rulings=rulings,
        key=newest_key(table.hub.journal),
        witnesses=_witnesses(table.hub),
    )


def _witnesses(hub: Hub) -> tuple[str, ...]:
    return tuple(f"{witness.by} {witness.key_words}" for witness in witnesses_of(hub.journal))


def record_response(
    shown: Ruling | KeptVerdict, state: TableState, hub: Hub, evidence: EvidenceKeeper | None
) -> Response:
    """The record as a page that needs nothing else."""
    seen = "" if evidence is None else evidence_figures(shown.evidence, evidence.path)
    called = partial(hub.score.called, until=shown.n)
    score = hub.score.board_at(shown.n).score
    head = hub.journal.head()
    forged = hub.alarms.find(PROOF)
    page = printable_record(
        shown,
        state,
        title=hub.title,
        seen=seen,
        journal_head=head,
        called=called,
        score=score,
        forged=None if forged is None else forged.says,
        key=newest_key(hub.journal),
        witnesses=_witnesses(hub),
        completion=hub.undo_log.completion_at(shown.about.at or shown.n),
    )
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
