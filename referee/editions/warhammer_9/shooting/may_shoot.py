"""May shoot: whether anything forbids a unit to shoot."""

import math

from models.pose import Pose
from models.profile import RangedWeapon
from models.queries import MayShoot
from models.turn import ThisTurn, UnitPose
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import is_skirmishing, leading_miniature, members_of
from referee.editions.warhammer_9.units.this_turn import UNCOUNTED_MOVES, has_charged, has_moved, this_turn_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_NOT = because("Shooting", 35, "Not after marching, reforming, rallying, charging or fleeing, and not while engaged.")
_BARRED = {
    "march": "marched", "reform": "reformed", "flee": "fled", "overrun": "overran",
    "pursuit": "pursued", 
}  # fmt: skip


def weapon_of(table: ExactTable, attacker: str, name: str | None) -> RangedWeapon | None:
    """The missile weapon asked about, else the first that anybody of the unit carries."""
    carried = (one for m in members_of(table, attacker) for one in table.miniature(m).profile.ranged)
    return next((one for one in carried if name is None or one.name == name), None)


def why_may_not_shoot(
    table: ExactTable, attacker: str, weapon: RangedWeapon | None, *, volley: bool = False
) -> list[str]:
    """The reasons that forbid the unit to shoot.

    Source: Shooting, p. 34-35; Move or Fire, p. 63; Volley Fire, p. 68.
    """
    deeds, first = this_turn_of(table, attacker), leading_miniature(table, attacker)
    nimble = first.has("skirmishers") or first.has("fast-cavalry") or is_skirmishing(table, attacker)
    free = {"marched", "reformed"} if nimble else set()
    found = [why for what, why in _BARRED.items() if what in deeds.moved and why not in free]
    found += ["charged"] * has_charged(deeds)
    found += ["failed-charge"] * deeds.charge_failed + ["rallied"] * deeds.rallied
    found += ["fleeing"] * ("fleeing" in first.status) + ["stupid"] * ("stupid" in first.status)
    found += ["engaged"] * bool(engaged_with(table, attacker))
    found += ["has-shot"] * deeds.shot
    rules = () if weapon is None else weapon.rules
    if "move-or-fire" in rules or first.type == "war-machine":
        found += ["move-or-fire"] * _has_moved_off(table, attacker)
    found += ["moved"] * (volley and has_moved(deeds)) + ["no-volley-fire"] * (volley and "volley-fire" not in rules)
    return list(dict.fromkeys(found))


def _has_moved_off(table: ExactTable, attacker: str) -> bool:
    """Whether it moved before it fires what may not be fired on the move.

    A lone miniature may pivot; a machine by up to 45 degrees. Source: Move or Fire, p. 63; War Machines, p. 86.
    """
    deeds, ids = this_turn_of(table, attacker), members_of(table, attacker)
    if set(deeds.moved) - UNCOUNTED_MOVES - {"pivot"}:
        return True
    if "pivot" not in deeds.moved or len(ids) > 1:
        return has_moved(deeds)
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
