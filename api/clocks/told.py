"""The clocks as a page shows them."""

from api.clocks.clocks import Clocks, Extension, Player, Stop
from models.frozen import Frozen
from models.words import NotNegative


class ClockTold(Frozen):
    """What one clock shows; it counts down from there while it runs."""

    player: Player
    left_s: float
    runs: bool
    is_next: bool


class ClocksTold(Frozen):
    """Both clocks at an instant."""

    total_s: NotNegative
    players: tuple[ClockTold, ...]
    stop: Stop | None
    ruled_s: NotNegative
    extensions: tuple[Extension, ...]


def told(clocks: Clocks, now_s: float) -> ClocksTold:
    """What the clocks show now."""
    return ClocksTold(
        total_s=clocks.total_s,
        players=tuple(_one(clocks, player, now_s) for player in clocks.used_s),
        stop=clocks.stop,
        ruled_s=clocks.ruled_s,
        extensions=clocks.extensions,
    )


def _one(clocks: Clocks, player: Player, now_s: float) -> ClockTold:
    is_next = clocks.turn == player
    left_s = clocks.left_s(player, now_s)
    return ClockTold(player=player, left_s=left_s, runs=is_next and clocks.stop is None, is_next=is_next)
