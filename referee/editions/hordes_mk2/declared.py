"""What this book sets where it differs from Prime, and what it leaves in no doubt."""

from referee.editions.hordes_mk2 import (
    charges,
    climbing,
    falls,
    heights,
    locks,
    parameters,
    redirected,
    shelter,
    sight,
    terrain,
    water,
)
from referee.editions.warmachine_prime.terms import Terms
from referee.situation import Situation

_WILD = frozenset({"wild", "frenzied"})


def _deploy_mm(table: Situation, side: str) -> float:
    """10 in, whichever player it is. Source: Two-Player Games."""
    return parameters.DEPLOY_MM


TERMS = Terms(
    why_ignored=sight.why_ignored,
    level_doubts=heights.level_doubts,
    how_blocks=sight.how_blocks,
    sees_through=sight.sees_through,
    looked_past=sight.LOOKED_PAST_HERE,
    ground_mm=heights.ground_mm,
    rise_mm=heights.rise_mm,
    between_mm=heights.between_mm,
    rise_doubts=heights.rise_doubts,
    of_terrain=shelter.of_terrain,
    of_effect=shelter.of_effect,
    unable=water.unable,
    penalty=(-4, "attack"),  # Source: Targeting a Model in Melee
    hits_before_misses=True,  # Source: Automatically Hitting; Automatically Missing
    base_defence=water.base_defence,
    ghosts_strike=True,  # Source: Advantages: before its attack it loses Incorporeal
    drawn=redirected.drawn,
    counts_as=terrain.counts_as,
    is_climbed=terrain.is_climbed,
    more_of_move=climbing.more_of_move,
    granted_mm={"light-cavalry": parameters.LIGHT_CAVALRY_MM},
    strict=True,  # Source: Movement Restrictions
    charge_clauses=charges.charge_clauses,
    rush_clauses=charges.rush_clauses,
    at_friends=True,  # Source: Charge; Power Attacks
    why_still=locks.why_still,
    thrown_over_obstacles=True,  # Source: Being Thrown
    push_mm=parameters.PUSH_MM,
    fall_plus=parameters.FALL_PLUS,
    fall_free_mm=parameters.FALL_FREE_MM,
    fall_step_mm=parameters.FALL_STEP_MM,
    is_off=falls.is_off,
    has_falls=falls.has_falls,
    source_inside=False,  # Source: Measuring Distances
    silent=frozenset({"knocked-down"}),  # Source: Channeling
    unforced={"force": _WILD, "transfer": _WILD},  # Source: Fury & Forcing; Threshold & Frenzy
    deploy_mm=_deploy_mm,
)

# House rules that are a doubt of Prime and none here, each with the section that settles it.
SETTLED = {
    "los-start": "anywhere",  # Line of Sight
    "melee-shape": "front-part",  # Melee Range and Engaging
    "engage-elevation": "both",  # Melee Range and Elevation
    "charge-no-sight": "neither",  # Charge: only the melee range is asked for
    "toward-from": "edges",  # Movement Restrictions
    "trench-joined": "joined",  # Trenches
    "edge-stop": "base-edge",  # Beyond the Play Area
    "spray-axis": "nearest-point-through-centre",  # Spray Attacks
    "deploy-advance": "completely",  # Advantages: Advance Deployment
    "deploy-corner": "quarter-disc",  # Multiplayer Games
    "displaced": "fewest-then-least",  # Least Disturbance
    "throw-axis": "from-thrown",  # Deviation
}
