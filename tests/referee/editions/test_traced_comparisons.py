"""Every comparison of a measured length goes through the switches, or stands here with the reason why it need not.

A rule that compares a gap with a limit by itself is certain on a knife's edge: nothing knows of that comparison. What
is looked for are `<`, `<=`, `>` and `>=` beside a call that measures, or beside what such a call found (`.mm`).
"""

import ast
from collections.abc import Iterator
from pathlib import Path

EDITIONS = Path(__file__).parents[3] / "referee" / "editions"
MEASURES = frozenset(
    {"gap", "area_gap", "reach_into", "depth_of_base", "inside_excess_mm", "side_gap_mm", "least_gap_mm"}
)
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)

FAR = "only leaves out what no error brings near"
SEARCH = "part of a search: the ways that it finds are measured by themselves"
TELLS = "chooses words, a drawing or a house rule to name; the margin decides"
FORM = "chooses how the margin changes, from the sigmas"
LEAST = "looks for the least, or for its rivals; the margin is that of the least"
NEXT = "part of a clause whose margin says the same"
STILL = "terrain and told points only: nothing of it is measured with doubt"
MEAN = "a mean over all that dice may bring"
HELD = "a measuring error does not end a touch that was told or set up"

UNTRACED = {
    "open/action.py::nearest_end": SEARCH,
    "open/distances.py::_describe": TELLS,
    "warhammer_9/charges/arrival.py::_arrival_at_side": FAR,
    "warhammer_9/charges/arrival.py::_has_room": SEARCH,
    "warhammer_9/charges/failed_charge.py::_detour_line": SEARCH,
    "warhammer_9/charges/multi_charge_allocation.py::Charger.other_contacts": SEARCH,
    "warhammer_9/charges/multi_charge_allocation.py::_is_path_blocked": SEARCH,
    "warhammer_9/charges/obstacles.py::_obstacles_in_reach": FAR,
    "warhammer_9/charges/path_room.py::_is_left": SEARCH,
    "warhammer_9/combat/combat_contacts.py::combat_contacts": FAR,
    "warhammer_9/combat/impact_attacks.py::impact_attacks": FAR,
    "warhammer_9/combat/combat_contacts.py::nudge": NEXT,
    "warhammer_9/line_of_sight/los.py::_unit_at": TELLS,
    "warhammer_9/line_of_sight/scene.py::_find_touch": HELD,
    "warhammer_9/line_of_sight/scene.py::is_beside_path": FAR,
    "warhammer_9/line_of_sight/scene.py::occluders_before_point": STILL,
    "warhammer_9/movement/spacing.py::fits_between": TELLS,
    "warhammer_9/movement/flight.py::flight_heading_rad": SEARCH,
    "warhammer_9/movement/move.py::evaluate_steps": TELLS,
    "warhammer_9/movement/skirmish_move.py::skirmish_move": TELLS,
    "warhammer_9/movement/one_inch_rule.py::_nearest_pairs": LEAST,
    "warhammer_9/movement/spacing.py::_stands_in": HELD,
    "warhammer_9/movement/spacing.py::nearest_to_parts": LEAST,
    "warhammer_9/shooting/spray_hits.py::_aim_along": SEARCH,
    "warhammer_9/shooting/cannon.py::Ball.of": TELLS,
    "warhammer_9/shooting/cannon.py::_entry_distance_mm": LEAST,
    "warhammer_9/shooting/cannon.py::_is_garrison_hit": STILL,
    "warhammer_9/shooting/shooters.py::Shooter.deciding_clauses": LEAST,
    "warhammer_9/shooting/shooters.py::_direct_fire_shooters": LEAST,
    "warhammer_9/shooting/stone_thrower.py::_expected_hits.hits": MEAN,
    "warhammer_9/shooting/templates.py::garrisons_hit": STILL,
    "warhammer_9/units/distances.py::closest_parts": LEAST,
    "warhammer_9/units/engagement.py::contact_of_shape": LEAST,
    "warhammer_9/witnesses/primitives.py::_shared_edge": TELLS,
    "warmachine/charges/involuntary_movement.py::_find_met": NEXT,
    "warmachine/line_of_sight/blockers.py::level_doubts": TELLS,
    "warmachine/line_of_sight/corridor.py::behind_form": FORM,
    "warmachine/melee/free_strike.py::_find_screen": FAR,
    "warmachine/melee/melee_range.py::_answer_out_of_arc": TELLS,
    "warmachine/melee/melee_range.py::_shape_doubts": TELLS,
    "warmachine/melee/melee_range.py::_behind_form": FORM,
    "warmachine/miniatures/distances.py::bases_clear": LEAST,
    "warmachine/mk1_and_mk2/cover.py::_shelter_behind": TELLS,
    "warmachine/mk1_and_mk2/terrain.py::straddler_doubts": TELLS,
    "warmachine/movement/cross_obstacle.py::_returns": HELD,
    "warmachine/terrain/cover.py::_shelter_behind": TELLS,
    "warmachine/terrain/cover.py::terrain_shelter": FAR,
}


def untraced_in(source: str, file: str) -> set[str]:
    """The functions of a module that compare what they measure by themselves."""
    return set(_comparing(ast.parse(source), f"{file}::"))


def _comparing(node: ast.AST, where: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        inside = where
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inside = where + child.name if where.endswith("::") else f"{where}.{child.name}"
        if isinstance(child, ast.Compare) and _is_order(child):
            yield where
        yield from _comparing(child, inside)


def _is_order(node: ast.Compare) -> bool:
    ordered = any(isinstance(op, ORDERS) for op in node.ops)
    return ordered and any(map(_is_measured, (node.left, *node.comparators)))


def _is_measured(side: ast.expr) -> bool:
    for node in ast.walk(side):
        if isinstance(node, ast.Attribute) and node.attr == "mm":
            return True
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", None)) in MEASURES:
            return True
    return False


def test_what_is_measured_is_compared_through_the_switches_or_has_a_reason() -> None:
    found = set[str]()
    for path in EDITIONS.rglob("*.py"):
        found |= untraced_in(path.read_text(encoding="utf-8"), path.relative_to(EDITIONS).as_posix())

    assert found == set(UNTRACED)


def test_a_comparison_beside_the_switches_is_found() -> None:
    rule = "def touches(a, b):\n    return gap(a, b).mm <= 1.0\n"

    assert untraced_in(rule, "melee/b2b.py") == {"melee/b2b.py::touches"}


def test_a_comparison_by_a_switch_is_none() -> None:
    rule = "def touches(a, b):\n    return is_at_least(1.0, gap(a, b).mm, 'touches', (a, b))\n"

    assert untraced_in(rule, "melee/b2b.py") == set()
