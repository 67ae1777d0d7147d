"""Round store: rounds, pairings and their results in the hub's database."""

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from api.hall.call_store import order_table
from api.hall.errors import BadPairings, NoSuchRound, RoundConflict
from api.hall.rounds import GameResult, Opponent, Pairing, ResultTold, Round, RoundStart, RoundView
from api.hall.schema import PAIRINGS, ROUNDS, HallDatabase

MOST_LIST_BYTES = 200_000


def note_result(db: sa.Connection, entry: ResultTold) -> None:
    """What a player entered; a line of a round that the hall does not know changes nothing."""
    at_table = sa.and_(PAIRINGS.c.round == entry.round, PAIRINGS.c.number == entry.table)
    row = db.execute(sa.select(PAIRINGS).where(at_table).with_for_update()).one_or_none()
    if row is not None:
        _keep_pairing(db, row.id, Pairing.model_validate_json(row.pairing).with_told(entry.by, entry.result))


class RoundStore:
    """Rounds of the event; `lists` is the folder in which the army lists lie that pairings name."""

    def __init__(self, store: HallDatabase, *, lists: Path | None = None) -> None:
        self._store = store
        self._lists = lists

    def all(self) -> tuple[RoundView, ...]:
        with self._store.transaction() as db:
            rounds = [Round.model_validate_json(text) for text in db.execute(sa.select(ROUNDS.c.round)).scalars()]
            wanted = sa.select(PAIRINGS.c.pairing).order_by(PAIRINGS.c.number.is_(None), PAIRINGS.c.number)
            pairings = [Pairing.model_validate_json(text) for text in db.execute(wanted).scalars()]
        return tuple(
            RoundView(round=round_, pairings=tuple(p for p in pairings if p.round == round_.number))
            for round_ in sorted(rounds, key=lambda round_: round_.number)
        )

    def put_pairings(self, number: int, pairings: Sequence[Pairing]) -> None:
        """These are the pairings of a round that has not begun. Raises: RoundConflict, BadPairings."""
        for pairing in pairings:
            for player in filter(None, (pairing.a, pairing.b)):
                self._read_list(player)
        with self._store.changing() as db:
            held = self._find(db, number)
            if held is not None and held.state != "ready":
                raise RoundConflict(f"round {number} is {held.state}", field="round", value=number)
            _keep_round(db, Round(number=number))
            db.execute(sa.delete(PAIRINGS).where(PAIRINGS.c.round == number))
            rows = [{"round": number, "number": p.table, "pairing": p.model_dump_json()} for p in pairings]
            db.execute(sa.insert(PAIRINGS), rows)

    def start(self, number: int, wanted: RoundStart) -> Round:
        """Begin this round: its tables get names, sides, lists and clocks. Raises: NoSuchRound, RoundConflict."""
        settings = self._store.settings()
        with self._store.changing() as db:
            begun = self._start(
                db,
                number,
                settings.round_minutes if wanted.minutes is None else wanted.minutes,
                settings.clock_minutes if wanted.clock_minutes is None else wanted.clock_minutes,
            )
        return begun

    def end(self, number: int) -> Round:
        """This round is over; its results may still be told. Raises: NoSuchRound, RoundConflict."""
        with self._store.changing() as db:
            return self._end(db, number)

    def start_next(self) -> Round:
        """End the round that runs, and begin the next that has pairings. Raises: NoSuchRound when there is none."""
        settings = self._store.settings()
        with self._store.changing() as db:
            rounds = [Round.model_validate_json(text) for text in db.execute(sa.select(ROUNDS.c.round)).scalars()]
            ready = min((round_.number for round_ in rounds if round_.state == "ready"), default=None)
            if ready is None:
                raise NoSuchRound("no round with pairings waits: import the next", field="round", value=None)
            for round_ in rounds:
                if round_.state == "running":
                    self._end(db, round_.number)
            return self._start(db, ready, settings.round_minutes, settings.clock_minutes)

    def confirm(self, number: int, table: int, result: GameResult, judge: str) -> Pairing:
        """A judge says how it ended; what players enter later changes it no more. Raises: NoSuchRound."""
        at_table = sa.and_(PAIRINGS.c.round == number, PAIRINGS.c.number == table)
        with self._store.changing() as db:
            row = db.execute(sa.select(PAIRINGS).where(at_table).with_for_update()).one_or_none()
            if row is None:
                raise NoSuchRound(f"nobody is paired at table {table} in round {number}", field="table", value=table)
            pairing = Pairing.model_validate_json(row.pairing).changed(result=result, confirmed_by=judge)
            _keep_pairing(db, row.id, pairing)
            order_table(db, table, "say", says=f"{judge} has confirmed the result of round {number}.")
        return pairing

    def _start(self, db: sa.Connection, number: int, minutes: float, clock_minutes: float) -> Round:
        rounds = [Round.model_validate_json(text) for text in db.execute(sa.select(ROUNDS.c.round)).scalars()]
        if running := next((round_.number for round_ in rounds if round_.state == "running"), None):
            raise RoundConflict(f"round {running} still runs: end it first", field="round", value=running)
        begun = self._change(db, number, "ready", state="running", minutes=minutes, started_s=self._store.now_s())
        for text in list(db.execute(sa.select(PAIRINGS.c.pairing).where(PAIRINGS.c.round == number)).scalars()):
            pairing = Pairing.model_validate_json(text)
            if pairing.table is not None and pairing.b is not None:
                self._order_round(db, pairing, pairing.b, clock_minutes)
        return begun

    def _order_round(self, db: sa.Connection, pairing: Pairing, b: Opponent, clock_minutes: float) -> None:
        assert pairing.table is not None
        order_table(
            db,
            pairing.table,
            "round",
            says=f"Round {pairing.round}: {pairing.a.name} against {b.name}.",
            round=pairing.round,
            players={"player-a": pairing.a.name, "player-b": b.name},
            clock_minutes=clock_minutes,
            lists=[army_list for army_list in (self._read_list(pairing.a), self._read_list(b)) if army_list],
        )

    def _end(self, db: sa.Connection, number: int) -> Round:
        return self._change(db, number, "running", state="over", ended_s=self._store.now_s())

    def _change(self, db: sa.Connection, number: int, expected: str, **changes: object) -> Round:
        pairing = self._find(db, number)
        if pairing is None:
            raise NoSuchRound(f"there is no round {number}: import its pairings", field="round", value=number)
        if pairing.state != expected:
            raise RoundConflict(f"round {number} is {pairing.state}, not {expected}", field="round", value=number)
        changed = Round.model_validate(pairing.__dict__ | changes)
        _keep_round(db, changed)
        return changed

    def _find(self, db: sa.Connection, number: int) -> Round | None:
        text = db.execute(sa.select(ROUNDS.c.round).where(ROUNDS.c.number == number).with_for_update()).scalar()
        return None if text is None else Round.model_validate_json(text)

    def _read_list(self, player: Opponent) -> dict[str, Any] | None:
        """The player's army list as a table takes it. Raises: BadPairings when it is not there, or too long."""
        name = player.list_file
        if name is None:
            return None
        path = None if self._lists is None else self._lists / name
        if path is None or Path(name).name != name or not path.is_file():
            raise BadPairings(f"{name!r} does not lie in the hub's folder of --lists", field="list", value=name)
        data = path.read_bytes()
        if len(data) > MOST_LIST_BYTES:
            raise BadPairings(f"{name!r} has more than {MOST_LIST_BYTES} bytes", field="list", value=name)
        return {"side": player.name, "file": name, "data": base64.b64encode(data).decode()}


def _keep_round(db: sa.Connection, round_: Round) -> None:
    held = db.execute(sa.select(ROUNDS.c.number).where(ROUNDS.c.number == round_.number)).scalar()
    if held is None:
        db.execute(sa.insert(ROUNDS).values(number=round_.number, round=round_.model_dump_json()))
    else:
        db.execute(sa.update(ROUNDS).where(ROUNDS.c.number == round_.number).values(round=round_.model_dump_json()))


def _keep_pairing(db: sa.Connection, id_: int, pairing: Pairing) -> None:
    db.execute(sa.update(PAIRINGS).where(PAIRINGS.c.id == id_).values(pairing=pairing.model_dump_json()))
