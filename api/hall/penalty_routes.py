"""Penalty and settings routes: what judges give, and what the organiser sets."""

from fastapi import APIRouter

from api.errors import BadPairings, HallStoreFailed, NoSuchHallTable, NoSuchPenalty
from api.hall.hall_auth import Official, Organiser
from api.hall.hall_desk import HallDesk
from api.hall.penalties import NewPenalty, Penalty, PenaltyWithdrawal
from api.hall.round_routes import check_columns
from api.hall.settings import HallSettings
from api.http.openapi import problem_responses

_PENALTY = problem_responses(NoSuchPenalty, HallStoreFailed)


def penalty_router(desk: HallDesk, *, tables: frozenset[int]) -> APIRouter:
    """The routes of penalties and settings."""
    router = APIRouter(prefix="/api/v1/hall", tags=["hall"])

    @router.post("/penalties", status_code=201, responses=_PENALTY)
    def give(wanted: NewPenalty, seat: Official) -> Penalty:
        """Give a player a penalty from the organiser's list."""
        return desk.penalties.give(wanted, seat.name)

    @router.post("/penalties/{id_}/withdraw", responses=_PENALTY)
    def withdraw(id_: int, why: PenaltyWithdrawal, _: Official) -> Penalty:
        """It holds no more, and stays in the history."""
        return desk.penalties.withdraw(id_, why.reason)

    @router.put("/settings", responses=problem_responses(BadPairings, NoSuchHallTable, HallStoreFailed))
    def change(settings: HallSettings, _: Organiser) -> HallSettings:
        """What holds for the event from now on."""
        check_columns(settings.columns)
        if settings.featured is not None and settings.featured not in tables:
            told = f"the event has no table {settings.featured}"
            raise NoSuchHallTable(told, field="featured", value=settings.featured)
        return desk.store.change_settings(**dict(settings))

    return router
