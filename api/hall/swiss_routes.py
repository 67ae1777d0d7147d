"""Swiss routes: players enter and leave, a round is paired from the results before it, standings."""

from fastapi import APIRouter
from pydantic import Field

from api.hall.errors import BadPairings, HallStoreFailed, RoundConflict
from api.hall.hall_auth import Official, Organiser, RoundNumber
from api.hall.player_store import PlayerStore, Standings
from api.hall.rounds import RoundView
from api.hall.swiss import NewSwissPlayer, SwissPlayer
from api.http.openapi import problem_responses
from models.frozen import Frozen

_PLAYERS = problem_responses(BadPairings, HallStoreFailed)


class SwissEntries(Frozen, json_schema_extra={"examples": [{"players": [{"name": "Ada"}, {"name": "Ben"}]}]}):
    """Players who enter: all of them, or none."""

    players: tuple[NewSwissPlayer, ...] = Field(min_length=1, max_length=2000)


class Leaving(Frozen, json_schema_extra={"examples": [{"name": "Ada"}]}):
    """Who leaves the event, or comes back."""

    name: str = Field(min_length=1, max_length=80)
    is_back: bool = False


def swiss_router(players: PlayerStore, *, tables: frozenset[int]) -> APIRouter:
    router = APIRouter(prefix="/api/v1/hall", tags=["rounds"])

    @router.get("/players", responses=problem_responses(HallStoreFailed))
    def read(_: Official) -> tuple[SwissPlayer, ...]:
        """Who plays in the event, with the rounds in which they do."""
        return players.all()

    @router.post("/players", status_code=201, responses=_PLAYERS)
    def enter(entries: SwissEntries, _: Organiser) -> tuple[SwissPlayer, ...]:
        """Let players enter; who comes late plays from the next round on."""
        return players.enter(entries.players)

    @router.post("/players/drop", responses=_PLAYERS)
    def drop(leaving: Leaving, _: Organiser) -> SwissPlayer:
        """A player leaves after the round that runs, or comes back."""
        return players.drop(leaving.name, is_back=leaving.is_back)

    @router.post("/rounds/{number}/pair", responses=problem_responses(BadPairings, RoundConflict, HallStoreFailed))
    def pair(number: RoundNumber, _: Organiser) -> RoundView:
        """Pair a round from the results before it, by the Swiss system."""
        return players.pair(number, tables=tables)

    @router.get("/standings", responses=problem_responses(HallStoreFailed))
    def standings() -> Standings:
        """The standings after all rounds that have begun."""
        return players.standings()

    return router
