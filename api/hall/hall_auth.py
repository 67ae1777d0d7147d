"""Seats in the hall: who looks at it, told by cookie or bearer token."""

from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from api.errors import WrongKey
from api.hall.keys import EventKeys, HallSeat, SeatEntry
from api.http.openapi import raises
from api.routes.auth import token_of


def seat_in_hall(connection: HTTPConnection) -> SeatEntry | None:
    """The seat of who asks; None: nobody's."""
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

    allowed.right = seats[0]  # type: ignore[attr-defined]  # looked at before the body is read
    return Depends(allowed)


def _keys_of(connection: HTTPConnection) -> EventKeys:
    keys = connection.app.state.keys
    assert isinstance(keys, EventKeys)
    return keys


Official = Annotated[SeatEntry, needs_seat("organiser", "judge")]
Organiser = Annotated[SeatEntry, needs_seat("organiser")]
