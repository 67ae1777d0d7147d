"""Match routes at a table: who plays here in this round, and how each player says it ended."""

from typing import Annotated, get_args

from fastapi import APIRouter

from api.clocks.state import Player
from api.errors import JournalFailed, NoHall, NotAllowed
from api.hall.entries import ResultTold, RoundBegun
from api.hall.rounds import GameResult
from api.hall.table_link import TableLink
from api.http.openapi import problem_responses
from api.journal.interface import Journal
from api.routes.auth import needs
from api.seats.permissions import Right, Seat
from models.frozen import Frozen


class Match(Frozen):
    """The game that the hall has paired here; `agreed` once both players say the same."""

    round: int
    players: dict[Player, str]
    told: dict[Player, GameResult]
    agreed: GameResult | None


def match_router(journal: Journal, link: TableLink | None) -> APIRouter:
    """The routes of the round that is played at this table."""
    router = APIRouter(prefix="/api/v1/match", tags=["hall"])

    @router.get("")
    async def read() -> Match | None:
        """The game that is paired here; null: none."""
        return match_of(journal)

    @router.put("/result", responses=problem_responses(NoHall, NotAllowed, JournalFailed))
    async def tell(result: GameResult, seat: Annotated[Seat, needs(Right.CORRECT)]) -> Match | None:
        """How the game ended, as this player says; it counts once the other says the same, or a judge does."""
        match = match_of(journal)
        if link is None or match is None:
            raise NoHall("No round of a hall is played here.", field="round", value=None)
        player = next((player for player in get_args(Player) if player == seat), None)
        if player is None:
            raise NotAllowed("A judge confirms results on the page of the hall.", field="seat", value=seat)
        journal.write(ResultTold(by=player, round=match.round, table=link.key.table, result=result))
        return match_of(journal)

    return router


def match_of(journal: Journal) -> Match | None:
    """The newest round that the hall began here, with what was told of it."""
    begun = journal.newest(RoundBegun)
    if begun is None or not isinstance(begun.entry, RoundBegun):
        return None
    lines = [line.entry for line in journal.lines(ResultTold, after=begun.n)]
    entered = {entry.by: entry.result for entry in lines if isinstance(entry, ResultTold)}
    results = list(entered.values())
    agreed = results[0] if len(results) == 2 and results[0] == results[1] else None
    return Match(round=begun.entry.round, players=begun.entry.players, told=entered, agreed=agreed)
