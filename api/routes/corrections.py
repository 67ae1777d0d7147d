"""Correction routes: make a correction, undo it, redo it; and settlements of what is too close to call."""

from typing import Annotated

from fastapi import APIRouter, Body, Query, Request

from api import errors
from api.corrections.disputes import Dispute, DisputeDeed, NewDispute
from api.corrections.schemas import Correction, CorrectionStep, StepChoice, StepNumber
from api.corrections.settlements import NewSettlement, Settlement, describe_settlement
from api.http.openapi import problem_responses
from api.live.hub import table_of
from api.live.terrain_proposals import Proposals
from api.routes.auth import AtTheTable, has_opponent, seats_of
from api.routes.services import At, Table
from models.errors import BadQuery
from models.frozen import Frozen

_OBVIOUS = StepChoice()
NewestSeen = Annotated[
    int | None,
    Query(ge=0, description="the newest `changed_n` the asker knows; who told the same since is not overruled unseen"),
]

router = APIRouter(prefix="/api/v1/corrections", tags=["corrections"])
settlement_router = APIRouter(prefix="/api/v1/settlements", tags=["questions"])
"""Everybody may read what players settle between themselves; players write."""
dispute_router = APIRouter(prefix="/api/v1/dispute", tags=["questions"])
"""Everybody may read what is disputed; who sits at the table disputes."""
proposal_router = APIRouter(prefix="/api/v1", tags=["corrections"])


@router.get("")
async def steps(table: Table) -> tuple[CorrectionStep, ...]:
    """Every step with who made it, the oldest first; those taken back included."""
    return table.hub.undo_log.all()


@router.post(
    "",
    status_code=201,
    responses=problem_responses(errors.BadCorrection, errors.CorrectionConflict, errors.JournalFailed),
)
async def correct(
    correction: Annotated[Correction, Body(examples=[{"do": "miniature", "ids": ["m3"], "name": "Mara's Lancer"}])],
    seat: AtTheTable,
    request: Request,
    table: Table,
    seen: NewestSeen = None,
) -> CorrectionStep:
    """Tell what the camera cannot know; it holds for this table and for each later one."""
    opposed = has_opponent(request, seat)
    return table.hub.undo_log.correct(table.hub.measured, correction, by=seat, seen=seen, has_opponent=opposed)


@router.post("/undo", responses=problem_responses(errors.NothingToUndo, errors.JournalFailed))
async def undo(seat: AtTheTable, table: Table, which: StepChoice = _OBVIOUS) -> CorrectionStep:
    """Take back a step; the newest that holds when none is named."""
    return table.hub.undo_log.undo(which.n, by=seat)


@router.post("/agree", responses=problem_responses(errors.NothingToUndo, errors.BadCorrection, errors.JournalFailed))
async def agree(seat: AtTheTable, table: Table, which: StepNumber) -> CorrectionStep:
    """Agree to what the other player told: from now on it is plain, and no longer one player's word."""
    return table.hub.undo_log.agree(which.n, by=seat)


@router.post("/redo", responses=problem_responses(errors.NothingToUndo, errors.BadCorrection, errors.JournalFailed))
async def redo(seat: AtTheTable, table: Table, which: StepChoice = _OBVIOUS) -> CorrectionStep:
    """Let a step hold again; the last that was taken back when none is named."""
    return table.hub.undo_log.redo(which.n, by=seat, measured=table.hub.measured)


@settlement_router.get("", responses=problem_responses(errors.NoSuchMoment))
def settlements(table: Table, at: At = None) -> tuple[Settlement, ...]:
    """What is settled and holds, now or at an earlier moment: nobody it asks about has moved."""
    if at is None:
        return table.hub.settlements.standing(table.hub.state)
    return table.hub.settlements.standing_at(table.moments.table(at), at)


@settlement_router.post(
    "", status_code=201, responses=problem_responses(errors.NothingToSettle, BadQuery, errors.JournalFailed)
)
async def settle(wanted: NewSettlement, seat: AtTheTable, table: Table) -> Settlement:
    """Settle what is too close to call; every phone hears of it."""
    state = table_of(table.hub)
    made = table.hub.settlements.settle(wanted, state, by=seat)
    names = {m.id: m.name or m.id for m in state.miniatures}
    table.hub.notify(f"{table.hub.score.called(seat)}: {describe_settlement(made, names)}")
    return made


class DisputeView(Frozen):
    """What is disputed, and whether anybody holds a judge's seat who could be called."""

    dispute: Dispute | None
    has_judge: bool


@dispute_router.get("")
async def dispute(request: Request, table: Table) -> DisputeView:
    """The open dispute; null: there is none."""
    seats = seats_of(request)
    has_judge = seats is not None and seats.count_devices().get("judge", 0) > 0
    return DisputeView(dispute=table.hub.disputes.standing(table.hub.state), has_judge=has_judge)


@dispute_router.post(
    "", status_code=201, responses=problem_responses(errors.NothingToSettle, BadQuery, errors.JournalFailed)
)
async def open_dispute(asked: NewDispute, seat: AtTheTable, table: Table) -> Dispute:
    """Dispute an answer: one sheet opens on every phone and on the judge's page."""
    return table.hub.disputes.open(asked, table_of(table.hub), by=seat)


@dispute_router.put("", responses=problem_responses(errors.NothingToSettle, errors.JournalFailed))
async def answer_dispute(deed: DisputeDeed, seat: AtTheTable, request: Request, table: Table) -> Dispute | None:
    """Agree, roll once, tell what the tape says, call the judge, or put it away; null: that ended it.

    Calling the judge stops the clocks where the table or its hall is so set.
    """
    hub, is_alone = table.hub, seat != "judge" and not has_opponent(request, seat)
    left = hub.disputes.answer(deed, table_of(hub), by=seat, is_alone=is_alone)
    if deed.how == "judge":
        hub.clocks.stop_for_call(by=seat)
    return left


@proposal_router.get("/proposals", responses=problem_responses(errors.NoTableYet, errors.TooManyQuestions))
async def proposals(request: Request, table: Table) -> Proposals:
    """What the newest picture of the table suggests. Nothing while a hand is over the table."""
    return await table.desk.answer(request, table.proposals.open)
