"""Correction routes: make a correction, undo it, redo it."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from api.corrections.schemas import Correction, CorrectionStep, StepChoice, StepNumber
from api.errors import BadCorrection, CorrectionConflict, JournalFailed, NothingToUndo
from api.http.openapi import problem_responses
from api.live.hub import Hub
from api.routes.auth import has_opponent, needs
from api.seats.permissions import Right, Seat

_OBVIOUS = StepChoice()
NewestSeen = Annotated[
    int | None,
    Query(ge=0, description="the newest `changed_n` the asker knows; who told the same since is not overruled unseen"),
]


def correction_router(hub: Hub) -> APIRouter:
    """The routes by which players tell what the camera cannot know; each change is heard by all listeners."""
    router = APIRouter(prefix="/api/v1/corrections", tags=["corrections"])
    player = needs(Right.CORRECT)

    @router.get("")
    async def steps() -> tuple[CorrectionStep, ...]:
        """Every step with who made it, the oldest first; those taken back included."""
        return hub.undo_log.all()

    @router.post("", status_code=201, responses=problem_responses(BadCorrection, CorrectionConflict, JournalFailed))
    async def correct(
        correction: Correction, seat: Annotated[Seat, player], request: Request, seen: NewestSeen = None
    ) -> CorrectionStep:
        """Tell what the camera cannot know; it holds for this table and for each later one."""
        is_doubtful = has_opponent(request, seat)
        step = hub.undo_log.correct(hub.measured, correction, by=seat, seen=seen, has_opponent=is_doubtful)
        return step

    @router.post("/undo", responses=problem_responses(NothingToUndo, JournalFailed))
    async def undo(seat: Annotated[Seat, player], which: StepChoice = _OBVIOUS) -> CorrectionStep:
        """Take back a step; the newest that holds when none is named."""
        step = hub.undo_log.undo(which.n, by=seat)
        return step

    @router.post("/agree", responses=problem_responses(NothingToUndo, BadCorrection, JournalFailed))
    async def agree(seat: Annotated[Seat, player], which: StepNumber) -> CorrectionStep:
        """Agree to what the other player told: from now on it is plain, and no longer one player's word."""
        step = hub.undo_log.agree(which.n, by=seat)
        return step

    @router.post("/redo", responses=problem_responses(NothingToUndo, BadCorrection, JournalFailed))
    async def redo(seat: Annotated[Seat, player], which: StepChoice = _OBVIOUS) -> CorrectionStep:
        """Let a step hold again; the last that was taken back when none is named."""
        step = hub.undo_log.redo(which.n, by=seat, measured=hub.measured)
        return step

    return router
