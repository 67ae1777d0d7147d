"""A hub that serves, tables that write to it, and the cable between them, which can be cut."""

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api.hall.keys import EventKeys, TableKey
from api.hall.store import HallStore
from api.hall.table_link import open_transport
from api.hall.transport import Transport
from api.journal.file_journal import NAME
from tests.api.hall.test_hall import lines_of, send_until, written
from tests.api.hall.test_hub_app import as_seat
from tests.api.serving import call_api

Made = tuple[EventKeys, tuple[TableKey, ...]]


@dataclass
class Hall:
    """A hub that serves, what it keeps, and where tables reach it."""

    store: HallStore
    page: str
    url: str
    made: Made

    @property
    def key(self) -> TableKey:
        return self.made[1][11]

    def transport(self) -> Transport:
        return open_transport(self.url, self.key)

    def ask(self, name: str, path: str, **rest: Any) -> Any:
        return call_api(self.page, path, token=as_seat(self.made, name)["Authorization"][7:], **rest)


class Table:
    """A table that writes a line now and then, and its sender, in threads of the test."""

    def __init__(self, folder: Path, hall: Hall, *, number: int = 12) -> None:
        self.folder, self._hall, self._key = folder, hall, hall.made[1][number - 1]
        self.told: list[str | None] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._send)

    def __enter__(self) -> "Table":
        self.folder.mkdir()
        (self.folder / NAME).touch()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join(120)

    def write(self, count: int) -> None:
        written(self.folder, *range(1, count + 1))

    def has_arrived(self) -> bool:
        return self._hall.store.texts_of(self._key.table) == lines_of(self.folder)

    def _send(self) -> None:
        self.told = send_until(
            self.folder,
            open_transport(self._hall.url, self._key),
            lambda _: self._is_over.is_set(),
            self._key,
            patience_s=300,
        )


class Cable:
    """A proxy to a port of this machine that can be cut: it drops connections that come, or holds all that passes.

    What is held goes on once the cable is mended, as what a network repeats: a request may arrive long after its sender
    has given up.
    """

    def __init__(self, to: int) -> None:
        self._to, self.refused, self._is_cut = to, 0, False
        self._flows = threading.Event()
        self._flows.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> "Cable":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.mend()
        self._listening.close()

    def cut(self) -> None:
        self._is_cut = True

    def hold(self) -> None:
        self._flows.clear()

    def mend(self) -> None:
        self._is_cut = False
        self._flows.set()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if self._is_cut:
                self.refused += 1
                near.close()
                continue
            threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        with near, suppress(ConnectionError), socket.create_connection(("127.0.0.1", self._to)) as far:
            back = threading.Thread(target=self._pass_on, args=(far, near), daemon=True)
            back.start()
            self._pass_on(near, far)
            back.join()

    def _pass_on(self, a: socket.socket, b: socket.socket) -> None:
        with suppress(OSError):
            while part := a.recv(65536):
                self._flows.wait()
                b.sendall(part)
        with suppress(OSError):
            b.shutdown(socket.SHUT_WR)
