"""Rounds: who plays whom at which table, how it ended, and who says so; penalties, and the settings of an event."""

from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import Field

from api.clocks.entries import Player
from api.hall.errors import BadPairings
from api.journal.entry import Entry
from api.seats.permissions import Seat
from models.frozen import Frozen

PenaltyName = Annotated[str, Field(min_length=1, max_length=60)]
RoundState = Literal["ready", "running", "over"]
MOST_POINTS = 10_000
BOTH = "both players"


class HallSettings(Frozen, json_schema_extra={"examples": [{"round_minutes": 120, "delay_s": 60, "featured": 3}]}):
    """What holds for the event until the organiser changes it."""

    round_minutes: float = Field(150, gt=0, le=24 * 60)
    clock_minutes: float = Field(60, ge=0, le=24 * 60, description="each player's clock; 0: tables are played without")
    penalties: tuple[PenaltyName, ...] = Field(
        ("Warning", "Game loss", "Disqualification"), max_length=40, description="the mildest first: a ladder"
    )
    delay_s: float = Field(60, ge=0, le=3600, description="how late spectators see a table")
    featured: int | None = Field(None, description="the table that the stream's overlay follows")
    check_in: str | None = Field(None, pattern="^[0-9A-Z]{6}$", description="with it players check in; null: closed")
    columns: dict[str, str] = Field({}, max_length=60, description="column of a pairing file -> what it is")


class GameResult(Frozen, json_schema_extra={"examples": [{"winner": "player-a", "points_a": 5, "points_b": 2}]}):
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
        return Pairing.model_validate(self.__dict__ | changes)

    def with_told(self, by: Player, result: GameResult) -> "Pairing":
        """With what this player entered; once both say the same it is the result, unless a judge has said one."""
        entered = self.told | {by: result}
        if self.confirmed_by not in (None, BOTH):
            return self.changed(told=entered)
        agrees = len(entered) == 2 and len({entry.model_dump_json() for entry in entered.values()}) == 1
        return self.changed(told=entered, result=result if agrees else None, confirmed_by=BOTH if agrees else None)


def fold_name(name: str) -> str:
    """The name as it is compared: case and spaces make no other player."""
    return " ".join(name.casefold().split())


def check_tables(pairings: Collection[Pairing], tables: Collection[int]) -> None:
    taken: set[int] = set()
    for pairing in pairings:
        if pairing.table is None:
            continue
        if pairing.table in taken:
            raise BadPairings(f"table {pairing.table} is there twice", field="table", value=pairing.table)
        if pairing.table not in tables:
            detail = f"the event has no table {pairing.table}; it has {len(tables)}"
            raise BadPairings(detail, field="table", value=pairing.table)
        taken.add(pairing.table)


def check_names(pairings: Collection[Pairing]) -> None:
    seen: set[str] = set()
    for player in (player for pairing in pairings for player in (pairing.a, pairing.b) if player is not None):
        key = fold_name(player.name)
        if key in seen:
            raise BadPairings(f"{player.name!r} is paired twice in this round", field="player", value=player.name)
        seen.add(key)


class RoundChange(Frozen):
    """That pairings of a round were changed by hand: when, by the hub's clock, by whom, and what was said of it."""

    at_s: float
    by: str
    says: str


class Round(Frozen):
    """A round of the event. Times by the hub's clock."""

    number: int = Field(ge=1, le=99)
    state: RoundState = "ready"
    minutes: float | None = Field(None, description="how long it lasts; null: not begun")
    started_s: float | None = None
    ended_s: float | None = None
    changes: tuple[RoundChange, ...] = Field((), description="pairings that were changed by hand")


class RoundView(Frozen):
    """A round with all its pairings."""

    round: Round
    pairings: tuple[Pairing, ...]


class RoundStart(Frozen, json_schema_extra={"examples": [{"minutes": 120, "clock_minutes": 60}]}):
    """How long the round lasts, and each player's clock; null: as the hall has it set."""

    minutes: float | None = Field(None, gt=0, le=24 * 60)
    clock_minutes: float | None = Field(None, ge=0, le=24 * 60, description="0: the tables' clocks stay as they are")


class PairingChange(Frozen):
    """Who plays whom from now on; without a table and an opponent: a bye."""

    table: int | None = Field(None, ge=1)
    a: Opponent
    b: Opponent | None = None


class PairingChanges(
    Frozen,
    json_schema_extra={
        "examples": [{"pairings": [{"table": 3, "a": {"name": "Ada"}, "b": {"name": "Ben"}}], "dropped": ["Cleo"]}]
    },
):
    """Pairings in place of those that their players and tables had; `dropped` are players who are paired no more."""

    pairings: tuple[PairingChange, ...] = Field((), max_length=200)
    dropped: tuple[str, ...] = Field((), max_length=200)


