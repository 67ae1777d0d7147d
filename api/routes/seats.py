"""Seat routes: join by a code, who holds which seat, what the players are called, and how the game stands."""

import html
from string import Template
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.errors import JournalFailed, NoSeats, NotAllowed, ScoreConflict, TooManyTries, WrongCode
from api.http.openapi import problem_responses
from api.http.security_headers import content_policy
from api.journal.signature import newest_key
from api.routes.auth import AtTheTable, Judge, cookie_of, needs, seat_of, seats_of, token_of
from api.routes.services import Table
from api.seats.permissions import MAY_HAND_OUT, PAGES, RIGHTS, Door, Player, Right, Seat
from api.seats.schemas import (
    CodeRenewal,
    Invitation,
    JoinRequest,
    NewPlayer,
    NewScore,
    Scoreboard,
    SeatChange,
    SeatOverview,
    SeatStatus,
    normalise_code,
)
from api.seats.sessions import SeatSessions

KEPT_S = 30 * 24 * 3600
_REFUSED = problem_responses(WrongCode, TooManyTries, NoSeats, JournalFailed)
_UNMOVED = problem_responses(NotAllowed, NoSeats, JournalFailed)


router = APIRouter(tags=["seats"])
"""By these devices take their seats; they need no table."""
scoreboard_router = APIRouter(prefix="/api/v1/scoreboard", tags=["seats"])
"""Everybody may read; a player names that seat, the judge both."""
_FORM = Template("""\
<main>
  <h1>Join the table</h1>
  $wrong
  <form action="/join">
    <label for="code">The six letters beside the table's address</label>
    <input id="code" name="code" required minlength="6" maxlength="40" autocomplete="off" autocapitalize="characters"
      spellcheck="false" autofocus>
    <button>Join</button>
  </form>
  <a href="/">Only watch</a>
</main>""")
_LEAVE = Template("""\
<main>
  <h1>You are the judge</h1>
  <p>This code is for another seat. This device stays the judge unless you give that up.</p>
  <p><a href="/judge">Stay the judge</a></p>
  <form action="/j/$code"><input type="hidden" name="leave" value="true"><button>Take the other seat</button></form>
</main>""")
_PAGE = Template("""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Join the table</title>
<style>
  :root { color-scheme: dark; font: 18px/1.5 system-ui, sans-serif; background: #14171a; color: #f2f4f5; }
  body { margin: 0 auto; max-width: 22rem; padding: 1.5rem; }
  input, button { box-sizing: border-box; width: 100%; min-height: 56px; font: inherit; border-radius: 8px; }
  input { background: #0b0d0f; color: inherit; border: 2px solid #8b98a3; text-align: center; font-size: 1.6rem;
    letter-spacing: 0.2em; text-transform: uppercase; }
  input { margin-top: 0.5rem; }
  button { margin-top: 1rem; border: 0; background: #ffd24a; color: #14171a; font-weight: 600; }
  input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid #7cc7ff; outline-offset: 2px; }
  .wrong { border-left: 4px solid #ffb35c; padding-left: 0.75rem; }
  a { color: #9ad1ff; display: inline-block; min-height: 48px; line-height: 48px; }
</style>
$main
</html>
""")


@router.get("/j/{code}", include_in_schema=False)
async def follow(code: str, request: Request, leave: bool = False) -> Response:
    """Take the seat that the scanned code opens, and go on to its page with whatever else the address asks.

    A judge who scans another code is asked first, and stays judge unless `leave` says otherwise.
    """
    seats = seats_of(request)
    if seats is None:
        return RedirectResponse("/", status_code=303)
    try:
        door = seats.door_of(code, place=_place(request))
    except (WrongCode, TooManyTries) as wrong:
        return join_page(wrong=wrong.detail, status=wrong.status)
    if seat_of(request) == "judge" and seats.is_known(token_of(request)) and door != "judge" and not leave:
        return leave_page(code=code)
    asked = f"?{request.url.query}" if request.url.query else ""
    response = RedirectResponse(f"{PAGES[door]}{asked}", status_code=303)
    _take(request, response, seats, door)
    return response


@router.get("/join", include_in_schema=False)
async def type_a_code(request: Request, code: str = "") -> Response:
    """The page on which a code is typed; one that was typed leads on as a scanned one does."""
    typed = "".join(filter(str.isalnum, normalise_code(code)))
    return RedirectResponse(f"/j/{quote(typed)}", status_code=303) if typed else join_page()


@router.post("/api/v1/join", responses=_REFUSED, name="_join")
async def join(typed: JoinRequest, request: Request, response: Response, table: Table) -> SeatStatus:
    """Take the seat that the code opens."""
    seats = _seats(request)
    seat, token = _take(request, response, seats, seats.door_of(typed.code, place=_place(request)))
    return _seat_status(seat, has_joined=True, token=token, table_key=newest_key(table.hub.journal))


