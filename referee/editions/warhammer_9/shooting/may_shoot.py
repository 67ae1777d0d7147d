"""May shoot: whether anything forbids a unit to shoot, also at an enemy that friends fight."""

import math

from models.pose import Pose
from models.profile import RangedWeapon
from models.queries import MayShoot, ShootingIntoCombat
from models.turn import ThisTurn, UnitPose
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.body_visibility import sight_blocker_doubts, sight_blockers
from referee.editions.warhammer_9.line_of_sight.los import eligible_viewers, sight_clearance
from referee.editions.warhammer_9.movement.turn_ledger import shooting_bars
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.engagement import engaged_with, free_sides, side_gap_mm
from referee.editions.warhammer_9.units.quadrants import quadrant
from referee.editions.warhammer_9.units.regiment import Regiment, are_friends, leading_miniature, members_of, regiment
from referee.editions.warhammer_9.units.unit_strength import UNCOUNTED_MOVES, has_moved, this_turn_of, total_strength
from referee.rules.conditions import certain_mm, list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met, is_more_than

_NOT = because(
    "Who Can Shoot?", 34, "Not after marching, reforming, rallying, charging or fleeing, and not while engaged."
)
_MELEE = because("Shooting", 35, "Into a combat only from within 4 in of a side nobody fights, at strength 5 or more.")
_READ = ("unengaged-side", "fire-past-friend")


def weapon_of(table: ExactTable, attacker: str, name: str | None) -> RangedWeapon | None:
    """The missile weapon asked about, else the first that anybody of the unit carries."""
    carried = (weapon for m in members_of(table, attacker) for weapon in table.miniature(m).profile.ranged)
    return next((weapon for weapon in carried if name is None or weapon.name == name), None)


def armed_members(table: ExactTable, attacker: str, name: str | None) -> tuple[str, ...]:
    """Those of a unit who carry the weapon asked about; all of them where no card tells of any."""
    members, weapon = members_of(table, attacker), weapon_of(table, attacker, name)
    carriers = (m for m in members if any(weapon == carried for carried in table.miniature(m).profile.ranged))
    return tuple(carriers) or members


def why_may_not_shoot(
    table: ExactTable, attacker: str, weapon: RangedWeapon | None, *, volley: bool = False
) -> list[str]:
    """The reasons that forbid the unit to shoot.

    Source: Shooting, p. 34-35; Move or Fire, p. 63; Volley Fire, p. 68.
    """
    first = leading_miniature(table, attacker)
    bars = shooting_bars(table, attacker)
    if weapon is None and first.has("breath-weapon"):  # Source: Breath Weapon Shooting Attack, p. 57
        bars = [why for why in bars if why not in ("marched", "reformed")]
    rules = () if weapon is None else weapon.rules
    if "move-or-fire" in rules or first.type == "war-machine":
        bars += ["move-or-fire"] * _has_moved_off(table, attacker)
    bars += ["moved"] * (volley and has_moved(table, attacker)) + ["no-volley-fire"] * (
        volley and "volley-fire" not in rules
    )
    return list(dict.fromkeys(bars))


def _has_moved_off(table: ExactTable, attacker: str) -> bool:
    """Whether it moved before it fires what may not be fired on the move.

    A lone miniature may pivot; a machine by up to 45 degrees. Source: Move or Fire, p. 63; War Machines, p. 86.
    """
    deeds, ids = this_turn_of(table, attacker), members_of(table, attacker)
    if set(deeds.moved) - UNCOUNTED_MOVES - {"pivot"}:
        return True
    if "pivot" not in deeds.moved or len(ids) > 1:
        return has_moved(table, attacker)
    return leading_miniature(table, attacker).type == "war-machine" and is_more_than(
        _turned_deg(table, ids[0], deeds),
        parameters.PIVOT_DEG,
        "has turned too far",
        (),
        turning=ids[:1],
        lever_mm=math.degrees(1.0),
    )


def _turned_deg(table: ExactTable, id_: str, deeds: ThisTurn) -> float:
    """How far it has turned since its move began; too far where that is not told, as a pivot counts as a move then."""
    start = deeds.start
    if not isinstance(start, Pose | UnitPose) or start.facing_deg is None:
        return 360.0
    turn = math.remainder(table.facing_rad(id_) - math.radians(start.facing_deg), math.tau)
    return abs(math.degrees(turn))