class PlayerSwap(Frozen, json_schema_extra={"examples": [{"player": "Ada", "other": "Dot"}]}):
    """Two players of a round who change places: each plays the other's opponent, at the other's table."""

    player: str = Field(min_length=1, max_length=80)
    other: str = Field(min_length=1, max_length=80)


def swap_players(pairings: Collection[Pairing], swap: PlayerSwap) -> PairingChanges:
    """The pairings of the two with their places changed. Raises: BadPairings."""
    places = {fold_name(player.name): player for pairing in pairings for player in (pairing.a, pairing.b) if player}
    keys = [fold_name(name) for name in (swap.player, swap.other)]
    for key, name in zip(keys, (swap.player, swap.other), strict=True):
        if key not in places:
            raise BadPairings(f"{name!r} is not paired in this round", field="player", value=name)
    theirs = [p for p in pairings if {fold_name(player.name) for player in (p.a, p.b) if player} & set(keys)]
    if len(theirs) < 2:
        detail = f"{swap.player!r} and {swap.other!r} play each other already"
        raise BadPairings(detail, field="other", value=swap.other)
    instead = {keys[0]: places[keys[1]], keys[1]: places[keys[0]]}

    def moved(player: Opponent) -> Opponent:
        return instead.get(fold_name(player.name), player)

    changes = [PairingChange(table=p.table, a=moved(p.a), b=moved(p.b) if p.b else None) for p in theirs]
    return PairingChanges(pairings=tuple(changes))


class ImportedRound(Frozen):
    """What was read of a file of pairings; `round` is the newest of `rounds`."""

    rounds: tuple[int, ...]
    round: int
    pairings: int
    ignored: tuple[str, ...] = Field(description="columns that mean nothing here")


class NewPenalty(
    Frozen, json_schema_extra={"examples": [{"player": "Ada", "table": 3, "penalty": "Warning", "note": "Slow play"}]}
):
    """A penalty from the organiser's list."""

    player: str = Field(min_length=1, max_length=80)
    table: int | None = Field(None, ge=1)
    penalty: str = Field(min_length=1, max_length=60)
    note: str = Field("", max_length=400)


class Penalty(NewPenalty):
    """A penalty that was given; `withdrawn` tells why it holds no more."""

    id: int
    round: int | None
    by: str
    at_s: float
    withdrawn: str | None = None

    def changed(self, **changes: object) -> "Penalty":
        return Penalty.model_validate(self.__dict__ | changes)


def propose_penalties(ladder: Collection[str], given: Collection[Penalty]) -> dict[str, str]:
    """The next step of the ladder for each player, by the name first given, who has one that holds: the step after the
    highest; at the top it stays there."""
    steps = {name: n for n, name in enumerate(ladder)}
    names: dict[str, str] = {}
    highest: dict[str, int] = {}
    for penalty in given:
        if penalty.withdrawn is None and penalty.penalty in steps:
            name = names.setdefault(fold_name(penalty.player), penalty.player)
            highest[name] = max(highest.get(name, 0), steps[penalty.penalty])
    rungs = list(steps)
    return {name: rungs[min(step + 1, len(rungs) - 1)] for name, step in highest.items()}


class PenaltyWithdrawal(Frozen, json_schema_extra={"examples": [{"reason": "It was another table"}]}):
    """Why it holds no more."""

    reason: str = Field(min_length=1, max_length=400)


class JudgeCalled(Entry):
    """A player wants a judge at the table; `verdict` says in words what is in dispute, where one was attached."""

    type: Literal["judge-called"] = "judge-called"
    by: Seat
    verdict: str | None = Field(None, max_length=300)


class CallWithdrawn(Entry):
    """The players have settled it."""

    type: Literal["call-withdrawn"] = "call-withdrawn"
    by: Seat


class OrderDone(Entry):
    """What the hall asked for was done; the same number is not done again."""

    type: Literal["order-done"] = "order-done"
    number: int = Field(ge=1)
    kind: str
    facts: dict[str, Any]
    trouble: str | None = Field(None, description="why it could not be done")


class RoundBegun(Entry):
    """The hall has begun a round: who plays here."""

    type: Literal["round-begun"] = "round-begun"
    round: int
    left_s: float | None = Field(None, description="of the round when this was written; null: nobody says")
    players: dict[Player, str]


class ResultTold(Entry):
    """A player says how the game of this round ended."""

    type: Literal["result-told"] = "result-told"
    by: Player
    round: int
    table: int
    result: GameResult


HALL_ENTRIES: tuple[type[Entry], ...] = (JudgeCalled, CallWithdrawn, OrderDone, RoundBegun, ResultTold)
