"""Scoreboard routes: what the players are called, and how the game stands."""

from typing import Annotated

from fastapi import APIRouter

from api.errors import JournalFailed, NotAllowed, ScoreConflict
from api.http.openapi import problem_responses
from api.live.hub import Hub
from api.routes.auth import needs
from api.seats.permissions import RIGHTS, Player, Right, Seat
from api.seats.schemas import NewPlayer, NewScore, Scoreboard

AtTheTable = Annotated[Seat, needs(Right.CORRECT)]


def scoreboard_router(hub: Hub) -> APIRouter:
    """The routes of names and score. Everybody may read; a player names that seat, the judge both."""
    router = APIRouter(prefix="/api/v1/scoreboard", tags=["seats"])

    @router.get("")
    async def scoreboard() -> Scoreboard:
        """Who plays, and how the game stands."""
        return hub.score.board

    @router.put("/players/{player}", responses=problem_responses(ScoreConflict, JournalFailed, NotAllowed))
    async def name_player(player: Player, told: NewPlayer, seat: AtTheTable) -> Scoreboard:
        """Name who plays in a seat; every page of the table hears of it."""
        if seat != player and Right.RULE not in RIGHTS[seat]:
            raise NotAllowed("A player names nobody else; the judge may.", field="player", value=player)
        return hub.score.name_player(player, told, by=seat)

    @router.put("/score", responses=problem_responses(ScoreConflict, JournalFailed))
    async def say_score(told: NewScore, seat: AtTheTable) -> Scoreboard:
        """Say how the game stands, in points and in rounds of the game."""
        return hub.score.say_score(told, by=seat)

    return router
