"""Player store: who plays in the event, in the hub's database; standings and pairings of the Swiss system over them."""

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from api.hall.errors import BadPairings, RoundConflict
from api.hall.round_store import RoundStore
from api.hall.rounds import Pairing, RoundView, fold_name
from api.hall.schema import PLAYERS, HallDatabase
from api.hall.swiss import TIE_BREAKS, NewSwissPlayer, Standing, SwissPlayer, pair_round, rank_players
from models.frozen import Frozen


class Standings(Frozen):
    """The standings, and what they go by, the first that differs decides."""

    rounds: int
    tie_breaks: tuple[str, ...]
    standings: tuple[Standing, ...]


class PlayerStore:
    """Players of the event; those that only a file of pairings names play in the rounds that name them."""

    def __init__(self, store: HallDatabase, rounds: RoundStore, *, event: str) -> None:
        self._store = store
        self._rounds = rounds
        self._event = event

    def all(self) -> tuple[SwissPlayer, ...]:
        with self._store.transaction() as db:
            texts = list(db.execute(sa.select(PLAYERS.c.player).order_by(PLAYERS.c.name)).scalars())
        return tuple(SwissPlayer.model_validate_json(text) for text in texts)

    def enter(self, new: Sequence[NewSwissPlayer]) -> tuple[SwissPlayer, ...]:
        """These play from the next round on. Raises: BadPairings for a name that is there, and then nobody enters."""
        joined = 1 + _newest_begun(self._rounds.all())
        with self._store.changing() as db:
            names = set(db.execute(sa.select(PLAYERS.c.name)).scalars())
            for player in new:
                name = fold_name(player.name)
                if name in names:
                    raise BadPairings(f"{player.name!r} plays already", field="name", value=player.name)
                names.add(name)
                entered = SwissPlayer(**dict(player), joined=joined)
                db.execute(sa.insert(PLAYERS).values(name=name, player=entered.model_dump_json()))
        return self.all()

    def drop(self, name: str, *, is_back: bool = False) -> SwissPlayer:
        """The player is in no pairing after the round that runs; `is_back`: in the next again. Raises: BadPairings."""
        after = _newest_begun(self._rounds.all())
        return self._change(name, dropped=None if is_back else after)

    def check_in(self, name: str, *, is_here: bool = True) -> SwissPlayer:
        """The player is here, or is not after all. Raises: BadPairings."""
        return self._change(name, is_here=is_here)

    def restore(self, players: Sequence[SwissPlayer]) -> None:
        """These play as they did where they come from; who plays here already stays as they are."""
        with self._store.changing() as db:
            names = set(db.execute(sa.select(PLAYERS.c.name)).scalars())
            for player in players:
                if (name := fold_name(player.name)) not in names:
                    names.add(name)
                    db.execute(sa.insert(PLAYERS).values(name=name, player=player.model_dump_json()))

    def _change(self, name: str, **changes: object) -> SwissPlayer:
        with self._store.changing() as db:
            at_name = PLAYERS.c.name == fold_name(name)
            text = db.execute(sa.select(PLAYERS.c.player).where(at_name).with_for_update()).scalar()
            if text is None:
                raise BadPairings(f"{name!r} does not play in this event", field="name", value=name)
            changed = SwissPlayer.model_validate(dict(SwissPlayer.model_validate_json(text)) | changes)
            db.execute(sa.update(PLAYERS).where(at_name).values(player=changed.model_dump_json()))
        return changed

    def pair(self, number: int, *, tables: Collection[int]) -> RoundView:
        """Pair this round, which has not begun.

        Raises: BadPairings; RoundConflict while a game before it has no result.
        """
        before = [pairing for view in self._rounds.all() if view.round.number < number for pairing in view.pairings]
        for pairing in before:
            if pairing.b is not None and pairing.result is None:
                detail = f"round {pairing.round}, table {pairing.table} has no result yet"
                raise RoundConflict(detail, field="table", value=pairing.table)
        players = self.all()
        are_checked = any(player.is_here for player in players)
        present = [player for player in players if player.is_here or not are_checked]
        pairings = pair_round(present, before, number=number, tables=sorted(tables), seed=self._event)
        self._rounds.put_pairings(number, pairings)
        return next(view for view in self._rounds.all() if view.round.number == number)

    def standings(self) -> Standings:
        begun = [view for view in self._rounds.all() if view.round.state != "ready"]
        pairings = [pairing for view in begun for pairing in view.pairings]
        players = {fold_name(player.name): player for player in (*_named_in(pairings), *self.all())}
        ranked = rank_players(list(players.values()), pairings)
        return Standings(rounds=len(begun), tie_breaks=tuple(name for name, _ in TIE_BREAKS), standings=ranked)


def _newest_begun(rounds: Sequence[RoundView]) -> int:
    return max((view.round.number for view in rounds if view.round.state != "ready"), default=0)


def _named_in(pairings: Collection[Pairing]) -> list[SwissPlayer]:
    players = [player for pairing in pairings for player in (pairing.a, pairing.b) if player is not None]
    return [SwissPlayer(**dict(player)) for player in players]
