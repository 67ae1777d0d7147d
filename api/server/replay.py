"""Replay: a kept game looked at again on the player's page; nothing of it is changed."""

from contextlib import closing
from pathlib import Path

from api.errors import NoTableYet
from api.evaluation.worker_pool import WorkerPool
from api.evidence.service import EvidenceKeeper
from api.games.archive import open_game
from api.journal.file_journal import FileJournal
from api.journal.memory_journal import MemoryJournal
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.server.bind import ListenOptions
from api.server.journal_entries import ENTRY_CLASSES
from api.server.serve import serve


def serve_replay(path: Path, listen: ListenOptions) -> None:
    """Serve a kept game until interrupted: everybody may look and ask, nobody change.

    Raises: BadFile, BadGame, BadInput; NoTableYet when the game holds no table.
    """
    with open_game(path) as (ours, pictures), closing(FileJournal(ours, ENTRY_CLASSES)) as journal:
        hub = Hub(title=path.stem, journal=journal)
        hub.is_replay = True
        if hub.state is None:
            raise NoTableYet(f"{path}: no table was seen at rest in this game.")
        hub.source.rest()
        seats = SeatSessions(
            MemoryJournal(), unjoined="viewer", hastens_viewers=True
        )  # who had a seat then has none now
        evidence = EvidenceKeeper(hub, pictures, most_bytes=0, is_read_only=True)
        app = create_app(hub, seats=seats, pool=WorkerPool(), names=listen.names, evidence=evidence)
        serve(app, listen)
