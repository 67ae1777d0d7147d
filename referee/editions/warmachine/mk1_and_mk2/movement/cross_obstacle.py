"""Obstacle crossing: what is thick enough to be climbed is not crossed."""

from models.queries import CrossObstacle
from referee.editions.warmachine.mk1_and_mk2.movement.move import CLIMB
from referee.editions.warmachine.mk1_and_mk2.terrain.terrain_class import is_climbed
from referee.editions.warmachine.movement import cross_obstacle as shared_cross_obstacle
from referee.editions.warmachine.terrain.features import find_feature
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def cross_obstacle(table: ExactTable, query: CrossObstacle) -> RuleResult:
    """Obstacle crossing: whether its movement takes the base wholly past; what is climbed is not crossed.

    Source: Linear Obstacles.
    """
    feature = find_feature(table, query.feature)
    if feature is not None and is_climbed(table, feature):
        advice = f"{feature.id} is thick enough to be climbed: ask whether it can be."
        return RuleResult(status="refused", because=(CLIMB,), advice=advice)
    return shared_cross_obstacle.cross_obstacle(table, query)
