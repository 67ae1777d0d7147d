"""Seats in the hall: who looks at it, told by cookie or bearer token."""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import RedirectResponse
from starlette.requests import HTTPConnection

from api.errors import TooManyTries, WrongCode
from api.hall.errors import WrongKey
from api.hall.keys import EventKeys, HallSeat, SeatEntry
from api.hall.schemas import HallSeatStatus
from api.http.openapi import problem_responses, raises
from api.routes.auth import cookie_of, token_of
from api.routes.seats import join_page
from api.seats.schemas import JoinRequest, normalise_code
from api.seats.sessions import RateLimit

_KEPT_S = 30 * 24 * 3600
_JOIN = problem_responses(WrongCode, TooManyTries)


def seat_in_hall(connection: HTTPConnection) -> SeatEntry | None:
    return _keys_of(connection).seat_of_token(token_of(connection))


def is_known_in_hall(connection: HTTPConnection) -> bool:
    """Whether who asks holds a seat in the hall, or is one of its tables."""
    return seat_in_hall(connection) is not None or _keys_of(connection).is_table_token(token_of(connection))


def needs_seat(*seats: HallSeat) -> Any:
    """What a route takes as `Annotated[SeatEntry, needs_seat(...)]`. Raises: WrongKey."""

    @raises(WrongKey)
    def allowed(connection: HTTPConnection) -> SeatEntry:
        entry = seat_in_hall(connection)
        if entry is None or entry.seat not in seats:
            held = "nobody" if entry is None else entry.seat
            raise WrongKey(
                f"{' or '.join(seats)} may; you are {held}. Join with a code: /join", field="seat", value=held
            )
        return entry

    allowed.right = " or ".join(seats)  # type: ignore[attr-defined]  # looked at before the body is read
    return Depends(allowed)


def _keys_of(connection: HTTPConnection) -> EventKeys:
    keys = connection.app.state.keys
    assert isinstance(keys, EventKeys)
    return keys


Numbered = Annotated[int, Path(ge=0, le=2**31 - 1)]  # what a database counts to
RoundNumber = Annotated[int, Path(ge=1, le=99)]
Official = Annotated[SeatEntry, needs_seat("organiser", "judge")]
Organiser = Annotated[SeatEntry, needs_seat("organiser")]


class HallToken(HallSeatStatus):
    """The seat with its token, told once, to who joins."""

    token: str


def join_router(keys: EventKeys) -> APIRouter:
    router = APIRouter(tags=["seats"])
    tries = RateLimit()

    @router.get("/j/{code}", include_in_schema=False)
    def follow(code: str, request: Request) -> Response:
        try:
            entry = _enter(keys, tries, code, request)
        except (WrongCode, TooManyTries) as wrong:
            return join_page(wrong=wrong.detail, status=wrong.status)
        answer = RedirectResponse("/hall", status_code=303)
        _keep_seat(answer, request, entry)
        return answer

    @router.get("/join", include_in_schema=False)
    def type_a_code(code: str = "") -> Response:
        """The page on which a code is typed; one that was typed leads on as a scanned one does."""
        typed = "".join(filter(str.isalnum, normalise_code(code)))
        return RedirectResponse(f"/j/{quote(typed)}", status_code=303) if typed else join_page()

    @router.post("/api/v1/join", responses=_JOIN)
    def join(asked: JoinRequest, request: Request, response: Response) -> HallToken:
        """Take the seat that the code opens."""
        entry = _enter(keys, tries, asked.code, request)
        _keep_seat(response, request, entry)
        return HallToken(seat=entry.seat, name=entry.name, is_head=entry.is_head, token=entry.token)

    @router.get("/api/v1/seat")
    def seat(request: Request) -> HallSeatStatus:
        """Who I am."""
        entry = seat_in_hall(request)
        if entry is None:
            return HallSeatStatus(seat=None, name=None)
        return HallSeatStatus(seat=entry.seat, name=entry.name, is_head=entry.is_head)

    return router


def _enter(keys: EventKeys, tries: RateLimit, code: str, request: Request) -> SeatEntry:
    """The seat that the code opens. Raises: WrongCode, TooManyTries."""
    place = request.client.host if request.client else ""
    if tries.is_exceeded(place):
        raise TooManyTries("Too many wrong codes came from you; wait a minute.", field="code", value=None)
    entry = keys.seat_of_code(normalise_code(code))
    if entry is None:
        tries.record_failure(place)
        raise WrongCode("Nobody in this hall hands out that code.", field="code", value=code[:20])
    return entry


def _keep_seat(response: Response, request: Request, entry: SeatEntry) -> None:
    response.set_cookie(cookie_of(request), entry.token, max_age=_KEPT_S, httponly=True, samesite="strict")
