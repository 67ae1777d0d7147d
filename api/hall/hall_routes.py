"""Hall routes: the view of all tables, what judges do with calls, the pages, and what anybody may see.

The code on a table's card leads to the table's own page, and opens a player's seat there.
"""

import html
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.responses import RedirectResponse
from fastapi.sse import EventSourceResponse
from starlette.concurrency import run_in_threadpool
from starlette.middleware.gzip import GZipMiddleware

from api.errors import TooMuch
from api.hall.call_store import Appeal, Call, CallStore, Closing, NewHallRuling
from api.hall.errors import (
    BadPairings,
    CallConflict,
    HallStoreFailed,
    NoSuchCall,
    NoSuchHallTable,
    NoSuchPenalty,
    NoSuchRound,
    RoundConflict,
)
from api.hall.hall_auth import Numbered, Official, Organiser, RoundNumber
from api.hall.hall_board import HallBoard
from api.hall.hall_records import HallRecords
from api.hall.keys import EventKeys
from api.hall.pairing_file import export_csv, export_hall, read_pairings, read_players
from api.hall.pairing_rows import MOST_BYTES, ROLES
from api.hall.rounds import (
    GameResult,
    HallSettings,
    ImportedRound,
    NewPenalty,
    Pairing,
    PairingChanges,
    Penalty,
    PenaltyWithdrawal,
    PlayerSwap,
    Round,
    RoundStart,
    RoundView,
)
from api.hall.schemas import Doorway, HallHealth, HallView, PublicHall
from api.hall.spectators import SpectatedTable, Spectators, TableSheet, read_sheet
from api.hall.store import HallStore
from api.http.openapi import Responses, media_response, problem_responses
from api.http.security_headers import BUILT, HashedFiles, add_page, content_policy, page_response
from api.http.sse_broadcast import EVENTS, SseBroadcast, stream_events
from api.journal.countersignature import HeadWitness
from api.routes.overlay import loader_of
from api.routes.seats import join_page
from api.seats.sessions import RateLimit

_TABLE = problem_responses(NoSuchHallTable, HallStoreFailed)
_FRAMES = "; frame-src http: https:"  # the tables' own overlays, each at its own address
_AWAY = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="5">
<title>Table {number}</title><main><h1>Table {number} is not there yet</h1>
<p>The hub has not heard of it. This page looks again every few seconds; ask the organiser if it stays so.</p></main>
</html>"""
_ELSEWHERE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Table {number} is elsewhere</title>
<main><h1>Table {number} is elsewhere</h1><p>It says that its pages are at <b>{host}</b>, which is not the
machine that speaks for it. Ask the organiser whether that is right.</p>
<p><a href="{url}" rel="noreferrer">Open {host}</a></p></main></html>"""
_WHOLE_HALL: Responses = {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}
_CALL = problem_responses(NoSuchCall, CallConflict, HallStoreFailed)
_PENALTY = problem_responses(NoSuchPenalty, HallStoreFailed)
_FILE = {"schema": {"type": "string"}, "example": "round,table,player_a,player_b\n1,3,Ada,Ben\n"}
_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": _FILE}}}
Headings = Literal["own", "mapped"]
_ROUND = problem_responses(NoSuchRound, RoundConflict, HallStoreFailed)


def hall_router(store: HallStore, board: HallBoard, keys: EventKeys) -> APIRouter:
    router = APIRouter(prefix="/api/v1/hall", tags=["hall"])

    @router.get("")
    async def view(_: Official) -> HallView:
        """Every table from afar, and the calls."""
        return board.view()

    @router.get("/stream", response_class=Response, responses=media_response(EVENTS))
    async def stream(_: Official) -> EventSourceResponse:
        """The hall as server-sent events: whole at first, then what changes of it."""
        return stream_events(board.events())

    @router.get("/tables/{number}/door", responses=problem_responses(NoSuchHallTable, HallStoreFailed))
    def door(_: Official, number: Numbered, response: Response) -> Doorway:
        """Where the table's judge's page opens without another code."""
        response.headers["Cache-Control"] = "no-store"
        cell, _trouble = store.cells([number]).get(number, (None, None))
        address = board.address_of(number)
        code = None if cell is None else board.code_of(number, "judge", cell)
        if code is None or address is None:
            raise NoSuchHallTable(f"table {number} has not been heard of", field="number", value=number)
        return Doorway(url=f"{address}j/{code}", asks_about=board.strange_host_of(number))

    @router.post("/tables/{number}/release", status_code=204, responses=problem_responses(HallStoreFailed))
    async def release(_: Organiser, number: Numbered) -> Response:
        """Let another journal have this table's number: a folder restored from a copy, or another machine."""
        await board.release(number)
        return Response(status_code=204)

    router.include_router(_call_router(board.records.calls, keys))
    return router


