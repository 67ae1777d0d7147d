"""What the WARMACHINE and HORDES books set differently, and the rules they share look up.

An edition of this family names a rule again from another one where nothing has changed, and gives `TERMS` of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import Move
from models.terrain import Effect, Terrain
from models.verdict import Reason
from models.words import Point
from referee.clauses import Clauses
from referee.ruling import Ruling
from referee.situation import Situation
from referee.travel import Travelled

if TYPE_CHECKING:
    from referee.editions.warmachine_prime.cover import Shelter

Place = str | Point


@dataclass(frozen=True)
class Terms:
    """Numbers and small rules of one book. What each one answers stands beside it."""

    # Sight
    why_ignored: Callable[[Situation, str, str, Miniature, str | None], str | None]
    """Why a base does not close the line between these two, wanted for this purpose; None when it does."""
    level_doubts: Callable[[Situation, str, str, str], set[str]]
    """The house rules under which elevation might treat that base otherwise."""
    how_blocks: Callable[[Terrain], str]
    """What a piece of terrain does to a line: none, solid, forest or all."""
    sees_through: Callable[[Situation, str, str, str], str | None]
    """Why this viewer sees this target through a forest or cloud; None when it does not."""
    looked_past: Mapping[str, Reason]
    """The rule by which something is looked past, by the word for why."""

    # Heights
    ground_mm: Callable[[Situation, str], float]
    """The height of the ground under a base, where the state does not tell it."""
    rise_mm: Callable[[Situation, str, str], float]
    """The height that a blow has to bridge besides the distance in plan."""

    between_mm: Callable[[Situation, str, str], float]
    """The height between two bases that is told of a blow."""
    rise_doubts: Callable[[Situation, str, str], tuple[str, ...]]
    """The house rules on which a reach across heights hangs."""

    # Shelter
    of_terrain: "Callable[[Situation, Place, str, Terrain], list[Shelter]]"
    """What a piece of terrain may grant this target from there."""
    of_effect: "Callable[[Situation, str, Effect], list[Shelter]]"
    """What an effect may grant this target."""

    # Attacks
    unable: Callable[[Situation, str], tuple[str, Reason] | None]
    """What keeps one from attacking besides the words on its card, and the rule."""
    penalty: tuple[int, str]
    """What a target in melee does to a shot at it, and to what."""
    hits_before_misses: bool
    """Whether an automatic hit outweighs an automatic miss."""
    base_defence: Callable[[Situation, str], float | None]
    """The base DEF that the ground leaves it; None where it leaves the printed one."""
    ghosts_strike: bool
    """Whether the incorporeal make free strikes."""
    drawn: Callable[[Situation, Place, str], Ruling]
    """Whether a shot that missed into a melee may be drawn onto this one."""

    # Moving
    counts_as: Callable[[Situation, Terrain], str | None]
    """What a piece counts as: obstacle or obstruction by its size, else its own kind; None when that is not told."""
    is_climbed: Callable[[Situation, Terrain], bool]
    """Whether one gets on top of an obstacle instead of over it."""
    more_of_move: Callable[[Situation, Move, Travelled, float | None], tuple[Clauses, dict[str, JsonValue]]]
    """What else a move has to keep, and what else is told of it."""
    granted_mm: Mapping[str, float]
    """How far moves go that a rule grants by name."""
    strict: bool
    """Whether toward and away take every step nearer or farther, instead of never the other way."""
    charge_clauses: Callable[[Situation, str, str, float | None], Clauses]
    """What the declaration of a charge takes besides sight and the ability to attack."""
    rush_clauses: Callable[[Situation, str], Clauses]
    """What a slam or trample takes besides the ability to attack."""
    at_friends: bool
    """Whether charges and power attacks may be made at friends."""
    why_still: Callable[[Situation, str, str], Reason | None]
    """Why nothing moves it that way: pushed, slammed or thrown."""
    thrown_over_obstacles: bool
    """Whether obstacles do not stop the thrown."""
    push_mm: float | None
    """How far a push goes that nobody has told more of, the pusher following; None where no such push is made."""
    fall_plus: int
    """What is added to the dice of a fall."""
    fall_free_mm: float
    """The drop that costs no extra die; each further stretch of `fall_step_mm`, or part of one, costs one."""
    fall_step_mm: float
    is_off: Callable[[Situation, str, Terrain, Point], bool]
    """Whether a base that ends there is off that raised piece."""
    has_falls: Callable[[Situation, Terrain], bool]
    """Whether one falls off that kind of raised piece at all."""

    # Command and set-up
    source_inside: bool
    """Whether the source of an aura counts as within it."""
    silent: frozenset[str]
    """The statuses in which nobody channels."""
    unforced: Mapping[str, frozenset[str]]
    """The statuses in which a warbeast is no use for what it is wanted for."""
    deploy_mm: Callable[[Situation, str], float]
    """How deep the deployment zone of a side is."""
    eye_mm: Callable[[Miniature], float | None] = lambda miniature: None
    """The height its eyes are at above the ground, where sight does not start from the top of its volume."""
    brutes: frozenset[str] = frozenset({"warbeast"})
    """The types that make power attacks, and that can be locked."""
    free_line: Callable[[Situation, str, str, float], Ruling] | None = None
    """Whether a blow of this reach has a line of its own; None where sight is what it takes, and what one leaves."""
    engaging: Callable[[Situation, str, str], Ruling] | None = None
    """What engaging takes besides reach; None where it is sight."""
    formed: Callable[[Situation, str], Ruling] | None = None
    """Whether a trooper is in formation; None where the command range of its commander tells."""
    missed_strike: bool = False
    """Whether of those a trample ran over the missed may strike at it, and only the hit may not."""
    aims_in_melee: bool = False
    """Whether who is in melee may aim all the same."""
    butts_larger: bool = False
    """Whether larger bases may be head-butted."""
    locked_strike_plainly: bool = False
    """Whether who is held in a lock makes no power attack at all."""
    rough_stops: Callable[[Situation, Terrain | Effect], bool] = lambda table, ground: False
    """Whether that rough ground stops a charge or slam instead of slowing it."""


def terms_of(table: Situation) -> Terms:
    """The terms of the book that is asked."""
    return cast(Terms, table.book.terms)
