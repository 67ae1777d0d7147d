"""Tables routes: the tables of a hall, and a summary of this one."""

from typing import Annotated

from fastapi import APIRouter, Request, Response

from api.errors import JournalFailed
from api.http.openapi import problem_responses
from api.live.hub import Hub
from api.routes.auth import needs, seats_of
from api.seats.permissions import Right, Seat
from api.tables.entries import TablesListed
from api.tables.schemas import Tables, TableSummary


def tables_router(hub: Hub) -> APIRouter:
    """The routes for a judge who looks after several tables."""
    router = APIRouter(prefix="/api/v1", tags=["tables"])

    @router.get("/glance")
    async def glance(request: Request, response: Response) -> TableSummary:
        """What a judge wants to know of this table from afar. Pages of other tables may read it."""
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cache-Control"] = "no-store"
        seats = seats_of(request)
        return summarise_table(hub, devices={} if seats is None else seats.count_devices())

    @router.get("/tables")
    async def list_tables() -> Tables:
        """The tables the judge looks after, as they were last put down here."""
        return _list_tables(hub)

    @router.put("/tables", responses=problem_responses(JournalFailed))
    async def put_down(tables: Tables, seat: Annotated[Seat, needs(Right.RULE)]) -> Tables:
        """Put down the tables the judge looks after."""
        hub.journal.write(TablesListed(by=seat, tables=tables.tables))
        return _list_tables(hub)

    return router


def summarise_table(hub: Hub, *, devices: dict[Seat, int]) -> TableSummary:
    """The hub's table from afar."""
    state = hub.state
    return TableSummary(
        title=hub.title,
        edition=state.edition if state else None,
        scenario=state.scenario.name if state and state.scenario else None,
        turn=state.turn if state else None,
        miniatures=sum("removed" not in m.status for m in state.miniatures) if state else 0,
        fresh=hub.source.freshness(),
        problem=hub.source.problem,
        devices=devices,
    )


def _list_tables(hub: Hub) -> Tables:
    line = hub.journal.newest(TablesListed)
    return Tables(tables=line.entry.tables if line is not None and isinstance(line.entry, TablesListed) else ())
