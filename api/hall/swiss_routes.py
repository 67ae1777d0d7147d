"""Swiss routes: players enter and leave, a round is paired from the results before it, standings."""

import secrets
from collections.abc import Callable

from fastapi import APIRouter, Request
from pydantic import Field

from api.errors import TooManyTries, WrongCode
from api.hall.errors import BadPairings, HallStoreFailed, RoundConflict
from api.hall.hall_auth import Official, Organiser, RoundNumber
from api.hall.player_store import PlayerStore, Standings
from api.hall.rounds import HallSettings, RoundView
from api.hall.swiss import NewSwissPlayer, SwissPlayer
from api.http.openapi import problem_responses
from api.seats.sessions import RateLimit
from models.frozen import Frozen

_PLAYERS = problem_responses(BadPairings, HallStoreFailed)


class SwissEntries(Frozen, json_schema_extra={"examples": [{"players": [{"name": "Ada"}, {"name": "Ben"}]}]}):
    """Players who enter: all of them, or none."""

    players: tuple[NewSwissPlayer, ...] = Field(min_length=1, max_length=2000)


class Leaving(Frozen, json_schema_extra={"examples": [{"name": "Ada"}]}):
    """Who leaves the event, or comes back."""

    name: str = Field(min_length=1, max_length=80)
    is_back: bool = False


class CheckIn(Frozen, json_schema_extra={"examples": [{"name": "Ada", "is_here": True}]}):
    """Who is here, or is not after all."""

    name: str = Field(min_length=1, max_length=80)
    is_here: bool = True


class OwnCheckIn(Frozen, json_schema_extra={"examples": [{"name": "Ada", "code": "K7Q2MD"}]}):
    """A player says by the code that hangs at the desk that they are here."""

    name: str = Field(min_length=1, max_length=80)
    code: str = Field(min_length=1, max_length=20)


def swiss_router(players: PlayerStore, settings: Callable[[], HallSettings], *, tables: frozenset[int]) -> APIRouter:
    router = APIRouter(prefix="/api/v1/hall", tags=["rounds"])
    router.include_router(_check_in_router(players, settings))

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


def _check_in_router(players: PlayerStore, settings: Callable[[], HallSettings]) -> APIRouter:
    router = APIRouter()
    tries = RateLimit()

    @router.post("/players/check-in", responses=_PLAYERS)
    def check_in(player: CheckIn, _: Official) -> SwissPlayer:
        """A player is here; once anybody is checked in, only those who are here are paired."""
        return players.check_in(player.name, is_here=player.is_here)

    @router.post("/check-in", responses=problem_responses(BadPairings, WrongCode, TooManyTries, HallStoreFailed))
    def check_in_by_code(player: OwnCheckIn, request: Request) -> SwissPlayer:
        """A player who scanned the code at the desk is here."""
        place = request.client.host if request.client else ""
        if tries.is_exceeded(place):
            raise TooManyTries("Too many wrong codes came from you; wait a minute.", field="code", value=None)
        code = settings().check_in
        if code is None or not secrets.compare_digest(code.encode(), player.code.upper().encode()):
            tries.record_failure(place)
            raise WrongCode("With this code nobody checks in, or check-in is closed.", field="code", value=player.code)
        return players.check_in(player.name)

    return router
