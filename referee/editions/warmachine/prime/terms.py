"""Terms: what Prime sets where the books of its family differ, and that anything may be measured."""

from models.queries import MayMeasure
from models.unit_conversion import inches
from referee.editions.warmachine.charges import charge, involuntary_movement
from referee.editions.warmachine.line_of_sight import blockers
from referee.editions.warmachine.line_of_sight import terrain as sight_ground
from referee.editions.warmachine.melee import in_melee, melee_range
from referee.editions.warmachine.miniatures import base_state
from referee.editions.warmachine.miniatures.turn_ledger import HELPLESS
from referee.editions.warmachine.movement import fall
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.setup import deployment
from referee.editions.warmachine.terms import Terms
from referee.editions.warmachine.terrain import cover, features
from referee.rules.exact_table import ExactTable
from referee.rules.licence import measure_freely
from referee.rules.rule_result import RuleResult

_FREE = because("Measuring Distances", 12, "Any player may measure any distance at any time.")


def may_measure(table: ExactTable, query: MayMeasure) -> RuleResult:
    """Measuring policy: always: nothing is hidden in this edition. Source: Measuring Distances, p. 12."""
    return measure_freely(table, _FREE)


TERMS = Terms(
    why_ignored=blockers.why_ignored,
    level_doubts=blockers.level_doubts,
    how_blocks=sight_ground.how_kind_blocks,
    sees_through=sight_ground.sees_through,
    looked_past_reasons=blockers.LOOKED_PAST,
    ground_mm=base_state.under_centre_mm,
    rise_mm=melee_range.between_volumes_mm,
    height_between_mm=melee_range.between_volumes_mm,
    terrain_shelter=cover.terrain_shelter,
    effect_shelter=cover.effect_shelter,
    melee_penalty=(4, "defence"),  # Source: Targeting a Model in Melee, p. 51
    automatic_hit_comes_first=False,  # Source: Automatic Hits & Misses, p. 42
    incorporeal_strike_freely=False,  # Source: Advantages, p. 17
    redirection=in_melee.check_in_sight,
    counts_as=features.counts_by_height,
    granted_move_mm={},
    is_strict_about_toward=False,  # Source: Movement Restrictions, p. 33
    charge_clauses=charge.charge_clauses,
    may_attack_friends=False,  # Source: Charge, p. 31; Power Attacks, p. 44
    why_not_moved=involuntary_movement.why_not_moved,
    obstacles_let_thrown_pass=False,  # Source: Thrown, p. 35
    fall_plus=12,
    fall_free_mm=inches(2),
    fall_step_mm=inches(2),  # Source: Falling, p. 35
    is_off=fall.is_off,
    has_falls=fall.has_falls,
    source_is_inside_aura=True,  # Source: Measuring Distances, p. 12
    statuses_barring_channel=frozenset(HELPLESS),  # Source: Channeling, p. 73
    statuses_barring_force={"force": frozenset({"wild"})},  # Source: Wild Warbeasts, p. 103
    deployment_depth_mm=deployment.deployment_depth_mm,
)