def _call_router(calls: CallStore, keys: EventKeys) -> APIRouter:
    router = APIRouter(prefix="/calls/{id_}")

    @router.post("/take", responses=_CALL)
    def take(id_: Numbered, seat: Official) -> Call:
        """I go; the others see it."""
        return calls.take(id_, seat.name, hears_appeals=keys.hears_appeals(seat))

    @router.post("/rule", responses=_CALL)
    def rule(id_: Numbered, ruling: NewHallRuling, seat: Official) -> Call:
        """Rule, on the spot or from afar; the table's phones show it."""
        return calls.rule(id_, seat.name, ruling.said, ruling.reason)

    @router.post("/appeal", responses=_CALL)
    def appeal(id_: Numbered, appeal: Appeal, _: Official) -> Call:
        """Ask the head judge; the first ruling stays beside the second."""
        return calls.appeal(id_, appeal.reason)

    @router.post("/close", responses=_CALL)
    def close(id_: Numbered, closing: Closing, _: Official) -> Call:
        """The game goes on, with the time that was lost, when it is given."""
        return calls.close(id_, closing.extension_s)

    return router


def card_router(store: HallStore, board: HallBoard, keys: EventKeys) -> APIRouter:
    router = APIRouter()
    tries = RateLimit()

    @router.get("/t/{number}", include_in_schema=False)
    def follow(number: Numbered, request: Request, key: str = "") -> Response:
        if not key:
            return RedirectResponse(f"/hall/tables/{number}", status_code=303)
        place = request.client.host if request.client else ""
        if tries.is_exceeded(place) or not keys.is_card_of(number, key):
            tries.record_failure(place)
            return join_page(wrong=f"This is not the card of table {number}.", status=403)
        cell, _ = store.cells([number]).get(number, (None, None))
        address = board.address_of(number)
        code = None if cell is None else board.code_of(number, "players", cell)
        if code is None or address is None:
            return _wait_page(number)
        if (host := board.strange_host_of(number)) is not None:
            return _ask_page(number, host, f"{address}j/{code}")
        headers = {"Cache-Control": "no-store"}
        return RedirectResponse(f"{address}j/{code}", status_code=303, headers=headers)

    return router


def _ask_page(number: int, host: str, url: str) -> Response:
    """Address warning: the table of this card says that its pages are at another host."""
    page = _ELSEWHERE.format(number=html.escape(str(number)), host=html.escape(host), url=html.escape(url, quote=True))
    headers = {"Content-Security-Policy": content_policy(page), "Cache-Control": "no-store"}
    return Response(page, media_type="text/html; charset=utf-8", headers=headers)


def _wait_page(number: int) -> Response:
    page = _AWAY.format(number=html.escape(str(number)))
    headers = {"Content-Security-Policy": content_policy(page), "Cache-Control": "no-store"}
    return Response(page, status_code=503, media_type="text/html; charset=utf-8", headers=headers)


def add_hall_pages(app: FastAPI, built: Path = BUILT) -> None:
    """Serve the pages; their files lie beside each address, for pages name them by where they are themselves."""

    @app.get("/", include_in_schema=False)
    def begin() -> Response:
        return RedirectResponse("/hall/clock", status_code=303)

    add_page(app, "/hall", "hall.html", built)
    add_page(app, "/hall/clock", "hall-clock.html", built)
    add_page(app, "/hall/tables/{number}", "hall-watch.html", built)
    policy = content_policy(is_framed=True) + _FRAMES

    @app.get("/overlay", include_in_schema=False)
    def overlay() -> Response:
        response = page_response(built / "featured.html")
        response.headers["Content-Security-Policy"] = policy
        return response

    @app.get("/overlay/loader.html", include_in_schema=False)
    def loader(request: Request) -> Response:
        """A file that opens this overlay, for a program that starts before the hub does."""
        address = request.url.replace(path="/overlay")
        headers = {"Content-Disposition": 'attachment; filename="tableside-overlay.html"'}
        return Response(loader_of(str(address)), media_type="text/html", headers=headers)

    if (built / "assets").is_dir():
        for place in ("", "/hall", "/hall/tables"):
            files = GZipMiddleware(HashedFiles(directory=built / "assets"), compresslevel=6)
            app.mount(f"{place}/assets", files)


