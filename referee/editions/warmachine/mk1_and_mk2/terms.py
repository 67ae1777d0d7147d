"""Terms: what Mk I and HORDES Mk II both set otherwise than Prime, and the house rules both leave in no doubt."""

from collections.abc import Callable, Mapping

from models.miniature import Miniature
from models.terrain import Terrain
from models.verdict import Reason
from referee.editions.warmachine.mk1_and_mk2 import parameters
from referee.editions.warmachine.mk1_and_mk2.charges import charge
from referee.editions.warmachine.mk1_and_mk2.line_of_sight import terrain as sight_ground
from referee.editions.warmachine.mk1_and_mk2.melee import lock, redirected_shot
from referee.editions.warmachine.mk1_and_mk2.movement import fall, move
from referee.editions.warmachine.mk1_and_mk2.terrain import cover, deep_water, ground_height, terrain_class
from referee.editions.warmachine.terms import Terms
from referee.rules.conditions import Clauses
from referee.rules.exact_table import ExactTable

_WILD = frozenset({"wild", "frenzied"})


def _deployment_depth_mm(table: ExactTable, side: str) -> float:
    """10 in, whichever player it is. Source: Two-Player Games."""
    return parameters.DEPLOY_MM


def shared_terms(
    *,
    why_ignored: Callable[[ExactTable, str, str, Miniature, str | None], str | None],
    looked_past_reasons: Mapping[str, Reason],
    counts_as: Callable[[ExactTable, Terrain], str | None],
    charge_clauses: Callable[[ExactTable, str, str, float | None], Clauses],
) -> Terms:
    """The terms of both books, with those that each sets on its own."""
    return Terms(
        why_ignored=why_ignored,
        level_doubts=ground_height.level_doubts,
        how_blocks=sight_ground.how_kind_blocks,
        sees_through=sight_ground.sees_through,
        looked_past_reasons=looked_past_reasons,
        ground_mm=ground_height.ground_mm,
        rise_mm=ground_height.rise_mm,
        height_between_mm=ground_height.height_between_mm,
        rise_doubts=ground_height.rise_doubts,
        terrain_shelter=cover.terrain_shelter,
        effect_shelter=cover.effect_shelter,
        attack_bar=deep_water.attack_bar,
        melee_penalty=(-4, "attack"),  # Source: Targeting a Model in Melee
        automatic_hit_comes_first=True,  # Source: Automatically Hitting; Automatically Missing
        base_defence=deep_water.base_defence,
        incorporeal_strike_freely=True,  # Source: Advantages: before its attack it loses Incorporeal
        redirection=redirected_shot.check_redirected,
        counts_as=counts_as,
        is_climbed=terrain_class.is_climbed,
        move_extras=move.move_extras,
        granted_move_mm={"light-cavalry": parameters.LIGHT_CAVALRY_MM},
        is_strict_about_toward=True,  # Source: Movement Restrictions
        charge_clauses=charge_clauses,
        rush_clauses=charge.rush_clauses,
        may_attack_friends=True,  # Source: Charge; Power Attacks
        why_not_moved=lock.why_not_moved,
        obstacles_let_thrown_pass=True,  # Source: Being Thrown
        push_mm=parameters.PUSH_MM,
        fall_plus=parameters.FALL_PLUS,
        fall_free_mm=parameters.FALL_FREE_MM,
        fall_step_mm=parameters.FALL_STEP_MM,
        is_off=fall.is_off,
        has_falls=fall.has_falls,
        source_is_inside_aura=False,  # Source: Measuring Distances
        statuses_barring_channel=frozenset({"knocked-down"}),  # Source: Channeling
        statuses_barring_force={"force": _WILD, "transfer": _WILD},  # Source: Fury & Forcing; Threshold & Frenzy
        deployment_depth_mm=_deployment_depth_mm,
    )


# House rules that are a doubt of Prime and none of either book, each with the section that settles it.
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
