"""Terms: what Mk I and HORDES Mk II both set otherwise than Prime, and the house rules both leave in no doubt."""

from collections.abc import Callable, Mapping

from models.miniature import Miniature
from models.terrain import Terrain
from models.verdict import Reason
from referee.editions.warmachine.line_of_sight import blockers
from referee.editions.warmachine.line_of_sight import terrain as sight_ground
from referee.editions.warmachine.mk1_and_mk2 import charges, cover, melee, movement, parameters, terrain
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.terms import Terms
from referee.rules.conditions import Clauses
from referee.rules.exact_table import ExactTable
from referee.rules.turn_ledger import bar

_LEVEL = because(
    "How Elevation Affects LOS",
    "From ground an inch higher a base is looked past, unless it is a larger one within 1 in of the target.",
)
_CAVALRY = because(
    "Cavalry", "For melee and charges cavalry ignores smaller bases in the way.", "It does not count."
)  # fmt: skip
_EYELESS = because("Advantages", "Eyeless Sight takes no notice of clouds and forests.")
LOOKED_PAST: dict[str, Reason] = {
    **blockers.LOOKED_PAST, "lower": _LEVEL, "cavalry": _CAVALRY, "eyeless-sight": _EYELESS,
}  # fmt: skip
_FLAT = frozenset({"forest", "trench", "shallow-water", "water", "deep-water"})  # Source: Forests; Water; Trenches
_WILD = frozenset({"wild", "frenzied"})

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


_NO_DEED = "attack charge slam trample aim melee-attack ranged-attack power-attack spell"
_TURN_ROWS = (
    bar("fleeing", _NO_DEED, because("Fleeing", "It runs, and neither attacks nor casts.")),
    bar("cowering", f"advance run {_NO_DEED}", because("Fleeing", "Who has no way to flee cowers, and does no more.")),
    bar("movement-barred", "aim", because("Forfeiting", "Who cannot move has no movement to forfeit.")),
)


def how_kind_blocks(terrain: Terrain) -> str:
    """Any terrain in the way blocks, by its height; woods by their depth. Source: Line of Sight; Forests."""
    how = sight_ground.how_kind_blocks(terrain)
    tall = terrain.kind not in _FLAT and (terrain.height_mm or 0.0) > 0
    return "solid" if how == "none" and tall else how


def sees_through(table: ExactTable, viewer: str, target: str, what: str) -> str | None:
    """Who sees through woods and clouds alike. Source: Advantages."""
    return "eyeless-sight" if table.miniature(viewer).has("eyeless-sight") else None


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
        level_doubts=terrain.level_doubts,
        how_blocks=how_kind_blocks,
        sees_through=sees_through,
        looked_past_reasons=looked_past_reasons,
        ground_mm=terrain.ground_mm,
        rise_mm=terrain.rise_mm,
        height_between_mm=terrain.height_between_mm,
        rise_doubts=terrain.rise_doubts,
        terrain_shelter=cover.terrain_shelter,
        effect_shelter=cover.effect_shelter,
        attack_bar=terrain.attack_bar,
        turn_rows=_TURN_ROWS,
        melee_penalty=(-4, "attack"),  # Source: Targeting a Model in Melee
        automatic_hit_comes_first=True,  # Source: Automatically Hitting; Automatically Missing
        base_defence=terrain.base_defence,
        incorporeal_strike_freely=True,  # Source: Advantages: before its attack it loses Incorporeal
        redirection=melee.check_redirected,
        counts_as=counts_as,
        is_climbed=terrain.is_climbed,
        move_extras=movement.move_extras,
        granted_move_mm={"light-cavalry": parameters.LIGHT_CAVALRY_MM},
        is_strict_about_toward=True,  # Source: Movement Restrictions
        charge_clauses=charge_clauses,
        rush_clauses=charges.rush_clauses,
        may_attack_friends=True,  # Source: Charge; Power Attacks
        why_not_moved=melee.why_not_moved,
        obstacles_let_thrown_pass=True,  # Source: Being Thrown
        push_mm=parameters.PUSH_MM,
        fall_plus=parameters.FALL_PLUS,
        fall_free_mm=parameters.FALL_FREE_MM,
        fall_step_mm=parameters.FALL_STEP_MM,
        is_off=movement.is_off,
        has_falls=movement.has_falls,
        source_is_inside_aura=False,  # Source: Measuring Distances
        statuses_barring_channel=frozenset({"knocked-down"}),  # Source: Channeling
        statuses_barring_force={"force": _WILD, "transfer": _WILD},  # Source: Fury & Forcing; Threshold & Frenzy
        deployment_depth_mm=_deployment_depth_mm,
    )
