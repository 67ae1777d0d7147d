"""Scoreboard of a table: who plays in which seat and how the game stands, said at the table and kept in its journal.

The one place that knows what a player is called: clocks, notices, records, the stream and every phone ask here.
"""

from collections.abc import Callable, Mapping
from typing import get_args

from api.errors import ScoreConflict
from api.journal.entry import Line
from api.journal.interface import Journal
from api.seats.entries import PlayerNamed, ScoreSaid
from api.seats.permissions import CALLED, Player, Seat
from api.seats.schemas import NewPlayer, NewScore, Score, Scoreboard, SeatedPlayer

PLAYERS: tuple[Player, ...] = get_args(Player)
_LOOK = "Look, then say it again."


class ScoreKeeper:
    """Names and score of one table; `changed` is called after each change."""

    def __init__(self, journal: Journal, *, changed: Callable[[], None] = lambda: None) -> None:
        self._journal = journal
        self._changed = changed
        self.board = Scoreboard()
        for line in journal.lines(PlayerNamed, ScoreSaid):
            self.board = _with_line(self.board, line)

    def called(self, seat: Seat, *, until: int | None = None) -> str:
        """How a sentence for the players names who sits there; `until`: as of this line of the journal."""
        board = self.board if until is None else self.board_at(until)
        player = next((seated for name, seated in board.players.items() if name == seat), None)
        return CALLED[seat] if player is None else player.name

    def name_player(self, seat: Player, player: NewPlayer, *, by: Seat) -> Scoreboard:
        """This one plays in the seat from now on. Raises: ScoreConflict, JournalFailed."""
        known = self.board.players.get(seat)
        if known is not None and (known.name, known.side, known.edge) == (player.name, player.side, player.edge):
            return self.board
        _refuse_stale(player.seen, known, f"{CALLED[seat]} is called {known.name} now." if known else "")
        self._refuse_taken(seat, player)
        return self._write(PlayerNamed(by=by, seat=seat, name=player.name, side=player.side, edge=player.edge))

    def say_score(self, score: NewScore, *, by: Seat) -> Scoreboard:
        """The game stands like this from now on. Raises: ScoreConflict, JournalFailed."""
        known = self.board.score
        if known is not None and (known.round, known.points) == (score.round, score.points):
            return self.board
        _refuse_stale(score.seen, known, f"{self.called(known.by)} has changed the score." if known else "")
        return self._write(ScoreSaid(by=by, round=score.round, points=score.points))

    def begin_game(self, players: Mapping[Player, NewPlayer], *, round_: int) -> None:
        """A hall has paired these here for its round: nobody has any points yet. Raises: JournalFailed."""
        for seat, player in players.items():
            self._write(PlayerNamed(by="judge", seat=seat, name=player.name, side=player.side, edge=player.edge))
        self._write(ScoreSaid(by="judge", round=round_, points=dict.fromkeys(PLAYERS, 0.0)))

    def _refuse_taken(self, seat: Player, player: NewPlayer) -> None:
        """Two of one name or of one side could not be told apart."""
        for other, known in self.board.players.items():
            for field in ("name", "side"):
                said, theirs = getattr(player, field), getattr(known, field)
                if other != seat and said is not None and theirs is not None and said.casefold() == theirs.casefold():
                    raise ScoreConflict(f"{CALLED[other]} has this {field} already.", field=field, value=said)

    def board_at(self, until: int) -> Scoreboard:
        board = Scoreboard()
        for line in self._journal.lines(PlayerNamed, ScoreSaid):
            board = _with_line(board, line) if line.n <= until else board
        return board

    def _write(self, entry: PlayerNamed | ScoreSaid) -> Scoreboard:
        self.board = _with_line(self.board, self._journal.write(entry))
        self._changed()
        return self.board


def _refuse_stale(seen: int | None, known: SeatedPlayer | Score | None, says: str) -> None:
    """Raises: ScoreConflict when something newer is known than the asker saw."""
    if seen is not None and known is not None and known.n > seen:
        raise ScoreConflict(f"{says} {_LOOK}", field="seen", value=seen)


def _with_line(board: Scoreboard, line: Line) -> Scoreboard:
    match line.entry:
        case PlayerNamed(by=by, seat=seat, name=name, side=side, edge=edge):
            player = SeatedPlayer(n=line.n, by=by, name=name, side=side, edge=edge)
            return Scoreboard(players=board.players | {seat: player}, score=board.score)
        case ScoreSaid(by=by, round=round_, points=points):
            return Scoreboard(players=board.players, score=Score(n=line.n, by=by, round=round_, points=points))
    return board