@router.get("/api/v1/seat", name="_who_am_i")
async def who_am_i(request: Request, table: Table) -> SeatStatus:
    """The asker's seat and rights; who has joined nothing has those that the table gives everybody."""
    seats = seats_of(request)
    has_joined = seats is not None and seats.is_known(token_of(request))
    return _seat_status(seat_of(request), has_joined=has_joined, table_key=newest_key(table.hub.journal))


@router.put("/api/v1/seat", responses=_UNMOVED, name="_change_chairs")
async def change_chairs(chair: SeatChange, request: Request, response: Response) -> SeatStatus:
    """Take the other player's chair."""
    seats, seat, token = _seats(request), seat_of(request), token_of(request)
    if seat not in ("player-a", "player-b"):
        raise NotAllowed(f"{seat} is no player's seat.", field="seat", value=chair.seat)
    held = seats.take_seat(chair.seat, token=token if seats.is_known(token) else None)
    _remember(request, response, held)
    return _seat_status(chair.seat, has_joined=True)


@router.get("/api/v1/seats", name="_seat_overview")
async def seat_overview(request: Request, seat: Annotated[Seat, needs(Right.WATCH)]) -> SeatOverview:
    """Who sits where, and the codes that the asker may hand out."""
    seats = seats_of(request)
    if seats is None:
        return SeatOverview(devices={}, invitations=())
    mine = MAY_HAND_OUT[seat]
    codes = {door: code for door, code in seats.codes.items() if door in mine}
    invitations = tuple(Invitation(opens=door, code=code, path=f"/j/{code}") for door, code in codes.items())
    return SeatOverview(devices=seats.count_devices(), invitations=invitations)


@router.post("/api/v1/seats/renew", responses=_UNMOVED, name="_renew_code")
async def renew_code(renewal: CodeRenewal, request: Request, seat: Judge) -> SeatOverview:
    """Give a door a new code, and take the seats from those who came in by the old one where that is wished."""
    seats = _seats(request)
    seats.renew_code(renewal.door, by=seat, withdraws=renewal.withdraws, asker=token_of(request))
    return await seat_overview(request, seat)


@scoreboard_router.get("")
async def scoreboard(table: Table) -> Scoreboard:
    """Who plays, and how the game stands."""
    return table.hub.score.board


@scoreboard_router.put("/players/{player}", responses=problem_responses(ScoreConflict, JournalFailed, NotAllowed))
async def name_player(player: Player, wanted: NewPlayer, seat: AtTheTable, table: Table) -> Scoreboard:
    """Name who plays in a seat; every page of the table hears of it."""
    if seat != player and Right.RULE not in RIGHTS[seat]:
        raise NotAllowed("A player names nobody else; the judge may.", field="player", value=player)
    return table.hub.score.name_player(player, wanted, by=seat)


@scoreboard_router.put("/score", responses=problem_responses(ScoreConflict, JournalFailed))
async def say_score(wanted: NewScore, seat: AtTheTable, table: Table) -> Scoreboard:
    """Say how the game stands, in points and in rounds of the game."""
    return table.hub.score.say_score(wanted, by=seat)


def _seats(request: Request) -> SeatSessions:
    seats = seats_of(request)
    if seats is None:
        raise NoSeats("Everybody is trusted at this table; there is no seat to take.")
    return seats


def _take(request: Request, response: Response, seats: SeatSessions, door: Door) -> tuple[Seat, str]:
    seat, token = seats.join(door, token=token_of(request))
    _remember(request, response, token)
    return seat, token


def _remember(request: Request, response: Response, token: str) -> None:
    response.set_cookie(cookie_of(request), token, max_age=KEPT_S, httponly=True, samesite="lax")


def _place(request: Request) -> str:
    return request.client.host if request.client else ""


def _seat_status(seat: Seat, *, has_joined: bool, token: str | None = None, table_key: str | None = None) -> SeatStatus:
    rights = tuple(right for right in Right if right in RIGHTS[seat])
    return SeatStatus(seat=seat, rights=rights, has_joined=has_joined, token=token, table_key=table_key)


def join_page(*, wrong: str | None = None, status: int = 200) -> Response:
    """The page, with what was wrong about the code that was typed."""
    said = f'<p class="wrong" role="alert">{html.escape(wrong)}</p>' if wrong else ""
    return _respond(_FORM.substitute(wrong=said), status=status)


def leave_page(*, code: str) -> Response:
    """The page that asks a judge who opened the link of another seat."""
    return _respond(_LEAVE.substitute(code=quote(code, safe="")))


def _respond(main: str, *, status: int = 200) -> Response:
    page = _PAGE.substitute(main=main)
    headers = {"Content-Security-Policy": content_policy(page)}
    return Response(page, status_code=status, media_type="text/html; charset=utf-8", headers=headers)
