"""Joining over HTTP, and who sits where."""

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field

from api.errors import JournalFailed, NoSeats, NotAllowed, TooManyTries, WrongCode
from api.openapi import problems
from api.seats.asking import cookie_of, needs, seat_of, seats_of, token_of
from api.seats.codes import LENGTH, as_written
from api.seats.page import join_page
from api.seats.seat import MAY_HAND_OUT, PAGES, RIGHTS, Door, Right, Seat
from api.seats.seats import Seats
from models.frozen import Frozen

KEPT_S = 30 * 24 * 3600
_REFUSED = problems(WrongCode, TooManyTries, NoSeats, JournalFailed)
_UNMOVED = problems(NotAllowed, NoSeats, JournalFailed)


class Join(Frozen):
    """The code somebody scanned or typed; case, blanks and dashes do not matter."""

    code: str = Field(min_length=LENGTH, max_length=40)


class Sitting(Frozen):
    """Who I am at this table. `token` is told once, to who joins: `Authorization: Bearer TOKEN`."""

    seat: Seat
    rights: tuple[Right, ...]
    has_joined: bool
    token: str | None = None


class Chair(Frozen):
    """The chair a player wants to take."""

    seat: Literal["player-a", "player-b"]


class Invitation(Frozen):
    """A code to hand out; `path` is what a QR code shows behind the server's address."""

    opens: Door
    code: str
    path: str


class Seated(Frozen):
    """How many devices hold each seat, and the codes that the asker may hand out."""

    devices: dict[Seat, int]
    invitations: tuple[Invitation, ...]


def joining() -> APIRouter:
    """The routes by which devices take their seats."""
    router = APIRouter(tags=["seats"])
    router.get("/j/{code}", include_in_schema=False)(_follow)
    router.get("/join", include_in_schema=False)(_type_a_code)
    router.post("/api/v1/join", response_model=Sitting, responses=_REFUSED)(_join)
    router.get("/api/v1/seat", response_model=Sitting)(_who_am_i)
    router.put("/api/v1/seat", response_model=Sitting, responses=_UNMOVED)(_change_chairs)
    router.get("/api/v1/seats", response_model=Seated)(_seated)
    return router


async def _follow(code: str, request: Request) -> Response:
    """Take the seat that the scanned code opens, and go on to its page with whatever else the address asks."""
    seats = seats_of(request)
    if seats is None:
        return RedirectResponse("/", status_code=303)
    try:
        door = seats.door_of(code, place=_place(request))
    except (WrongCode, TooManyTries) as wrong:
        return join_page(wrong=wrong.detail, status=wrong.status)
    asked = f"?{request.url.query}" if request.url.query else ""
    response = RedirectResponse(f"{PAGES[door]}{asked}", status_code=303)
    _take(request, response, seats, door)
    return response


async def _type_a_code(request: Request, code: str = "") -> Response:
    """The page on which a code is typed; one that was typed leads on as a scanned one does."""
    typed = "".join(filter(str.isalnum, as_written(code)))
    return RedirectResponse(f"/j/{quote(typed)}", status_code=303) if typed else join_page()


async def _join(join: Join, request: Request, response: Response) -> Sitting:
    """Take the seat that the code opens."""
    seats = _seats(request)
    seat, token = _take(request, response, seats, seats.door_of(join.code, place=_place(request)))
    return _sitting(seat, has_joined=True, token=token)


async def _who_am_i(request: Request) -> Sitting:
    """The asker's seat and rights; who has joined nothing has those that the table gives everybody."""
    seats = seats_of(request)
    return _sitting(seat_of(request), has_joined=seats is not None and seats.knows(token_of(request)))


async def _change_chairs(chair: Chair, request: Request, response: Response) -> Sitting:
    """Take the other player's chair."""
    seats, seat, token = _seats(request), seat_of(request), token_of(request)
    if seat not in ("player-a", "player-b"):
        raise NotAllowed(f"{seat} is no player's seat.", field="seat", value=chair.seat)
    held = seats.sit(chair.seat, token=token if seats.knows(token) else None)
    _remember(request, response, held)
    return _sitting(chair.seat, has_joined=True)


async def _seated(request: Request, seat: Annotated[Seat, needs(Right.WATCH)]) -> Seated:
    """Who sits where, and the codes that the asker may hand out."""
    seats = seats_of(request)
    if seats is None:
        return Seated(devices={}, invitations=())
    mine = MAY_HAND_OUT[seat]
    codes = {door: code for door, code in seats.codes.items() if door in mine}
    invitations = tuple(Invitation(opens=door, code=code, path=f"/j/{code}") for door, code in codes.items())
    return Seated(devices=seats.counted(), invitations=invitations)


def _seats(request: Request) -> Seats:
    seats = seats_of(request)
    if seats is None:
        raise NoSeats("Everybody is trusted at this table; there is no seat to take.")
    return seats


def _take(request: Request, response: Response, seats: Seats, door: Door) -> tuple[Seat, str]:
    seat, token = seats.join(door, token=token_of(request))
    _remember(request, response, token)
    return seat, token


def _remember(request: Request, response: Response, token: str) -> None:
    response.set_cookie(cookie_of(request), token, max_age=KEPT_S, httponly=True, samesite="lax")


def _place(request: Request) -> str:
    return request.client.host if request.client else ""


def _sitting(seat: Seat, *, has_joined: bool, token: str | None = None) -> Sitting:
    rights = tuple(right for right in Right if right in RIGHTS[seat])
    return Sitting(seat=seat, rights=rights, has_joined=has_joined, token=token)
