"""The code that a terminal shows: read as a phone's camera reads it, and followed from another device."""

from collections.abc import Iterator

import numpy as np
import pytest
import zxingcpp
from numpy.typing import NDArray
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.seats.permissions import PAGES, Door
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.server.serve import _draw_qr
from tests.api.fakes import ask

LAN = "http://192.168.1.20:8017/"  # as the machine at the table is called from a phone
_SEATS = {"players": "player-a", "judge": "judge", "viewer": "viewer", "overlay": "overlay"}
_HALVES = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}


def render_blocks(text: str) -> NDArray[np.uint8]:
    """The blocks of the terminal as a picture, ten pixels a module."""
    rows = [[_HALVES[block] for block in line] for line in text.splitlines() if line.strip()]
    modules = np.array(rows, np.uint8).transpose(0, 2, 1).reshape(2 * len(rows), -1)
    return np.asarray(modules.repeat(10, axis=0).repeat(10, axis=1))


@pytest.fixture
def seats() -> SeatSessions:
    return SeatSessions(Hub(title="test table").journal)


@pytest.fixture
def phone(seats: SeatSessions) -> Iterator[TestClient]:
    app = create_app(Hub(title="test table"), ask=ask, seats=seats)
    with TestClient(app, base_url=LAN) as client:
        yield client


@pytest.mark.parametrize(
    ("door", "seat"), [("players", "player-a"), ("judge", "judge"), ("viewer", "viewer"), ("overlay", "overlay")]
)
def test_the_code_in_the_terminal_opens_the_seat_it_promises(
    door: Door, seat: str, seats: SeatSessions, phone: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    _draw_qr(f"{LAN}j/{seats.codes[door]}")

    (read,) = zxingcpp.read_barcodes(render_blocks(capsys.readouterr().out))
    followed = phone.get(read.text, follow_redirects=False)

    assert followed.headers["location"] == PAGES[door]
    assert phone.get("/api/v1/seat").json()["seat"] == seat
