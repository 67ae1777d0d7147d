"""Round store: rounds, pairings and their results in the hub's database."""

import base64
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from api.hall.call_store import order_table
from api.hall.errors import BadPairings, NoSuchRound, RoundConflict
from api.hall.rounds import (
    GameResult,
    Opponent,
    Pairing,
    PairingChanges,
    PlayerSwap,
    ResultTold,
    Round,
    RoundChange,
    RoundStart,
    RoundView,
    check_names,
    check_tables,
    fold_name,
    swap_players,
)
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
        self.put_rounds({number: pairings})

    def put_rounds(self, rounds: Mapping[int, Sequence[Pairing]]) -> None:
        """These are the pairings of rounds that have not begun; of one that has, a file may say again who plays whom.

        A round whose games all have ended is over. Raises: RoundConflict, BadPairings, and then nothing is kept.
        """
        for player in (player for pairings in rounds.values() for p in pairings for player in (p.a, p.b) if player):
            self._read_list(player)
        with self._store.changing() as db:
            for number, pairings in rounds.items():
                self._put_round(db, number, pairings)

    def _put_round(self, db: sa.Connection, number: int, pairings: Sequence[Pairing]) -> None:
        held = self._find(db, number)
        if held is not None and held.state != "ready":
            if _seats_of(_pairings_of(db, number).values()) == _seats_of(pairings):
                return
            raise RoundConflict(f"round {number} is {held.state}", field="round", value=number)
        games = [pairing for pairing in pairings if pairing.b is not None]
        is_over = bool(games) and all(pairing.result is not None for pairing in games)
        _keep_round(db, Round(number=number, state="over" if is_over else "ready"))
        db.execute(sa.delete(PAIRINGS).where(PAIRINGS.c.round == number))
        _insert_pairings(db, pairings)

    def change_pairings(self, number: int, changes: PairingChanges, *, by: str, tables: Collection[int]) -> RoundView:
        """These pairings take the place of those that their players and tables had. Raises: BadPairings, NoSuchRound,
        RoundConflict where a game has ended that would be taken away, and then nothing is changed."""
        if nowhere := next((c.a.name for c in changes.pairings if c.b is not None and c.table is None), None):
            raise BadPairings(f"{nowhere!r} and an opponent need a table", field="table", value=None)
        wanted = [Pairing(round=number, table=c.table if c.b else None, a=c.a, b=c.b) for c in changes.pairings]
        for player in (player for pairing in wanted for player in (pairing.a, pairing.b) if player):
            self._read_list(player)
        clock_minutes = self._store.settings().clock_minutes
        with self._store.changing() as db:
            round_ = self._find(db, number)
            if round_ is None:
                raise NoSuchRound(f"there is no round {number}: import its pairings", field="round", value=number)
            if round_.state == "over":
                raise RoundConflict(f"round {number} is over", field="round", value=number)
            held = _pairings_of(db, number)
            replaced = _find_replaced(held, wanted, changes.dropped)
            kept = [pairing for id_, pairing in held.items() if id_ not in replaced]
            check_tables([*kept, *wanted], tables)
            check_names([*kept, *wanted])
            db.execute(sa.delete(PAIRINGS).where(PAIRINGS.c.id.in_(replaced)))
            _insert_pairings(db, wanted)
            change = RoundChange(at_s=self._store.now_s(), by=by, says=_describe(wanted, changes.dropped))
            changed = Round.model_validate(round_.__dict__ | {"changes": (*round_.changes, change)})
            _keep_round(db, changed)
            if round_.state == "running":
                left_s = _seconds_left(round_, self._store.now_s())
                self._order_changes(db, [held[id_] for id_ in replaced], wanted, clock_minutes, left_s=left_s)
            return RoundView(round=changed, pairings=tuple(_pairings_of(db, number).values()))

    def swap_players(self, number: int, swap: PlayerSwap, *, by: str, tables: Collection[int]) -> RoundView:
        """These two change places. Raises: BadPairings, NoSuchRound, RoundConflict, and then nothing is changed."""
        pairings = [pairing for view in self.all() if view.round.number == number for pairing in view.pairings]
        return self.change_pairings(number, swap_players(pairings, swap), by=by, tables=tables)

    def _order_changes(
        self,
        db: sa.Connection,
        before: Sequence[Pairing],
        after: Sequence[Pairing],
        clock_minutes: float,
        *,
        left_s: float,
    ) -> None:
        """Only tables at which somebody else plays than before hear of it."""
        same = _seats_of(before) & _seats_of(after)
        for pairing in after:
            if pairing.table is not None and pairing.b is not None and not _seats_of([pairing]) <= same:
                self._order_round(db, pairing, pairing.b, clock_minutes, left_s=left_s)
        for table in {p.table for p in before} - {p.table for p in after} - {None}:
            assert table is not None
            order_table(db, table, "say", says="The pairing was changed: nobody plays here in this round.")

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
                self._order_round(db, pairing, pairing.b, clock_minutes, left_s=60 * minutes)
        return begun

    def _order_round(
        self, db: sa.Connection, pairing: Pairing, b: Opponent, clock_minutes: float, *, left_s: float
    ) -> None:
        assert pairing.table is not None
        order_table(
            db,
            pairing.table,
            "round",
            says=f"Round {pairing.round}: {pairing.a.name} against {b.name}.",
            round=pairing.round,
            players={"player-a": pairing.a.name, "player-b": b.name},
            clock_minutes=clock_minutes,
            left_s=left_s,
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


def _find_replaced(held: Mapping[int, Pairing], wanted: Sequence[Pairing], dropped: Collection[str]) -> list[int]:
    """Ids of the pairings that go. Raises: BadPairings where that leaves a player nowhere; RoundConflict."""
    named = {fold_name(player.name) for pairing in wanted for player in (pairing.a, pairing.b) if player}
    leaving = {fold_name(name) for name in dropped}
    tables = {pairing.table for pairing in wanted if pairing.table is not None}
    known = {fold_name(player.name) for pairing in held.values() for player in (pairing.a, pairing.b) if player}
    if unknown := leaving - known | leaving & named:
        detail = f"{min(unknown)!r} cannot drop: not paired in this round, or paired anew"
        raise BadPairings(detail, field="dropped", value=min(unknown))
    replaced = []
    for id_, pairing in held.items():
        players = {fold_name(player.name): player.name for player in (pairing.a, pairing.b) if player}
        if not (players.keys() & (named | leaving) or pairing.table in tables):
            continue
        if pairing.b is not None and pairing.result is not None:
            detail = f"table {pairing.table} has its result: {pairing.a.name} and {pairing.b.name} have played"
            raise RoundConflict(detail, field="table", value=pairing.table)
        if alone := [name for key, name in players.items() if key not in named | leaving]:
            detail = f"{alone[0]!r} is left alone: pair them anew, without an opponent for a bye, or drop them"
            raise BadPairings(detail, field="player", value=alone[0])
        replaced.append(id_)
    return replaced


def _seconds_left(round_: Round, now_s: float) -> float:
    """Of a round that runs; below nothing once its time is over."""
    return (round_.started_s or now_s) + 60 * (round_.minutes or 0) - now_s


def _describe(wanted: Sequence[Pairing], dropped: Collection[str]) -> str:
    said = [f"{p.a.name} against {p.b.name} at table {p.table}" if p.b else f"{p.a.name} has a bye" for p in wanted]
    return "; ".join([*said, *(f"{name} drops" for name in dropped)])


def _seats_of(pairings: Iterable[Pairing]) -> set[tuple[int | None, str, str | None]]:
    """Who plays whom where."""
    return {(p.table, fold_name(p.a.name), fold_name(p.b.name) if p.b else None) for p in pairings}


def _pairings_of(db: sa.Connection, number: int) -> dict[int, Pairing]:
    """The pairings of a round by the ids of their rows, tables in order, byes last."""
    wanted = sa.select(PAIRINGS.c.id, PAIRINGS.c.pairing).where(PAIRINGS.c.round == number)
    rows = db.execute(wanted.order_by(PAIRINGS.c.number.is_(None), PAIRINGS.c.number, PAIRINGS.c.id))
    return {row.id: Pairing.model_validate_json(row.pairing) for row in rows}


def _insert_pairings(db: sa.Connection, pairings: Sequence[Pairing]) -> None:
    rows = [{"round": p.round, "number": p.table, "pairing": p.model_dump_json()} for p in pairings]
    if rows:
        db.execute(sa.insert(PAIRINGS), rows)


def _keep_round(db: sa.Connection, round_: Round) -> None:
    held = db.execute(sa.select(ROUNDS.c.number).where(ROUNDS.c.number == round_.number)).scalar()
    if held is None:
        db.execute(sa.insert(ROUNDS).values(number=round_.number, round=round_.model_dump_json()))
    else:
        db.execute(sa.update(ROUNDS).where(ROUNDS.c.number == round_.number).values(round=round_.model_dump_json()))


def _keep_pairing(db: sa.Connection, id_: int, pairing: Pairing) -> None:
    db.execute(sa.update(PAIRINGS).where(PAIRINGS.c.id == id_).values(pairing=pairing.model_dump_json()))
