"""Setups and expected bases over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Path

from api.corrections.step import StepMade
from api.errors import BadCorrection, JournalFailed, NoPicture, NoSuchSetup, NoTableYet
from api.hub import Hub, table_of
from api.openapi import problems
from api.seats.asking import needs
from api.seats.seat import Right, Seat
from api.setups.laying import found, setup_of, step_of, told
from api.setups.shelf import Shelf
from api.setups.siding import SidesProposed, proposed
from api.setups.words import Found, Keep, Roster, RosterPutDown, Setup, SetupName, SetupTold

Player = Annotated[Seat, needs(Right.CORRECT)]
Minder = Annotated[Seat, needs(Right.MIND)]
Name = Annotated[SetupName, Path()]
_WRITING = problems(JournalFailed)
_ALL = Keep()


def setups(hub: Hub, shelf: Shelf) -> APIRouter:
    """The routes about what a table is played with."""
    router = APIRouter(prefix="/api/v1", tags=["setups"])
    router.include_router(_kept(hub, shelf))
    router.include_router(_expecting(hub))

    @router.get("/sides/proposed", responses=problems(NoTableYet, NoPicture))
    def sides_by_look() -> SidesProposed:
        """Who belongs to whom by the paint of rims and miniatures; players confirm it with a correction."""
        return proposed(table_of(hub), hub.picture)

    @router.post("/setups/{name}/lay", responses=problems(NoSuchSetup, NoTableYet, BadCorrection, JournalFailed))
    async def lay(name: Name, seat: Player) -> StepMade | None:
        """Lay the setup out, in one step; null when it holds expected bases only."""
        setup = shelf.named(name)
        correction = step_of(setup, table_of(hub))
        if setup.expected is not None:
            hub.expect(RosterPutDown(by=seat, expected=setup.expected))
        if correction is None:
            return None
        step = hub.steps.correct(hub.state, correction, by=seat)
        hub.correct_again()
        return step

    return router


def _kept(hub: Hub, shelf: Shelf) -> APIRouter:
    router = APIRouter(prefix="/setups")

    @router.get("")
    async def kept() -> tuple[SetupTold, ...]:
        """What is kept, by name."""
        return tuple(told(setup) for setup in shelf.all())

    @router.post("", status_code=201, responses=_WRITING)
    async def add(setup: Setup, _: Minder) -> SetupTold:
        """Keep a whole setup, in place of one of the same name."""
        shelf.put(setup)
        return told(setup)

    @router.get("/{name}", responses=problems(NoSuchSetup))
    async def whole(name: Name) -> Setup:
        """All of a setup."""
        return shelf.named(name)

    @router.put("/{name}", responses=problems(NoTableYet, JournalFailed))
    async def keep(name: Name, _: Minder, keep: Keep = _ALL) -> SetupTold:
        """Keep these parts of the table as it is now."""
        setup = setup_of(table_of(hub), name, keep, expected=hub.expected())
        shelf.put(setup)
        return told(setup)

    @router.delete("/{name}", responses=problems(NoSuchSetup))
    async def remove(name: Name, _: Minder) -> SetupTold:
        """Keep it no more."""
        return told(shelf.remove(name))

    return router


def _expecting(hub: Hub) -> APIRouter:
    router = APIRouter(prefix="/expected")

    @router.get("")
    async def expected() -> tuple[Found, ...]:
        """Who is expected, and which measured bases may be each of them."""
        return found(hub.expected(), hub.state)

    @router.put("", responses=_WRITING)
    async def expect(roster: Roster, seat: Player) -> tuple[Found, ...]:
        """Put down who is expected."""
        hub.expect(RosterPutDown(by=seat, expected=roster.expected))
        return found(roster.expected, hub.state)

    return router
