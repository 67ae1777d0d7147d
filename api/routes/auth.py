"""Authorisation: the seat behind a request, and whether it may do that."""

from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from api.errors import NotAllowed
from api.http.openapi import raises
from api.seats.permissions import RIGHTS, Right, Seat
from api.seats.sessions import SeatSessions

_BEARER = "bearer "


def seats_of(connection: HTTPConnection) -> SeatSessions | None:
    """The seats of the table that is asked; None where everybody is trusted."""
    seats = getattr(connection.app.state, "seats", None)
    return seats if isinstance(seats, SeatSessions) else None


def seat_of(connection: HTTPConnection) -> Seat:
    seats = seats_of(connection)
    return "judge" if seats is None else seats.seat_of(token_of(connection))


def is_seated(connection: HTTPConnection) -> bool:
    """Whether who asks is answered as those are who joined this table to play, judge or produce."""
    seats = seats_of(connection)
    token = token_of(connection)
    return seats is None or seats.hastens_viewers or (seats.is_known(token) and seats.seat_of(token) != "viewer")


def has_opponent(connection: HTTPConnection, seat: Seat) -> bool:
    """Whether this is a player, and the other one has a seat."""
    seats = seats_of(connection)
    if seats is None or seat not in ("player-a", "player-b"):
        return False
    other: Seat = "player-b" if seat == "player-a" else "player-a"
    return seats.unjoined == other or seats.count_devices().get(other, 0) > 0


def token_of(connection: HTTPConnection) -> str | None:
    credentials = connection.headers.get("authorization", "")
    if credentials.lower().startswith(_BEARER):
        return credentials[len(_BEARER) :].strip()
    return connection.cookies.get(cookie_of(connection))


def cookie_of(connection: HTTPConnection) -> str:
    """The cookie's name. Browsers tell cookies of one host to all its ports, and each table has a port of its own."""
    return f"tableside-{connection.url.port or 80}"


def needs(right: Right) -> Any:
    """What a route takes as `Annotated[Seat, needs(...)]`: the asker's seat. Raises: NotAllowed."""

    @raises(NotAllowed)
    def check_right(connection: HTTPConnection) -> Seat:
        return require_right(seat_of(connection), right)

    check_right.right = right.value  # type: ignore[attr-defined]  # the OpenAPI document tells it
    return Depends(check_right)


def require_right(seat: Seat, right: Right) -> Seat:
    """The same seat. Raises: NotAllowed when it does not carry the right."""
    if right not in RIGHTS[seat]:
        able = ", ".join(name for name, rights in RIGHTS.items() if right in rights)
        raise NotAllowed(
            f"The seat {seat!r} may not {right.value}; {able} may. Join with a code: /join", right=right.value
        )
    return seat


AtTheTable = Annotated[Seat, needs(Right.CORRECT)]
Minder = Annotated[Seat, needs(Right.MIND)]
Judge = Annotated[Seat, needs(Right.RULE)]
Producer = Annotated[Seat, needs(Right.AIR)]
