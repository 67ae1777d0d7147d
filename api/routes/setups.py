"""Setup routes: kept setups, and expected bases."""

from typing import Annotated

from fastapi import APIRouter, Path, Request

from api.corrections.schemas import CorrectionStep
from api.errors import (
    BadCorrection,
    CorrectionConflict,
    JournalFailed,
    NoPicture,
    NoSuchSetup,
    NoTableYet,
    TooManyQuestions,
)
from api.http.openapi import problem_responses
from api.live.hub import Hub, table_of
from api.routes.auth import has_opponent, needs
from api.routes.corrections import NewestSeen
from api.routes.question_desk import QuestionDesk
from api.seats.permissions import Right, Seat
from api.setups.apply import make_setup, match_expected, setup_correction, summarise_setup
from api.setups.entries import RosterSet
from api.setups.schemas import ExpectedMatch, ProposedSides, Roster, Setup, SetupName, SetupParts, SetupSummary
from api.setups.side_proposals import propose_sides
from api.setups.store import SetupStore

Player = Annotated[Seat, needs(Right.CORRECT)]
Minder = Annotated[Seat, needs(Right.MIND)]
Name = Annotated[SetupName, Path()]
_WRITING = problem_responses(JournalFailed)
_ALL = SetupParts()


def setup_router(hub: Hub, shelf: SetupStore, desk: QuestionDesk) -> APIRouter:
    """The routes about what a table is played with."""
    router = APIRouter(prefix="/api/v1", tags=["setups"])
    router.include_router(_store_routes(hub, shelf))
    router.include_router(_expected_routes(hub))

    @router.get("/sides/proposed", responses=problem_responses(NoTableYet, NoPicture, TooManyQuestions))
    async def sides_by_look(request: Request) -> ProposedSides:
        """Who belongs to whom by the paint of rims and miniatures; players confirm it with a correction."""
        state, picture = table_of(hub), hub.live_picture.jpeg
        return await desk.answer(request, lambda: propose_sides(state, picture))

    @router.post(
        "/setups/{name}/lay",
        responses=problem_responses(NoSuchSetup, NoTableYet, BadCorrection, CorrectionConflict, JournalFailed),
    )
    async def lay(name: Name, seat: Player, request: Request, seen: NewestSeen = None) -> CorrectionStep | None:
        """Lay the setup out, in one step; null when it holds expected bases only."""
        setup, step = shelf.find_setup(name), None
        correction = setup_correction(setup, table_of(hub))
        if correction is not None:
            opposed = has_opponent(request, seat)
            step = hub.undo_log.correct(hub.measured, correction, by=seat, seen=seen, has_opponent=opposed)
        if setup.expected is not None:
            hub.expect(RosterSet(by=seat, expected=setup.expected))
        return step

    return router


def _store_routes(hub: Hub, shelf: SetupStore) -> APIRouter:
    router = APIRouter(prefix="/setups")

    @router.get("")
    async def kept() -> tuple[SetupSummary, ...]:
        """What is kept, by name."""
        return tuple(summarise_setup(setup) for setup in shelf.all())

    @router.post("", status_code=201, responses=_WRITING)
    async def add(setup: Setup, _: Minder) -> SetupSummary:
        """Keep a whole setup, in place of one of the same name."""
        shelf.put(setup)
        return summarise_setup(setup)

    @router.get("/{name}", responses=problem_responses(NoSuchSetup))
    async def whole(name: Name) -> Setup:
        """All of a setup."""
        return shelf.find_setup(name)

    @router.put("/{name}", responses=problem_responses(NoTableYet, JournalFailed))
    async def keep(name: Name, _: Minder, keep: SetupParts = _ALL) -> SetupSummary:
        """Keep these parts of the table as it is now."""
        setup = make_setup(table_of(hub), name, keep, expected=hub.expected.roster().expected)
        shelf.put(setup)
        return summarise_setup(setup)

    @router.delete("/{name}", responses=problem_responses(NoSuchSetup))
    async def remove(name: Name, _: Minder) -> SetupSummary:
        """Keep it no more."""
        return summarise_setup(shelf.remove(name))

    return router


def _expected_routes(hub: Hub) -> APIRouter:
    router = APIRouter(prefix="/expected")

    @router.get("")
    async def match_counts() -> tuple[ExpectedMatch, ...]:
        """Who is expected, and which measured bases may be each of them."""
        return match_expected(hub.expected.roster().expected, hub.state)

    @router.put("", responses=_WRITING)
    async def expect(roster: Roster, seat: Player) -> tuple[ExpectedMatch, ...]:
        """Put down who is expected."""
        hub.expect(RosterSet(by=seat, expected=roster.expected))
        return match_expected(roster.expected, hub.state)

    return router
