"""Hall records: what organiser and judges act on, calls, rounds and penalties, all of it in one database."""

from pathlib import Path

import sqlalchemy as sa

from api.hall.call_store import CallStore
from api.hall.errors import NoSuchPenalty
from api.hall.player_store import PlayerStore
from api.hall.round_store import RoundStore
from api.hall.rounds import NewPenalty, Penalty, Round
from api.hall.schema import PENALTIES, ROUNDS, HallDatabase
from api.hall.store import HallStore


class PenaltyStore:
    """Penalties of the event; none is deleted, one may be withdrawn."""

    def __init__(self, store: HallDatabase) -> None:
        self._store = store

    def all(self) -> tuple[Penalty, ...]:
        with self._store.transaction() as db:
            texts = list(db.execute(sa.select(PENALTIES.c.penalty).order_by(PENALTIES.c.id)).scalars())
        return tuple(map(Penalty.model_validate_json, texts))

    def give(self, wanted: NewPenalty, judge: str) -> Penalty:
        """Give a penalty from the organiser's list. Raises: NoSuchPenalty when it is not on it."""
        listed = self._store.settings().penalties
        if wanted.penalty not in listed:
            detail = f"the list has no {wanted.penalty!r}; it has {', '.join(map(repr, listed))}"
            raise NoSuchPenalty(detail, field="penalty", value=wanted.penalty)
        with self._store.changing() as db:
            rounds = [Round.model_validate_json(text) for text in db.execute(sa.select(ROUNDS.c.round)).scalars()]
            running = next((round_.number for round_ in rounds if round_.state == "running"), None)
            id_ = db.execute(sa.insert(PENALTIES).values(penalty="").returning(PENALTIES.c.id)).scalar_one()
            given = Penalty(**dict(wanted), id=id_, round=running, by=judge, at_s=self._store.now_s())
            _keep(db, given)
        return given

    def withdraw(self, id_: int, reason: str) -> Penalty:
        """It holds no more, and stays in the history. Raises: NoSuchPenalty."""
        with self._store.changing() as db:
            text = db.execute(sa.select(PENALTIES.c.penalty).where(PENALTIES.c.id == id_).with_for_update()).scalar()
            if text is None:
                raise NoSuchPenalty(f"there is no penalty {id_}", field="penalty", value=id_)
            penalty = Penalty.model_validate_json(text).changed(withdrawn=reason)
            _keep(db, penalty)
        return penalty


def _keep(db: sa.Connection, penalty: Penalty) -> None:
    db.execute(sa.update(PENALTIES).where(PENALTIES.c.id == penalty.id).values(penalty=penalty.model_dump_json()))


class HallRecords:
    """Calls, rounds, penalties and players; `lists` is the folder of army lists that pairings name."""

    def __init__(self, store: HallStore, *, lists: Path | None = None) -> None:
        self.store = store
        self.calls = CallStore(store)
        self.rounds = RoundStore(store, lists=lists)
        self.penalties = PenaltyStore(store)
        self.players = PlayerStore(store, self.rounds, event=store.event)
