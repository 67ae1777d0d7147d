"""Cards of an event: a code on each table opens a player's seat there, and each seat of the hall has its own."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

import segno
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from shapely import box

from api.hall.keys import EventKeys, SeatEntry, TableEntry
from api.printing.paper import PaperName, orientations
from api.printing.pen import GREY, HAIR_MM, Pen, Point
from models.errors import BadInput

CARD_MM = (95.0, 68.0)
_QR_MM = 46.0
_QUIET = 4  # modules of white around a code, as its standard asks


@dataclass(frozen=True)
class HallCard:
    """What stands on a card: its title, the address that its code opens, and what that is for."""

    title: str
    address: str
    says: tuple[str, ...]


def render_hall_cards(cards: Sequence[HallCard], name: PaperName = PaperName.A4) -> bytes:
    """The cards, eight a page of A4; the same bytes for the same cards."""
    paper, _ = orientations(name)
    columns, rows = int(paper.width_mm // CARD_MM[0]), int(paper.height_mm // CARD_MM[1])
    left, bottom = (paper.width_mm - columns * CARD_MM[0]) / 2, (paper.height_mm - rows * CARD_MM[1]) / 2
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.setTitle("Tableside hall cards")
    for start in range(0, len(cards), columns * rows):
        canvas.setPageSize((paper.width_mm * mm, paper.height_mm * mm))
        for place, card in enumerate(cards[start : start + columns * rows]):
            row, column = divmod(place, columns)
            corner = (left + column * CARD_MM[0], bottom + (rows - 1 - row) * CARD_MM[1])
            _draw_card(Pen(canvas), card, corner)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw_card(pen: Pen, card: HallCard, corner: Point) -> None:
    (x, y), (width, height) = corner, CARD_MM
    outline = ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
    pen.line(*outline, width_mm=HAIR_MM, tone=GREY, is_dashed=True)
    _draw_code(pen, card.address, (x + 4, y + height - _QR_MM - 4))
    size_mm = 12.0 if len(card.title) <= 4 else 6.0
    pen.text((x + _QR_MM + 8, y + height - 6 - size_mm), card.title, size_mm=size_mm, is_bold=True)
    for line, text in enumerate(card.says):
        pen.text((x + 5, y + 12 - 3.8 * line), text, size_mm=2.7)


def _draw_code(pen: Pen, address: str, corner: Point) -> None:
    modules = segno.make(address, error="m", micro=False).matrix
    side_mm = _QR_MM / (len(modules) + 2 * _QUIET)
    x, top = corner[0] + _QUIET * side_mm, corner[1] + _QR_MM - _QUIET * side_mm
    squares = [
        box(x + column * side_mm, top - (row + 1) * side_mm, x + (column + 1) * side_mm, top - row * side_mm)
        for row, line in enumerate(modules)
        for column, is_dark in enumerate(line)
        if is_dark
    ]
    pen.fill(*squares)


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