def may_shoot(table: ExactTable, query: MayShoot) -> RuleResult:
    """May shoot: whether nothing forbids the unit to shoot. Source: Shooting, p. 35; Move or Fire, p. 63."""
    reasons = why_may_not_shoot(table, query.attacker, weapon_of(table, query.attacker, query.weapon))
    return RuleResult(
        margin_mm=-CAPPED_MM if reasons else CAPPED_MM,
        value={"reasons": [*reasons]},
        because=(with_effect(table, _NOT, f"Against it: {', '.join(reasons)}." if reasons else "Nothing forbids it."),),
    )


def shooting_into_combat(table: ExactTable, query: ShootingIntoCombat) -> RuleResult:
    """Shooting into combat: whether a unit may shoot at an enemy that fights. Source: Shooting, p. 35."""
    own, foes = regiment(table, query.target), engaged_with(table, query.target)
    gap_mm, side = _nearest_side(table, query.attacker, own)
    reach = parameters.INTO_COMBAT_MM - max(0.0, gap_mm) if math.isfinite(gap_mm) else -CAPPED_MM
    weapon = weapon_of(table, query.attacker, query.weapon)
    sight, eyes = _recall_best_sight(table, query, foes)
    barred_ = [why for why in why_may_not_shoot(table, query.attacker, weapon) if why != "engaged"]
    mm = {
        "engaged": certain_mm(bool(foes)),
        "near-a-free-side": reach,
        "strength": certain_mm(total_strength(table, query.target) >= parameters.FEW),
        "no-template": certain_mm(weapon is None or weapon.template is None),
        "may-shoot": certain_mm(not barred_ and not engaged_with(table, query.attacker)),
        "sight": sight,
    }
    failed = [name for name, margin in mm.items() if not is_margin_met(margin)]
    friends = [id_ for id_ in foes if are_friends(table, query.attacker, id_)]
    return RuleResult(
        margin_mm=_combine_margins(reach, sight, failed),
        value={
            "side": side,
            "ones_hit": [*friends],
            "clauses": list_margins(mm),
        },
        because=(with_effect(table, _MELEE, _explain_near_side(gap_mm, side)),),
        readings=_READ,
        outcome_house_rules=()
        if table.margins_only
        else (*_READ, *sight_blocker_doubts(table, query.attacker, query.target)),
        depends_on_place=tuple(dict.fromkeys((*closest_bases(table, query.attacker, query.target).depends_on, *eyes))),
        depends_on_facing=eyes[:1],
    )


def _combine_margins(reach: float, sight: float, failed: list[str]) -> float:
    """4 in less the distance, as long as all else holds; a sight that fails by a little is told by how much."""
    others = set(failed) - {"near-a-free-side", "sight"}
    return -CAPPED_MM if others else min(reach, sight) if "sight" in failed else reach


def _nearest_side(table: ExactTable, attacker: str, own: Regiment) -> tuple[float, str]:
    """The nearest side that nobody fights, of those in whose quadrant the shooters stand. Source: Shooting, p. 35."""
    near = sorted((side_gap_mm(table, attacker, own, side), side) for side in free_sides(table, own.id))
    if table.reading("unengaged-side") == "in-arc-and-near":
        where = {quadrant(own, regiment(table, m).centre, (m,))[0] for m in members_of(table, attacker)}
        near = [closest for closest in near if closest[1] in where]
    return near[0] if near else (math.inf, "none")


def _recall_best_sight(table: ExactTable, query: ShootingIntoCombat, foes: list[str]) -> tuple[float, tuple[str, ...]]:
    """How well the best of the shooters sees the target; past the friends who fight it where the table agreed so."""
    key = ("sees best", query.attacker, query.target)
    best = table.memoize_unperturbed(
        key, lambda still: _find_best_sight(still, query, foes, eligible_viewers(still, query.attacker))
    )
    return best if not table.perturbations else _find_best_sight(table, query, foes, best[1][:1])


def _find_best_sight(
    table: ExactTable, query: ShootingIntoCombat, foes: list[str], eyes: tuple[str, ...]
) -> tuple[float, tuple[str, ...]]:
    things = sight_blockers(table, query.attacker, query.target)
    if table.reading("fire-past-friend") == "free":
        things = tuple(thing for thing in things if thing.id not in foes)
    return max((sight_clearance(table, eye, query.target, things) for eye in eyes), key=lambda sight: sight[0])


def _explain_near_side(gap_mm: float, side: str) -> str:
    return f"It is {format_length(max(0.0, gap_mm))} from the {side}." if math.isfinite(gap_mm) else "No side is free."
