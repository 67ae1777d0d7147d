"""List routes: army lists are laid out, asked about, and their entries named.

A list is read beside the event loop, one after the other: none is laid over what another has just changed.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from api import errors
from api.corrections.schemas import CorrectionStep
from api.http.openapi import problem_responses
from api.lists.army import add_list, answer_question, remove_list
from api.lists.naming import naming_correction, naming_of
from api.lists.schemas import ListAnswer, ListNaming, NamingChoices
from api.live.hub import Hub, table_of
from api.rosters.file_opening import MOST_BYTES
from api.rosters.read import read_roster
from api.routes.auth import AtTheTable
from api.routes.corrections import NewestSeen
from api.routes.services import Table
from api.seats.permissions import Seat
from api.setups.schemas import ProposedSides, Roster, RosterSet
from api.setups.store import propose_sides

SideName = Annotated[str, Query(min_length=1, max_length=80, description="whose list it is")]
FileName = Annotated[str, Query(max_length=200, description="as the file is called")]
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": _BINARY}}}
_LAYING = problem_responses(
    errors.BadRoster, errors.BadCards, errors.BadCorrection, errors.TooMuch, errors.JournalFailed
)
_NAMING = problem_responses(errors.NoTableYet, errors.BadCorrection, errors.CorrectionConflict, errors.JournalFailed)

router = APIRouter(prefix="/api/v1/lists", tags=["lists"])


@router.get("")
def lists(table: Table) -> ListNaming:
    """The lists, who is named, and who may be whom."""
    return _naming(table.hub)


@router.post("", openapi_extra=_BODY, max_body_size=MOST_BYTES, responses=_LAYING)
async def lay_list(
    request: Request, side: SideName, seat: AtTheTable, table: Table, name: FileName = "list"
) -> ListNaming:
    """Lay a list out for a side: the request's whole body, as the player's app wrote it; in place of one it had."""
    raw = await _read_body(request)

    def read_list() -> Roster:
        roster = table.hub.expected.roster()
        return add_list(roster, read_roster(raw, name=name), side, table.cards().cards(), file=name)

    async with table.list_changes:
        _expect(table.hub, await run_in_threadpool(read_list), seat)
    return await run_in_threadpool(_naming, table.hub)


@router.delete("/{side}", responses=problem_responses(errors.JournalFailed))
async def put_away(side: Annotated[str, Path(max_length=80)], seat: AtTheTable, table: Table) -> ListNaming:
    """Put the list of a side away; who was named stays named."""
    async with table.list_changes:
        _expect(table.hub, remove_list(table.hub.expected.roster(), side), seat)
    return await run_in_threadpool(_naming, table.hub)


@router.post("/answer", responses=problem_responses(errors.BadCorrection, errors.BadCards, errors.JournalFailed))
async def answer(choice: ListAnswer, seat: AtTheTable, table: Table) -> ListNaming:
    """Answer what a list leaves open: which card, how many, which base."""
    async with table.list_changes:
        _expect(table.hub, answer_question(table.hub.expected.roster(), choice, table.cards().cards()), seat)
    return await run_in_threadpool(_naming, table.hub)


@router.post("/name", status_code=201, responses=_NAMING)
async def name_them(choices: NamingChoices, seat: AtTheTable, table: Table, seen: NewestSeen = None) -> CorrectionStep:
    """These are those entries: names, sides, units and cards in one step that both players see."""
    hub = table.hub
    correction = naming_correction(hub.expected.roster(), table_of(hub), choices.choices)
    return hub.undo_log.correct(hub.measured, correction, by=seat, seen=seen)


def _naming(hub: Hub) -> ListNaming:
    return naming_of(hub.expected.roster(), hub.state, hub.undo_log.all(), _looks(hub))


def _looks(hub: Hub) -> ProposedSides | None:
    """Sides by paint, where there is a picture and somebody without a side."""
    if hub.state is None or hub.live_picture.jpeg is None or all(m.side is not None for m in hub.state.miniatures):
        return None
    try:
        return propose_sides(hub.state, hub.live_picture.jpeg)
    except errors.NoPicture:
        return None


def _expect(hub: Hub, roster: Roster, seat: Seat) -> None:
    hub.expect(RosterSet(by=seat, expected=roster.expected, lists=roster.lists))


async def _read_body(request: Request) -> bytes:
    """The list, unless it is absurdly large. Raises: TooMuch."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise errors.TooMuch(f"a list has at most {MOST_BYTES >> 20} MB", field="file", value=None)
    return bytes(body)