def public_router(
    store: HallStore,
    hall: SseBroadcast,
    spectators: Spectators,
    keys: EventKeys,
    *,
    tables: frozenset[int],
    look: Callable[[], PublicHall],
) -> APIRouter:
    """What anybody may see, and a judge's sheet of a table beside it."""
    router = APIRouter(prefix="/api/v1/hall", tags=["spectators"])

    def known(number: int) -> int:
        if number not in tables:
            raise NoSuchHallTable(f"the event has no table {number}", field="number", value=number)
        return number

    @router.get("/health")
    async def health() -> HallHealth:
        """Whether the hub lives, and what is not as it should be with it."""
        seen = look()
        return HallHealth(event=seen.event, now_s=seen.now_s, alarms=seen.alarms)

    @router.get("/public")
    async def public() -> PublicHall:
        """The round and its clock, who plays where, and the featured table."""
        return look()

    @router.get("/public/stream", response_class=Response, responses=media_response(EVENTS))
    async def public_stream() -> EventSourceResponse:
        """The same as server-sent events, whole each time it changes and every few seconds."""
        return stream_events(hall.events())

    @router.get("/tables/{number}/witness", responses=_TABLE)
    def witness(number: Numbered) -> HeadWitness:
        """How far the table's journal had come, countersigned by the hub: `tableside verify --witness` reads it."""
        signed = keys.countersign(number, store.newest_text(known(number)))
        if signed is None:
            detail = f"there is nothing to sign of table {number}: no line with a hash has come, or the keys are older"
            raise NoSuchHallTable(detail, field="number", value=number)
        return signed

    @router.get("/tables/{number}/watch", responses=_TABLE)
    async def watch(number: Numbered) -> SpectatedTable:
        """The table as it was a while ago."""
        return await spectators.look(known(number))

    @router.get("/tables/{number}/watch/stream", response_class=Response, responses=media_response(EVENTS) | _TABLE)
    async def watch_stream(number: Numbered) -> EventSourceResponse:
        """The same as server-sent events, whole each time it changes."""
        return stream_events(spectators.events(known(number)))

    @router.get("/tables/{number}/sheet", responses=_TABLE)
    def sheet(number: Numbered, _: Official) -> TableSheet:
        """The table as it is now, and the lists of its players."""
        return read_sheet(store, known(number))

    return router


def round_router(records: HallRecords, *, tables: frozenset[int]) -> APIRouter:
    router = APIRouter(prefix="/api/v1/hall", tags=["rounds"])

    @router.post(
        "/rounds",
        status_code=201,
        openapi_extra=_BODY,
        max_body_size=MOST_BYTES + 1,
        responses=problem_responses(BadPairings, TooMuch, RoundConflict, HallStoreFailed),
    )
    async def put_pairings(
        request: Request,
        _: Organiser,
        round: Annotated[int | None, Query(ge=1, le=99, description="null: as the file says")] = None,
    ) -> ImportedRound:
        """The pairings of a round, or of a whole event: the request's whole body, a CSV or JSON file.

        All of it is taken, or nothing.
        """
        data = await request.body()
        return await run_in_threadpool(_import, records, data, round, tables)

    @router.put("/rounds/{number}/pairings", responses=problem_responses(BadPairings) | _ROUND)
    def change_pairings(number: RoundNumber, changes: PairingChanges, seat: Organiser) -> RoundView:
        """Change pairings of a round that waits or runs: somebody came late, or left, or was paired wrongly.

        Other tables hear nothing of it.
        """
        return records.rounds.change_pairings(number, changes, by=seat.name, tables=tables)

    @router.post("/rounds/{number}/swap", responses=problem_responses(BadPairings) | _ROUND)
    def swap(number: RoundNumber, players: PlayerSwap, seat: Organiser) -> RoundView:
        """Let two players of a round that waits or runs change places; each plays the other's opponent."""
        return records.rounds.swap_players(number, players, by=seat.name, tables=tables)

    router.include_router(_running_router(records))
    return router


