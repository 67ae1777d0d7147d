"""Clock schemas: the clocks as a page shows them, and what may be asked of them."""

from pydantic import Field

from api.clocks.entries import Clocks, Extension, Outage, Player, Stop, Why
from models.frozen import Frozen
from models.vocabulary import NotNegative


class ClockView(Frozen):
    """What one clock shows; it counts down from there while it runs."""

    player: Player
    left_s: float
    runs: bool
    is_next: bool
    has_run_out: bool = Field(description="its flag has fallen")


class ClocksView(Frozen):
    """Both clocks at an instant."""

    total_s: NotNegative
    increment_s: NotNegative | None = Field(description="what each turn ended gains; null: nothing")
    players: tuple[ClockView, ...]
    stop: Stop | None
    ruled_s: NotNegative
    extensions: tuple[Extension, ...]
    outage: Outage | None = Field(None, description="what ran while the server was away, and may be given back")


def show_clocks(
    clocks: Clocks, now_s: float, *, wall_s: float | None = None, outage: Outage | None = None
) -> ClocksView:
    """What the clocks show now; `wall_s` is now by the machine's clock, by which pages tell since when they stand."""
    stop, ahead_s = clocks.stop, 0.0 if wall_s is None else round(wall_s - now_s, 3)
    return ClocksView(
        total_s=clocks.total_s,
        increment_s=clocks.increment_s or None,
        players=tuple(_show_clock(clocks, player, now_s) for player in clocks.used_s),
        stop=None if stop is None else Stop(since_s=stop.since_s + ahead_s, why=stop.why),
        ruled_s=clocks.ruled_s,
        extensions=clocks.extensions,
        outage=outage,
    )


def _show_clock(clocks: Clocks, player: Player, now_s: float) -> ClockView:
    is_next = clocks.turn == player
    left_s = clocks.left_s(player, now_s)
    runs = is_next and clocks.stop is None
    has_run_out = player in clocks.fallen
    return ClockView(player=player, left_s=left_s, runs=runs, is_next=is_next, has_run_out=has_run_out)


class SetClocks(Frozen, json_schema_extra={"examples": [{"minutes": 60, "increment_s": 10}]}):
    """How long each player has."""

    minutes: float = Field(gt=0, le=24 * 60)
    increment_s: float = Field(0.0, ge=0, le=600, description="what a player gains with each turn ended")


class PassClock(Frozen, json_schema_extra={"examples": [{"to": "player-b"}]}):
    """Whose turn it is now."""

    to: Player
    is_lent: bool = Field(False, description="for a reaction: the turn goes on after it, and nobody gains anything")


class StopClocks(Frozen, json_schema_extra={"examples": [{"why": "lunch"}]}):
    """Why nobody's clock runs."""

    why: Why = "ruling"


class ExtendClocks(
    Frozen, json_schema_extra={"examples": [{"player": "player-a", "minutes": 5, "note": "waited for a judge"}]}
):
    """What a player is given, with a note why; without a player, what the round is longer."""

    player: Player | None = None
    minutes: float = Field(ge=-60, le=60)
    note: Why
