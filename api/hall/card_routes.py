"""Card route: the code on a table's card leads to the table's own page, and opens a player's seat there."""

import html

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.hall.hall_board import HallBoard
from api.hall.keys import EventKeys
from api.hall.store import HallStore
from api.http.security_headers import content_policy
from api.routes.join_page import join_page
from api.seats.rate_limit import RateLimit

_AWAY = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="5">
<title>Table {number}</title><main><h1>Table {number} is not there yet</h1>
<p>The hub has not heard of it. This page looks again every few seconds; ask the organiser if it stays so.</p></main>
</html>"""


def card_router(store: HallStore, board: HallBoard, keys: EventKeys) -> APIRouter:
    """The route that a table's card opens."""
    router = APIRouter()
    tries = RateLimit()

    @router.get("/t/{number}", include_in_schema=False)
    def follow(number: int, request: Request, key: str = "") -> Response:
        if not key:
            return RedirectResponse(f"/hall/tables/{number}", status_code=303)
        place = request.client.host if request.client else ""
        if tries.is_exceeded(place) or not keys.is_card_of(number, key):
            tries.record_failure(place)
            return join_page(wrong=f"This is not the card of table {number}.", status=403)
        cell, _ = store.cells([number]).get(number, (None, None))
        address = board.address_of(number)
        if cell is None or cell.players_code is None or address is None:
            return _wait_page(number)
        headers = {"Cache-Control": "no-store"}
        return RedirectResponse(f"{address}j/{cell.players_code}", status_code=303, headers=headers)

    return router


def _wait_page(number: int) -> Response:
    page = _AWAY.format(number=html.escape(str(number)))
    headers = {"Content-Security-Policy": content_policy(page), "Cache-Control": "no-store"}
    return Response(page, status_code=503, media_type="text/html; charset=utf-8", headers=headers)
