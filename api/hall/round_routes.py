"""Round routes: pairings come in, rounds begin and end, results are confirmed and go out; penalties and settings."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from api.errors import BadPairings, HallStoreFailed, NoSuchHallTable, NoSuchPenalty, NoSuchRound, RoundConflict, TooMuch
from api.hall.hall_auth import Official, Organiser
from api.hall.hall_records import HallRecords
from api.hall.pairing_file import MOST_BYTES, ROLES, export_csv, export_hall, read_pairings
from api.hall.rounds import (
    GameResult,
    HallSettings,
    ImportedRound,
    NewPenalty,
    Pairing,
    Penalty,
    PenaltyWithdrawal,
    Round,
    RoundStart,
)
from api.http.openapi import media_response, problem_responses

_PENALTY = problem_responses(NoSuchPenalty, HallStoreFailed)
_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}}
_ROUND = problem_responses(NoSuchRound, RoundConflict, HallStoreFailed)


def round_router(records: HallRecords, *, event: str, tables: frozenset[int]) -> APIRouter:
    """The routes of rounds, pairings and results."""
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
        """The pairings of a round: the request's whole body, a CSV or JSON file. All of it is taken, or nothing."""
        data = await request.body()
        return await run_in_threadpool(_import, records, data, round, tables)

    @router.post("/rounds/next", responses=_ROUND)
    def start_next(_: Organiser) -> Round:
        """End the round that runs, and begin the next."""
        return records.rounds.start_next()

    @router.post("/rounds/{number}/start", responses=_ROUND)
    def start(number: int, wanted: RoundStart, _: Organiser) -> Round:
        """Begin the round: its tables get names, sides, lists and clocks."""
        return records.rounds.start(number, wanted)

    @router.post("/rounds/{number}/end", responses=_ROUND)
    def end(number: int, _: Organiser) -> Round:
        """The round is over; results may still be entered."""
        return records.rounds.end(number)

    @router.put("/rounds/{number}/tables/{table}/result", responses=_ROUND)
    def confirm(number: int, table: int, result: GameResult, seat: Official) -> Pairing:
        """How this game ended, as a judge says."""
        return records.rounds.confirm(number, table, result, seat.name)

    @router.get("/export.csv", response_class=Response, responses=media_response("text/csv"))
    def results_csv(_: Official) -> Response:
        """The results of all rounds, a pairing a row."""
        return _as_file(export_csv(records.rounds.all()), "text/csv; charset=utf-8", f"{event}-results.csv")

    @router.get("/export.json", response_class=Response, responses=media_response("application/json"))
    def everything_json(_: Official) -> Response:
        """Rounds, results, calls with their rulings, rulings at tables, and penalties."""
        return _as_file(export_hall(records, event), "application/json", f"{event}.json")

    return router


def _import(records: HallRecords, data: bytes, number: int | None, tables: frozenset[int]) -> ImportedRound:
    columns = records.store.settings().columns
    pairings, ignored = read_pairings(data, round_number=number, columns=columns, tables=tables)
    records.rounds.put_pairings(pairings[0].round, pairings)
    return ImportedRound(round=pairings[0].round, pairings=len(pairings), ignored=ignored)


def check_columns(columns: dict[str, str]) -> None:
    """Raises: BadPairings when a column is mapped to nothing that a pairing has."""
    for name, role in columns.items():
        if role not in (*ROLES, "nothing"):
            raise BadPairings(f"{name!r} is mapped to {role!r}; a column is {', '.join(ROLES)}", field=name, value=role)


def _as_file(text: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, media_type=kind, headers=headers)


def penalty_router(records: HallRecords, *, tables: frozenset[int]) -> APIRouter:
    """The routes of penalties and settings."""
    router = APIRouter(prefix="/api/v1/hall", tags=["hall"])

    @router.post("/penalties", status_code=201, responses=_PENALTY)
    def give(wanted: NewPenalty, seat: Official) -> Penalty:
        """Give a player a penalty from the organiser's list."""
        return records.penalties.give(wanted, seat.name)

    @router.post("/penalties/{id_}/withdraw", responses=_PENALTY)
    def withdraw(id_: int, why: PenaltyWithdrawal, _: Official) -> Penalty:
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
