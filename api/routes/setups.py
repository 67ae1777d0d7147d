"""Set-up routes: what a table is played with from game to game, and two army lists laid out on it."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from api import errors
from api.corrections.schemas import CorrectionStep
from api.http.openapi import problem_responses
from api.lists.army import add_list, answer_question, describe_reading, remove_list
from api.lists.my_army import casualty_correction, new_turn, with_losses
from api.lists.naming import naming_correction, naming_of
from api.lists.schemas import (
    Casualty,
    ConfirmedList,
    ListAnswer,
    ListNaming,
    ListReading,
    ListText,
    NamingChoices,
    NewTurn,
)
from api.live.hub import Hub, table_of
from api.rosters.file_opening import MOST_BYTES
from api.rosters.line_mends import read_mended
from api.rosters.read import read_roster
from api.routes.auth import AtTheTable, Minder, has_opponent
from api.routes.corrections import NewestSeen
from api.routes.services import Table
from api.seats.permissions import Seat
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
SideName = Annotated[str, Query(min_length=1, max_length=80, description="whose list it is")]
FileName = Annotated[str, Query(max_length=200, description="as the file is called")]
_BINARY = {"schema": {"type": "string", "format": "binary"}, "example": "Weir Host\nWarden, 50mm\n3 Pikemen, 30mm\n"}
_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": _BINARY}}}
_LAYING = problem_responses(
    errors.BadRoster, errors.UnclearRoster, errors.BadCards, errors.BadCorrection, errors.TooMuch, errors.JournalFailed
)
_NAMING = problem_responses(errors.NoTableYet, errors.BadCorrection, errors.CorrectionConflict, errors.JournalFailed)


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


list_router = APIRouter(prefix="/api/v1/lists", tags=["lists"])


@list_router.get("")
def lists(table: Table) -> ListNaming:
    """The lists, who is named, and who may be whom."""
    return _naming(table.hub)


@list_router.post("", openapi_extra=_BODY, max_body_size=MOST_BYTES, responses=_LAYING)
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


@list_router.post("/reading", responses=problem_responses(errors.BadRoster))
def read_text(asked: ListText, _: AtTheTable) -> ListReading:
    """How a text would be read, and which lines a player should look at; nothing is laid."""
    return describe_reading(asked.text, asked.mends)


@list_router.post("/confirmed", responses=_LAYING)
async def lay_confirmed(asked: ConfirmedList, seat: AtTheTable, table: Table) -> ListNaming:
    """Lay out what a player has looked through, however much of it was understood; his mends stand in its remarks."""

    def read_list() -> Roster:
        read = read_mended(asked.text, asked.mends, name=asked.name)
        roster, cards = table.hub.expected.roster(), table.cards().cards()
        return add_list(roster, read, asked.side, cards, file=asked.name, is_confirmed=True)

    async with table.list_changes:
        _expect(table.hub, await run_in_threadpool(read_list), seat)
    return await run_in_threadpool(_naming, table.hub)


@list_router.delete("/{side}", responses=problem_responses(errors.JournalFailed))
async def put_away(side: Annotated[str, Path(max_length=80)], seat: AtTheTable, table: Table) -> ListNaming:
    """Put the list of a side away; who was named stays named."""
    async with table.list_changes:
        _expect(table.hub, remove_list(table.hub.expected.roster(), side), seat)
    return await run_in_threadpool(_naming, table.hub)


@list_router.post("/answer", responses=problem_responses(errors.BadCorrection, errors.BadCards, errors.JournalFailed))
async def answer(choice: ListAnswer, seat: AtTheTable, table: Table) -> ListNaming:
    """Answer what a list leaves open: which card, how many, which base."""
    async with table.list_changes:
        _expect(table.hub, answer_question(table.hub.expected.roster(), choice, table.cards().cards()), seat)
    return await run_in_threadpool(_naming, table.hub)


@list_router.post("/name", status_code=201, responses=_NAMING)
async def name_them(choices: NamingChoices, seat: AtTheTable, table: Table, seen: NewestSeen = None) -> CorrectionStep:
    """These are those entries: names, sides, units and cards in one step that both players see."""
    hub = table.hub
    correction = naming_correction(hub.expected.roster(), table_of(hub), choices.choices)
    return hub.undo_log.correct(hub.measured, correction, by=seat, seen=seen)


@list_router.post("/casualty", status_code=201, responses=_NAMING)
async def lose(
    casualty: Casualty, seat: AtTheTable, request: Request, table: Table, seen: NewestSeen = None
) -> CorrectionStep:
    """One of an entry is lost; a base that is named stands in no answer more, once the other player agrees."""
    hub, opposed = table.hub, has_opponent(request, seat)
    correction = casualty_correction(_naming(hub), hub.state, casualty)
    return hub.undo_log.correct(hub.measured, correction, by=seat, seen=seen, has_opponent=opposed)


@list_router.post("/new-turn", status_code=201, responses=_NAMING)
async def begin_turn(turn: NewTurn, seat: AtTheTable, table: Table, seen: NewestSeen = None) -> CorrectionStep:
    """A turn of a side begins: none of its units has activated."""
    hub = table.hub
    return hub.undo_log.correct(hub.measured, new_turn(_naming(hub), turn.side), by=seat, seen=seen)


def _naming(hub: Hub) -> ListNaming:
    steps = hub.undo_log.all()
    return with_losses(naming_of(hub.expected.roster(), hub.state, steps, _looks(hub)), steps)


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
