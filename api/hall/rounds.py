"""Rounds: who plays whom at which table, how it ended, and who says so."""

from typing import Literal

from pydantic import Field

from api.clocks.state import Player
from models.frozen import Frozen

RoundState = Literal["ready", "running", "over"]
MOST_POINTS = 10_000
BOTH = "both players"


class GameResult(Frozen):
    """How a game ended: who won, and the points of each."""

    winner: Literal["player-a", "player-b", "draw"]
    points_a: float = Field(0, ge=0, le=MOST_POINTS)
    points_b: float = Field(0, ge=0, le=MOST_POINTS)


class Opponent(Frozen):
    """A player of a pairing; `army` and `list_file` where the pairings tell them."""

    name: str = Field(min_length=1, max_length=80)
    army: str | None = Field(None, max_length=80)
    list_file: str | None = Field(None, max_length=200, description="file in the hub's folder of lists")


class Pairing(Frozen):
    """Two who play each other, or one who has a bye: at no table, without an opponent."""

    round: int = Field(ge=1, le=99)
    table: int | None
    a: Opponent
    b: Opponent | None
    told: dict[Player, GameResult] = Field({}, description="what each player entered at the table")
    result: GameResult | None = None
    confirmed_by: str | None = Field(None, description="`both players`, or the judge's name")

    def changed(self, **changes: object) -> "Pairing":
        """The same pairing with these changes."""
        return Pairing.model_validate(self.__dict__ | changes)

    def with_told(self, by: Player, result: GameResult) -> "Pairing":
        """With what this player entered; once both say the same it is the result, unless a judge has said one."""
        told = self.told | {by: result}
        if self.confirmed_by not in (None, BOTH):
            return self.changed(told=told)
        agrees = len(told) == 2 and len({one.model_dump_json() for one in told.values()}) == 1
        return self.changed(told=told, result=result if agrees else None, confirmed_by=BOTH if agrees else None)


class Round(Frozen):
    """A round of the event. Times by the hub's clock."""

    number: int = Field(ge=1, le=99)
    state: RoundState = "ready"
    minutes: float | None = Field(None, description="how long it lasts; null: not begun")
    started_s: float | None = None
    ended_s: float | None = None


class RoundView(Frozen):
    """A round with all its pairings."""

    round: Round
    pairings: tuple[Pairing, ...]


class RoundStart(Frozen):
    """How long the round lasts, and each player's clock; null: as the hall has it set."""

    minutes: float | None = Field(None, gt=0, le=24 * 60)
    clock_minutes: float | None = Field(None, ge=0, le=24 * 60, description="0: the tables' clocks stay as they are")


class ImportedRound(Frozen):
    """What was read of a file of pairings."""

    round: int
    pairings: int
    ignored: tuple[str, ...] = Field(description="columns that mean nothing here")
