"""Hall desk: what organiser and judges act on, all of it in one database."""

from pathlib import Path

from api.hall.call_store import CallStore
from api.hall.penalty_store import PenaltyStore
from api.hall.round_store import RoundStore
from api.hall.store import HallStore


class HallDesk:
    """Calls, rounds and penalties; `lists` is the folder of army lists that pairings name."""

    def __init__(self, store: HallStore, *, lists: Path | None = None) -> None:
        self.store = store
        self.calls = CallStore(store)
        self.rounds = RoundStore(store, lists=lists)
        self.penalties = PenaltyStore(store)
