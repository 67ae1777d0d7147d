"""Hall routes at a table: a player calls a judge and sees that one comes, reads the pairing, reports the result."""

import time
from collections.abc import Callable
from typing import Annotated, get_args

from fastapi import APIRouter
from pydantic import Field

from api.clocks.entries import Player
from api.errors import JournalFailed, NotAllowed
from api.hall.errors import NoHall
from api.hall.rounds import CallWithdrawn, GameResult, JudgeCalled, OrderDone, ResultTold, RoundBegun
from api.hall.table_link import TableLink
from api.http.openapi import problem_responses
from api.journal.interface import Journal
from api.routes.auth import needs
from api.rulings.bench import JudgesBench
from api.seats.permissions import Right, Seat
from models.frozen import Frozen

AtTheTable = Annotated[Seat, needs(Right.CORRECT)]
_ANSWERS = problem_responses(NoHall, JournalFailed)


class CallRequest(Frozen, json_schema_extra={"examples": [{"verdict": "Lancer is in sight of Long Gunner"}]}):
    """What is in dispute, in the words of the verdict, when the player attached one."""

    verdict: str | None = Field(None, max_length=300)


class CallStatus(Frozen):
    """Whether a judge can be called here, was called, and what the hall said last about it."""

    in_hall: bool
    is_open: bool
    says: str | None


def call_router(bench: JudgesBench, link: TableLink | None) -> APIRouter:
    router = APIRouter(prefix="/api/v1/call", tags=["hall"])
    if link is not None and link.key.call_stops_clock:
        bench.hub.clocks.stops_at_call = True

    @router.get("")
    async def status() -> CallStatus:
        """Whether a judge was called."""
        return call_status(bench.hub.journal, in_hall=link is not None)

    @router.post("", responses=_ANSWERS)
    async def call(asked: CallRequest, seat: AtTheTable) -> CallStatus:
        """Call a judge; where the event says so, the clocks stop. Called twice is called once."""
        if link is None:
            raise NoHall("This table belongs to no hall: start it with --hub.", field="hub", value=None)
        if not call_status(bench.hub.journal, in_hall=True).is_open:
            bench.hub.journal.write(JudgeCalled(by=seat, verdict=asked.verdict))
            bench.hub.clocks.stop_for_call(by=seat)
        return call_status(bench.hub.journal, in_hall=True)

    @router.delete("", responses=_ANSWERS)
    async def withdraw(seat: AtTheTable) -> CallStatus:
        """The players have settled it; the clocks stay as they are."""
        if call_status(bench.hub.journal, in_hall=True).is_open:
            bench.hub.journal.write(CallWithdrawn(by=seat))
        return call_status(bench.hub.journal, in_hall=link is not None)

    return router


def call_status(journal: Journal, *, in_hall: bool) -> CallStatus:
    is_open, says = False, None
    called = journal.newest(JudgeCalled)
    for line in journal.lines(CallWithdrawn, OrderDone, after=called.n) if called else ():
        if isinstance(line.entry, OrderDone):
            says = str(line.entry.facts.get("says", "")) or says
    if called is not None:
        after = journal.lines(CallWithdrawn, OrderDone, after=called.n)
        is_open = not any(isinstance(x.entry, CallWithdrawn) or _ends_call(x.entry) for x in after)
    return CallStatus(in_hall=in_hall, is_open=is_open, says=says)


def _ends_call(entry: object) -> bool:
    return isinstance(entry, OrderDone) and entry.kind == "go-on"


class Match(Frozen):
    """The game that the hall has paired here; `agreed` once both players say the same."""

    round: int
    left_s: float | None = Field(None, description="of the round, now; below nothing once its time is over")
    players: dict[Player, str]
    told: dict[Player, GameResult]
    agreed: GameResult | None


def match_router(journal: Journal, link: TableLink | None, *, clock: Callable[[], float] = time.time) -> APIRouter:
    router = APIRouter(prefix="/api/v1/match", tags=["hall"])

    @router.get("")
    async def read() -> Match | None:
        """The game that is paired here; null: none."""
        return match_of(journal, now_s=clock())

    @router.put("/result", responses=problem_responses(NoHall, NotAllowed, JournalFailed))
    async def tell(result: GameResult, seat: Annotated[Seat, needs(Right.CORRECT)]) -> Match | None:
        """How the game ended, as this player says; it counts once the other says the same, or a judge does."""
        match = match_of(journal, now_s=clock())
        if link is None or match is None:
            raise NoHall("No round of a hall is played here.", field="round", value=None)
        player = next((player for player in get_args(Player) if player == seat), None)
        if player is None:
            raise NotAllowed("A judge confirms results on the page of the hall.", field="seat", value=seat)
        journal.write(ResultTold(by=player, round=match.round, table=link.key.table, result=result))
        return match_of(journal, now_s=clock())

    return router


def match_of(journal: Journal, *, now_s: float) -> Match | None:
    """The newest round that the hall began here, with what was told of it."""
    begun = journal.newest(RoundBegun)
    if begun is None or not isinstance(begun.entry, RoundBegun):
        return None
    lines = [line.entry for line in journal.lines(ResultTold, after=begun.n)]
    entered = {entry.by: entry.result for entry in lines if isinstance(entry, ResultTold)}
    results = list(entered.values())
    agreed = results[0] if len(results) == 2 and results[0] == results[1] else None
    left_s = begun.entry.left_s
    now_left_s = None if left_s is None else left_s - (now_s - begun.at_s)
    return Match(round=begun.entry.round, left_s=now_left_s, players=begun.entry.players, told=entered, agreed=agreed)
