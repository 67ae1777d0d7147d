"""Stone thrower: whether a stone may be aimed there, and whom it hits."""

import math

from pydantic import JsonValue

from models.queries import StoneThrower
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.line_of_sight.los import point_sight_doubts
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.scatter import hit_face_share, is_misfire, missing_dice, scatter_point
from referee.editions.warhammer_9.shooting.templates import (
    bases_under_template,
    garrisons_hit,
    grazing_doubts,
    ids_hit,
    ids_under_hole,
    point_along,
    point_of,
)
from referee.editions.warhammer_9.shooting.war_machine_aim import (
    aim_margin_mm,
    aim_slacks,
    clearance_from_unit_mm,
    failed_clauses,
    muzzle,
    turn_to_rad,
)
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    are_friends,
    garrisoned_building,
    leading_miniature,
    members_of,
)
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_STONE = because("Stone Throwers", 89, "In range, ahead, over neither friends nor enemies who fight; then it scatters.")
_HOLE = because("Stone Throwers", 89, "Whoever is under the hole takes the full blow, others the lesser one.")
_STONE_RADIUS_MM = inches(1.5)
_DIRECTIONS, _DISTANCES_IN = 36, (2, 4, 6, 8, 10)


def stone_thrower(table: ExactTable, query: StoneThrower) -> RuleResult:
    """Stone thrower: whether it may be aimed there, and whom the stone hits. Source: Stone Throwers, p. 89-90."""
    at, dice = point_of(table, query.at), query.dice
    drifts = query.indirect and dice.scatter == "hit"
    needs = () if dice.scatter is None or is_misfire(dice) else missing_dice(dice, drifts=drifts)
    if needs:
        return RuleResult(status="unknown", needs=needs, because=(_STONE,))
    slacks, seen_by = _stone_slacks(table, query, at)
    skill = leading_miniature(table, query.attacker).profile.bs or 0.0
    point = scatter_point(at, dice, less_in=skill if drifts else 0.0, drifts=drifts)
    stone = Area((disc(point, _STONE_RADIUS_MM),))
    inside = [] if is_misfire(dice) else garrisons_hit(table, stone, point)
    members = () if is_misfire(dice) else bases_under_template(table, stone)
    struck = ids_hit(members)
    hole = ids_under_hole(table, point, struck)
    by_id: dict[str, JsonValue] = {id_: {"hit": "hole" if id_ in hole else "touched"} for id_ in struck}
    value: dict[str, JsonValue] = {
        "point_mm": [*point],
        "by_id": by_id | {member.id: details for member, details in inside if ids_hit([member])},
        "clauses": list_margins(slacks),
        "misfire": is_misfire(dice),
    }
    value |= {"ties": [*hole]} if len(hole) > 1 else {}
    if dice.scatter is None and not table.margins_only and not table.perturbations:
        value["expected"] = _expected_hits(table, at)
    deciding = aim_margin_mm(slacks, "range", "least-range", "clear-of-friends", "hole-over-one")
    spare = format_length(abs(deciding))
    doubts = () if query.indirect else point_sight_doubts(table, query.attacker, at)
    return RuleResult(
        margin_mm=deciding,
        value=value,
        members=(*members, *(member for member, _ in inside)),
        witness=(Witness(type="circle", role="limit", centre_mm=point, radius_mm=_STONE_RADIUS_MM),),
        because=(with_effect(table, _STONE, f"{spare} {'to spare' if deciding >= 0 else 'short'}."), _HOLE),
        readings=("stone-range", "stone-heading", "area-touch"),
        outcomes=(tuple(struck), failed_clauses(slacks)),
        doubtful=("stone-range", "stone-heading", *doubts, *grazing_doubts(members)),
        depends_on_place=tuple(dict.fromkeys((*members_of(table, query.attacker)[:1], *seen_by))),
        depends_on_facing=members_of(table, query.attacker)[:1],
    )


def _stone_slacks(table: ExactTable, query: StoneThrower, at: Point) -> tuple[dict[str, float], tuple[str, ...]]:
    """In range, ahead, seen unless it is thrown blindly; over nobody it may not be aimed at, the hole over one."""
    slacks, touches = aim_slacks(table, query.attacker, at, sight=not query.indirect)
    if table.reading("stone-range") == "any-part":
        slacks = {name: mm + _STONE_RADIUS_MM * (name in ("range", "least-range")) for name, mm in slacks.items()}
    if table.reading("stone-heading") == "exactly":
        slacks["ahead"] = -turn_to_rad(table, query.attacker, at) * math.dist(muzzle(table, query.attacker), at)
    every = (clearance_from_unit_mm(table, query.attacker, id_, RoundedShape((at,))) for id_ in all_regiments(table))
    barred = [mm for mm in every if mm is not None]
    if barred:
        slacks["clear-of-friends"] = min(barred) - _STONE_RADIUS_MM
    outside = [id_ for id_ in all_regiments(table) if garrisoned_building(table, id_) is None]
    foes = [m for id_ in outside if not are_friends(table, query.attacker, id_) for m in members_of(table, id_)]
    found_deep = [(-gap(table.base(m), RoundedShape((at,))).mm, m) for m in foes]
    deep, deepest = max(found_deep, default=(-CAPPED_MM, None))
    if deepest is not None and is_more_than(deep, -_STONE_RADIUS_MM, "the stone would touch", (deepest,)):
        slacks["hole-over-one"] = deep
    return slacks, touches


def _expected_hits(table: ExactTable, at: Point) -> float:
    """The mean number of bases touched over the scatter, a misfire touching none. Source: Stone Throwers, p. 89."""

    far = _STONE_RADIUS_MM + inches(max(_DISTANCES_IN))
    stand = [m for m in table.state.miniatures if m.inside is None and "removed" not in m.status]
    near = [base for m in stand if math.dist((base := table.base(m.id)).centre, at) < far + base.reach_mm]

    def hits(point: Point) -> int:
        stone = disc(point, _STONE_RADIUS_MM)
        close = (b for b in near if math.dist(b.centre, point) < _STONE_RADIUS_MM + b.reach_mm)
        return sum(gap(stone, base).mm < 0 for base in close)

    stays = hit_face_share()
    turns = [360.0 * k / _DIRECTIONS for k in range(_DIRECTIONS)]
    off = [hits(point_along(at, turn, inches(far))) for turn in turns for far in _DISTANCES_IN]
    return 5 / 6 * (stays * hits(at) + (1 - stays) * sum(off) / len(off))
