"""Setup routes: kept setups, and expected bases."""

from typing import Annotated

from fastapi import APIRouter, Path, Request

from api import errors
from api.corrections.schemas import CorrectionStep
from api.http.openapi import problem_responses
from api.live.hub import table_of
from api.routes.auth import AtTheTable, Minder, has_opponent
from api.routes.corrections import NewestSeen
from api.routes.services import Table
from api.setups.schemas import (
    ExpectedMatch,
    ProposedSides,
    Roster,
    RosterSet,
    Setup,
    SetupName,
    SetupParts,
    SetupSummary,
)
from api.setups.store import make_setup, match_expected, propose_sides, setup_correction, summarise_setup

Name = Annotated[SetupName, Path()]
router = APIRouter(prefix="/api/v1", tags=["setups"])
_WRITING = problem_responses(errors.JournalFailed)
_ALL = SetupParts()


@router.get("/setups")
async def kept(table: Table) -> tuple[SetupSummary, ...]:
    """What is kept, by name."""
    return tuple(summarise_setup(setup) for setup in table.shelf.all())


@router.post("/setups", status_code=201, responses=_WRITING)
async def add(setup: Setup, _: Minder, table: Table) -> SetupSummary:
    """Keep a whole setup, in place of one of the same name."""
    table.shelf.put(setup)
    return summarise_setup(setup)


@router.get("/setups/{name}", responses=problem_responses(errors.NoSuchSetup))
async def whole(name: Name, table: Table) -> Setup:
    """All of a setup."""
    return table.shelf.find_setup(name)


@router.put("/setups/{name}", responses=problem_responses(errors.NoTableYet, errors.JournalFailed))
async def keep(name: Name, _: Minder, table: Table, keep: SetupParts = _ALL) -> SetupSummary:
    """Keep these parts of the table as it is now."""
    expected = table.hub.expected.roster().expected
    setup = make_setup(table_of(table.hub), name, keep, expected=expected)
    table.shelf.put(setup)
    return summarise_setup(setup)


@router.delete("/setups/{name}", responses=problem_responses(errors.NoSuchSetup))
async def remove(name: Name, _: Minder, table: Table) -> SetupSummary:
    """Keep it no more."""
    return summarise_setup(table.shelf.remove(name))


@router.get("/expected")
async def match_counts(table: Table) -> tuple[ExpectedMatch, ...]:
    """Who is expected, and which measured bases may be each of them."""
    return match_expected(table.hub.expected.roster().expected, table.hub.state)


@router.put("/expected", responses=_WRITING)
async def expect(roster: Roster, seat: AtTheTable, table: Table) -> tuple[ExpectedMatch, ...]:
    """Put down who is expected."""
    table.hub.expect(RosterSet(by=seat, expected=roster.expected))
    return match_expected(roster.expected, table.hub.state)


@router.get(
    "/sides/proposed", responses=problem_responses(errors.NoTableYet, errors.NoPicture, errors.TooManyQuestions)
)
async def sides_by_look(request: Request, table: Table) -> ProposedSides:
    """Who belongs to whom by the paint of rims and miniatures; players confirm it with a correction."""
    state, picture = table_of(table.hub), table.hub.live_picture.jpeg
    return await table.desk.answer(request, lambda: propose_sides(state, picture))


@router.post(
    "/setups/{name}/lay",
    responses=problem_responses(
        errors.NoSuchSetup, errors.NoTableYet, errors.BadCorrection, errors.CorrectionConflict, errors.JournalFailed
    ),
)
async def lay(
    name: Name, seat: AtTheTable, request: Request, table: Table, seen: NewestSeen = None
) -> CorrectionStep | None:
    """Lay the setup out, in one step; null when it holds expected bases only."""
    hub, setup, step = table.hub, table.shelf.find_setup(name), None
    correction = setup_correction(setup, table_of(hub))
    if correction is not None:
        opposed = has_opponent(request, seat)
        step = hub.undo_log.correct(hub.measured, correction, by=seat, seen=seen, has_opponent=opposed)
    if setup.expected is not None:
        hub.expect(RosterSet(by=seat, expected=setup.expected))
    return step
