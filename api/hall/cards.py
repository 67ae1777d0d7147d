"""Cards of an event: a code on each table opens a player's seat there, and each seat of the hall has its own."""

from collections.abc import Iterator
from urllib.parse import quote

from api.hall.keys import EventKeys, SeatEntry, TableEntry
from api.printing.hall_cards import HallCard, render_hall_cards
from models.errors import BadInput

_OPENS = {
    "organiser": "all of the event",
    "judge": "all tables and calls",
    "stream": "what is on air",
    "spectator": "what spectators see",
}


def render_cards(keys: EventKeys, url: str) -> bytes:
    """The cards as PDF; `url` is where phones reach the hub. Raises: BadInput when it is no address."""
    if not url.startswith(("http://", "https://")):
        raise BadInput(f"--url {url!r} is no address, as http://192.168.1.10:8020", field="url", value=url)
    return render_hall_cards(list(_cards(keys, url.rstrip("/"))))


def _cards(keys: EventKeys, url: str) -> Iterator[HallCard]:
    for table in keys.tables:
        yield _table_card(keys.event, table, url)
    for seat in keys.seats:
        yield _seat_card(keys.event, seat, url)


def _table_card(event: str, table: TableEntry, url: str) -> HallCard:
    says = (f"{event}, table {table.table}. Players: scan this to take your seat,", "to ask, to call a judge, to enter")
    key = "" if table.card is None else f"?key={quote(table.card)}"
    return HallCard(str(table.table), f"{url}/t/{table.table}{key}", (says[0], f"{says[1]} the result."))


def _seat_card(event: str, seat: SeatEntry, url: str) -> HallCard:
    says = (f"{event}, {seat.seat}: {_OPENS[seat.seat]}.", f"Scan this, or type {seat.code} at {url}/join")
    return HallCard(seat.name, f"{url}/j/{seat.code}", says)
