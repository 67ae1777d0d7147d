"""Corrections over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from api.corrections.correction import Correction
from api.corrections.step import StepMade
from api.errors import BadCorrection, JournalFailed, NothingToUndo, ToldMeanwhile
from api.hub import Hub
from api.openapi import problems
from api.seats.asking import needs
from api.seats.seat import Right, Seat
from models.frozen import Frozen


class WhichStep(Frozen):
    """The step that is meant; the obvious one when left out."""

    n: int | None = Field(None, ge=1)


_OBVIOUS = WhichStep()
NewestSeen = Annotated[
    int | None,
    Query(ge=0, description="the newest `changed_n` the asker knows; who told the same since is not overruled unseen"),
]


def correcting(hub: Hub) -> APIRouter:
    """The routes by which players tell what the camera cannot know; each change is heard by all listeners."""
    router = APIRouter(prefix="/api/v1/corrections", tags=["corrections"])
    player = needs(Right.CORRECT)

    @router.get("")
    async def steps() -> tuple[StepMade, ...]:
        """Every step with who made it, the oldest first; those taken back included."""
        return hub.steps.all()

    @router.post("", status_code=201, responses=problems(BadCorrection, ToldMeanwhile, JournalFailed))
    async def correct(correction: Correction, seat: Annotated[Seat, player], seen: NewestSeen = None) -> StepMade:
        """Tell what the camera cannot know; it holds for this table and for each later one."""
        step = hub.steps.correct(hub.state, correction, by=seat, seen=seen)
        hub.correct_again()
        return step

    @router.post("/undo", responses=problems(NothingToUndo, JournalFailed))
    async def undo(seat: Annotated[Seat, player], which: WhichStep = _OBVIOUS) -> StepMade:
        """Take back a step; the newest that holds when none is named."""
        step = hub.steps.undo(which.n, by=seat)
        hub.correct_again()
        return step

    @router.post("/redo", responses=problems(NothingToUndo, JournalFailed))
    async def redo(seat: Annotated[Seat, player], which: WhichStep = _OBVIOUS) -> StepMade:
        """Let a step hold again; the last that was taken back when none is named."""
        step = hub.steps.redo(which.n, by=seat)
        hub.correct_again()
        return step

    return router
