"""Small tables and looks at them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.testclient import TestClient, WebSocketTestSession

from api.sighting import Sighting
from api.wishes import Wishes
from models.errors import BadState
from models.halt import Halt
from models.reading import read
from models.state import TableState
from models.timeline import EventLine, StateLine

SKIRMISH = Path(__file__).parent / "states" / "skirmish.json"


def skirmish() -> TableState:
    """A written table with seventeen miniatures, none of whose positions is round."""
    return read(TableState, SKIRMISH.read_bytes(), error=BadState)


def without(state: TableState, *ids: str) -> TableState:
    return state.with_miniatures(tuple(m for m in state.miniatures if m.id not in ids))


@contextmanager
def listening(phone: TestClient) -> Iterator[WebSocketTestSession]:
    """The live socket after its first word; the next is the snapshot."""
    with phone.websocket_connect("/api/v1/live") as socket:
        assert socket.receive_json()["type"] == "hello"
        yield socket


def moved(state: TableState, id_: str, to_mm: tuple[float, float]) -> TableState:
    moved = (m.moved_to(to_mm, facing_deg=m.facing_deg) if m.id == id_ else m for m in state.miniatures)
    return state.with_miniatures(tuple(moved))


def flags_of_a_camera(*, wants_pictures: bool = False) -> Wishes:
    """What a camera's process is asked for, within this process."""
    flags = Wishes(threading.Event(), threading.Event(), threading.Event())
    if wants_pictures:
        flags.pictures.set()
    return flags


def sighting(
    *lines: StateLine | EventLine,
    t_s: float = 1.5,
    is_settled: bool = True,
    hand: bool = False,
    is_visible: bool = True,
    lag_s: float = 0.0,
    jpeg: bytes | None = None,
    halt: Halt | None = None,
) -> Sighting:
    return Sighting(
        t_s=t_s,
        lines=lines,
        is_settled=is_settled,
        hand=hand,
        is_visible=is_visible,
        lag_s=lag_s,
        jpeg=jpeg,
        halt=halt,
    )


def settled(state: TableState, *, t_s: float = 1.5) -> StateLine:
    return StateLine(t_s=t_s, frame=15, settled_at_s=t_s, state=state)
