"""Death clocks: what the journal keeps of them, and the state that those entries fold into."""

from collections.abc import Iterable
from typing import Annotated, Literal, get_args

from pydantic import Field

from api.journal.entry import Entry, Line
from api.seats.permissions import Seat
from models.frozen import Frozen
from models.vocabulary import NotNegative

MINUTE_S = 60.0
MOST_GIVEN_S = 24 * 60 * MINUTE_S  # a night without the server, given back
Why = Annotated[str, Field(min_length=1, max_length=80)]
Player = Literal["player-a", "player-b"]
PLAYERS: tuple[Player, ...] = get_args(Player)


class ClockDeed(Entry):
    """Something is done to the clocks. `clock_s` is when by a clock that nobody sets while the server runs.

    It shows seconds since 1970 when its server starts; null: an older server went by the machine's clock.
    """

    clock_s: float | None = None


class ClocksSet(ClockDeed):
    """Both clocks show this long, and stand."""

    type: Literal["clocks-set"] = "clocks-set"
    by: Seat
    total_s: float = Field(gt=0, le=24 * 60 * MINUTE_S)
    increment_s: float | None = Field(None, gt=0, le=10 * MINUTE_S, description="what each turn ended gains")


class ClockPassed(ClockDeed):
    """This player's clock runs from now on."""

    type: Literal["clock-passed"] = "clock-passed"
    by: Seat
    to: Literal["player-a", "player-b"]


class ClockLent(ClockDeed):
    """This player's clock runs for a reaction; the other's turn goes on when it comes back."""

    type: Literal["clock-lent"] = "clock-lent"
    by: Seat
    to: Literal["player-a", "player-b"]


class ClockRunOut(ClockDeed):
    """This player's time is over: the flag has fallen."""

    type: Literal["clock-run-out"] = "clock-run-out"
    player: Literal["player-a", "player-b"]


class ClocksStopped(ClockDeed):
    """Nobody's clock runs."""

    type: Literal["clocks-stopped"] = "clocks-stopped"
    by: Seat
    why: Why = "ruling"


class ClocksStarted(ClockDeed):
    """The clock that was stopped runs on."""

    type: Literal["clocks-started"] = "clocks-started"
    by: Seat


class ClocksExtended(ClockDeed):
    """A player is given this long, or has it taken away; null: the round ends as much later."""

    type: Literal["clocks-extended"] = "clocks-extended"
    by: Seat
    player: Literal["player-a", "player-b"] | None
    by_s: float = Field(ge=-3600, le=MOST_GIVEN_S)
    note: Why


class ClocksPutAway(ClockDeed):
    """This game is played without clocks, or is over."""

    type: Literal["clocks-put-away"] = "clocks-put-away"
    by: Seat


class ClocksKept(ClockDeed):
    """A clock runs, and so does the server: where these lines break off, it was away."""

    MUST_LAST = False
    type: Literal["clocks-kept"] = "clocks-kept"


CLOCK_ENTRIES: tuple[type[Entry], ...] = (
    ClocksSet, ClockPassed, ClockLent, ClocksStopped, ClocksStarted, ClocksExtended, ClocksPutAway, ClocksKept,
    ClockRunOut,
)  # fmt: skip


class Extension(Frozen):
    """Time that was given, to whom and why; `player` null: the round as a whole was made longer."""

    at_s: float
    player: Player | None
    by_s: float
    note: str


class Stop(Frozen):
    """Nobody's clock runs, since then and for this reason."""

    since_s: float
    why: str


class Clocks(Frozen):
    """What is on the clocks. `used_s` is what each had used when the present stretch began, `since_s`."""

    total_s: NotNegative
    increment_s: NotNegative = 0
    set_by: Seat = "judge"
    turns: dict[Player, int] = Field({}, description="how many turns each has ended, for which it gained as much")
    fallen: tuple[Player, ...] = Field((), description="whose flag has fallen")
    used_s: dict[Player, NotNegative]
    turn: Player | None = Field(None, description="whose clock runs, or goes on when no longer stopped")
    lent_by: Player | None = Field(None, description="whose turn it is while the other's clock runs for a reaction")
    since_s: float
    stop: Stop | None
    ruled_s: NotNegative = Field(0, description="how long the clocks stood still while a judge ruled")
    extensions: tuple[Extension, ...] = ()

    def used_s_by(self, player: Player, now_s: float) -> float:
        """Seconds this player has used by then."""
        runs = self.stop is None and self.turn == player
        return self.used_s[player] + (max(0.0, now_s - self.since_s) if runs else 0.0)

    def left_s(self, player: Player, now_s: float) -> float:
        """Seconds this player has left by then; negative: the clock has run out."""
        given = sum(extension.by_s for extension in self.extensions if extension.player == player)
        gained = self.increment_s * self.turns.get(player, 0)
        return self.total_s + given + gained - self.used_s_by(player, now_s)

    def are_players_own(self) -> bool:
        """Whether players set them, and the game has not begun."""
        return self.set_by in PLAYERS and self.turn is None

    def newly_run_out(self, now_s: float) -> Player | None:
        """Who runs out of time now, and has not been told so."""
        player = self.turn
        if player is None or self.stop is not None or player in self.fallen or self.left_s(player, now_s) > 0:
            return None
        return player

    def start_stretch(self, now_s: float, **changes: object) -> "Clocks":
        """The same clocks with a stretch that begins now, and these changes."""
        used = {player: self.used_s_by(player, now_s) for player in PLAYERS}
        return Clocks.model_validate(self.model_dump() | {"used_s": used, "since_s": now_s} | changes)


