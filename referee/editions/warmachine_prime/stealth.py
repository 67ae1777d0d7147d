"""Stealth: ranged and magic attacks from farther than 5 in miss."""

from models.queries import Stealth
from models.verdict import CAPPED_MM
from models.words import Point
from referee.editions.warmachine_prime.distances import ruler, shot_mm, touched
from referee.editions.warmachine_prime.ground import has_stealth
from referee.editions.warmachine_prime.parameters import STEALTH_MM, because
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, margin, name_of

_STEALTH = because("Advantages", 17, "Ranged and magic attacks from farther than 5 in miss; exactly 5 in is near.")
_NONE = because("Advantages", 17, "It has no Stealth.", "Distance does not make the attack miss.")
_EYELESS = because("Advantages", 17, "Eyeless Sight takes no notice of Stealth.", "The attack is made as usual.")


def stealth(table: Situation, query: Stealth) -> Ruling:
    """Whether Stealth makes the attack miss; exactly 5 in is near. Source: Advantages, p. 17."""
    origin: str | Point = query.attacker if query.origin is None else query.origin
    if not has_stealth(table.miniature(query.target)):
        return Ruling(margin_mm=-CAPPED_MM, because=(_NONE,), touches=(query.target,))
    if table.miniature(query.attacker).has("eyeless-sight"):
        return Ruling(margin_mm=-CAPPED_MM, because=(_EYELESS,), touches=(query.target,))
    between = area_gap(table.area(origin), table.area(query.target))
    apart, rise = shot_mm(table, origin, query.target)
    key = ("range-elevation",) if rise else ()
    return Ruling(
        margin_mm=apart - STEALTH_MM,
        zero_is_met=False,
        value={"distance_mm": apart},
        lengths_mm={"distance": apart},
        witness=(ruler(between, origin, query.target, role="limit"),),
        because=(applied(table, _STEALTH, _told(table, query.target, apart)),),
        readings=key,
        doubtful=key,
        touches=touched(origin, query.target),
    )


def _told(table: Situation, target: str, apart_mm: float) -> str:
    near = margin(STEALTH_MM - apart_mm, spare="nearer than that", short="farther than that")
    return f"{name_of(table, target)} is {length(apart_mm)} away, {near}."
