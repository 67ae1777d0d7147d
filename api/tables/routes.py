"""The list of tables and the look at one over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Request, Response

from api.errors import JournalFailed
from api.hub import Hub
from api.openapi import problems
from api.seats.asking import needs, seats_of
from api.seats.seat import Right, Seat
from api.tables.words import Glance, Tables, TablesListed


def tables(hub: Hub) -> APIRouter:
    """The routes for a judge who looks after several tables."""
    router = APIRouter(prefix="/api/v1", tags=["tables"])

    @router.get("/glance")
    async def glance(request: Request, response: Response) -> Glance:
        """What a judge wants to know of this table from afar. Pages of other tables may read it."""
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cache-Control"] = "no-store"
        seats = seats_of(request)
        return glance_of(hub, devices={} if seats is None else seats.counted())

    @router.get("/tables")
    async def listed() -> Tables:
        """The tables the judge looks after, as they were last put down here."""
        return _listed(hub)

    @router.put("/tables", responses=problems(JournalFailed))
    async def put_down(tables: Tables, seat: Annotated[Seat, needs(Right.RULE)]) -> Tables:
        """Put down the tables the judge looks after."""
        hub.journal.write(TablesListed(by=seat, tables=tables.tables))
        return _listed(hub)

    return router


def glance_of(hub: Hub, *, devices: dict[Seat, int]) -> Glance:
    """The hub's table from afar."""
    state = hub.state
    return Glance(
        title=hub.title,
        edition=state.edition if state else None,
        scenario=state.scenario.name if state and state.scenario else None,
        turn=state.turn if state else None,
        miniatures=sum("removed" not in m.status for m in state.miniatures) if state else 0,
        fresh=hub.freshness(),
        problem=hub.problem,
        devices=devices,
    )


def _listed(hub: Hub) -> Tables:
    line = hub.journal.newest(TablesListed)
    return Tables(tables=line.entry.tables if line is not None and isinstance(line.entry, TablesListed) else ())