def _running_router(records: HallRecords) -> APIRouter:
    router = APIRouter()

    @router.post("/rounds/next", responses=_ROUND)
    def start_next(_: Organiser) -> Round:
        """End the round that runs, and begin the next."""
        return records.rounds.start_next()

    @router.post("/rounds/{number}/start", responses=_ROUND)
    def start(number: RoundNumber, wanted: RoundStart, _: Organiser) -> Round:
        """Begin the round: its tables get names, sides, lists and clocks."""
        return records.rounds.start(number, wanted)

    @router.post("/rounds/{number}/end", responses=_ROUND)
    def end(number: RoundNumber, _: Organiser) -> Round:
        """The round is over; results may still be entered."""
        return records.rounds.end(number)

    @router.put("/rounds/{number}/tables/{table}/result", responses=_ROUND)
    def confirm(number: RoundNumber, table: Numbered, result: GameResult, seat: Official) -> Pairing:
        """How this game ended, as a judge says."""
        return records.rounds.confirm(number, table, result, seat.name)

    return router


def export_router(records: HallRecords, *, event: str) -> APIRouter:
    router = APIRouter(prefix="/api/v1/hall", tags=["rounds"])

    @router.get("/export.csv", response_class=Response, responses=media_response("text/csv"))
    def results_csv(_: Official, headings: Annotated[Headings, Query()] = "own") -> Response:
        """The results of all rounds, a pairing a row; `mapped`: below the columns that were mapped by hand."""
        columns = records.store.settings().columns if headings == "mapped" else None
        text = export_csv(records.rounds.all(), columns=columns)
        return _as_file(text, "text/csv; charset=utf-8", f"{event}-results.csv")

    @router.get("/export.json", response_class=Response, responses=_WHOLE_HALL)
    def everything_json(_: Official) -> Response:
        """Rounds, results, calls with their rulings, rulings at tables, and penalties."""
        return _as_file(export_hall(records, event), "application/json", f"{event}.json")

    return router


def _import(records: HallRecords, data: bytes, number: int | None, tables: frozenset[int]) -> ImportedRound:
    columns = records.store.settings().columns
    pairings, ignored = read_pairings(data, round_number=number, columns=columns, tables=tables)
    by_round: dict[int, list[Pairing]] = {}
    for pairing in pairings:
        by_round.setdefault(pairing.round, []).append(pairing)
    records.rounds.put_rounds(by_round)
    records.players.restore(read_players(data))
    rounds = tuple(by_round)
    return ImportedRound(rounds=rounds, round=rounds[-1], pairings=len(pairings), ignored=ignored)


def check_columns(columns: dict[str, str]) -> None:
    """Raises: BadPairings when a column is mapped to nothing that a pairing has."""
    for name, role in columns.items():
        if role not in (*ROLES, "nothing"):
            raise BadPairings(f"{name!r} is mapped to {role!r}; a column is {', '.join(ROLES)}", field=name, value=role)


def _as_file(text: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, media_type=kind, headers=headers)


def penalty_router(records: HallRecords, *, tables: frozenset[int]) -> APIRouter:
    router = APIRouter(prefix="/api/v1/hall", tags=["hall"])

    @router.post("/penalties", status_code=201, responses=_PENALTY)
    def give(wanted: NewPenalty, seat: Official) -> Penalty:
        """Give a player a penalty from the organiser's list."""
        return records.penalties.give(wanted, seat.name)

    @router.post("/penalties/{id_}/withdraw", responses=_PENALTY)
    def withdraw(id_: Numbered, why: PenaltyWithdrawal, _: Official) -> Penalty:
        """It holds no more, and stays in the history."""
        return records.penalties.withdraw(id_, why.reason)

    @router.put("/settings", responses=problem_responses(BadPairings, NoSuchHallTable, HallStoreFailed))
    def change(settings: HallSettings, _: Organiser) -> HallSettings:
        """What holds for the event from now on."""
        check_columns(settings.columns)
        if settings.featured is not None and settings.featured not in tables:
            detail = f"the event has no table {settings.featured}"
            raise NoSuchHallTable(detail, field="featured", value=settings.featured)
        return records.store.change_settings(**dict(settings))

    return router
