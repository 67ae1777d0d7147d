"""Settlement routes: the players agree, throw the shared die, or call the judge about what is too close to call."""

from typing import Annotated

from fastapi import APIRouter

from api.errors import JournalFailed, NoSuchMoment, NothingToSettle
from api.http.openapi import problem_responses
from api.live.hub import Hub, table_of
from api.live.moments import Moments
from api.routes.auth import needs
from api.routes.moments import At
from api.seats.permissions import Right, Seat
from api.settlements.schemas import NewSettlement, Settlement
from models.errors import BadQuery
from models.queries import QUERIES

AtTheTable = Annotated[Seat, needs(Right.CORRECT)]


def settlement_router(hub: Hub, moments: Moments) -> APIRouter:
    """The routes of what players settle between themselves. Everybody may read; players write."""
    router = APIRouter(prefix="/api/v1/settlements", tags=["questions"])

    @router.get("", responses=problem_responses(NoSuchMoment))
    def settlements(at: At = None) -> tuple[Settlement, ...]:
        """What is settled and holds, now or at an earlier moment: nobody it asks about has moved."""
        if at is None:
            return hub.settlements.standing(hub.state)
        return hub.settlements.standing_at(moments.table(at), at)

    @router.post("", status_code=201, responses=problem_responses(NothingToSettle, BadQuery, JournalFailed))
    async def settle(wanted: NewSettlement, seat: AtTheTable) -> Settlement:
        """Settle what is too close to call; every phone hears of it."""
        made = hub.settlements.settle(wanted, table_of(hub), by=seat)
        hub.notify(f"{hub.score.called(seat)}: {describe_settlement(made)}")
        return made

    return router


def describe_settlement(made: Settlement) -> str:
    """It in a few words, such as "Rolled 5, yes"."""
    title = QUERIES[str(made.query["kind"])].title()
    if made.how == "judge-called":
        return f"calls the judge. {title}"
    done = "agreed" if made.how == "agreed" else f"rolled {made.die}"
    return f"{done}: {made.answer}. {title}"