class Outage(Frozen):
    """A clock ran while the server was away."""

    player: Player
    by_s: NotNegative


SET, RULING = "set", "ruling"


def apply_line(clocks: Clocks | None, line: Line) -> Clocks | None:
    """The clocks after this line. What is done to clocks that were never set changes nothing."""
    if isinstance(line.entry, ClocksSet):
        zero, now_s = dict.fromkeys(PLAYERS, 0.0), deed_s(line)
        settings = {
            "total_s": line.entry.total_s,
            "increment_s": line.entry.increment_s or 0.0,
            "set_by": line.entry.by,
        }
        return Clocks(**settings, used_s=zero, since_s=now_s, stop=Stop(since_s=now_s, why=SET))
    return None if clocks is None else _change(clocks, line)


def replay_clocks(lines: Iterable[Line]) -> Clocks | None:
    """The clocks that these lines make; None when none were set, or they were put away."""
    clocks: Clocks | None = None
    for line in lines:
        clocks = apply_line(clocks, line)
    return clocks


def deed_s(line: Line) -> float:
    """When this was done, by the clock that its server went by."""
    steady_s = line.entry.clock_s if isinstance(line.entry, ClockDeed) else None
    return line.at_s if steady_s is None else steady_s


def _change(clocks: Clocks, line: Line) -> Clocks | None:
    now_s = deed_s(line)
    match line.entry:
        case ClockPassed(to=player):
            return _pass_clock(clocks, player, now_s)
        case ClockLent(to=player):
            return _lend_clock(clocks, player, now_s)
        case ClockRunOut(player=player):
            return clocks.start_stretch(now_s, fallen=(*clocks.fallen, player))
        case ClocksStopped(why=why) if clocks.stop is None:
            return clocks.start_stretch(now_s, stop=Stop(since_s=now_s, why=why))
        case ClocksStarted():
            return clocks.start_stretch(now_s, stop=None, ruled_s=_ruled_s(clocks, now_s))
        case ClocksExtended(player=player, by_s=by_s, note=note):
            given = Extension(at_s=line.at_s, player=player, by_s=by_s, note=note)
            longer = clocks.start_stretch(now_s, extensions=(*clocks.extensions, given))
            return longer.start_stretch(now_s, fallen=tuple(p for p in clocks.fallen if longer.left_s(p, now_s) <= 0))
        case ClocksPutAway():
            return None
    return clocks


def _pass_clock(clocks: Clocks, to: Player, now_s: float) -> Clocks:
    """Passing begins the game; a stop for a ruling is ended by the judge alone."""
    is_beginning = clocks.stop is not None and clocks.stop.why == SET
    stop = None if is_beginning else clocks.stop
    return clocks.start_stretch(now_s, turn=to, stop=stop, turns=_count_turn(clocks, to), lent_by=None)


def _lend_clock(clocks: Clocks, to: Player, now_s: float) -> Clocks:
    """No turn ends; lent back, it is as it was."""
    owner = clocks.lent_by or clocks.turn
    if owner is None:
        return _pass_clock(clocks, to, now_s)
    return clocks.start_stretch(now_s, turn=to, lent_by=None if owner == to else owner)


def _count_turn(clocks: Clocks, to: Player) -> dict[Player, int]:
    """Turns ended by each, when the clock passes now; nothing is gained while the clocks stand, or after the end.

    A clock that was lent ends no turn when it comes back, and the lender's when it does not.
    """
    ends = clocks.lent_by or clocks.turn
    if ends is None or ends == to or clocks.stop is not None or ends in clocks.fallen:
        return clocks.turns
    return {**clocks.turns, ends: clocks.turns.get(ends, 0) + 1}


def _ruled_s(clocks: Clocks, now_s: float) -> float:
    """How long the clocks have stood still for rulings, when the present stop ends now."""
    stop = clocks.stop
    return clocks.ruled_s + (now_s - stop.since_s if stop is not None and stop.why == RULING else 0.0)
