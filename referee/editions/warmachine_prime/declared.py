"""What this book sets where the books of its family differ."""

from pydantic import JsonValue

from models.queries import Move
from models.terrain import Terrain
from models.verdict import Reason
from referee.clauses import Clauses
from referee.editions.warmachine_prime import (
    blockers,
    charges,
    cover,
    deploying,
    falling,
    ground,
    melee,
    melee_group,
    shoves,
    sight_ground,
    sight_reasons,
    terrain,
)
from referee.editions.warmachine_prime.melee import HELPLESS
from referee.editions.warmachine_prime.parameters import FALL_FREE_MM, FALL_PLUS, FALL_STEP_MM
from referee.editions.warmachine_prime.terms import Terms
from referee.situation import Situation
from referee.travel import Travelled


def _nothing(table: Situation, who: str) -> tuple[str, Reason] | None:
    return None


def _no_doubts(table: Situation, attacker: str, target: str) -> tuple[str, ...]:
    return ()


def _printed(table: Situation, who: str) -> float | None:
    return None


def _no_more(table: Situation, who: str) -> Clauses:
    return ()


def _as_it_goes(
    table: Situation, query: Move, walked: Travelled, allowance: float | None
) -> tuple[Clauses, dict[str, JsonValue]]:
    return (), {}


def _never(table: Situation, feature: Terrain) -> bool:
    return False


TERMS = Terms(
    why_ignored=blockers.why_ignored,
    level_doubts=blockers.level_doubts,
    how_blocks=sight_ground.how_kind_blocks,
    sees_through=sight_ground.sees_through,
    looked_past=sight_reasons.LOOKED_PAST,
    ground_mm=ground.under_centre_mm,
    rise_mm=melee.between_volumes_mm,
    between_mm=melee.between_volumes_mm,
    rise_doubts=_no_doubts,
    of_terrain=cover.of_terrain,
    of_effect=cover.of_effect,
    unable=_nothing,
    penalty=(4, "defence"),  # Source: Targeting a Model in Melee, p. 51
    hits_before_misses=False,  # Source: Automatic Hits & Misses, p. 42
    base_defence=_printed,
    ghosts_strike=False,  # Source: Advantages, p. 17
    drawn=melee_group.in_sight,
    counts_as=terrain.by_height,
    is_climbed=_never,
    more_of_move=_as_it_goes,
    granted_mm={},
    strict=False,  # Source: Movement Restrictions, p. 33
    charge_clauses=charges.may_charge,
    rush_clauses=_no_more,
    at_friends=False,  # Source: Charge, p. 31; Power Attacks, p. 45
    why_still=shoves.why_still,
    thrown_over_obstacles=False,  # Source: Thrown, p. 35
    push_mm=None,
    fall_plus=FALL_PLUS,
    fall_free_mm=FALL_FREE_MM,
    fall_step_mm=FALL_STEP_MM,
    is_off=falling.is_off,
    has_falls=falling.has_falls,
    source_inside=True,  # Source: Measuring Distances, p. 12
    silent=frozenset(HELPLESS),  # Source: Channeling, p. 73
    unforced={"force": frozenset({"wild"})},  # Source: Wild Warbeasts, p. 103
    deploy_mm=deploying.zone_depth_mm,
)
