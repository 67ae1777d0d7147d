"""Terms: what the WARMACHINE and HORDES books set differently, and the rules they share look up.

An edition of this family names a rule again from another one where nothing has changed, and gives `TERMS` of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from models.miniature import Miniature
from models.queries import Move
from models.terrain import Effect, Terrain
from models.verdict import Reason
from models.vocabulary import Point
from referee.geometry.area_crossing import Run
from referee.motion.travel_budget import TravelResult
from referee.rules.conditions import Clauses
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value
from referee.rules.turn_ledger import Bar

Grant = Literal["none", "concealment", "cover"]
Place = str | Point


@dataclass(frozen=True)
class Crossing:
    """How lines between two bases pass through a feature: how deep it reaches among them, and the shortest run."""

    depth_mm: float
    run: Run | None


@dataclass(frozen=True)
class Shelter:
    """One thing that may grant cover or concealment, and whether it does."""

    id: str
    grant: Grant
    result: RuleResult
    crossing: Crossing | None = None
    obscures: bool | None = None
    """Whether it obscures the target, where that does not go by the crossing."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Numbers and small rules of one book. What each one answers stands beside it."""

    # Sight
    why_ignored: Callable[[ExactTable, str, str, Miniature, str | None], str | None]
    """Why a base does not close the line between these two, wanted for this purpose; None when it does."""
    level_doubts: Callable[[ExactTable, str, str, str], set[str]]
    """The house rules under which elevation might treat that base otherwise."""
    how_blocks: Callable[[Terrain], str]
    """What a piece of terrain does to a line: none, solid, forest or all."""
    sees_through: Callable[[ExactTable, str, str, str], str | None]
    """Why this viewer sees this target through a forest or cloud; None when it does not."""
    looked_past_reasons: Mapping[str, Reason]
    """The rule by which something is looked past, by the word for why."""

    # Heights
    ground_mm: Callable[[ExactTable, str], float]
    """The height of the ground under a base, where the state does not tell it."""
    rise_mm: Callable[[ExactTable, str, str], float]
    """The height that a blow has to bridge besides the distance in plan."""

    height_between_mm: Callable[[ExactTable, str, str], float]
    """The height between two bases that is told of a blow."""
    rise_doubts: Callable[[ExactTable, str, str], tuple[str, ...]] = lambda table, attacker, target: ()
    """The house rules on which a reach across heights hangs."""

    # Shelter
    terrain_shelter: Callable[[ExactTable, Place, str, Terrain], list[Shelter]]
    """What a piece of terrain may grant this target from there."""
    effect_shelter: Callable[[ExactTable, str, Effect], list[Shelter]]
    """What an effect may grant this target."""

    # Attacks
    attack_bar: Callable[[ExactTable, str], tuple[str, Reason] | None] = lambda table, attacker: None
    """What keeps one from attacking besides the words on its card, and the rule."""
    melee_penalty: tuple[int, str]
    """What a target in melee does to a shot at it, and to what."""
    automatic_hit_comes_first: bool
    """Whether an automatic hit outweighs an automatic miss."""
    base_defence: Callable[[ExactTable, str], float | None] = lambda table, target: None
    """The base DEF that the ground leaves it; None where it leaves the printed one."""
    incorporeal_strike_freely: bool
    """Whether the incorporeal make free strikes."""
    redirection: Callable[[ExactTable, Place, str], RuleResult]
    """Whether a shot that missed into a melee may be drawn onto this one."""

    # Moving
    counts_as: Callable[[ExactTable, Terrain], str | None]
    """What a piece counts as: obstacle or obstruction by its size, else its own kind; None when that is not told."""
    is_climbed: Callable[[ExactTable, Terrain], bool] = lambda table, feature: False
    """Whether one gets on top of an obstacle instead of over it."""
    move_extras: Callable[[ExactTable, Move, TravelResult, float | None], tuple[Clauses, Value]] = (
        lambda table, query, walked, allowance: ((), {})
    )
    """What else a move has to keep, and what else is told of it."""
    granted_move_mm: Mapping[str, float]
    """How far moves go that a rule grants by name."""
    is_strict_about_toward: bool
    """Whether toward and away take every step nearer or farther, instead of never the other way."""
    charge_clauses: Callable[[ExactTable, str, str, float | None], Clauses]
    """What the declaration of a charge takes besides sight and the ability to attack."""
    rush_clauses: Callable[[ExactTable, str], Clauses] = lambda table, attacker: ()
    """What a slam or trample takes besides the ability to attack."""
    may_attack_friends: bool
    """Whether charges and power attacks may be made at friends."""
    why_not_moved: Callable[[ExactTable, str, str], Reason | None]
    """Why nothing moves it that way: pushed, slammed or thrown."""
    obstacles_let_thrown_pass: bool
    """Whether obstacles do not stop the thrown."""
    push_mm: float | None = None
    """How far a push goes that nobody has told more of, the pusher following; None where no such push is made."""
    fall_plus: int
    """What is added to the dice of a fall."""
    fall_free_mm: float
    """The drop that costs no extra die; each further stretch of `fall_step_mm`, or part of one, costs one."""
    fall_step_mm: float
    is_off: Callable[[ExactTable, str, Terrain, Point], bool]
    """Whether a base that ends there is off that raised piece."""
    has_falls: Callable[[ExactTable, Terrain], bool]
    """Whether one falls off that kind of raised piece at all."""

    # Command and set-up
    source_is_inside_aura: bool
    """Whether the source of an aura counts as within it."""
    statuses_barring_channel: frozenset[str]
    """The statuses in which nobody channels."""
    statuses_barring_force: Mapping[str, frozenset[str]]
    """The statuses in which a warbeast is no use for what it is wanted for."""
    deployment_depth_mm: Callable[[ExactTable, str], float]
    """How deep the deployment zone of a side is."""
    eye_mm: Callable[[Miniature], float | None] = lambda miniature: None
    """The height its eyes are at above the ground, where sight does not start from the top of its volume."""
    power_attackers: frozenset[str] = frozenset({"warbeast"})
    """The types that make power attacks, and that can be locked."""
    free_line: Callable[[ExactTable, str, str, float], RuleResult] | None = None
    """Whether a blow of this reach has a line of its own; None where sight is what it takes, and what one leaves."""
    engagement: Callable[[ExactTable, str, str], RuleResult] | None = None
    """What engaging takes besides reach; None where it is sight."""
    turn_rows: tuple[Bar, ...] = ()
    """What bars which act of an activation in this book besides what all of them say."""
    turn_traits: frozenset[str] = frozenset()
    """What lifts such bars in this book."""
    formation_check: Callable[[ExactTable, str], RuleResult] | None = None
    """Whether a trooper is in formation; None where the command range of its commander tells."""
    missed_may_strike: bool = False
    """Whether of those a trample ran over the missed may strike at it, and only the hit may not."""
    may_aim_in_melee: bool = False
    """Whether who is in melee may aim all the same."""
    may_head_butt_larger: bool = False
    """Whether larger bases may be head-butted."""
    lock_bars_power_attacks: bool = False
    """Whether who is held in a lock makes no power attack at all."""
    is_charge_stopped_by: Callable[[ExactTable, Terrain | Effect], bool] = lambda table, ground: False
    """Whether that rough ground stops a charge or slam instead of slowing it."""


def terms_of(table: ExactTable) -> Terms:
    """The terms of the book that is asked."""
    return cast(Terms, table.edition.terms)
